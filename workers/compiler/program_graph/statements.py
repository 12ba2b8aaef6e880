"""Statements of a vertex program: names and vertex attributes get nodes, branches and loops join what they change."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from workers.compiler.program_graph.draft import DraftNode, Operand, Seen
from workers.compiler.program_graph.expressions import Expressions, Thing, Vertex, meeting

Results = tuple[Operand, ...]
State = tuple[dict[str, Thing], dict[str, str]]


class Statements(Expressions):
    """Reads the body of a program."""

    def block(self, body: Sequence[ast.stmt]) -> Results | None:
        """What the statements return, None where they run through to their end."""
        for i, statement in enumerate(body):
            with self.at(statement):
                match statement:
                    case ast.Return():
                        return self.returned(statement)
                    case ast.If():
                        return self.branch(statement, body[i + 1 :])
                    case ast.For():
                        self.loop(statement)
                    case _:
                        self.simple(statement)
        return None

    @contextmanager
    def at(self, statement: ast.stmt) -> Iterator[None]:
        before, self.draft.statement = self.draft.statement, statement
        yield
        self.draft.statement = before

    @contextmanager
    def under(self, label: str) -> Iterator[None]:
        before, self.draft.blocks = self.draft.blocks, (*self.draft.blocks, label)
        yield
        self.draft.blocks = before

    def simple(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign():
                for target in statement.targets:
                    self.assign(target, statement.value)
            case ast.AugAssign():
                before = ast.copy_location(_loaded(statement.target), statement.target)
                self.assign(
                    statement.target, ast.copy_location(ast.BinOp(before, statement.op, statement.value), statement)
                )
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr():
                self.value(statement.value, "value")
            case _:
                self.unknown(statement)

    def unknown(self, statement: ast.stmt) -> None:
        """A statement the language does not have: one node, so that nothing is lost from sight."""
        label = ast.unparse(statement).splitlines()[0][:60]
        self.draft.add("statement", "opaque", "vertex", "opaque", label, "scalar", statement)

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, value)
            return
        name = self.target_name(target)
        self.store(target, name, value, self.value(value, name or "value"))

    def unpack(self, targets: list[ast.expr], value: ast.expr) -> None:
        """All values are worked out before the first name is set, as Python does."""
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(targets):
            self.opaque(value, "value")
            return
        names = [self.target_name(t) for t in targets]
        found = [self.value(x, n or "value") for n, x in zip(names, value.elts, strict=True)]
        for target, name, x, seen in zip(targets, names, value.elts, found, strict=True):
            self.store(target, name, x, seen)

    def target_name(self, target: ast.expr) -> str | None:
        match target:
            case ast.Name():
                return target.id
            case ast.Attribute(value=ast.Name(id=owner)) if isinstance(self.names.get(owner), Vertex):
                return f"v.{target.attr}"
            case _:
                return None

    def store(self, target: ast.expr, name: str | None, written: ast.expr, seen: Seen) -> None:
        made = self.draft.nodes.get(seen.node or "")
        if seen.constant or seen.node is None:
            made = self.draft.add(
                name or "value", "constant", "input", "constant", ast.unparse(written), "scalar", written
            )
            seen = Seen(made.id, "scalar", constant=seen.constant)
        if made and name and (made.name is None and made.written is written):
            made.name = name
        if isinstance(target, ast.Name):
            self.names[target.id] = seen
        elif name and seen.node:
            self.attributes[name[2:]] = seen.node

    # --- results, branches, loops ----------------------------------------------------------------------------------

    def returned(self, statement: ast.Return) -> Results:
        if statement.value is None:
            return ()
        values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        return tuple(Operand(f"out{i}", self.value(x, f"return/{i}"), x) for i, x in enumerate(values))

    def branch(self, statement: ast.If, rest: Sequence[ast.stmt]) -> Results | None:
        """Both sides are read; what follows is read once, after what they changed was joined."""
        before = self.state()
        test = ast.unparse(statement.test)
        with self.under(f"if {test}"):
            then = self.block(statement.body)
        after_then = self.state()
        self.restore(before)
        with self.under(f"if not {test}"):
            other = self.block(statement.orelse)
        if then is None and other is None:
            self.join(statement, after_then)
            return self.block(rest)
        if other is not None and then is None:
            self.restore(after_then)
        final = self.block(rest) if then is None or other is None else None
        sides = (then if then is not None else final, other if other is not None else final)
        return self.chosen(statement, *sides)

    def chosen(self, statement: ast.If, then: Results | None, other: Results | None) -> Results:
        if not then or not other:
            return then or other or ()
        return tuple(
            Operand(a.name, self.joined(statement, "return/if", a.seen, b.seen), None)
            for a, b in zip(then, other, strict=False)
        )

    def joined(self, statement: ast.If, base: str, then: Seen, other: Seen) -> Seen:
        test = Operand("if", Seen(None, "scalar", constant=True), statement.test)
        operands = [test, Operand("then", then, None), Operand("else", other, None)]
        made = self.draft.add(
            base, "choice", "vertex", "if", f"if {ast.unparse(statement.test)}", "vertex", statement, operands
        )
        made.place = meeting([then, other])
        made.listed = then.listed or other.listed
        made.lane = "edge" if made.listed or made.place == "edge" else "vertex"
        return Seen(made.id, made.place, made.listed)

    def join(self, statement: ast.If, then: State) -> None:
        """After an `if` a name stands for a choice wherever the two sides disagree."""
        for name in {**then[0], **self.names}:
            a, b = then[0].get(name), self.names.get(name)
            if isinstance(a, Seen) and isinstance(b, Seen) and a != b:
                self.names[name] = self.named(self.joined(statement, name, a, b), name)
            elif b is None and a is not None:
                self.names[name] = a
        for name in {**then[1], **self.attributes}:
            a_id, b_id = then[1].get(name), self.attributes.get(name)
            if a_id and b_id and a_id != b_id:
                sides = (Seen(a_id, "vertex"), Seen(b_id, "vertex"))
                found = self.named(self.joined(statement, f"v.{name}", *sides), f"v.{name}")
                self.attributes[name] = found.node or b_id
            elif a_id and not b_id:
                self.attributes[name] = a_id

    def named(self, seen: Seen, name: str) -> Seen:
        self.draft.nodes[seen.node or ""].name = name
        return seen

    def loop(self, statement: ast.For) -> None:
        """A value that rounds hand on is a node of its own: where it begins, and what a round makes of it."""
        label = f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
        carried = self.carry(statement, label)
        if isinstance(statement.target, ast.Name):
            self.names[statement.target.id] = Seen(None, "scalar", constant=True)
        with self.under(label):
            self.block(statement.body)
        for name, made in carried.items():
            self.close(name, made)

    def carry(self, statement: ast.For, label: str) -> Mapping[str, DraftNode]:
        found = {}
        for name in _stored(statement.body, self.vertex):
            key = name[2:] if name.startswith("v.") else name
            start = (
                Seen(self.attributes[key], "vertex")
                if name.startswith("v.") and key in self.attributes
                else self.names.get(name)
            )
            if not isinstance(start, Seen) or start.node is None:
                continue
            operands = [Operand("start", start, None)]
            made = self.draft.add(name, "loop", "vertex", "for", label, start.place, statement, operands)
            made.name, made.listed = name, start.listed
            found[name] = made
            self.set(name, Seen(made.id, made.place, made.listed))
        return found

    def set(self, name: str, seen: Seen) -> None:
        if name.startswith("v."):
            self.attributes[name[2:]] = seen.node or ""
        else:
            self.names[name] = seen

    def close(self, name: str, made: DraftNode) -> None:
        last = self.attributes[name[2:]] if name.startswith("v.") else self.names[name]
        seen = Seen(last, "vertex") if isinstance(last, str) else last
        if isinstance(seen, Seen):
            made.operands.append(Operand("next", seen, None, back=True))

    def state(self) -> State:
        return dict(self.names), dict(self.attributes)

    def restore(self, state: State) -> None:
        self.names, self.attributes = dict(state[0]), dict(state[1])


def _loaded(target: ast.expr) -> ast.expr:
    match target:
        case ast.Name():
            return ast.Name(target.id, ast.Load())
        case ast.Attribute():
            return ast.Attribute(target.value, target.attr, ast.Load())
        case _:
            return target


def _stored(body: Sequence[ast.stmt], vertex: str) -> list[str]:
    """Names and vertex attributes that statements set, in order."""
    found = []
    for node in (n for s in body for n in ast.walk(s)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.append(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            found.extend([f"v.{node.attr}"] if node.value.id == vertex else [])
    return list(dict.fromkeys(found))
