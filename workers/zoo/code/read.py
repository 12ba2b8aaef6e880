"""From a model's text to its document. Nothing is run; what cannot be understood is told, and nothing else changes.

1. Cells are cut at their markers; programs are taken as they are, whatever stands in them.
2. The model's function is read statement by statement; every fault is told with its line.
3. Names become node ids. A name may be used above the line that gives it: the wires say what comes first.
4. With the document the text comes from, what the text does not say stays: order, positions, settings that stand at
   their default in so many words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from workers.compiler.faults import LanguageError
from workers.compiler.ir import Span
from workers.compiler.parse import tree_of
from workers.core.model import Endpoint, Group, ModelDoc, Node, Note, Scalar, VertexProgram, Wire
from workers.core.problems import Problem
from workers.zoo.code.cells import Cell, cells_of, source_in
from workers.zoo.code.names import defaults, first_output, same
from workers.zoo.code.statement import Reference, Said, said

LONGEST = 400_000
MOST_NODES = 200_000
Item = TypeVar("Item")


@dataclass(frozen=True)
class ModelText:
    """A text as it was read. `offset` is the line before the model's cell; `function` is None where none was found."""

    text: str
    cells: list[Cell]
    model: Cell | None
    offset: int
    function: ast.FunctionDef | None
    statements: list[Said]
    problems: list[Problem]


def read_text(text: str) -> ModelText:
    """Cells and statements of a text, with every fault. Never raises."""
    cells = cells_of(text)
    models = [c for c in cells if c.name is None]
    model = models[-1] if models else None
    offset = text[: model.body].count("\n") if model else 0
    found = ModelText(text, cells, model, offset, None, [], _cell_faults(text, cells, models))
    if model is None or found.problems:
        return found
    try:
        function = _function(text[model.body : model.end])
    except LanguageError as error:
        found.problems.append(_problem(error, offset))
        return found
    for statement in function.body:
        try:
            if what := said(statement):
                found.statements.append(what)
        except LanguageError as error:
            found.problems.append(_problem(error, offset, _key_of(statement)))
    found.problems.extend(_name_faults(found.statements, offset))
    return ModelText(text, cells, model, offset, function, found.statements, found.problems)


def read_model(read: ModelText, base: ModelDoc) -> tuple[ModelDoc | None, list[Problem]]:
    """The document the text says, and what is wrong. With a fault there is none: the last good one stands."""
    if read.problems or read.function is None:
        return None, read.problems
    try:
        return _document(read, base), []
    except ValidationError as error:
        return None, [_refused(read, fault) for fault in error.errors()[:20]]


# --- faults -----------------------------------------------------------------------------------------------------------


def _cell_faults(text: str, cells: list[Cell], models: list[Cell]) -> list[Problem]:
    if len(text) > LONGEST:
        return [_problem(LanguageError(f"the text has {len(text)} characters", f"At most {LONGEST}.", code="limit"), 0)]
    names = [c.name for c in cells if c.name]
    faults = []
    if not models:
        faults.append(LanguageError("there is no model", "Write `# %% model` and def model(): ...", span=Span(1, 1)))
    for cell in cells:
        line = text[: cell.start].count("\n") + 1
        if cell.name and names.count(cell.name) > 1:
            faults.append(LanguageError(f"two programs are called {cell.name}", "Rename one.", span=Span(line, 1)))
        if cell.name is None and cell is not models[-1]:
            hint = "A vertex program begins with `# %% program NAME`."
            faults.append(LanguageError("the model stands in one cell", hint, span=Span(line, 1)))
    return [_problem(f, 0) for f in faults]


def _function(source: str) -> ast.FunctionDef:
    module = tree_of(source, MOST_NODES)
    functions = [n for n in module.body if isinstance(n, ast.FunctionDef)]
    others = [
        n for n in module.body if n not in functions and not isinstance(n, (ast.Expr, ast.Import, ast.ImportFrom))
    ]
    extra = others or [f for f in functions if f.name != "model"]
    if extra:
        hint = "Everything is inside def model(); a vertex program has a cell of its own: # %% program NAME."
        raise LanguageError("only the model stands here", hint, span=Span(extra[0].lineno, extra[0].col_offset + 1))
    if len(functions) != 1:
        raise LanguageError(f"there are {len(functions)} models", "Write def model(): once.", span=Span(1, 1))
    return functions[0]


def _name_faults(statements: Sequence[Said], offset: int) -> Iterable[Problem]:
    names = {s.variable for s in statements if s.variable}
    seen: set[tuple[str, str]] = set()
    for what in statements:
        for key in (("name", what.variable or ""), ("id", what.key)):
            if key[1] and what.kind != "wire" and key in seen:
                hint = "Ids are unique: choose another name, or give id=."
                error = LanguageError(f"{key[1]} is given twice", hint, code="name", span=_span(what.statement))
                yield _problem(error, offset, what.key)
            seen.add(key)
        for _, (name, _port), written in what.inputs:
            if not name.startswith("=") and name not in names:
                known = ", ".join(sorted(names)) or "nothing yet"
                error = LanguageError(
                    f"nothing is called {name}", f"There is {known}.", code="name", span=_span(written)
                )
                yield _problem(error, offset, what.key)


