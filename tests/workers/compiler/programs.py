"""Vertex programs for the tests of both front ends: each is traced as Python and parsed as text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import workers.compiler.language
from workers.compiler.parse import program_signature
from workers.compiler.signature import Scalar
from workers.compiler.trace import VertexFunction, vertex_program

ZOO = Path(workers.compiler.language.__file__).parents[1] / "zoo" / "programs"


@dataclass(frozen=True)
class Source:
    """A program's text and the sizes and constants it is compiled for."""

    text: str
    bindings: Mapping[str, Scalar] = field(default_factory=dict)

    def function(self) -> VertexFunction:
        """The same text run by Python itself, without a file: as in a notebook."""
        names: dict[str, Any] = {n: getattr(workers.compiler.language, n) for n in workers.compiler.language.__all__}
        exec(compile(self.text, "<notebook>", "exec"), names)
        found = names[program_signature(self.text).name]
        return found if isinstance(found, VertexFunction) else vertex_program(found)


def written(body: str, signature: str = 'v: Vertex(h="3", n="", edges=Edge(w="1")), W: Param("3, 4")') -> str:
    """A program `f` with this body."""
    return f"def f({signature}):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"


def zoo(name: str, **bindings: Scalar) -> Source:
    return Source((ZOO / f"{name}.py").read_text(), bindings)


PROGRAMS: dict[str, Source] = {
    "gcn": zoo("gcn", **{"in": 5}, out=4),
    "gat": zoo("gat", **{"in": 5}, out=3, heads=2, joined=6),
    "gat with the mean of heads": zoo("gat", **{"in": 5}, out=3, heads=2, joined=3, join="mean"),
    "gatv2": zoo("gatv2", **{"in": 5}, out=3, heads=2, joined=6),
    "gatv2 with one matrix and the mean of heads": zoo(
        "gatv2", **{"in": 5}, out=3, heads=2, joined=3, join="mean", share=True
    ),
    **{f"edgegate {r}": zoo("edgegate", **{"in": 5}, out=4, reduce=r) for r in ("sum", "mean", "max")},
    "sage": zoo("sage", **{"in": 5}, out=4),
    "sage of the longest": zoo("sage", **{"in": 5}, out=4, reduce="max", unit=True),
    "sage pooled": zoo("sage", **{"in": 5}, out=4, reduce="pool"),
    "sgc": zoo("sgc", **{"in": 5}, out=4),
    "tag": zoo("tag", **{"in": 5}, out=2, hops=3),
    "monet": zoo("monet", **{"in": 5}, out=3, kernels=2, dim=2),
    "agnn": zoo("agnn", **{"in": 5}),
    "transformer": zoo("transformer", **{"in": 5}, out=3, heads=2, joined=6, drop=0.3),
    "transformer with a gate": zoo("transformer", **{"in": 5}, out=3, heads=2, joined=3, join="mean", gate=True),
    "edgeconv": zoo("edgeconv", **{"in": 5}, out=3, hidden=4),
    "edgeconv of one layer": zoo("edgeconv", **{"in": 5}, out=3, depth=1, hidden=1),
    "pna": zoo("pna", **{"in": 3}, out=4, usual=0.9),
    "tgcn": zoo("tgcn", **{"in": 6}, out=3, frames=2),
    "gin": zoo("gin", **{"in": 5}, hidden=6, out=4),
    "appnp": zoo("appnp", **{"in": 3}, hops=3),
    **{f"aggregate {r}": zoo("aggregate", **{"in": 3}, reduce=r) for r in ("sum", "mean", "max", "min")},
    "every function": Source(
        written("""
            v.z = relu(v.h) + elu(v.h) * sigmoid(v.h) - tanh(v.h) / (1 + exp(-abs(v.h)))
            v.y = leaky_relu(v.z, slope=0.1) + sign(v.h) * step(v.h) + log(1 + v.h * v.h) + sqrt(v.h ** 2 + 1)
            v.x = where(v.h > 0, v.z, v.y) + reciprocal(v.n) + rsqrt(v.degree) + max(v.h, 0.5, v.n) + min(v.h, 1)
            pair = concat(v.x, v.y)
            return reshape(columns(pair, 1, 3), 2, -1) + dot(v.h, v.x)
        """)
    ),
    "every aggregation": Source(
        written("""
            near = [e.src.h * e.w for e in v.inedges]
            a, b = sum(near), mean(near)
            c, d = max(near), min(nb.n for nb in v.innbs)
            return concat(a, b, c) * len(v.innbs) + d + len(near)
        """)
    ),
    "out-edges": Source(
        written("""
            v.m = max(nb.h - v.h for nb in v.outnbs)
            return sum(e.w * e.dst.m + e.src.n for e in v.outedges) / (1 + v.outdegree) + sum(nb.m for nb in v.innbs)
        """)
    ),
    "projection of both ends": Source(written("return sum((nb.h @ W) * (v.h @ W) for nb in v.innbs)")),
    "lists pass through functions": Source(
        written("""
            scores = [dot(nb.h, v.h) for nb in v.innbs]
            alpha = dropout(softmax(leaky_relu(scores, 0.2)), 0.5)
            doubled = [2 * a for a in alpha]
            return sum(a * e.src.h for a, e in zip(doubled, v.inedges))
        """)
    ),
    "softmax over out-edges": Source(
        written("""
            alpha = softmax([dot(e.dst.h, e.src.h) * e.w for e in v.outedges])
            return sum(a * nb.h for a, nb in zip(alpha, v.outnbs))
        """)
    ),
    "spread of neighbours": Source(
        written("""
            near = [e.src.h * e.w for e in v.inedges]
            return concat(var(near), std(near), std([nb.n - v.n for nb in v.outnbs]) * v.h)
        """)
    ),
    "more bends": Source(
        written("return normalize(gelu(v.h) + silu(v.h) * softplus(v.n)) + sum(silu([nb.h - v.h for nb in v.innbs]))")
    ),
    "parameters of types": Source(
        written(
            """
            near = sum((e.src.h @ W[e.kind] + b[e.kind]) * t[e.kind] for e in v.inedges)
            own = v.h @ W[v.colour]
            return near + own + sum(nb.h @ W[nb.colour] for nb in v.innbs)
            """,
            'v: Vertex(h="3", colour="1", edges=Edge(kind="")), W: Param("2, 3, 4"), b: Param("2, 4"), t: Param("2")',
        )
    ),
    "functions beside the program": Source(
        "def message(x, y, *, slope=0.1):\n"
        "    return leaky_relu(x - y, slope)\n\n\n"
        "def hop(v, W, *, twice=False):\n"
        "    v.z = v.h @ W\n"
        "    found = sum(message(nb.z, v.z) for nb in v.innbs)\n"
        "    if twice:\n"
        "        return 2 * found\n"
        "    return found\n\n\n"
        'def f(v: Vertex(h="3"), W: Param("3, 3"), U: Param("3, 2")):\n'
        "    v.h = hop(v, W)\n"
        "    near = [message(nb.h, v.h, slope=0.3) for nb in v.outnbs]\n"
        "    return hop(v, U, twice=True) + max(near) @ U\n"
    ),
    "control on constants": Source(
        'def f(v: Vertex(h="k"), *, k=3, rounds=2, mode="sum", scale=1.5):\n'
        "    x = v.h\n"
        "    for i in range(1, rounds + 1):\n"
        "        v.h = x if i == 1 else v.h * scale ** i\n"
        "        x += sum(nb.h for nb in v.innbs)\n"
        "    if mode == 'sum' and not rounds > 5:\n"
        "        return x, -x\n"
        "    return x\n"
    ),
}
