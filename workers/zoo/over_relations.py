"""Rows of the layer table that work over the relations and types of a heterogeneous graph."""

from __future__ import annotations

from workers.zoo import shapes, weights
from workers.zoo.attention import HEAD, SLOPE, dropped
from workers.zoo.row_parts import BIAS, OUT, VERTEX_IN, VERTEX_OUT, program
from workers.zoo.signature import Choice, Layer, Param, ProgramUse

ROOT = Param("root", "bool", True, "Add the vertex itself by a matrix of its own.", advanced=True)
HEADS = Param("heads", "int", 4, "Independent attentions, laid side by side.", minimum=1, maximum=256, size=True)
KIND = Param("relation_features", "int", 8, "Width of what is learnt of a relation.", minimum=1, maximum=4096)
RELATIONS = Param("relations", "relations", "", "Relations whose edges it reads; none named, every one there is.")
OUT_AS = {"out": "out_features"}
ROOTED = {"root": "root", "bias": "bias"}
ATTENDING = {"out": "out_features", "heads": "heads"}
WHERE_BASES = "Matrices, or rows of a vertex, that all relations share, where sharing is bases or rows."
WHERE_BLOCKS = "Blocks along the diagonal, where sharing is blocks."
_PLAIN = program("rgcn", **OUT_AS, **ROOTED)

OVER_RELATIONS: tuple[Layer, ...] = (
    Layer(
        type="encode_types",
        title="Type encoder",
        group="over relations",
        doc="Rows of one width: an affine map for each type that has features, a learned row a vertex of others.",
        formula="y_v = x_v W_type(v) + b_type(v), or y_v learned",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_width,
        params=(OUT,),
        tags=("embedding", "heterogeneous", "types", "projection", "features", "input"),
        weights=weights.encoder,
    ),
    Layer(
        type="rgcn",
        title="R-GCN",
        group="over relations",
        doc="Mean of every relation's neighbours through the relation's matrix, and the vertex itself.",
        formula="y_v = Σ_r mean_{u in N_r(v)} x_u W_r + x_v W_0 + b",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_relations,
        params=(
            OUT,
            Param(
                "sharing", "enum", "plain", "What the matrices of relations have in common.",
                choices=("plain", "bases", "blocks", "rows"),
            ),
            Param("num_bases", "int", 8, WHERE_BASES, minimum=1, maximum=4096),
            Param("num_blocks", "int", 4, WHERE_BLOCKS, minimum=1, maximum=4096),
            RELATIONS,
            ROOT,
            BIAS,
        ),
        tags=("relational", "heterogeneous", "knowledge graph", "basis", "block diagonal"),
        program=_PLAIN,
        choice=Choice("sharing", {
            "plain": _PLAIN,
            "bases": ProgramUse(
                "rgcn_bases", {"h": "x"}, sizes={"width": "x"}, constants={**OUT_AS, "count": "num_bases", **ROOTED}
            ),
            "blocks": program("rgcn_blocks", **OUT_AS, blocks="num_blocks", **ROOTED),
            "rows": ProgramUse("rgcn_rows", {"h": "x"}, constants={**OUT_AS, "count": "num_bases", **ROOTED}),
        }),
    ),
    Layer(
        type="rgat",
        title="R-GAT",
        group="over relations",
        doc="Graph attention within every relation, with the relation's own matrix and scores; relations are added.",
        formula="y_v = Σ_r Σ_{u in N_r(v)} softmax_u(LeakyReLU(a_r·z_u + d_r·z_v)) z_u, z = x W_r",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_all_heads,
        params=(HEAD, HEADS, RELATIONS, SLOPE),
        tags=("relational", "heterogeneous", "graph attention", "softmax", "multi-head"),
        program=program("rgat", **ATTENDING, slope="negative_slope"),
    ),
    Layer(
        type="han",
        title="HAN",
        group="over relations",
        doc="Graph attention within every relation; then one share a relation, asked of all vertices of the type.",
        formula="y_v = Σ_r β_r z_rv, z_rv = ReLU(Σ_{u in N_r(v)} α_u x_u W_type), β = softmax_r(q·mean_v tanh(z_rv M))",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_all_heads,
        params=(HEAD, HEADS, RELATIONS, dropped(0.0), SLOPE),
        tags=("heterogeneous", "attention", "semantic attention", "metapath", "multi-head", "types"),
        program=program("han", **ATTENDING, slope="negative_slope", drop="attention_dropout"),
    ),
    Layer(
        type="hgt",
        title="HGT",
        group="over relations",
        doc="Transformer whose keys, queries and messages are made by type and compared by relation; keeps the width.",
        formula="y_v = s GELU(Σ_u softmax_u(k_u A_r·q_v μ_r / √d) m_u M_r) U_type + (1 - s) x_v, s = σ(skip_type)",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.whole_heads,
        params=(HEAD, HEADS, RELATIONS),
        tags=("heterogeneous", "transformer", "attention", "query key value", "multi-head", "types"),
        program=ProgramUse("hgt", {"h": "x"}, constants=ATTENDING),
    ),
    Layer(
        type="hetero_sage",
        title="Heterogeneous GraphSAGE",
        group="over relations",
        doc="Mean of every relation's neighbours, a matrix a relation; the vertex itself by its type.",
        formula="y_v = Σ_r (mean_{u in N_r(v)} x_u) W_r + x_v V_type(v) + b_type(v)",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_width,
        params=(OUT, RELATIONS),
        tags=("heterogeneous", "sage", "mean", "types", "inductive"),
        program=program("hetero_sage", **OUT_AS),
    ),
    Layer(
        type="simple_hgn",
        title="SimpleHGN",
        group="over relations",
        doc="Graph attention across all relations whose scores know the relation, with a residual.",
        formula="y_v = Σ_u softmax_u(LeakyReLU(a·z_u + d·z_v + c·(k_r B))) z_u + x_v R, z = x W",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_all_heads,
        params=(HEAD, HEADS, KIND, RELATIONS, Param(
            "negative_slope", "float", 0.05, "LeakyReLU below zero.", minimum=0.0, maximum=1.0, advanced=True
        )),
        tags=("heterogeneous", "graph attention", "edge type", "residual", "multi-head"),
        program=program("simple_hgn", **ATTENDING, kind="relation_features", slope="negative_slope"),
    ),
    Layer(
        type="comp_gcn",
        title="CompGCN",
        group="over relations",
        doc="Neighbours times what is learnt of their relation, through one matrix for all relations.",
        formula="y_v = Σ_u (x_u ∘ k_r) W + (x_v ∘ k_0) W_0 + b",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_width,
        params=(OUT, RELATIONS),
        tags=("heterogeneous", "composition", "knowledge graph", "relation embedding"),
        program=program("comp_gcn", **OUT_AS),
    ),
)  # fmt: skip
