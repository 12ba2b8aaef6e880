"""A document as text: its programs, then the model as a function whose statements are layer calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from workers.core.model import Endpoint, Group, ModelDoc, Node, Note, Scalar, Wire
from workers.zoo.code.cells import program_cell
from workers.zoo.code.names import (
    RESERVED,
    first_input,
    first_output,
    is_callable,
    is_word,
    meant,
    variables,
)

WIDEST = 100
INDENT = "    "


@dataclass(frozen=True)
class Writer:
    """One document with a variable for each of its nodes, and the wires by the node they end at."""

    doc: ModelDoc
    names: Mapping[str, str]
    into: Mapping[str, tuple[Wire, ...]]
    types: Mapping[str, str]

    @staticmethod
    def of(doc: ModelDoc, taken: dict[str, str] | None = None) -> Writer:
        into: dict[str, list[Wire]] = {}
        for wire in doc.wires:
            into.setdefault(wire.target.node, []).append(wire)
        wires = {k: tuple(v) for k, v in into.items()}
        return Writer(doc, variables(doc.nodes, taken), wires, {n.id: n.type for n in doc.nodes})

    # --- statements ----------------------------------------------------------------------------------------------

    def node(self, node: Node, *, returned: bool = False) -> str:
        """The statement of a node, on one line or on one for each argument."""
        implied = node.type if returned else self.names[node.id]
        head = "return " if returned else f"{self.names[node.id]} = "
        function = node.type if is_callable(node.type) else "layer"
        return head + _call(function, self.arguments(node, implied), len(head) + len(INDENT))

    def arguments(self, node: Node, implied_id: str) -> list[str]:
        wired, odd = self.inputs(node)
        words = {a.split("=", 1)[0] for a in wired if "=" in a}
        params = meant(node.type, dict(node.params))
        plain = {k: v for k, v in params.items() if is_word(k) and k not in RESERVED and k not in words}
        rest = {k: v for k, v in params.items() if k not in plain}
        found = [*wired, *(f"{k}={literal(v)}" for k, v in plain.items())]
        found += [f"type={text(node.type)}"] if not is_callable(node.type) else []
        found += [f"title={text(node.title)}"] if node.title else []
        found += [f"id={text(node.id)}"] if node.id != implied_id else []
        found += [f"params={_dict({k: literal(v) for k, v in rest.items()})}"] if rest else []
        return found + ([f"ports={_dict(odd)}"] if odd else [])

    def inputs(self, node: Node) -> tuple[list[str], dict[str, str]]:
        """Arguments for what arrives, and by name what cannot stand as one."""
        ports: dict[str, list[Endpoint]] = {}
        for wire in self.into.get(node.id, ()):
            ports.setdefault(wire.target.port, []).append(wire.source)
        first, many = first_input(node.type)
        plain, named, odd = [], [], {}
        for port, sources in ports.items():
            written = [self.reference(s) for s in sources]
            whole = [w for w in written if w is not None]
            if len(whole) < len(written):
                odd[port] = _list([text(f"{s.node}.{s.port}") for s in sources])
            elif port == first:
                plain = whole if many else [_one_or_list(whole)]
            elif is_word(port) and port not in RESERVED and port not in node.params:
                named.append(f"{port}={_one_or_list(whole)}")
            else:
                odd[port] = _one_or_list(whole)
        return [*plain, *named], odd

    def reference(self, end: Endpoint) -> str | None:
        """A name, or `name.port`; None for what no name can stand for."""
        name = self.names.get(end.node)
        if name is None or (end.port != first_output(self.types[end.node]) and not is_word(end.port)):
            return None
        return name if end.port == first_output(self.types[end.node]) else f"{name}.{end.port}"

    def loose(self) -> list[str]:
        """Wires that end at no node of the document."""
        return [
            f"wire({text(f'{w.source.node}.{w.source.port}')}, {text(f'{w.target.node}.{w.target.port}')})"
            for w in self.doc.wires
            if w.target.node not in self.types
        ]


def write_model(doc: ModelDoc) -> str:
    """The whole text. Settings at their default are left out; positions are no part of it."""
    writer = Writer.of(doc)
    programs = [program_cell(p.name, p.source) for p in doc.programs]
    marker = ["# %% model\n"] if programs else []
    return "".join([*programs, *marker, "def model():\n", *(f"{indented(s)}\n" for s in _statements(writer))])


def _statements(writer: Writer) -> list[str]:
    doc = writer.doc
    last = returned_node(doc)
    nodes = [writer.node(n) for n in in_order(doc) if n is not last]
    canvas = [*(group_call(g) for g in doc.groups), *(note_call(n) for n in doc.notes)]
    found = [*nodes, *writer.loose(), *canvas, *([writer.node(last, returned=True)] if last else [])]
    return found or ["pass"]


def returned_node(doc: ModelDoc) -> Node | None:
    """The output, where there is one and nothing is wired to it."""
    outputs = [n for n in doc.nodes if n.type == "output"]
    taken = {w.source.node for w in doc.wires}
    return outputs[0] if len(outputs) == 1 and outputs[0].id not in taken else None


def in_order(doc: ModelDoc) -> list[Node]:
    """Nodes after what they read, else in the document's order; those of a cycle as they are."""
    waiting: dict[str, set[str]] = {n.id: set() for n in doc.nodes}
    for wire in doc.wires:
        if wire.target.node in waiting and wire.source.node in waiting:
            waiting[wire.target.node].add(wire.source.node)
    left, out, done = list(doc.nodes), [], set[str]()
    while left:
        ready = next((n for n in left if waiting[n.id] <= done), left[0])
        left.remove(ready)
        out.append(ready)
        done.add(ready.id)
    return out


def group_call(group: Group) -> str:
    parts = [text(group.id), *([f"title={text(group.title)}"] if group.title else [])]
    parts += [f"members={_list([text(m) for m in group.members])}"] if group.members else []
    return _call("group", [*parts, *(["collapsed=True"] if group.collapsed else [])], len(INDENT))


def note_call(note: Note) -> str:
    usual = Note(id="n")
    sizes = [f"{k}={getattr(note, k)}" for k in ("width", "height") if getattr(note, k) != getattr(usual, k)]
    return _call("note", [text(note.id), *([text(note.text)] if note.text else []), *sizes], len(INDENT))


def indented(statement: str) -> str:
    return "\n".join(INDENT + line for line in statement.split("\n"))


def text(value: str) -> str:
    """A text as Python and JSON both write it."""
    return json.dumps(value, ensure_ascii=False)


def literal(value: Scalar) -> str:
    return text(value) if isinstance(value, str) else repr(value)


def _call(function: str, arguments: list[str], before: int) -> str:
    line = f"{function}({', '.join(arguments)})"
    if len(line) + before <= WIDEST or len(arguments) < 2:
        return line
    return f"{function}(\n" + "".join(f"{INDENT}{a},\n" for a in arguments) + ")"


def _one_or_list(items: list[str]) -> str:
    return items[0] if len(items) == 1 else _list(items)


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _dict(items: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{text(k)}: {v}" for k, v in items.items()) + "}"
