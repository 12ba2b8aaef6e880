"""A text brought up to date with its document: only the statements whose layer changed are written anew.

1. Programs: a cell whose source is the document's stays as it is, to the last blank.
2. Statements whose node, group or note is as the document has it stay; of one that differs in settings or title only,
   the arguments in question change; one that is wired differently is written anew, its comments kept above it.
3. What the document no longer has goes with the comments attached to it. What is new comes after what it reads.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from workers.compiler.program_graph.text_edits import Patch, Text, applied
from workers.core.model import Endpoint, Group, ModelDoc, Node, Note
from workers.zoo.code.cells import program_cell, source_in
from workers.zoo.code.chunks import Body, Chunk, body_of, comments_in
from workers.zoo.code.names import RESERVED, first_output, is_word, meant
from workers.zoo.code.read import ModelText
from workers.zoo.code.statement import Said
from workers.zoo.code.write import Writer, group_call, in_order, indented, literal, note_call, text, write_model


def reconcile(read: ModelText, doc: ModelDoc) -> str | None:
    """The text that says `doc`; None for a text that cannot be read, which only its author can mend."""
    if read.problems or read.function is None or read.model is None:
        return None
    source = read.text[read.model.body : read.model.end]
    body = body_of(source, read.function, read.statements)
    if body is None:
        return write_model(doc)
    changed = _body(body, doc, read.statements, source)
    return _with_programs(read, doc, source if changed is None else changed)


def _with_programs(read: ModelText, doc: ModelDoc, model: str) -> str:
    sources = {p.name: p.source for p in doc.programs}
    there = {c.name for c in read.cells if c.name}
    fresh = [program_cell(p.name, p.source) for p in doc.programs if p.name not in there]
    out = []
    for cell in read.cells:
        if cell.name is None:
            marker = read.text[cell.start : cell.body] or ("# %% model\n" if fresh else "")
            out += [*fresh, marker, model]
        elif cell.name in sources:
            kept = source_in(read.text, cell) == sources[cell.name]
            out.append(read.text[cell.start : cell.end] if kept else program_cell(cell.name, sources[cell.name]))
    return "".join(out)


# --- the model's function ---------------------------------------------------------------------------------------------


def _body(body: Body, doc: ModelDoc, statements: list[Said], source: str) -> str | None:
    """The function's text; None where nothing in it changes."""
    taken = {s.key: s.variable for s in statements if s.kind == "node" and s.variable}
    writer = Writer.of(doc, taken)
    renew = _Renewal(writer, doc, source)
    kept: list[Chunk] = []
    touched = False
    for chunk in body.chunks:
        new = renew.chunk(chunk)
        touched |= new is not chunk
        if new is not None:
            kept.append(new)
        elif kept or chunk.gap.strip():
            kept.append(Chunk(chunk.gap if chunk.gap.strip() else "", "", None))
    fresh = renew.fresh(statements)
    if not touched and not fresh:
        return None
    for chunk in fresh:
        kept.insert(_place(kept, chunk), chunk)
    return Body(body.head, _ordered(kept), body.tail).text()


