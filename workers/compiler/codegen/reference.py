"""The living definition of every op: a plain torch interpreter, differentiable by torch autograd, slow and obvious.

Shape letters: R rows of a domain (N vertices, E edges), F features. A PARAM value has no row axis. Edge rows stand in
the order in which the graph lists its edges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from workers.compiler import dropout
from workers.compiler.edges import Edges
from workers.compiler.ir import Domain, Program, Value
from workers.compiler.maps import KIND, MAPS, is_typed
from workers.compiler.ops import softmax_side


@dataclass(frozen=True)
class Bipartite:
    """The least a graph needs for this interpreter; VERTEX programs want n_src == n_dst."""

    src: Any
    dst: Any
    n_src: int
    n_dst: int


@dataclass(frozen=True)
class Context:
    """What an op may look at besides its operands."""

    program: Program
    src: Tensor
    dst: Tensor
    counts: Mapping[Domain, int]
    dtype: torch.dtype
    training: bool
    seed: int

    typed: Mapping[str, Tensor] = field(default_factory=dict)

    def ends(self, side: str) -> Tensor:
        """int64[items]: the row that each item of map `side` belongs to."""
        return self.typed.get(side, self.dst if side == "dst" else self.src)


Rule = Callable[[Context, Value, list[Tensor]], Tensor]


def run(
    program: Program, inputs: Mapping[str, Tensor], graph: Edges, *, training: bool = False, seed: int = 0
) -> dict[str, Tensor]:
    """Run `program`: named inputs [R, *shape] and parameters [*shape] of one float dtype to named outputs.

    Dropout acts only when `training`, with the mask of `workers.compiler.dropout` for `seed`.
    Raises ValueError when an input is missing or has another shape than the program declares.
    """
    device = next((x.device for x in inputs.values()), torch.device("cpu"))
    src, dst = (torch.as_tensor(ends, dtype=torch.int64, device=device) for ends in (graph.src, graph.dst))
    counts = {Domain.VERTEX: graph.n_dst, Domain.DST: graph.n_dst, Domain.SRC: graph.n_src, Domain.EDGE: src.shape[0]}
    dtype = next((x.dtype for x in inputs.values()), torch.get_default_dtype())
    typed = typed_maps(graph, counts) if is_typed(program) else {}
    context = Context(program, src, dst, counts, dtype, training, seed, typed)
    done: list[Tensor] = []
    for value in program.values:
        if value.op in ("input", "param"):
            done.append(_given(context, value, inputs))
        else:
            done.append(RULES[value.op](context, value, [done[a] for a in value.args]))
    return {name: done[i] for name, i in program.outputs}


def typed_maps(graph: Any, counts: dict[Domain, int]) -> dict[str, Tensor]:
    """The maps of a graph of several relations, int64[items] each, by sorting pairs; adds their rows to `counts`.

    graph: with rel_ptr [R+1] and type_ptr [T+1], whose edges are grouped by relation and vertices by type.
    """
    src, dst, rel_ptr, type_ptr = (
        torch.as_tensor(x, dtype=torch.int64) for x in (graph.src, graph.dst, graph.rel_ptr, graph.type_ptr)
    )
    relation, type_ = (torch.repeat_interleave(ptr.diff()) for ptr in (rel_ptr, type_ptr))
    into = rel_ptr.new_zeros(len(rel_ptr) - 1).scatter_reduce(0, relation, type_[dst], "amax")
    maps = {"relation": relation, "type": type_, "into": into}
    counts |= {Domain.RELATION: len(rel_ptr) - 1, Domain.TYPE: len(type_ptr) - 1}
    for domain, end, up in ((Domain.RECEIVER, dst, "received"), (Domain.SENDER, src, "sent")):
        pairs, of_edge = torch.unique(torch.stack((relation, end), 1), dim=0, return_inverse=True)
        name = domain.value
        maps |= {name: of_edge, up: pairs[:, 1], f"{name}_relation": pairs[:, 0]}
        counts[domain] = len(pairs)
    return maps


def _given(context: Context, value: Value, inputs: Mapping[str, Tensor]) -> Tensor:
    name = value.text("name")
    if name not in inputs:
        raise ValueError(f"{value.op} {name!r} of program {context.program.name!r} is missing")
    expected = _full_shape(context, value)
    if tuple(inputs[name].shape) != expected:
        raise ValueError(f"{value.op} {name!r} must have shape {list(expected)}, got {list(inputs[name].shape)}")
    return inputs[name]


def _full_shape(context: Context, value: Value) -> tuple[int, ...]:
    domain, shape = value.type.domain, value.type.shape
    return shape if domain is Domain.PARAM else (context.counts[domain], *shape)


# --- pointwise ----------------------------------------------------------------------------------------------------


def _aligned(context: Context, value: Value, args: list[Tensor]) -> list[Tensor]:
    """Give row values of lower rank size-1 axes after the row axis, so torch lines features up at the last axis."""
    rank = len(value.type.shape)
    kinds = [context.program[arg].type for arg in value.args]
    return [x if k.domain is Domain.PARAM else _raised(x, k.shape, rank) for k, x in zip(kinds, args, strict=True)]


def _raised(x: Tensor, shape: tuple[int, ...], rank: int) -> Tensor:
    return x.reshape(x.shape[0], *(1,) * (rank - len(shape)), *shape)


def _pointwise(f: Callable[..., Tensor]) -> Rule:
    return lambda context, value, args: f(*_aligned(context, value, args))


def _with_slope(f: Callable[[Tensor, float], Tensor]) -> Rule:
    return lambda context, value, args: f(args[0], value.number("slope"))


def _truth(f: Callable[..., Tensor]) -> Rule:
    """Comparisons as 0 or 1 in the job's dtype."""
    return lambda context, value, args: f(*_aligned(context, value, args)).to(context.dtype)


