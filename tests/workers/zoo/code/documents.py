"""Documents made up for round trips: sound ones and odd ones, with every part a document can have."""

from __future__ import annotations

from hypothesis import strategies as st

from workers.core.model import Endpoint, Group, ModelDoc, Node, Note, Position, VertexProgram, Wire
from workers.zoo.layers import LAYERS

WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True)
IDS = st.one_of(
    WORDS, st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,9}", fullmatch=True), st.sampled_from(["class", "for", "id"])
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=["Cs"]), max_size=30)
SETTINGS = st.one_of(st.integers(-100, 100), st.floats(-10, 10).map(lambda x: round(x, 4)), st.booleans(), TEXTS)
TYPES = st.one_of(
    st.sampled_from(sorted(LAYERS)), st.sampled_from(["mystery", "torch.relu", "layer", "my layer", "for"])
)
SOURCES = st.one_of(
    st.sampled_from(
        ['def f(v: Vertex(h="in")):\n    # a comment\n    return v.h\n', "", "def (", "# %% model\nx\n\n\n"]
    ),
    TEXTS,
)


@st.composite
def nodes(draw: st.DrawFn, node_id: str) -> Node:
    kind = draw(TYPES)
    layer = LAYERS.get(kind)
    known = {p.name: st.one_of(st.just(p.default), SETTINGS) for p in layer.params} if layer else {}
    params = {k: draw(v) for k, v in known.items() if draw(st.booleans())}
    odd = draw(
        st.dictionaries(st.one_of(WORDS, st.sampled_from(["title", "class", "two words", "x"])), SETTINGS, max_size=2)
    )
    return Node(id=node_id, type=kind, params=params | odd, title=draw(st.one_of(st.just(""), TEXTS)))


@st.composite
def documents(draw: st.DrawFn) -> ModelDoc:
    ids = draw(st.lists(IDS, unique=True, max_size=9))
    cut = draw(st.integers(0, len(ids)))
    note_ids = ids[cut : cut + 2]
    group_ids = ids[cut + 2 : cut + 4]
    made = [draw(nodes(i)) for i in ids[:cut]]
    ends = st.sampled_from([*(n.id for n in made), "ghost"])
    ports = st.sampled_from(["x", "y", "h", "e", "odd port", "class", "title"])
    wire = st.builds(
        lambda a, p, b, q: Wire(source=Endpoint(node=a, port=p), target=Endpoint(node=b, port=q)),
        ends,
        ports,
        ends,
        ports,
    )
    proper = st.builds(_proper, st.sampled_from(made), st.sampled_from(made)) if made else wire
    names = draw(st.lists(WORDS, unique=True, max_size=2))
    members = st.lists(st.sampled_from([*ids, "gone"]), max_size=3)
    return ModelDoc(
        nodes=tuple(made),
        wires=tuple(draw(st.lists(st.one_of(proper, proper, wire), max_size=12, unique=True))),
        programs=tuple(VertexProgram(name=n, source=draw(SOURCES)) for n in names),
        groups=tuple(
            Group(id=i, title=draw(TEXTS), members=tuple(draw(members)), collapsed=draw(st.booleans()))
            for i in group_ids
        ),
        notes=tuple(Note(id=i, text=draw(TEXTS), width=draw(st.integers(96, 400))) for i in note_ids),
        layout={i: Position(x=draw(st.integers(-500, 500)), y=2.5) for i in ids if draw(st.booleans())},
    )


def _proper(a: Node, b: Node) -> Wire:
    """Between ports that are there."""
    out, into = LAYERS.get(a.type), LAYERS.get(b.type)
    return Wire(
        source=Endpoint(node=a.id, port=out.outputs[0].name if out and out.outputs else "y"),
        target=Endpoint(node=b.id, port=into.inputs[0].name if into and into.inputs else "x"),
    )
