"""A layer of type `program`: one of the model's own vertex programs, bound to its place in the model.

The program may read the vertex feature `h` (port x), `norm` (1 / sqrt(in-degree)) and the edge feature `w` (port e);
a port whose feature it does not read may stay empty. A size that a feature declares alone, such as `in` of
Vertex(h="in"), is the width of that port; a size or constant called `classes` is the number of classes; every other is
a setting of the node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workers.compiler.ir import Domain, Type
from workers.compiler.signature import Signature
from workers.core.model import Scalar
from workers.core.problems import DocumentError, Problem
from workers.zoo.chosen_relations import SETTING
from workers.zoo.reading import read_program, read_signature
from workers.zoo.signature import Params, Placed, Size

NAME, LOOPS = "program", "self_loops"
OWN = (NAME, LOOPS, SETTING)
"""The settings of the layer itself."""
NORM = "norm"
PORTS = {"h": "x", "w": "e"}
"""Features of the program and the ports they are."""
CLASSES = "classes"
STAND_INS = (840, 1680)
"""Numbers in place of sizes nobody knows yet; highly divisible, so that heads and halves come out even."""
UNKNOWN = "?"


def source(placed: Placed) -> str:
    """The program's text. Raises DocumentError where the model has no program of that name."""
    name = str(placed.params[NAME])
    if name in placed.programs:
        return placed.programs[name]
    known = f"The model has {', '.join(placed.programs)}." if placed.programs else "Write one in the Code pane."
    message = f"There is no vertex program {name!r}." if name else "No vertex program is chosen."
    raise DocumentError((_fault(placed, f"/params/{NAME}", "program.missing", message, known),))


def bound_names(placed: Placed) -> dict[str, Scalar]:
    """Sizes and constants by name, symbols where no number is known yet. Raises DocumentError for one not given."""
    signature = read_signature(source(placed), pointer(placed))
    widths = _widths(placed, signature)
    own = {n: x for n, x in placed.params.items() if n not in OWN}
    names = (*signature.sizes, *(c.name for c in signature.constants))
    needed = (*signature.sizes, *(c.name for c in signature.constants if c.default is None))
    unset = {n for n in needed if n not in widths}
    faults = [
        *(_unknown(placed, n, names) for n in own if n not in names),
        *(_missing(placed, n) for n in sorted(unset) if n not in own),
    ]
    if faults:
        raise DocumentError(tuple(faults))
    return own | {n: x for n, x in widths.items() if n in names}


def known_names(placed: Placed) -> dict[str, Scalar]:
    """The same, once every size is a number. Raises KeyError naming one that is not."""
    names = bound_names(placed)
    for name in _symbols(read_signature(source(placed)), names):
        raise KeyError(f"size {name} is not known before a dataset is chosen")
    return names


def unread(params: Params, programs: Mapping[str, str]) -> frozenset[str]:
    """Port x where the program reads no vertex feature; one that cannot be read, or is not there yet, wants it."""
    try:
        signature = read_signature(programs.get(str(params[NAME]), ""))
    except DocumentError:
        return frozenset()
    return frozenset() if "h" in signature.features or "w" not in signature.edge_features else frozenset({"x"})


def outputs(placed: Placed) -> dict[str, Size]:
    """The width the program returns. Raises DocumentError with the faults of its text, or of what it is given."""
    signature = read_signature(source(placed), pointer(placed))
    faults = list(_features(placed, signature))
    if faults:
        raise DocumentError(tuple(faults))
    names = bound_names(placed)
    symbols = _symbols(signature, names)
    if not symbols:
        return {"y": _width(placed, _result(placed, names))}
    found = {_guess(placed, names | dict.fromkeys(symbols, number)) for number in STAND_INS}
    return {"y": found.pop() if len(found) == 1 else UNKNOWN}


def _symbols(signature: Signature, names: Mapping[str, Scalar]) -> tuple[str, ...]:
    """Sizes that only a dataset fixes."""
    declared = {s.text.strip() for s in (*signature.features.values(), *signature.edge_features.values())}
    sizes = dict.fromkeys((*signature.sizes, *(n for n in names if n == CLASSES or n in declared)))
    return tuple(n for n in sizes if isinstance(names[n], str))


def pointer(placed: Placed) -> str:
    return f"/programs/{placed.params[NAME]}"