class _Renewal:
    """What becomes of each chunk for one document."""

    def __init__(self, writer: Writer, doc: ModelDoc, source: str) -> None:
        self.writer, self.source = writer, source
        self.nodes = {n.id: n for n in doc.nodes}
        self.groups: dict[str, Group] = {g.id: g for g in doc.groups}
        self.notes: dict[str, Note] = {n.id: n for n in doc.notes}
        self.loose = dict.fromkeys(writer.loose())

    def chunk(self, chunk: Chunk) -> Chunk | None:
        what = chunk.said
        if what is None:
            return chunk
        if what.kind == "node":
            return self._node(chunk, what, self.nodes.get(what.key))
        if what.kind == "wire":
            return chunk if _loose(what) in self.loose else None
        if what.kind == "group":
            return self._other(chunk, what, self.groups.get(what.key), Group, group_call)
        return self._other(chunk, what, self.notes.get(what.key), Note, note_call)

    def _other(self, chunk: Chunk, what: Said, now: object, model: type, write: Callable[..., str]) -> Chunk | None:
        if now is None:
            return None
        was = model(id=what.key, **{k: v for k, v in what.values.items() if k != "id"})
        return chunk if was == now else _rewritten(chunk, write(now))

    def _node(self, chunk: Chunk, what: Said, node: Node | None) -> Chunk | None:
        if node is None:
            return None
        params = meant(node.type, dict(node.params))
        wired = self._wired(what)
        if what.type == node.type and wired == self._wires(node):
            if what.title == node.title and meant(what.type, dict(what.params)) == params and _same_kinds(what, params):
                return chunk
            odd = [k for k in {**what.params, **params} if not is_word(k) or k in RESERVED]
            if not odd and not {"params", "ports"} & {k.arg for k in what.call.keywords}:
                return self._settings(chunk, what, node)
        read = any(w.source.node == node.id for w in self.writer.doc.wires)
        new = _rewritten(chunk, self.writer.node(node, returned=what.variable is None and not read))
        new.reads = self._reads(node)
        return new

    def _wired(self, what: Said) -> list[tuple[str, str | None, str]]:
        names = {v: k for k, v in self.writer.names.items()}
        types = self.writer.types
        found = []
        for port, (name, out), _ in what.inputs:
            node = name[1:] if name.startswith("=") else names.get(name)
            found.append((port, node, out or first_output(types.get(node or "", ""))))
        return sorted(found, key=lambda x: x[0])

    def _wires(self, node: Node) -> list[tuple[str, str | None, str]]:
        into = self.writer.into.get(node.id, ())
        return sorted(((w.target.port, w.source.node, w.source.port) for w in into), key=lambda x: x[0])

    def _reads(self, node: Node) -> frozenset[str]:
        sources = [w.source.node for w in self.writer.into.get(node.id, ())]
        return frozenset(self.writer.names[s] for s in sources if s in self.writer.names)

    def _settings(self, chunk: Chunk, what: Said, node: Node) -> Chunk:
        """Arguments of a call, each changed, taken away or added by itself."""
        text_ = Text(self.source if self.source.endswith("\n") else f"{self.source}\n")
        params = meant(node.type, dict(node.params))
        wanted = {k: literal(v) for k, v in params.items()} | ({"title": text(node.title)} if node.title else {})
        written = {k.arg: k for k in what.call.keywords if k.arg}
        patches = [
            text_.replaced(written[k].value, v)
            for k, v in wanted.items()
            if k in written and ast.literal_eval(written[k].value) != ast.literal_eval(v)
        ]
        usual = dict(what.params) | ({"title": what.title} if what.title else {})
        gone = [k for k in usual if k not in wanted and k not in _explicit(what)]
        patches += [_without(text_, what.call, written[k]) for k in gone if k in written]
        fresh = [f"{k}={v}" for k, v in wanted.items() if k not in written]
        if fresh:
            patches.append(_added(text_, what.call, fresh, gone))
        begin = text_.starts[text_.first_line(what.statement) - 1]
        shifted = [Patch(p.start - begin, p.end - begin, p.text) for p in patches]
        return Chunk(chunk.gap, applied(chunk.lines, shifted)[0], what, chunk.reads)

    def fresh(self, statements: list[Said]) -> list[Chunk]:
        """Chunks for what the text does not say yet, in an order that suits their wires."""
        there = {(s.kind, s.key) for s in statements}
        found = []
        for node in in_order(self.writer.doc):
            if ("node", node.id) not in there:
                lines = f"{indented(self.writer.node(node))}\n"
                found.append(Chunk("", lines, None, self._reads(node), self.writer.names[node.id]))
        groups = [group_call(g) for g in self.groups.values() if ("group", g.id) not in there]
        notes = [note_call(n) for n in self.notes.values() if ("note", n.id) not in there]
        found += [Chunk("", f"{indented(s)}\n", None) for s in (*groups, *notes)]
        said = {_loose(s) for s in statements if s.kind == "wire"}
        return found + [Chunk("", f"{indented(s)}\n", None) for s in self.loose if s not in said]


