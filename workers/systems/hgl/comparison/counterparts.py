"""Which layer of DGL or PyG stands for which layer over relations. Pure: jobs are checked with it before they start.

Neither library has SimpleHGN or CompGCN among its layers, and DGL has no HAN. DGL's HGTConv has no biases and no GELU,
so it is another layer than ours and PyG's. PyG's GELU is exact and ours the usual approximation, by which scores of HGT
differ in the fourth digit.
"""

from __future__ import annotations

from collections.abc import Mapping

from workers.core.model import Scalar
from workers.training.comparison.counterparts import TORCH, Counterpart, Counterparts

_SHARED: Mapping[str, tuple[Scalar, ...]] = {"sharing": ("plain", "bases", "blocks")}
_PLAIN = TORCH | {"encode_types": Counterpart("torch")}
COUNTERPARTS: Counterparts = {
    "dgl": _PLAIN
    | {
        "rgcn": Counterpart("RelGraphConv", only=_SHARED),
        "rgat": Counterpart("HeteroGraphConv(GATConv)"),
        "hetero_sage": Counterpart("HeteroGraphConv(GraphConv), HeteroLinear"),
    },
    "pyg": _PLAIN
    | {
        "rgcn": Counterpart("RGCNConv", only=_SHARED),
        "rgat": Counterpart("HeteroConv(GATConv)"),
        "hetero_sage": Counterpart("HeteroConv(SAGEConv), HeteroDictLinear"),
        "han": Counterpart("HANConv"),
        "hgt": Counterpart("HGTConv"),
    },
}