def _widths(placed: Placed, signature: Signature) -> dict[str, Scalar]:
    """Sizes that a feature declares alone, and the number of classes."""
    declared = {**signature.features, **signature.edge_features}
    ports = {f: placed.inputs[PORTS[f]][0] for f in declared if f in PORTS and placed.inputs.get(PORTS[f])}
    bare = {declared[f].text.strip(): t.width for f, t in ports.items() if declared[f].text.strip().isidentifier()}
    return {CLASSES: placed.sizes.classes, **bare}


def _features(placed: Placed, signature: Signature) -> Iterator[Problem]:
    """Features the layer has no port for, and edge features nothing is wired to."""
    brought = ("h",) if signature.typed else ("h", NORM)
    for name in (n for n in signature.features if n not in brought):
        hint = f"A layer's program reads {' and '.join(f'v.{n}' for n in brought)}."
        message = f"The program reads v.{name}, which no port brings."
        yield _fault(placed, "", "program.feature", message, hint, place=pointer(placed))
    for name in (n for n in signature.edge_features if n != "w"):
        message, hint = f"The program reads e.{name}, which no port brings.", "A layer's program reads e.w."
        yield _fault(placed, "", "program.feature", message, hint, place=pointer(placed))
    if signature.typed and placed.params[LOOPS]:
        message, hint = "Self-loops are of no relation, and the program is over relations.", "Turn self_loops off."
        yield _fault(placed, f"/params/{LOOPS}", "program.loops", message, hint)
    if placed.params[SETTING] and not signature.typed:
        message, hint = "The program reads edges of one relation.", "Clear this setting, or read v.relations there."
        yield _fault(placed, f"/params/{SETTING}", "program.relations", message, hint)
    if "w" in signature.edge_features and placed.params[LOOPS]:
        message, hint = "Added self-loops have no edge features, and the program reads e.w.", "Turn self_loops off."
        yield _fault(placed, f"/params/{LOOPS}", "program.loops", message, hint)
    if "w" in signature.edge_features and not placed.inputs.get("e"):
        message = "The program reads e.w, but port e is not connected."
        yield _fault(placed, "", "port.unconnected", message, "Wire an edge feature to it.", port="e")


def _result(placed: Placed, names: Mapping[str, Scalar]) -> Type:
    program = read_program(source(placed), names, pointer(placed))
    if len(program.outputs) > 1:
        message, hint = (
            f"The program returns {len(program.outputs)} values.",
            "A layer gives one: join them with concat.",
        )
        raise DocumentError((_fault(placed, "", "program.result", message, hint, place=pointer(placed)),))
    return program[program.outputs[0][1]].type


def _width(placed: Placed, result: Type) -> Size:
    if result.domain is Domain.EDGE or len(result.shape) != 1:
        message, hint = (
            f"The program returns {result}.",
            "End with one row of numbers a vertex: aggregate, then reshape.",
        )
        raise DocumentError((_fault(placed, "", "program.result", message, hint, place=pointer(placed)),))
    return result.shape[0]


def _guess(placed: Placed, names: Mapping[str, Scalar]) -> Size:
    """The width with stand-ins for unknown sizes. Clashes of widths may be theirs, so those faults wait."""
    try:
        return _width(placed, _result(placed, names))
    except DocumentError as error:
        sure = tuple(p for p in error.problems if p.code not in ("program.type", "program.binding"))
        if sure:
            raise DocumentError(sure) from None
        return UNKNOWN


def _unknown(placed: Placed, name: str, names: tuple[str, ...]) -> Problem:
    hint = f"It has {', '.join(names)}." if names else "It has none."
    message = f"The vertex program has no size or constant {name}."
    return _fault(placed, f"/params/{name}", "param.unknown", message, hint)


def _missing(placed: Placed, name: str) -> Problem:
    message = f"The vertex program needs a value for {name}."
    return _fault(placed, f"/params/{name}", "param.missing", message, "Add it as a setting, or give it a default.")


def _fault(
    placed: Placed, where: str, code: str, message: str, hint: str, *, place: str = "", port: str | None = None
) -> Problem:
    pointer_ = place or f"/nodes/{placed.node_id}{where}"
    return Problem(pointer=pointer_, code=code, message=message, hint=hint, node_id=placed.node_id, port=port)
