"""All models there are: their sizes -> what builds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from workers.spreading.zoo.dlrm import dlrm
from workers.spreading.zoo.example import Example
from workers.spreading.zoo.lstm import lstm
from workers.spreading.zoo.mlp import mlp
from workers.spreading.zoo.sizes import (
    DlrmSizes,
    LstmSizes,
    MlpSizes,
    Sizes,
    TransformerSizes,
    VitSizes,
    WideResnetSizes,
)
from workers.spreading.zoo.transformer import transformer
from workers.spreading.zoo.vit import vit
from workers.spreading.zoo.wide_resnet import wide_resnet

BUILDERS: dict[type[Sizes], Callable[[Any, int], Example]] = {  # of sizes and the seed of the inputs
    MlpSizes: mlp,
    TransformerSizes: transformer,
    VitSizes: vit,
    WideResnetSizes: wide_resnet,
    LstmSizes: lstm,
    DlrmSizes: dlrm,
}


def build(sizes: Sizes, seed: int = 0) -> Example:
    """The model of these sizes, with its parameters and inputs drawn from `seed`."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return BUILDERS[type(sizes)](sizes, seed)
