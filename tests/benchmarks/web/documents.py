"""Large models: parallel towers of GCN blocks with residuals, valid and as wide as real ones."""

from __future__ import annotations

from typing import Any

COLUMN, ROW = 272, 220


def large_model(layers: int, wires: int, towers: int) -> dict[str, Any]:
    """A document of exactly so many layers and wires: input, `towers` towers, one Add, output."""
    return _Model(layers, wires, towers).document()


def long_program(values: int) -> dict[str, Any]:
    """A document of one layer whose program computes about so many values, each from the one before."""
    lines = [f"    x{i + 1} = tanh(x{i} + v.h)" for i in range(values // 2)]
    source = "\n".join(
        ['def long(v: Vertex(h="k")):', "    x0 = v.h", *lines, f"    v.z = x{values // 2}", RETURNED, ""]
    )
    wires = [("input", "h", "long", "x"), ("long", "y", "output", "x")]
    return {
        "schema_version": 1,
        "nodes": [
            {"id": "input", "type": "input", "params": {}, "title": ""},
            {"id": "long", "type": "program", "params": {"program": "long"}, "title": ""},
            {"id": "output", "type": "output", "params": {}, "title": ""},
        ],
        "wires": [{"source": {"node": a, "port": p}, "target": {"node": b, "port": q}} for a, p, b, q in wires],
        "programs": [{"name": "long", "source": source}],
        "layout": {name: {"x": 272 * i, "y": 0} for i, name in enumerate(("input", "long", "output"))},
    }


RETURNED = "    return sum(nb.z for nb in v.innbs)"


class _Model:
    """Towers grow a block at a time by turns; skips to later Adds fill up the wires."""

    def __init__(self, layers: int, wires: int, towers: int) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.wires: list[tuple[str, str]] = []
        self.layout: dict[str, dict[str, int]] = {}
        self.columns = [1] * towers
        self.outputs: list[list[str]] = [[] for _ in range(towers)]
        self._add("input", "input", 0, 0)
        for tower in range(towers):
            self._grow(tower, "linear", [("input", "h")], out_features=64)
        turn = 0
        while len(self.nodes) + 2 < layers:
            self._block(turn % towers, layers - 2 - len(self.nodes))
            turn += 1
        self._finish(wires)

    def document(self) -> dict[str, Any]:
        wires = [{"source": _end(source), "target": _end(target)} for source, target in self.wires]
        return {"schema_version": 1, "nodes": self.nodes, "wires": wires, "programs": [], "layout": self.layout}

    def _block(self, tower: int, room: int) -> None:
        """GCN, activation and the residual around both, or what there is room for."""
        before = self.outputs[tower][-1]
        gcn = self._grow(tower, "gcn", [(before, "y")], out_features=64)
        if room > 1:
            bend = self._grow(tower, "activation", [(gcn, "y")], function="relu")
        if room > 2:
            self._grow(tower, "add", [(bend, "y"), (before, "y")])

    def _grow(self, tower: int, kind: str, sources: list[tuple[str, str]], **params: object) -> str:
        name = f"{kind}_{tower}_{self.columns[tower]}"
        self._add(name, kind, self.columns[tower], tower, **params)
        for source, port in sources:
            self.wires.append((f"{source}.{port}", f"{name}.x"))
        self.columns[tower] += 1
        self.outputs[tower].append(name)
        return name

    def _add(self, name: str, kind: str, column: int, tower: int, **params: object) -> None:
        self.nodes.append({"id": name, "type": kind, "params": params, "title": ""})
        self.layout[name] = {"x": column * COLUMN, "y": tower * ROW}

    def _finish(self, wires: int) -> None:
        end = max(self.columns)
        self._add("join", "add", end, 0)
        self.wires += [(f"{names[-1]}.y", "join.x") for names in self.outputs]
        self._add("output", "output", end + 1, 0)
        self.wires.append(("join.y", "output.x"))
        taken = set(self.wires)
        skips = (
            (f"{names[i]}.y", f"{later}.x")
            for names in self.outputs
            for i in range(len(names))
            for later in names[i + 1 :]
            if later.startswith("add") and (f"{names[i]}.y", f"{later}.x") not in taken
        )
        while len(self.wires) < wires:
            self.wires.append(next(skips))


def _end(text: str) -> dict[str, str]:
    node, port = text.rsplit(".", 1)
    return {"node": node, "port": port}