def _explicit(what: Said) -> set[str]:
    """Settings written at their default: they say what the document means."""
    kept = meant(what.type, dict(what.params))
    return {k for k in what.params if k not in kept}


def _same_kinds(what: Said, params: Mapping[str, object]) -> bool:
    """True is not 1, though Python finds them equal."""
    return all(isinstance(v, bool) is isinstance(params.get(k, v), bool) for k, v in what.params.items())


def _loose(what: Said) -> str:
    source = Endpoint(node=str(what.values["source"]), port=str(what.values["out"]))
    target = Endpoint(node=str(what.values["target"]), port=str(what.values["port"]))
    return f"wire({text(f'{source.node}.{source.port}')}, {text(f'{target.node}.{target.port}')})"


def _rewritten(chunk: Chunk, statement: str) -> Chunk:
    """A statement written anew. Comments attached to it stay; those inside it or behind it come above."""
    assert chunk.said is not None
    all_lines = chunk.lines.splitlines(keepends=True)
    call_lines = (chunk.said.statement.end_lineno or 1) - chunk.said.statement.lineno + 1
    above, own = all_lines[: len(all_lines) - call_lines], all_lines[len(all_lines) - call_lines :]
    inside = comments_in("".join(own))
    if len(own) == 1 and len(inside) == 1 and "\n" not in statement:
        return Chunk(chunk.gap, "".join(above) + f"{indented(statement)}  {inside[0]}\n", chunk.said, chunk.reads)
    lines = "".join([*above, *(f"{indented(c)}\n" for c in inside), f"{indented(statement)}\n"])
    return Chunk(chunk.gap, lines, chunk.said, chunk.reads)


def _pieces(call: ast.Call) -> list[ast.expr | ast.keyword]:
    pieces: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    return sorted(pieces, key=lambda x: (x.lineno, x.col_offset))


def _without(source: Text, call: ast.Call, keyword: ast.keyword) -> Patch:
    pieces = _pieces(call)
    at = pieces.index(keyword)
    if at > 0:
        return Patch(source.end(pieces[at - 1]), source.end(keyword), "")
    end = source.start(pieces[1]) if len(pieces) > 1 else source.end(keyword)
    return Patch(source.start(keyword), end, "")


def _added(source: Text, call: ast.Call, fresh: list[str], gone: list[str]) -> Patch:
    left = [p for p in _pieces(call) if not (isinstance(p, ast.keyword) and p.arg in gone)]
    if not left:
        at = source.end(call) - 1
        return Patch(at, at, ", ".join(fresh))
    last = left[-1]
    line = source.line(int(getattr(last, "lineno", 1)))
    alone = int(getattr(last, "lineno", 1)) != call.lineno
    indent = line[: len(line) - len(line.lstrip())]
    at = source.end(last)
    return Patch(at, at, "".join(f",\n{indent}{f}" if alone else f", {f}" for f in fresh))


# --- order ------------------------------------------------------------------------------------------------------------


def _place(chunks: list[Chunk], fresh: Chunk) -> int:
    """After the last statement it reads; else before the first that reads it; else before the result."""
    after = [i for i, c in enumerate(chunks) if c.variable in fresh.reads]
    if after:
        return max(after) + 1
    before = [i for i, c in enumerate(chunks) if fresh.made and fresh.made in c.reads]
    ends = [i for i, c in enumerate(chunks) if c.said and isinstance(c.said.statement, ast.Return)]
    return min([*before, *ends], default=len(chunks))


def _ordered(chunks: list[Chunk]) -> list[Chunk]:
    """Statements after what they read, each moved as little as that takes. Those of a cycle stay."""
    out = list(chunks)
    for _ in range(len(out)):
        where = {c.variable: i for i, c in enumerate(out) if c.variable}
        early = next(
            ((i, max(where[r] for r in c.reads if r in where))
             for i, c in enumerate(out) if any(where.get(r, -1) > i for r in c.reads)),
            None,
        )  # fmt: skip
        if early is None:
            return out
        moved = out.pop(early[0])
        out.insert(early[1], moved)
    return list(chunks)
