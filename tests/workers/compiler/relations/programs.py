"""Programs over relations, each with the same in plain torch, relation by relation, and sizes to compile it for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn.functional import gelu, leaky_relu

from workers.compiler.ir import Program
from workers.compiler.parse import parse_program
from workers.compiler.runtime.stitched import StitchedIndex

Given = Mapping[str, Tensor]


@dataclass(frozen=True)
class Sample:
    text: str
    sizes: Mapping[str, int]
    plain: Callable[[StitchedIndex, Given], Tensor]

    def program(self) -> Program:
        return parse_program(self.text, dict(self.sizes), relations=True)


def edges(g: StitchedIndex) -> Iterator[tuple[int, Tensor, Tensor]]:
    """Each relation with its sources and destinations."""
    for r in range(g.relations):
        mine = slice(int(g.rel_ptr[r]), int(g.rel_ptr[r + 1]))
        yield r, torch.from_numpy(g.src[mine]), torch.from_numpy(g.dst[mine])


def total(g: StitchedIndex, dst: Tensor, x: Tensor) -> Tensor:
    return x.new_zeros(g.n_dst, *x.shape[1:]).index_add(0, dst, x)


def mean(g: StitchedIndex, dst: Tensor, x: Tensor) -> Tensor:
    count = torch.bincount(dst, minlength=g.n_dst).clamp(min=1)
    return total(g, dst, x) / count.reshape(-1, *(1,) * (x.dim() - 1))


def softmax(g: StitchedIndex, dst: Tensor, logits: Tensor) -> Tensor:
    e = logits.exp()
    return e / total(g, dst, e)[dst]


def added(g: StitchedIndex, width: int, parts: Iterator[Tensor]) -> Tensor:
    return sum(parts, torch.zeros(g.n_dst, width, dtype=torch.float64))


def by_type(g: StitchedIndex, x: Tensor, weight: Tensor) -> Tensor:
    """Each vertex times the matrix of its type."""
    cuts = g.type_ptr.tolist()
    return torch.cat([x[a:b] @ weight[t] for t, (a, b) in enumerate(pairwise(cuts))])


def _rgcn(g: StitchedIndex, x: Given) -> Tensor:
    parts = (mean(g, d, x["h"][s]) @ x["W"][r] for r, s, d in edges(g))
    return added(g, 4, parts) + x["h"] @ x["W0"] + x["b"]


RGCN = Sample(
    """
def rgcn(v: TypedVertex(h="in"), W: Param("relations, in, out"), W0: Param("in, out"), b: Param("out")):
    return sum(mean(nb.h @ W[r] for nb in r.innbs) for r in v.relations) + v.h @ W0 + b
""",
    {"in": 3, "out": 4},
    _rgcn,
)

BASIS = Sample(
    """
def matrix(c, V, *, width, out):
    return reshape(c @ V, width, out)


def rgcn(
    v: TypedVertex(h="width"), V: Param("bases, width * out"), c: Param("relations, bases"), *, width, out, bases=2
):
    return sum(mean(nb.h @ matrix(c[r], V, width=width, out=out) for nb in r.innbs) for r in v.relations)
""",
    {"width": 3, "out": 4},
    lambda g, x: added(g, 4, (mean(g, d, x["h"][s]) @ (x["c"][r] @ x["V"]).reshape(3, 4) for r, s, d in edges(g))),
)

BLOCK = Sample(
    """
def rgcn(v: TypedVertex(h="in"), W: Param("relations, blocks, in // blocks, out // blocks"), *, blocks=2, out=4):
    return sum(mean(reshape(reshape(nb.h, blocks, -1) @ W[r], out) for nb in r.innbs) for r in v.relations)
""",
    {"in": 6},
    lambda g, x: added(g, 4, (mean(g, d, x["h"][s]) @ torch.block_diag(*x["W"][r]) for r, s, d in edges(g))),
)


def _rgat(g: StitchedIndex, x: Given) -> Tensor:
    def one(r: int, s: Tensor, d: Tensor) -> Tensor:
        z = (x["h"] @ x["W"][r]).reshape(-1, 2, 2)
        scores = (z[s] * x["a_src"][r]).sum(-1, keepdim=True) + (z[d] * x["a_dst"][r]).sum(-1, keepdim=True)
        return total(g, d, softmax(g, d, leaky_relu(scores, 0.2)) * z[s]).reshape(-1, 4)

    return added(g, 4, (one(*e) for e in edges(g)))


RGAT = Sample(
    """
def attend(v, r, W, a_src, a_dst, *, heads, out, slope=0.2):
    left = [dot(reshape(nb.h @ W[r], heads, out), a_src[r]) for nb in r.innbs]
    right = dot(reshape(v.h @ W[r], heads, out), a_dst[r])
    alpha = softmax([leaky_relu(score + right, slope) for score in left])
    return reshape(sum(a * reshape(nb.h @ W[r], heads, out) for a, nb in zip(alpha, r.innbs)), heads * out)


def rgat(
    v: TypedVertex(h="in"),
    W: Param("relations, in, heads * out"),
    a_src: Param("relations, heads, out"),
    a_dst: Param("relations, heads, out"),
    *,
    heads=2,
    out=2,
):
    return sum(attend(v, r, W, a_src, a_dst, heads=heads, out=out) for r in v.relations)
