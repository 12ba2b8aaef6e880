"""`OPS.md`: every op with formula and example, written from the op table. `python -m workers.compiler.ops_page`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workers.compiler.ops import OPS, Op

PAGE = Path(__file__).with_name("OPS.md")
SIGNATURE = 'v: Vertex(h="4", g="4", edges=Edge(w="")), W: Param("4, 4"), b: Param("4"), T: Param("3, 4, 4")'
"""What the examples may read."""

# What writes an op of the table. Ops without a line come from gradients and passes alone.
EXAMPLES: dict[str, str] = {
    "input": "v.h",
    "param": "v.h @ W",
    "constant": "v.h + 2.5",
    "degree": "v.h * v.degree",
    "neg": "-v.h",
    "exp": "exp(v.h)",
    "log": "log(v.h)",
    "sqrt": "sqrt(v.h)",
    "abs": "abs(v.h)",
    "sign": "sign(v.h)",
    "reciprocal": "reciprocal(v.h)",
    "relu": "relu(v.h)",
    "elu": "elu(v.h)",
    "sigmoid": "sigmoid(v.h)",
    "tanh": "tanh(v.h)",
    "leaky_relu": "leaky_relu(v.h, 0.2)",
    "step": "step(v.h)",
    "add": "v.h + v.g",
    "sub": "v.h - v.g",
    "mul": "v.h * v.g",
    "div": "v.h / v.g",
    "maximum": "max(v.h, v.g)",
    "minimum": "min(v.h, v.g)",
    "gt": "v.h > v.g",
    "ge": "v.h >= v.g",
    "lt": "v.h < v.g",
    "le": "v.h <= v.g",
    "eq": "v.h == v.g",
    "where": "where(v.h > 0, v.h, v.g)",
    "dropout": "dropout(v.h, 0.5)",
    "reshape": "reshape(v.h, 2, 2)",
    "sum_to": "dot(v.h, v.g)",
    "concat": "concat(v.h, v.g)",
    "slice": "columns(v.h, 0, 2)",
    "matmul": "v.h @ W",
    "gather_src": "sum(nb.h * v.g for nb in v.innbs)",
    "gather_dst": "sum(nb.h * v.g for nb in v.innbs)",
    "sum_edges": "sum(nb.h for nb in v.innbs)",
    "mean_edges": "mean(nb.h for nb in v.innbs)",
    "max_edges": "max(nb.h for nb in v.innbs)",
    "min_edges": "min(e.w for e in v.outedges)",
    "edge_softmax": "sum(a * nb.h for a, nb in zip(softmax([dot(nb.h, v.g) for nb in v.innbs]), v.innbs))",
}
# Functions of the language that are made of several ops, or of one by another name: formula and example.
FUNCTIONS: dict[str, tuple[str, str]] = {
    "silu": ("x / (1 + e^-x)", "silu(v.h)"),
    "softplus": ("ln(1 + e^x)", "softplus(v.h)"),
    "gelu": ("½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))", "gelu(v.h)"),
    "rsqrt": ("x > 0 ? 1/√x : 0", "rsqrt(v.degree) * v.h"),
    "normalize": ("x / max(|x|, 1e-12), |x| along the last axis", "normalize(v.h)"),
    "linear": ("x W + b over the last axis", "linear(v.h, W, b)"),
    "dot": ("Σ a b over the last axis, kept as size 1", "dot(v.h, v.g)"),
    "mean_heads": ("mean over the first feature axis", "mean_heads(reshape(v.h, 2, 2))"),
    "sum_heads": ("sum over the first feature axis", "sum_heads(reshape(v.h, 2, 2))"),
    "columns": ("columns start to stop of the last axis", "columns(v.h, 0, 2)"),
    "softmax": ("e^x / Σ e^x over the edges of a list", "sum(softmax([e.w for e in v.inedges]))"),
    "mean": ("mean over the edges of a list, 0 of none", "mean(nb.h for nb in v.innbs)"),
    "var": ("mean of (x - mean)² over the edges of a list", "var([nb.h for nb in v.innbs])"),
    "std": ("√var, and 0 where var is not above `least`", "std([nb.h for nb in v.innbs], least=1e-5)"),
    "sum": ("sum over the edges of a list", "sum(nb.h for nb in v.outnbs)"),
    "max": ("maximum over the edges of a list, or of two values", "max(max(nb.h for nb in v.innbs), v.h)"),
    "min": ("minimum over the edges of a list, or of two values", "min(min(nb.h for nb in v.innbs), v.h)"),
    "len": ("number of entries of a list of neighbours", "len(v.innbs) * v.h"),
    "W[kind]": ("the slice of a parameter of types; 0 where there is none", "sum(e.src.h @ T[e.w] for e in v.inedges)"),
}
# Functions over relations; their examples stand in a program of a TypedVertex.
TYPED_FUNCTIONS: dict[str, tuple[str, str]] = {
    "mean_everywhere": (
        "mean over all vertices of the type a relation leads to",
        "sum(r.degree * mean_everywhere(mean(nb.h for nb in r.innbs)) for r in v.relations)",
    ),
    "softmax_everywhere": (
        "e^x / Σ e^x over the relations that lead to the type of v",
        "sum(softmax_everywhere([mean_everywhere(r.degree) for r in v.relations])) * v.h",
    ),
}
# Words of the language that are no functions: what they mean, and an example.
WORDS: dict[str, tuple[str, str]] = {
    "innbs": ("the in-neighbours of v: where its in-edges come from", "sum(nb.h for nb in v.innbs)"),
    "outnbs": ("the out-neighbours of v: where its out-edges go", "sum(nb.h for nb in v.outnbs)"),
    "inedges": ("the in-edges of v, with their features and ends", "sum(e.w for e in v.inedges)"),
    "outedges": ("the out-edges of v, with their features and ends", "sum(e.w for e in v.outedges)"),
    "src": ("the vertex an edge comes from", "sum(e.src.h for e in v.inedges)"),
    "dst": ("the vertex an edge goes to", "sum(e.dst.h for e in v.outedges)"),
    "degree": ("number of in-edges of v", "v.h * v.degree"),
    "outdegree": ("number of out-edges of v", "v.h * v.outdegree"),
    "zip": (
        "goes through lists of the same neighbours together",
        "sum(a * b for a, b in zip([nb.h for nb in v.innbs], [nb.g for nb in v.innbs]))",
    ),
}
GROUPS = {
    "leaf": "What a program is given",
    "pointwise": "One number at a time; widths line up at the last axis as in NumPy",
    "shape": "The shape of a row",
    "dense": "Matrices",
    "movement": "Along the edges",
    "aggregation": "Over the edges of a row; a row without edges gets 0",
}
HEAD = """# Operations

