"""Shape rules of the layers: types arriving in, types going out. A rule that cannot hold raises LayerMismatch."""

from __future__ import annotations

from workers.zoo.signature import ROW_AXES, LayerMismatch, Placed, Size, ValueType

Outputs = dict[str, ValueType]


def clash(a: Size, b: Size) -> bool:
    """True where two sizes are known and differ; a symbol may still turn out to be any number."""
    return isinstance(a, int) and isinstance(b, int) and a != b


def joined(sizes: list[Size]) -> Size:
    """The width of values laid side by side; symbols stay visible, as in 64+F."""
    known = sum(s for s in sizes if isinstance(s, int))
    symbols = [s for s in sizes if isinstance(s, str)]
    return "+".join([str(known)] * (known > 0) + symbols) if symbols else known


def dataset_features(placed: Placed) -> Outputs:
    sizes = placed.sizes
    return {"h": ValueType("vertex", (sizes.features,)), "e": ValueType("edge", (sizes.edge_features,))}


def predictions(placed: Placed) -> Outputs:
    """Nothing goes out. Class scores are as many as classes; embeddings, whose pairs are links, of any width."""
    return _embeddings(placed.arriving()) if placed.params["predicts"] == "links" else _class_scores(placed)


def _embeddings(got: ValueType) -> Outputs:
    if got.kind != "vertex":
        raise LayerMismatch(f"Links join vertices, got {got}.", "Leave the readout out, or predict classes.", "x")
    if got.width == 0:
        raise LayerMismatch(f"An embedding needs a width, got {got}.", "Set the last layer's width.", "x")
    return {}


def _class_scores(placed: Placed) -> Outputs:
    got, classes = placed.arriving(), placed.sizes.classes
    if clash(got.width, classes):
        hint = f"Set the last layer's width to 0 (as many as classes), or insert Linear {got.width} to {classes}."
        rows = ROW_AXES[got.kind][0]
        raise LayerMismatch(f"Output expects one score a class, [{rows}, {classes}], got {got}.", hint, "x")
    return {}


def same_as_input(placed: Placed) -> Outputs:
    return {"y": placed.arriving()}


def to_width(placed: Placed) -> Outputs:
    return {"y": ValueType(placed.arriving().kind, (placed.size("out_features"),))}


def to_heads(placed: Placed) -> Outputs:
    """Heads side by side, or their mean."""
    heads = int(placed.params["heads"]) if placed.params["join"] == "concat" else 1
    width = placed.size("out_features")
    return {"y": ValueType("vertex", (width * heads if isinstance(width, int) else joined([width] * heads),))}


def frames_to_width(placed: Placed) -> Outputs:
    """Frames side by side, each as wide as the others."""
    frames, wide = int(placed.params["frames"]), placed.arriving().width
    if isinstance(wide, int) and wide % frames:
        hint = f"Choose a number of frames that divides {wide}, or insert Linear."
        raise LayerMismatch(f"{frames} frames of one width do not fit into {placed.arriving()}.", hint, "x")
    return to_width(placed)


def edges_to_vertices(placed: Placed) -> Outputs:
    return {"y": ValueType("vertex", placed.arriving("e").shape)}


def vertices_to_graphs(placed: Placed) -> Outputs:
    return {"y": ValueType("graph", placed.arriving().shape)}


def equal_widths(placed: Placed) -> Outputs:
    """All wires equally wide; a known width wins over a symbol."""
    found = placed.inputs["x"]
    known = next((t for t in found if isinstance(t.width, int)), found[0])
    for i, other in enumerate(found):
        if clash(known.width, other.width):
            hint = f"Insert Linear {other.width} to {known.width} on this wire."
            raise LayerMismatch(f"Add expects equal widths, got {known} and {other}.", hint, "x", i)
    return {"y": known}


def side_by_side(placed: Placed) -> Outputs:
    found = placed.inputs["x"]
    return {"y": ValueType(found[0].kind, (joined([t.width for t in found]),))}
