"""Layers over relations in DGL, as its users call them: one graph of numbered relations, or one of many types."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import dgl
import torch
from dgl.nn import pytorch as conv
from torch import Tensor, nn

from workers.systems.hgl.comparison.by_type import ByType, call
from workers.systems.hgl.comparison.typed_graph import Key, Schema, TypedGraph
from workers.training.comparison.layer import Library, PeerLayer, Place
from workers.training.comparison.weights import Weights, plain

REGULARIZERS = {"bases": ("basis", "num_bases"), "blocks": ("bdd", "num_blocks")}


@dataclass(frozen=True)
class Graph:
    """A graph in both forms that DGL's layers ask for, each made with all its formats when it is first needed."""

    typed: TypedGraph
    _shares: dict[torch.dtype, Tensor] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def numbered(self) -> Any:
        """One type of vertices; edges in the order of their relations."""
        found = dgl.graph((self.typed.src, self.typed.dst), num_nodes=sum(self.typed.sizes))
        found.create_formats_()
        return found

    def share(self, dtype: torch.dtype) -> Tensor:
        """[E, 1]: one over the edges of the same relation into the same vertex."""
        if dtype not in self._shares:
            pairs = self.typed.relation * sum(self.typed.sizes) + self.typed.dst
            _, place, count = torch.unique(pairs, return_inverse=True, return_counts=True)
            self._shares[dtype] = count[place].to(dtype).reciprocal()[:, None]
        return self._shares[dtype]

    @cached_property
    def of_types(self) -> Any:
        """Types and relations of their own."""
        sizes = dict(zip(self.typed.schema.types, self.typed.sizes, strict=True))
        found = dgl.heterograph(self.typed.between(), num_nodes_dict=sizes)
        found.create_formats_()
        return found

    def walk(self, layer: nn.Module, rows: dict[str, Tensor]) -> dict[str, Tensor | None]:
        """Rows of the types that receive."""
        return {name: y.flatten(1) for name, y in layer(self.of_types, rows).items()}


def _hetero(convs: dict[Key, nn.Module]) -> nn.Module:
    """One layer a relation; what they give is added."""
    found: nn.Module = conv.HeteroGraphConv({name: layer for (_, name, _), layer in convs.items()}, aggregate="sum")
    return found


def _rgcn(p: Place) -> Any:
    regularizer, count = REGULARIZERS.get(p.text("sharing"), (None, ""))
    return conv.RelGraphConv(
        p.width,
        p.whole("out_features"),
        len(Schema.at(p).relations),
        regularizer,
        p.whole(count) if count else None,
        bias=p.flag("bias"),
        self_loop=p.flag("root"),
    )


def _rgcn_state(p: Place, w: Weights) -> dict[str, Tensor]:
    if "bases" in w:
        shared = {"linear_r.W": w["bases"].reshape(-1, p.width, p.whole("out_features")), "linear_r.coeff": w["shares"]}
    else:
        shared = {"linear_r.W": w["weight"].flatten(1) if p.text("sharing") == "blocks" else w["weight"]}
    return shared | plain(loop_weight="own", h_bias="b")(w)


def _rgcn_call(layer: nn.Module, where: Graph, x: Tensor) -> Tensor:
    found: Tensor = layer(where.numbered, x, where.typed.relation, where.share(x.dtype), presorted=True)
    return found


def _rgat(p: Place) -> nn.Module:
    out, heads = p.whole("out_features"), p.whole("heads")
    settings = {"negative_slope": p.number("negative_slope"), "bias": False}
    convs = {key: conv.GATConv(p.width, out, heads, **settings) for key in Schema.at(p).relations}
    return ByType(_hetero(convs), heads * out)


def _rgat_state(p: Place, w: Weights) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for r, (_, name, _) in enumerate(Schema.at(p).relations):
        found[f"layer.mods.{name}.fc.weight"] = w["weight"][r].T
        found[f"layer.mods.{name}.attn_l"] = w["attend_source"][r][None]
        found[f"layer.mods.{name}.attn_r"] = w["attend_destination"][r][None]
    return found


def _sage(p: Place) -> nn.Module:
    out, schema = p.whole("out_features"), Schema.at(p)
    convs = {key: conv.GraphConv(p.width, out, norm="right", bias=False) for key in schema.relations}
    return ByType(_hetero(convs), out, conv.HeteroLinear(dict.fromkeys(schema.types, p.width), out))


def _sage_state(p: Place, w: Weights) -> dict[str, Tensor]:
    schema = Schema.at(p)
    found = {f"layer.mods.{name}.weight": w["weight"][r] for r, (_, name, _) in enumerate(schema.relations)}
    for t, name in enumerate(schema.types):
        found |= {f"itself.linears.{name}.weight": w["own"][t].T, f"itself.linears.{name}.bias": w["b"][t]}
    return found


LIBRARY = Library(
    graph=Graph,
    layers={
        "rgcn": PeerLayer(_rgcn, _rgcn_state, _rgcn_call),
        "rgat": PeerLayer(_rgat, _rgat_state, call),
        "hetero_sage": PeerLayer(_sage, _sage_state, call),
    },
)
