"""Layers over relations in PyTorch Geometric, as its users call them: rows and edges by type and relation."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn
from torch_geometric import nn as pyg
from torch_geometric.nn.module_dict import ModuleDict

from workers.systems.hgl.comparison.by_type import ByType, call
from workers.systems.hgl.comparison.typed_graph import Key, Schema, TypedGraph
from workers.training.comparison.layer import Library, PeerLayer, Place
from workers.training.comparison.weights import Weights, plain


@dataclass(frozen=True)
class Graph:
    """A graph in both forms that PyG's layers ask for, each made when it is first needed."""

    typed: TypedGraph

    @cached_property
    def edge_index(self) -> Tensor:
        """int64[2, E] between vertices of all types."""
        return torch.stack([self.typed.src, self.typed.dst])

    @cached_property
    def by_relation(self) -> dict[Key, Tensor]:
        """int64[2, e_r] of every relation that has edges, between vertices of its types."""
        return {key: torch.stack(ends) for key, ends in self.typed.between().items() if len(ends[0])}

    def walk(self, layer: nn.Module, rows: dict[str, Tensor]) -> dict[str, Tensor | None]:
        """Rows of the types that receive, or None where nothing reached one."""
        found: dict[str, Tensor | None] = layer(rows, self.by_relation)
        return found


def _hetero(convs: dict[Key, nn.Module]) -> Any:
    """One layer a relation; what they give is added."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There exist node types")  # types that only send are common
        return pyg.HeteroConv(convs, aggr="sum")


def _rgcn(p: Place) -> Any:
    sharing = {"bases": {"num_bases": "num_bases"}, "blocks": {"num_blocks": "num_blocks"}}.get(p.text("sharing"), {})
    return pyg.RGCNConv(
        p.width,
        p.whole("out_features"),
        len(Schema.at(p).relations),
        root_weight=p.flag("root"),
        bias=p.flag("bias"),
        **{theirs: p.whole(ours) for theirs, ours in sharing.items()},
    )


def _rgcn_state(p: Place, w: Weights) -> dict[str, Tensor]:
    if "bases" in w:
        shared = {"weight": w["bases"].reshape(-1, p.width, p.whole("out_features")), "comp": w["shares"]}
    else:
        shared = {"weight": w["weight"]}
    return shared | plain(root="own", bias="b")(w)


def _rgcn_call(layer: nn.Module, where: Graph, x: Tensor) -> Tensor:
    found: Tensor = layer(x, where.edge_index, where.typed.relation)
    return found


def _rgat(p: Place) -> nn.Module:
    out, heads = p.whole("out_features"), p.whole("heads")
    settings = {"negative_slope": p.number("negative_slope"), "add_self_loops": False, "bias": False}
    convs = {key: pyg.GATConv(p.width, out, heads, **settings) for key in Schema.at(p).relations}
    return ByType(_hetero(convs), heads * out)


def _rgat_state(p: Place, w: Weights) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for r, key in enumerate(Schema.at(p).relations):
        name = f"layer.convs.{ModuleDict.to_internal_key(key)}"
        found[f"{name}.lin.weight"] = w["weight"][r].T
        found[f"{name}.att_src"] = w["attend_source"][r][None]
        found[f"{name}.att_dst"] = w["attend_destination"][r][None]
    return found


def _sage(p: Place) -> nn.Module:
    out, schema = p.whole("out_features"), Schema.at(p)
    convs = {key: pyg.SAGEConv(p.width, out, root_weight=False, bias=False) for key in schema.relations}
    return ByType(_hetero(convs), out, pyg.HeteroDictLinear(p.width, out, schema.types))


def _sage_state(p: Place, w: Weights) -> dict[str, Tensor]:
    schema = Schema.at(p)
    names = (f"layer.convs.{ModuleDict.to_internal_key(key)}.lin_l.weight" for key in schema.relations)
    found = {name: w["weight"][r].T for r, name in enumerate(names)}
    for t, name in enumerate(schema.types):
        found |= {f"itself.lins.{name}.weight": w["own"][t].T, f"itself.lins.{name}.bias": w["b"][t]}
    return found


def _han(p: Place) -> nn.Module:
    """PyG counts relations without edges too, so it is told of the others alone."""
    schema, width = Schema.at(p), p.whole("heads") * p.whole("out_features")
    used = [key for key, edges in zip(schema.relations, schema.edges, strict=True) if edges]
    settings = {"negative_slope": p.number("negative_slope"), "dropout": p.number("attention_dropout")}
    return ByType(pyg.HANConv(p.width, width, (list(schema.types), used), p.whole("heads"), **settings), width)


def _han_state(p: Place, w: Weights) -> dict[str, Tensor]:
    schema = Schema.at(p)
    found = {"layer.q": w["ask"][None], "layer.k_lin.weight": w["look"].T, "layer.k_lin.bias": w["look_bias"]}
    for t, name in enumerate(schema.types):
        found |= {f"layer.proj.{name}.weight": w["weight"][t].T, f"layer.proj.{name}.bias": w["b"][t]}
    for r, key in enumerate(schema.relations):
        found[f"layer.lin_src.{'__'.join(key)}"] = w["attend_source"][r][None]
        found[f"layer.lin_dst.{'__'.join(key)}"] = w["attend_destination"][r][None]
    return found


def _hgt(p: Place) -> nn.Module:
    """PyG gives rows to types that receive; ours gives them to every type, by the same formula."""
    schema, width = Schema.at(p), p.whole("heads") * p.whole("out_features")
    layer = pyg.HGTConv(p.width, width, (list(schema.types), list(schema.relations)), p.whole("heads"))
    layer.dst_node_types = set(schema.types)
    return ByType(layer, width)


def _hgt_state(p: Place, w: Weights) -> dict[str, Tensor]:
    """Its matrices of a relation stand head by head."""
    schema = Schema.at(p)
    found = {
        "layer.k_rel.weight": w["compare"].transpose(0, 1).flatten(0, 1),
        "layer.v_rel.weight": w["send"].transpose(0, 1).flatten(0, 1),
    }
    three = ("keys", "queries", "messages")
    for t, name in enumerate(schema.types):
        found[f"layer.kqv_lin.lins.{name}.weight"] = torch.cat([w[part][t].T for part in three])
        found[f"layer.kqv_lin.lins.{name}.bias"] = torch.cat([w[f"{part}_bias"][t] for part in three])
        found[f"layer.out_lin.lins.{name}.weight"] = w["update"][t].T
        found[f"layer.out_lin.lins.{name}.bias"] = w["update_bias"][t]
        found[f"layer.skip.{name}"] = w["skip"][t]
    return found | {f"layer.p_rel.{'__'.join(key)}": w["prior"][r].T for r, key in enumerate(schema.relations)}


LIBRARY = Library(
    graph=Graph,
    layers={
        "rgcn": PeerLayer(_rgcn, _rgcn_state, _rgcn_call),
        "rgat": PeerLayer(_rgat, _rgat_state, call),
        "hetero_sage": PeerLayer(_sage, _sage_state, call),
        "han": PeerLayer(_han, _han_state, call),
        "hgt": PeerLayer(_hgt, _hgt_state, call),
    },
)