def _safe_reciprocal(x: Tensor) -> Tensor:
    zero = x == 0
    return torch.where(zero, 0.0, 1 / torch.where(zero, 1.0, x))


def _dropout(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    p = value.number("p")
    if not context.training or p == 0:
        return args[0]
    (x,) = args
    rows = 1 if value.type.domain is Domain.PARAM else x.shape[0]
    columns = 1
    for n in value.type.shape:
        columns *= n
    mask = torch.from_numpy(dropout.kept(context.seed, value.whole("stream"), p, rows, columns))
    return torch.where(mask.reshape(x.shape).to(x.device), x * (1 / (1 - p)), 0.0)


# --- shapes and dense ---------------------------------------------------------------------------------------------


def _reshape(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    return args[0].reshape(_full_shape(context, value))


def _sum_to(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    (x,), shape = args, value.type.shape
    given = context.program[value.args[0]].type.shape
    padded = (1,) * (len(given) - len(shape)) + shape
    first = x.dim() - len(given)
    axes = [first + k for k, (a, b) in enumerate(zip(given, padded, strict=True)) if a != b]
    summed = x.sum(dim=axes, keepdim=True) if axes else x
    return summed.reshape(_full_shape(context, value))


def _expand(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    return _aligned(context, value, args)[0].expand(_full_shape(context, value))


def _concat(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    lead = _full_shape(context, value)[:-1]
    return torch.cat([x.expand(*lead, x.shape[-1]) for x in args], dim=-1)


def _slice(_context: Context, value: Value, args: list[Tensor]) -> Tensor:
    return args[0][..., value.whole("start") : value.whole("stop")]


def _matmul(_context: Context, value: Value, args: list[Tensor]) -> Tensor:
    x, weight = args
    return x @ (weight.T if dict(value.attrs).get("transposed") else weight)


def _typed_matmul(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    x, weight = args
    flip = dict(value.attrs).get("transposed")
    parts = zip(x.split(_sizes(context, value, len(weight))), weight.mT if flip else weight, strict=True)
    found = [rows @ matrix for rows, matrix in parts]
    return torch.cat(found) if found else x.new_zeros(_full_shape(context, value))


def _kind(context: Context, i: int) -> str:
    return KIND[context.program[i].type.domain]


def _sizes(context: Context, value: Value, kinds: int) -> list[int]:
    """Rows of each kind, which lie side by side."""
    sizes: list[int] = torch.bincount(context.ends(_kind(context, value.args[0])), minlength=kinds).tolist()
    return sizes


def _typed_weight_grad(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    x, g = args
    kinds = context.counts[value.type.domain]
    sizes = _sizes(context, value, kinds)
    parts = zip(x.split(sizes), g.split(sizes), strict=True)
    found = [a.reshape(-1, a.shape[-1]).T @ b.reshape(-1, b.shape[-1]) for a, b in parts]
    return torch.stack(found) if found else x.new_zeros(_full_shape(context, value))


def _weight_grad(_context: Context, _value: Value, args: list[Tensor]) -> Tensor:
    x, g = args
    return x.reshape(-1, x.shape[-1]).T @ g.reshape(-1, g.shape[-1])


# --- along edges --------------------------------------------------------------------------------------------------


def _gather(name: str) -> Rule:
    return lambda context, value, args: args[0].index_select(0, context.ends(name))


def _rows_of(context: Context, value: Value) -> int:
    return context.counts[Domain(value.text("to"))]


def _degree_of(context: Context, value: Value) -> Tensor:
    ends = context.ends(value.text("side"))  # not bincount, whose number of results torch.export cannot know
    return ends.new_zeros(_rows_of(context, value)).index_add(0, ends, torch.ones_like(ends))


def _sum_edges(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    (x,) = args
    out = x.new_zeros((_rows_of(context, value), *x.shape[1:]))
    return out.index_add(0, context.ends(value.text("side")), x)


def _mean_edges(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    total = _sum_edges(context, value, args)
    degree = _degree_of(context, value).clamp(min=1).to(total.dtype)
    return total / degree.reshape(-1, *(1,) * (total.dim() - 1))


def _extreme(reduce: str) -> Rule:
    def rule(context: Context, value: Value, args: list[Tensor]) -> Tensor:
        (x,) = args
        ends = context.ends(value.text("side"))
        index = ends.reshape(-1, *(1,) * (x.dim() - 1)).expand(x.shape)
        # NaN never equals a result, so torch's gradient does not count the initial value as one more tie.
        start = x.new_full((_rows_of(context, value), *x.shape[1:]), torch.nan)
        found = start.scatter_reduce(0, index, x, reduce, include_self=False)
        empty = (_degree_of(context, value) == 0).reshape(-1, *(1,) * (x.dim() - 1))
        return torch.where(empty, 0.0, found)

    return rule


def _edge_softmax(context: Context, value: Value, args: list[Tensor]) -> Tensor:
    (x,) = args
    side = softmax_side(value)
    ends, rows = context.ends(side), context.counts[MAPS[side].rows]
    index = ends.reshape(-1, *(1,) * (x.dim() - 1)).expand(x.shape)
    top = x.detach().new_full((rows, *x.shape[1:]), -torch.inf).scatter_reduce(0, index, x.detach(), "amax")
    top = torch.where(torch.isneginf(top), 0.0, top)  # -inf minus -inf would be NaN
    e = (x - top[ends]).exp()
    total = e.new_zeros(top.shape).index_add(0, ends, e)
    return e * _safe_reciprocal(total)[ends]


RULES: dict[str, Rule] = {
    "constant": lambda c, v, a: torch.tensor(v.number("value"), dtype=c.dtype),
    "degree": lambda c, v, a: _degree_of(c, v).to(c.dtype),
    "neg": _pointwise(torch.neg),
    "exp": _pointwise(torch.exp),
    "log": _pointwise(torch.log),
    "sqrt": _pointwise(torch.sqrt),
    "abs": _pointwise(torch.abs),
    "sign": _pointwise(torch.sign),
    "reciprocal": _pointwise(_safe_reciprocal),
    "relu": _pointwise(torch.relu),
    "elu": _pointwise(torch.nn.functional.elu),
    "sigmoid": _pointwise(torch.sigmoid),
    "tanh": _pointwise(torch.tanh),
    "leaky_relu": _with_slope(lambda x, slope: torch.where(x > 0, x, slope * x)),
    "leaky_relu_grad": _with_slope(lambda x, slope: torch.where(x > 0, torch.ones_like(x), slope)),
    "step": _truth(lambda x: x > 0),
    "add": _pointwise(torch.add),
    "sub": _pointwise(torch.sub),
    "mul": _pointwise(torch.mul),
    "div": _pointwise(torch.div),
    "maximum": _pointwise(torch.maximum),
    "minimum": _pointwise(torch.minimum),
    "gt": _truth(torch.gt),
    "ge": _truth(torch.ge),
    "lt": _truth(torch.lt),
    "le": _truth(torch.le),
    "eq": _truth(torch.eq),
    "where": _pointwise(lambda condition, a, b: torch.where(condition != 0, a, b)),
    "dropout": _dropout,
    "reshape": _reshape,
    "sum_to": _sum_to,
    "expand": _expand,
    "concat": _concat,
    "slice": _slice,
    "matmul": _matmul,
    "weight_grad": _weight_grad,
    "sum_rows": lambda c, v, a: a[0].sum(dim=0),
    "typed_matmul": _typed_matmul,
    "typed_weight_grad": _typed_weight_grad,
    **{f"gather_{name}": _gather(name) for name in MAPS},
    "sum_edges": _sum_edges,
    "mean_edges": _mean_edges,
    "max_edges": _extreme("amax"),
    "min_edges": _extreme("amin"),
    "edge_softmax": _edge_softmax,
}