""",
    {"in": 3},
    _rgat,
)


def _hgt(g: StitchedIndex, x: Given) -> Tensor:
    k, q, m = (by_type(g, x["h"], x[n]).reshape(-1, 2, 2) for n in "KQM")
    logits, values, ends = [], [], []
    for r, s, d in edges(g):
        key = torch.einsum("ehi,hio->eho", k[s], x["A"][r])
        logits.append((key * q[d]).sum(-1, keepdim=True) * x["p"][r] * 0.5)
        values.append(torch.einsum("ehi,hio->eho", m[s], x["B"][r]))
        ends.append(d)
    dst = torch.cat(ends)
    alpha = softmax(g, dst, torch.cat(logits))
    z = total(g, dst, alpha * torch.cat(values)).reshape(-1, 4)
    return by_type(g, gelu(z, approximate="tanh"), x["O"]) + x["h"]


HGT = Sample(
    """
def hgt(
    v: TypedVertex(h="in"),
    K: Param("types, in, heads * out"),
    Q: Param("types, in, heads * out"),
    M: Param("types, in, heads * out"),
    A: Param("relations, heads, out, out"),
    B: Param("relations, heads, out, out"),
    p: Param("relations, heads, 1", init="ones"),
    O: Param("types, heads * out, heads * out"),
    *,
    heads=2,
    out=2,
    scale=0.5,
):
    v.k, v.q = reshape(v.h @ K[v.type], heads, out), reshape(v.h @ Q[v.type], heads, out)
    v.m = reshape(v.h @ M[v.type], heads, out)
    alpha = softmax([dot(e.src.k @ A[e.relation], v.q) * p[e.relation] * scale for e in v.inedges])
    z = reshape(sum(a * (e.src.m @ B[e.relation]) for a, e in zip(alpha, v.inedges)), heads * out)
    return gelu(z) @ O[v.type] + v.h
""",
    {"in": 4},
    _hgt,
)


def _largest(g: StitchedIndex, x: Given) -> Tensor:
    """Over the relations that a vertex has edges in; 0 where there are none."""
    out = torch.full((g.n_dst, 3), -torch.inf, dtype=torch.float64)
    for r, s, d in edges(g):
        own = total(g, d, x["h"][s] * x["w"][r]) + x["h"] * x["u"][r]
        has = torch.bincount(d, minlength=g.n_dst) > 0
        out = torch.maximum(out, torch.where(has[:, None], own, -torch.inf))
    return torch.where(out.isinf(), 0.0, out)


LARGEST = Sample(
    """
def largest(v: TypedVertex(h="3"), w: Param("relations, 3"), u: Param("relations, 3")):
    return max(sum(nb.h * w[r] for nb in r.innbs) + v.h * u[r] for r in v.relations)
""",
    {},
    _largest,
)


def _counts(g: StitchedIndex, x: Given) -> Tensor:
    parts = [torch.bincount(d, minlength=g.n_dst).double()[:, None] for _, _, d in edges(g)]
    present = sum(((p > 0).double() for p in parts), torch.zeros(g.n_dst, 1, dtype=torch.float64))
    every = sum(parts, torch.zeros(g.n_dst, 1, dtype=torch.float64))
    squares = sum((p * p for p in parts), torch.zeros(g.n_dst, 1, dtype=torch.float64))
    return x["h"] * squares / present.clamp(min=1) + present + every


COUNTS = Sample(
    """
def counts(v: TypedVertex(h="1")):
    shared = mean(v.h * (r.degree * len(r.innbs)) for r in v.relations)
    return shared + len(v.relations) + sum(len(r.inedges) for r in v.relations)
""",
    {},
    _counts,
)


def _flat(g: StitchedIndex, x: Given) -> Tensor:
    own = torch.repeat_interleave(torch.from_numpy(g.type_ptr).diff())
    out = torch.zeros(g.n_dst, 2, dtype=torch.float64)
    for r, s, d in edges(g):
        out = out + total(g, d, x["h"][s] * x["w"][r] + (x["h"] @ x["W"][r])[d] + x["t"][own[s]])
    return out + x["t"][own]


FLAT = Sample(
    """
def flat(v: TypedVertex(h="2"), w: Param("relations, 2"), W: Param("relations, 2, 2"), t: Param("types, 2")):
    inner = sum(e.src.h * w[e.relation] + v.h @ W[e.relation] + t[e.src.type] for e in v.inedges)
    return inner + t[v.type]
""",
    {},
    _flat,
)


def _shares(g: StitchedIndex, x: Given) -> Tensor:
    """Relations of each type are compared by what all its vertices see of them; one without edges is not among them."""
    out = x["h"].new_zeros(g.n_dst, 4)
    for t, (a, b) in enumerate(pairwise(g.type_ptr.tolist())):
        scores, found = [], []
        for r, s, d in edges(g):
            if len(d) and int(g.type[d[0]]) == t:
                z = mean(g, d, x["h"][s] @ x["W"][r])
                there = torch.bincount(d, minlength=g.n_dst)[:, None] > 0
                seen = torch.where(there, torch.tanh(z @ x["look"]), x["c"])[a:b].mean(0)
                scores.append((seen * x["q"]).sum())
                found.append(z)
        if found:
            out = out + (torch.stack(scores).softmax(0)[:, None, None] * torch.stack(found)).sum(0)
    return out


SHARES = Sample(
    """
def shares(
    v: TypedVertex(h="in"),
    W: Param("relations, in, out"),
    look: Param("out, out"),
    c: Param("out"),
    q: Param("out"),
    *,
    out=4,
):
    found = [mean(nb.h @ W[r] for nb in r.innbs) for r in v.relations]
    seen = [mean_everywhere(tanh(x @ look), c) for x in found]
    return sum(s * x for s, x in zip(softmax_everywhere([dot(x, q) for x in seen]), found))
""",
    {"in": 3},
    _shares,
)

SAMPLES = {
    "rgcn": RGCN, "rgcn basis": BASIS, "rgcn block": BLOCK, "rgat": RGAT, "hgt": HGT,
    "largest": LARGEST, "counts": COUNTS, "flat": FLAT, "shares": SHARES,
}  # fmt: skip
