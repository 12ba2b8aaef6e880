"""What a legal program is: a table of rules, each tried on every value. Run after tracing, parsing and every pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workers.compiler.ir import ROWS, Attr, Domain, Program, Value
from workers.compiler.maps import KIND, MAPS, TYPED
from workers.compiler.ops import OPS, TypeMismatch
from workers.compiler.text import print_value


class IllegalProgram(ValueError):
    """A pass or a front end built something the IR does not allow. Shows the value and its operands."""


@dataclass(frozen=True)
class Rule:
    """`broken` gives what is wrong with a value, or an empty string."""

    name: str
    broken: Callable[[Program, Value], str]


NUMBER: tuple[type, ...] = (int, float)
SHAPE: tuple[type, ...] = (tuple,)
TEXT: tuple[type, ...] = (str,)
WHOLE: tuple[type, ...] = (int,)

REQUIRED: dict[str, dict[str, tuple[type, ...]]] = {
    "input": {"name": TEXT, "domain": TEXT, "shape": SHAPE},
    "param": {"name": TEXT, "domain": TEXT, "shape": SHAPE},
    "constant": {"value": NUMBER},
    "degree": {"side": TEXT, "to": TEXT},
    "leaky_relu": {"slope": NUMBER},
    "leaky_relu_grad": {"slope": NUMBER},
    "dropout": {"p": NUMBER, "stream": WHOLE},
    "slice": {"start": WHOLE, "stop": WHOLE},
    **{op: {"shape": SHAPE} for op in ("reshape", "sum_to", "expand")},
    **{op: {"side": TEXT, "to": TEXT} for op in ("sum_edges", "mean_edges", "max_edges", "min_edges")},
}
OPTIONAL: dict[str, dict[str, tuple[type, ...]]] = {
    "param": {"init": TEXT},
    "matmul": {"transposed": (bool,)},
    "typed_matmul": {"transposed": (bool,)},
    "edge_softmax": {"side": TEXT},
}


def verify(program: Program) -> Program:
    """Return the program, or raise IllegalProgram showing the first value that breaks a rule, and its operands."""
    for position, value in enumerate(program.values):
        if value.id != position:
            raise IllegalProgram(f"value {position} of {program.name!r} calls itself %{value.id}")
        for rule in RULES:
            if wrong := rule.broken(program, value):
                raise IllegalProgram(_report(program, value, rule, wrong))
    _check_names(program)
    return program


def _report(program: Program, value: Value, rule: Rule, wrong: str) -> str:
    sources = [print_value(program[a]) for a in value.args if 0 <= a < value.id]
    place = f" (line {value.span.line})" if value.span else ""
    shown = "".join(f"\n  {line}" for line in [*sources, print_value(value) + place])
    return f"{program.name!r} breaks {rule.name}: {wrong}{shown}"


def _check_names(program: Program) -> None:
    for what, names in (
        ("result", [n for n, _ in program.outputs]),
        ("leaf", [v.text("name") for v in program.values if v.op in ("input", "param")]),
    ):
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise IllegalProgram(f"{program.name!r} has more than one {what} named {sorted(twice)}")
    for name, i in program.outputs:
        if not 0 <= i < len(program.values):
            raise IllegalProgram(f"result {name!r} of {program.name!r} is %{i}, which does not exist")


# --- the rules: each may rely on the ones before it ---------------------------------------------------------------


def _known(_program: Program, value: Value) -> str:
    return "" if value.op in OPS else f"no op is called {value.op!r}"


def _order(_program: Program, value: Value) -> str:
    late = [a for a in value.args if not 0 <= a < value.id]
    return f"operand %{late[0]} is not computed before it" if late else ""


def _arity(_program: Program, value: Value) -> str:
    op = OPS[value.op]
    enough = len(value.args) >= 1 if op.variadic else len(value.args) == len(op.operands)
    return "" if enough else f"{value.op} takes {len(op.operands)} operands, got {len(value.args)}"


def _attributes(_program: Program, value: Value) -> str:
    required, optional = REQUIRED.get(value.op, {}), OPTIONAL.get(value.op, {})
    given = dict(value.attrs)
    missing, unknown = required.keys() - given.keys(), given.keys() - required.keys() - optional.keys()
    if missing or unknown:
        return f"attributes missing {sorted(missing)}, unknown {sorted(unknown)}"
    wrong = [n for n, x in given.items() if not _is_one_of(x, (required | optional)[n])]
    return f"attribute {wrong[0]} cannot be {given[wrong[0]]!r}" if wrong else ""


def _is_one_of(x: Attr, types: tuple[type, ...]) -> bool:
    return isinstance(x, types) and (bool in types or not isinstance(x, bool))


def _domains(program: Program, value: Value) -> str:
    foreign = (Domain.VERTEX, *TYPED) if program.bipartite else (Domain.SRC, Domain.DST)
    if value.type.domain in foreign:
        kind = "bipartite" if program.bipartite else "square"
        return f"{value.type.domain.value} values do not exist in a {kind} program"
    return ""


def _typed(program: Program, value: Value) -> str:
    try:
        expected = OPS[value.op].infer(tuple(program[a].type for a in value.args), dict(value.attrs))
    except TypeMismatch as error:
        return str(error)
    return "" if expected == value.type else f"its type should be {expected}"


def _leaf_domains(_program: Program, value: Value) -> str:
    if value.op == "param" and value.type.domain not in (Domain.PARAM, Domain.RELATION, Domain.TYPE):
        return "a parameter has no rows but those of relations or types"
    return ""


def _sides(_program: Program, value: Value) -> str:
    attrs = dict(value.attrs)
    if "side" not in attrs:
        return ""
    side = str(attrs["side"])
    ends = ("vertex",) if side in ("dst", "src") else ()
    legal = (*ends, MAPS[side].rows.value) if side in MAPS else ()
    if "to" not in attrs:
        return "" if legal else f"edges have no side {attrs['side']!r}"
    return "" if attrs["to"] in legal else f"edges of side {attrs['side']!r} do not end at {attrs['to']!r} rows"


def _reductions(program: Program, value: Value) -> str:
    if value.op == "sum_rows" and program[value.args[0]].type.domain is Domain.PARAM:
        return "a parameter has no rows to sum"
    if value.op in ("weight_grad", "typed_weight_grad"):
        x, g = (program[a].type for a in value.args)
        if x.domain != g.domain or x.shape[:-1] != g.shape[:-1]:
            return f"rows of {x} and {g} do not pair up"
        if value.op == "typed_weight_grad" and x.domain not in KIND:
            return f"rows of {x} have neither relation nor type"
    return ""


def _probability(_program: Program, value: Value) -> str:
    if value.op == "dropout" and not 0 <= value.number("p") < 1:
        return f"p must be at least 0 and below 1, got {value.attr('p')}"
    return ""


def _gathered(program: Program, value: Value) -> str:
    if value.op in ("gather_src", "gather_dst") and program[value.args[0]].type.domain not in ROWS:
        return "only rows of vertices are sent along edges"
    return ""


RULES: tuple[Rule, ...] = (
    Rule("known ops", _known),
    Rule("operands first", _order),
    Rule("number of operands", _arity),
    Rule("attributes", _attributes),
    Rule("types", _typed),
    Rule("vertex sets", _domains),
    Rule("parameters without rows", _leaf_domains),
    Rule("sides", _sides),
    Rule("reductions", _reductions),
    Rule("probabilities", _probability),
    Rule("movement", _gathered),
)
