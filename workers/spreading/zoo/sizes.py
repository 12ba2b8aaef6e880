"""The sizes of the models to choose from, as a job names them. Pure pydantic: no torch here.

Defaults are small enough to train on a laptop. Batches are those of one step over all devices together.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

Size = Annotated[int, Field(ge=1, le=1 << 24)]
Depth = Annotated[int, Field(ge=1, le=512)]
S = TypeVar("S")


class Sizes(BaseModel):
    """What all models have."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    batch: Size = Field(default=16, description="Samples of a step, over all devices together.")


class MlpSizes(Sizes):
    """Layers of one width with ReLU between, and classes at the end."""

    model: Literal["mlp"] = "mlp"
    features: Size = 64
    width: Size = 128
    layers: Depth = Field(default=3, description="Hidden layers.")
    classes: Size = 16


class TransformerSizes(Sizes):
    """A language model: pre-norm blocks of causal attention and a two-layer net, and the next token as target."""

    model: Literal["transformer"] = "transformer"
    vocabulary: Size = 256
    length: Size = Field(default=32, description="Tokens of a sequence.")
    width: Size = 64
    heads: Size = 4
    hidden: Size = Field(default=256, description="Width of the two-layer net inside a block.")
    layers: Depth = 2

    @model_validator(mode="after")
    def _heads_divide(self) -> Self:
        return _divides(self, self.width, self.heads)


class VitSizes(Sizes):
    """A vision Transformer: patches as tokens, the mean over patches classified."""

    model: Literal["vit"] = "vit"
    image: Size = Field(default=32, description="Pixels of a side.")
    patch: Size = Field(default=8, description="Pixels of a patch's side.")
    channels: Size = 3
    width: Size = 64
    heads: Size = 4
    hidden: Size = 256
    layers: Depth = 2
    classes: Size = 16

    @model_validator(mode="after")
    def _sizes_divide(self) -> Self:
        if self.image % self.patch:
            raise ValueError(f"An image of {self.image} pixels does not divide into patches of {self.patch}.")
        return _divides(self, self.width, self.heads)


class WideResnetSizes(Sizes):
    """A residual network of three stages of `blocks` blocks, channels times `widen`; pre-activation, batch norms."""

    model: Literal["wide_resnet"] = "wide_resnet"
    image: Size = Field(default=16, description="Pixels of a side.")
    channels: Size = 3
    base: Size = Field(default=8, description="Channels of the first stage before they are multiplied.")
    widen: Size = 2
    blocks: Depth = Field(default=1, description="Blocks of a stage.")
    classes: Size = 16


class LstmSizes(Sizes):
    """A language model of stacked LSTM layers."""

    model: Literal["lstm"] = "lstm"
    vocabulary: Size = 256
    length: Size = 16
    width: Size = 64
    layers: Depth = 2


class DlrmSizes(Sizes):
    """A recommender: embeddings of `tables` categories and a net over dense features, their products, a net on top."""

    model: Literal["dlrm"] = "dlrm"
    dense: Size = Field(default=16, description="Dense features.")
    tables: Depth = 4
    rows: Size = Field(default=1024, description="Rows of every table.")
    width: Size = Field(default=32, description="Width of an embedding.")
    hidden: Size = 64


AnySizes = Annotated[
    MlpSizes | TransformerSizes | VitSizes | WideResnetSizes | LstmSizes | DlrmSizes, Field(discriminator="model")
]


def _divides(sizes: S, width: int, heads: int) -> S:
    if width % heads:
        raise ValueError(f"A width of {width} does not divide into {heads} heads.")
    return sizes