def _key_of(statement: ast.stmt) -> str | None:
    """The node a statement is probably about."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _span(node: ast.AST) -> Span:
    return Span(getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


def _problem(error: LanguageError, offset: int, node: str | None = None) -> Problem:
    span = error.span or Span(1, 1)
    return Problem(
        pointer="/code",
        code=f"code.{error.code}",
        message=error.message[:1].upper() + error.message[1:] + ("" if error.message.endswith(".") else "."),
        hint=error.hint,
        node_id=node,
        line=span.line + offset,
        column=span.column,
    )


def _refused(read: ModelText, fault: Any) -> Problem:
    """A value the document cannot hold, at the statement that gives it."""
    place = fault["loc"]
    at = next((s for s in read.statements if s.kind == "node" and place[:1] == (s.key,)), None)
    what = next((s for s in read.statements if s.key in place), at)
    span = _span(what.statement) if what else Span(1, 1)
    error = LanguageError(str(fault["msg"]), "", code="value", span=span)
    return _problem(error, read.offset, what.key if what else None)


# --- the document -----------------------------------------------------------------------------------------------------


def _document(read: ModelText, base: ModelDoc) -> ModelDoc:
    """Raises ValidationError whose place begins with the id of the statement at fault."""
    before = {n.id: n for n in base.nodes}
    nodes = [
        _made(Node, s, type=s.type, title=s.title, params=_params(s, before.get(s.key))) for s in _of(read, "node")
    ]
    groups = [_made(Group, s, **{k: v for k, v in s.values.items() if k != "id"}) for s in _of(read, "group")]
    notes = [_made(Note, s, **{k: v for k, v in s.values.items() if k != "id"}) for s in _of(read, "note")]
    programs = [VertexProgram(name=c.name, source=source_in(read.text, c)) for c in read.cells if c.name]
    return ModelDoc(
        nodes=tuple(_merged(nodes, base.nodes, lambda n: n.id)),
        wires=tuple(_wires(read, base)),
        programs=tuple(_merged(programs, base.programs, lambda p: p.name)),
        groups=tuple(_merged(groups, base.groups, lambda g: g.id)),
        notes=tuple(_merged(notes, base.notes, lambda n: n.id)),
        layout=_layout(base, {s.key for s in read.statements}),
        code=read.text,
    )


def _of(read: ModelText, kind: str) -> list[Said]:
    return [s for s in read.statements if s.kind == kind]


def _made(model: type[Any], what: Said, **values: object) -> Any:
    try:
        return model(id=what.key, **values)
    except ValidationError as error:
        lines = [dict(e) | {"loc": (what.key, *e["loc"])} for e in error.errors()]
        raise ValidationError.from_exception_data(error.title, lines) from None  # type: ignore[arg-type]


def _params(what: Said, before: Node | None) -> dict[str, Scalar]:
    """What is written, and what stood at its default in so many words before."""
    usual = defaults(what.type)
    if before is None or before.type != what.type:
        return dict(what.params)
    kept = {k: v for k, v in before.params.items() if k in usual and k not in what.params and same(v, usual[k])}
    order = {**before.params, **what.params}
    found = {**kept, **what.params}
    return {k: found[k] for k in order if k in found}


def _layout(base: ModelDoc, ids: set[str]) -> dict[str, Any]:
    before = {n.id for n in base.nodes} | {g.id for g in base.groups} | {n.id for n in base.notes}
    return {k: v for k, v in base.layout.items() if k not in before or k in ids}


def _wires(read: ModelText, base: ModelDoc) -> list[Wire]:
    """In the order of the base; of those that end at one port, in the order of the text."""
    nodes = _of(read, "node")
    ids = {s.variable: (s.key, s.type) for s in nodes if s.variable}
    said_ = [_wire(ids, r, s.key, port) for s in nodes for port, r, _ in s.inputs]
    for s in _of(read, "wire"):
        ends = [
            Endpoint(node=str(s.values[a]), port=str(s.values[b])) for a, b in (("source", "out"), ("target", "port"))
        ]
        said_.append(Wire(source=ends[0], target=ends[1]))
    merged = _merged(said_, base.wires, lambda w: w)
    waiting = {t: iter([w for w in said_ if w.target == t]) for t in {w.target for w in said_}}
    return [next(waiting[w.target]) for w in merged]


def _wire(ids: dict[str, tuple[str, str]], source: Reference, target: str, port: str) -> Wire:
    name, out = source
    if name.startswith("="):
        node, out = name[1:], out or ""
    else:
        node, kind = ids[name]
        out = out or first_output(kind)
    return Wire(source=Endpoint(node=node, port=out), target=Endpoint(node=target, port=port))


def _merged(found: Sequence[Item], before: Sequence[Item], key: Any) -> list[Item]:
    """What was found, in the order it had before; what is new stands behind what it follows in the text."""
    by_key: dict[Any, list[Item]] = {}
    for item in found:
        by_key.setdefault(key(item), []).append(item)
    out = [by_key[key(old)].pop(0) for old in before if by_key.get(key(old))]
    placed = {id(item) for item in out}
    at = 0
    for item in found:
        if id(item) in placed:
            at = next(i for i, x in enumerate(out) if x is item) + 1
        else:
            out.insert(at, item)
            at += 1
    return out