Written by `python -m workers.compiler.ops_page` from `ops.py`; a test holds it to the table. The examples stand in

```python
def f({signature}):
    return ...
```

Equal maxima and minima share their gradient evenly. Ops without an example come from gradients and passes.
"""


def page() -> str:
    """The whole text."""
    groups = [_group(name, title) for name, title in GROUPS.items()]
    own = _told("Functions of the language made of these", ("function", "formula", "example"), FUNCTIONS)
    over = _told(
        "Functions over relations, in `f(v: TypedVertex(...))`", ("function", "formula", "example"), TYPED_FUNCTIONS
    )
    words = _told("Other words of the language", ("word", "meaning", "example"), WORDS)
    return "\n".join([HEAD.replace("{signature}", SIGNATURE), *groups, own, over, words])


def _told(title: str, heads: tuple[str, ...], meanings: Mapping[str, tuple[str, str]]) -> str:
    rows = [f"| `{name}` | {_cell(meaning)} | `{_cell(example)}` |" for name, (meaning, example) in meanings.items()]
    return _table(title, heads, rows)


def _group(name: str, title: str) -> str:
    rows = [_row(op) for op in OPS.values() if op.group == name]
    return _table(title, ("op", "operands", "formula", "rows and shape", "example"), rows)


def _row(op: Op) -> str:
    example = f"`{_cell(EXAMPLES[op.name])}`" if op.name in EXAMPLES else ""
    return f"| `{op.name}` | {', '.join(op.operands)} | {_cell(op.doc)} | {_cell(op.rule)} | {example} |"


def _table(title: str, heads: tuple[str, ...], rows: list[str]) -> str:
    return "\n".join([f"## {title}", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *rows, ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page())
