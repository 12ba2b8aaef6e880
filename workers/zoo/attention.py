"""Rows of the layer table that weigh neighbours by attention."""

from __future__ import annotations

from workers.zoo import shapes
from workers.zoo.row_parts import BIAS, VERTEX_IN, VERTEX_OUT, probability, program, width
from workers.zoo.signature import Layer, Param, Preparation, ProgramUse

HEAD = width("out_features", 8, "Width of one head.")
HEADS = Param("heads", "int", 8, "Independent attentions.", minimum=1, maximum=256, size=True)
JOIN = Param("join", "enum", "concat", "Lay heads side by side, or take their mean.", choices=("concat", "mean"))
SLOPE = Param("negative_slope", "float", 0.2, "LeakyReLU below zero.", minimum=0.0, maximum=1.0, advanced=True)


def dropped(default: float) -> Param:
    return probability("attention_dropout", default, "Share of attention weights dropped while training.")


def attending(name: str, **constants: str) -> ProgramUse:
    """A program of heads that are laid side by side or averaged; `constants` are its own, beside those all have."""
    shared = {"out": "out_features", "heads": "heads", "join": "join", "drop": "attention_dropout", "bias": "bias"}
    return ProgramUse(name, {"h": "x"}, sizes={"in": "x", "joined": "y"}, constants=shared | constants)


ATTENTION: tuple[Layer, ...] = (
    Layer(
        type="gat",
        title="GAT",
        group="message passing",
        doc="Graph attention: every edge is scored, and scores are normalised over the in-edges of a vertex.",
        formula="y_v = Σ_u softmax_u(LeakyReLU(a_s·z_u + a_d·z_v)) z_u + b, z = x W",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_heads,
        params=(HEAD, HEADS, JOIN, dropped(0.6), SLOPE, BIAS),
        tags=("graph attention", "softmax", "edge softmax", "transformer", "multi-head"),
        program=attending("gat", slope="negative_slope"),
        preparation=Preparation(self_loops=True),
    ),
    Layer(
        type="gatv2",
        title="GATv2",
        group="message passing",
        doc="Attention whose score bends before it is weighed, so each vertex may rank its neighbours its own way.",
        formula="y_v = Σ_u softmax_u(a·LeakyReLU(x_u W_s + x_v W_d)) x_u W_s + b",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_heads,
        params=(
            HEAD,
            HEADS,
            JOIN,
            dropped(0.6),
            SLOPE,
            Param("share", "bool", False, "One matrix for both ends.", advanced=True),
            BIAS,
        ),
        tags=("graph attention", "dynamic attention", "softmax", "multi-head"),
        program=attending("gatv2", slope="negative_slope", share="share"),
        preparation=Preparation(self_loops=True),
    ),
    Layer(
        type="transformer",
        title="Graph transformer",
        group="message passing",
        doc="Dot products of queries and keys weigh the values of neighbours; the vertex itself is added.",
        formula="y_v = Σ_u softmax_u(q_v·k_u / √d) x_u V + x_v R + b, q = x Q, k = x K",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_heads,
        params=(
            HEAD,
            HEADS,
            JOIN,
            dropped(0.0),
            Param("root", "bool", True, "Add the vertex itself by a matrix of its own.", advanced=True),
            Param("gate", "bool", False, "Let each vertex choose between what it hears and itself.", advanced=True),
            BIAS,
        ),
        tags=("dot product", "attention", "query key value", "unimp", "multi-head"),
        program=attending("transformer", root="root", gate="gate"),
    ),
    Layer(
        type="agnn",
        title="AGNN",
        group="message passing",
        doc="Neighbours weigh in by how much they are alike; no matrix, one trained number.",
        formula="y_v = Σ_u softmax_u(β cos(x_u, x_v)) x_u",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.same_as_input,
        params=(Param("train_beta", "bool", True, "Learn how sharply likeness counts; else β is 1.", advanced=True),),
        tags=("attention", "cosine", "similarity", "propagation"),
        program=program("agnn", train_beta="train_beta"),
        preparation=Preparation(self_loops=True),
    ),
)
