"""All models there are: name -> its sizes and what builds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Model:
    """What a name stands for."""

    sizes: type[Sizes]
    build: Callable[[Any, int], Example]  # sizes, seed of the inputs


MODELS: dict[str, Model] = {
    "mlp": Model(MlpSizes, mlp),
    "transformer": Model(TransformerSizes, transformer),
    "vit": Model(VitSizes, vit),
    "wide_resnet": Model(WideResnetSizes, wide_resnet),
    "lstm": Model(LstmSizes, lstm),
    "dlrm": Model(DlrmSizes, dlrm),
}


def build(name: str, sizes: Sizes | None = None, seed: int = 0) -> Example:
    """A model with its parameters and inputs drawn from `seed`; of its default sizes where none are given."""
    model = MODELS[name]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return model.build(sizes or model.sizes(), seed)
