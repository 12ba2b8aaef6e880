"""Shape rules of the layers: widths arriving, widths going out.

They are data, served to the canvas, which draws widths while one types. What a rule cannot take raises LayerMismatch,
here alone: of faults the canvas hears a moment later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from workers.zoo.signature import ROW_AXES, LayerMismatch, Placed, Size


def clash(a: Size, b: Size) -> bool:
    """True where two sizes are known and differ; a symbol may still turn out to be any number."""
    return isinstance(a, int) and isinstance(b, int) and a != b


def joined(sizes: list[Size]) -> Size:
    """The width of values laid side by side; symbols stay visible, as in 64+F."""
    known = sum(s for s in sizes if isinstance(s, int))
    symbols = [s for s in sizes if isinstance(s, str)]
    return "+".join([str(known)] * (known > 0) + symbols) if symbols else known


@dataclass(frozen=True)
class Width:
    """What the width of a result is.

    of: where it is read, the values at an input port (a known width wins over a symbol), a setting of the layer, or a
    size of the dataset, a field of Sizes. name: of that port, setting or size. side_by_side: widths of all wires of the
    port are added up. times: a setting that multiplies it, unless the setting `unless[0]` is `unless[1]`.
    """

    of: Literal["port", "setting", "dataset"]
    name: str
    side_by_side: bool = False
    times: str | None = None
    unless: tuple[str, str] | None = None

    def at(self, placed: Placed) -> Size:
        times = int(placed.params[self.times]) if self.times and not self._alone(placed) else 1
        return joined([self._one(placed)] * times)

    def _one(self, placed: Placed) -> Size:
        if self.of == "setting":
            return placed.size(self.name)
        if self.of == "dataset":
            size: Size = getattr(placed.sizes, self.name)
            return size
        widths = [t.width for t in placed.inputs[self.name]]
        return joined(widths) if self.side_by_side else next((w for w in widths if isinstance(w, int)), widths[0])

    def _alone(self, placed: Placed) -> bool:
        return self.unless is not None and placed.params[self.unless[0]] == self.unless[1]


def anything(placed: Placed) -> None:
    """The check of a rule that takes whatever arrives."""


@dataclass(frozen=True)
class Rule:
    """Widths of a layer's results by output port. `check` raises LayerMismatch where what arrives cannot be taken."""

    widths: Mapping[str, Width] = field(default_factory=dict)
    check: Callable[[Placed], None] = anything

    def __call__(self, placed: Placed) -> dict[str, Size]:
        self.check(placed)
        return {port: width.at(placed) for port, width in self.widths.items()}


def _predicted(placed: Placed) -> None:
    """Class scores are as many as classes; embeddings, whose pairs are links, of any width."""
    check = _embeddings if placed.params["predicts"] == "links" else _class_scores
    check(placed)


def _embeddings(placed: Placed) -> None:
    got = placed.arriving()
    if got.kind != "vertex":
        raise LayerMismatch(f"Links join vertices, got {got}.", "Leave the readout out, or predict classes.", "x")
    if got.width == 0:
        raise LayerMismatch(f"An embedding needs a width, got {got}.", "Set the last layer's width.", "x")


def _class_scores(placed: Placed) -> None:
    got, classes = placed.arriving(), placed.sizes.classes
    if clash(got.width, classes):
        hint = f"Set the last layer's width to 0 (as many as classes), or insert Linear {got.width} to {classes}."
        rows = ROW_AXES[got.kind][0]
        raise LayerMismatch(f"Output expects one score a class, [{rows}, {classes}], got {got}.", hint, "x")


def _whole_frames(placed: Placed) -> None:
    """Frames side by side, each as wide as the others."""
    frames, wide = int(placed.params["frames"]), placed.arriving().width
    if isinstance(wide, int) and wide % frames:
        hint = f"Choose a number of frames that divides {wide}, or insert Linear."
        raise LayerMismatch(f"{frames} frames of one width do not fit into {placed.arriving()}.", hint, "x")


def _blocks(placed: Placed) -> None:
    """Blocks of one size cut both widths evenly."""
    blocks, wide, out = int(placed.params["num_blocks"]), placed.arriving().width, placed.size("out_features")
    for what, number in (("arriving", wide), ("going out", out)):
        if isinstance(number, int) and number % blocks:
            hint = f"Choose a number of blocks that divides {number}, or share by bases."
            raise LayerMismatch(f"{blocks} blocks do not cut a width of {number} {what} evenly.", hint, "x")


def _rows_to_share(placed: Placed) -> None:
    """A vertex has so many rows as wide as the result."""
    count, out, got = int(placed.params["num_bases"]), placed.size("out_features"), placed.arriving()
    if isinstance(out, int) and clash(got.width, count * out):
        hint = f"Make the layer before {count * out} wide: bases times width. Or share by bases."
        raise LayerMismatch(f"{count} rows of width {out} are {count * out} numbers a vertex, got {got}.", hint, "x")


def _shared(placed: Placed) -> None:
    {"blocks": _blocks, "rows": _rows_to_share}.get(str(placed.params["sharing"]), anything)(placed)


def _kept_by_heads(placed: Placed) -> None:
    """Heads side by side are as wide as what arrives."""
    heads, one, got = int(placed.params["heads"]), placed.size("out_features"), placed.arriving()
    if isinstance(one, int) and clash(got.width, heads * one):
        hint = f"Choose heads and a width that make {got.width}, or insert Linear {got.width} to {heads * one}."
        raise LayerMismatch(f"{heads} heads of width {one} keep a width of {heads * one}, got {got}.", hint, "x")


def _equal(placed: Placed) -> None:
    found = placed.inputs["x"]
    known = next((t for t in found if isinstance(t.width, int)), found[0])
    for i, other in enumerate(found):
        if clash(known.width, other.width):
            hint = f"Insert Linear {other.width} to {known.width} on this wire."
            raise LayerMismatch(f"Add expects equal widths, got {known} and {other}.", hint, "x", i)


OF_X = {"y": Width("port", "x")}
OUT_FEATURES = {"y": Width("setting", "out_features")}

dataset_features = Rule({"h": Width("dataset", "features"), "e": Width("dataset", "edge_features")})
predictions = Rule(check=_predicted)
same_as_input = Rule(OF_X)
equal_widths = Rule(OF_X, _equal)
edges_to_vertices = Rule({"y": Width("port", "e")})
side_by_side = Rule({"y": Width("port", "x", side_by_side=True)})
to_width = Rule(OUT_FEATURES)
frames_to_width = Rule(OUT_FEATURES, _whole_frames)
to_relations = Rule(OUT_FEATURES, _shared)
to_all_heads = Rule({"y": Width("setting", "out_features", times="heads")})
whole_heads = Rule({"y": Width("setting", "out_features", times="heads")}, _kept_by_heads)
to_heads = Rule({"y": Width("setting", "out_features", times="heads", unless=("join", "mean"))})
"""Heads side by side, or their mean."""
