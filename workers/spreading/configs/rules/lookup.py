"""Tables of embeddings: split by what is looked up, by features, or by rows."""

from __future__ import annotations

from math import prod

from workers.spreading.configs.roles import Roles, letters
from workers.spreading.configs.rules.rule import Call, Rule, dim_of


def embedding(call: Call) -> Roles:
    """w[v, e] at ids[...]: split by rows, a device gives zeros for ids whose row it lacks."""
    ids = letters("n", call.inputs[1].shape)
    rows = (
        "v" if call.argument(2, "padding_idx", -1) < 0 and not call.argument(3, "scale_grad_by_freq", False) else None
    )
    return Roles(((rows, "e"), ids), ((*ids, "e"),), summed=frozenset("v"), flops=prod(call.outputs[0].shape))


def index_select(call: Call) -> Roles:
    """Rows of a tensor by index: split along every other dimension, or by what is looked up."""
    shape = call.inputs[0].shape
    dim = dim_of(call.argument(1, "dim"), len(shape))
    dims = tuple(None if i == dim else x for i, x in enumerate(letters("d", shape)))
    return Roles((dims, ("n",)), ((*dims[:dim], "n", *dims[dim + 1 :]),))


LOOKUPS: dict[str, Rule] = {"aten.embedding.default": embedding, "aten.index_select.default": index_select}
