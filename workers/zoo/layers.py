"""THE layer table: every block of the canvas, one row each. Palette, checks, docs, forms and the builder read it."""

from __future__ import annotations

from workers.zoo import shapes, user_program, weights
from workers.zoo.signature import Layer, Param, Port, Preparation, ProgramUse

VERTEX_IN = (Port("x", "vertex", "One row a vertex."),)
VERTEX_OUT = (Port("y", "vertex", "One row a vertex."),)
ROWS_IN = (Port("x", "any", "One row a vertex or a graph."),)
ROWS_OUT = (Port("y", "any", "One row a vertex or a graph, as came in."),)
MANY_IN = (Port("x", "any", "Any number of wires, taken in the order they were drawn.", many=True),)

AS_CLASSES = "as many as the dataset has classes"
BIAS = Param("bias", "bool", True, "Add a trained constant to every column.", advanced=True)
EPS = Param("eps", "float", 1e-5, "Added to the variance.", minimum=1e-12, maximum=1.0, advanced=True)


def _width(name: str, default: int, doc: str) -> Param:
    return Param(name, "int", default, doc, minimum=0, maximum=65536, size=True, zero=AS_CLASSES)


def _probability(name: str, default: float, doc: str) -> Param:
    return Param(name, "float", default, doc, minimum=0.0, exclusive_maximum=1.0)


def _program(name: str, **constants: str) -> ProgramUse:
    """A program whose feature `h` is port x and whose free size `in` is that port's width."""
    return ProgramUse(name, {"h": "x"}, sizes={"in": "x"}, constants=constants)


OUT = _width("out_features", 64, "Width of the result.")

_ROWS = (
    Layer(
        type="input",
        title="Input",
        group="inputs",
        doc="What the dataset says about its vertices and, where it does, its edges.",
        formula="h_v = x_v",
        inputs=(),
        outputs=(
            Port("h", "vertex", "Features of the vertices."),
            Port("e", "edge", "Features of the edges, where the dataset has them."),
        ),
        infer=shapes.dataset_features,
        tags=("features", "dataset", "data", "vertex feature", "edge feature"),
    ),
    Layer(
        type="output",
        title="Output",
        group="inputs",
        doc="Class scores of every vertex or graph, or embeddings of vertices whose pairs are scored as links.",
        formula="loss = -Σ log softmax(x_v)[class of v]; links: -Σ log σ(±score(x_u, x_v))",
        inputs=(Port("x", "any", "One score a class, or an embedding."),),
        outputs=(),
        infer=shapes.predictions,
        params=(Param("predicts", "enum", "classes", "What its numbers stand for.", choices=("classes", "links")),),
        tags=("classes", "links", "embedding", "logits", "loss", "softmax", "result", "prediction"),
    ),
    Layer(
        type="linear",
        title="Linear",
        group="dense",
        doc="The same affine map for every vertex.",
        formula="y_v = x_v W + b",
        inputs=ROWS_IN,
        outputs=ROWS_OUT,
        infer=shapes.to_width,
        params=(OUT, BIAS),
        tags=("dense", "fully connected", "fc", "matmul", "projection"),
        weights=weights.dense,
    ),
    Layer(
        type="gcn",
        title="GCN",
        group="message passing",
        doc="Graph convolution: neighbours and the vertex itself, each scaled by both degrees.",
        formula="y_v = Σ_u x_u W / √(d_u d_v) + b",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_width,
        params=(OUT, BIAS),
        tags=("graph convolution", "kipf", "convolution", "spectral"),
        program=_program("gcn", out="out_features", bias="bias"),
        preparation=Preparation(self_loops=True, norm=True),
    ),
    Layer(
        type="gat",
        title="GAT",
        group="message passing",
        doc="Graph attention: every edge is scored, and scores are normalised over the in-edges of a vertex.",
        formula="y_v = Σ_u softmax_u(LeakyReLU(a_s·z_u + a_d·z_v)) z_u + b, z = x W",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_heads,
        params=(
            _width("out_features", 8, "Width of one head."),
            Param("heads", "int", 8, "Independent attentions.", minimum=1, maximum=256, size=True),
            Param("join", "enum", "concat", "Lay heads side by side, or take their mean.", choices=("concat", "mean")),
            _probability("attention_dropout", 0.6, "Share of attention weights dropped while training."),
            Param("negative_slope", "float", 0.2, "LeakyReLU below zero.", minimum=0.0, maximum=1.0, advanced=True),
            BIAS,
        ),
        tags=("graph attention", "softmax", "edge softmax", "transformer", "multi-head"),
        program=ProgramUse(
            "gat",
            features={"h": "x"},
            sizes={"in": "x", "joined": "y"},
            constants={
                "out": "out_features",
                "heads": "heads",
                "join": "join",
                "slope": "negative_slope",
                "drop": "attention_dropout",
                "bias": "bias",
            },
        ),
        preparation=Preparation(self_loops=True),
    ),
    Layer(
        type="sage",
        title="GraphSAGE",
        group="message passing",
        doc="The vertex itself and the mean of its neighbours, each with its own matrix.",
        formula="y_v = x_v W_s + mean_u(x_u) W_n + b",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_width,
        params=(OUT, BIAS),
        tags=("sage", "mean", "inductive", "neighbour mean"),
        program=_program("sage", out="out_features", bias="bias"),
    ),
    Layer(
        type="gin",
        title="GIN",
        group="message passing",
        doc="Sum of neighbours through a perceptron of two layers, as strong as the Weisfeiler-Lehman test.",
        formula="y_v = ReLU(((1 + ε) x_v + Σ_u x_u) W_1 + b_1) W_2 + b_2",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.to_width,
        params=(
            Param("hidden_features", "int", 64, "Width inside the perceptron.", minimum=1, maximum=65536, size=True),
            OUT,
            Param("train_eps", "bool", True, "Learn the weight ε of the vertex itself; else it is 0.", advanced=True),
        ),
        tags=("isomorphism", "sum", "weisfeiler-lehman", "mlp"),
        program=_program("gin", hidden="hidden_features", out="out_features", train_eps="train_eps"),
    ),
    Layer(
        type="appnp",
        title="APPNP",
        group="message passing",
        doc="Personalised PageRank: values spread over many hops and are pulled back to where they began.",
        formula="z ← (1 - α) Â z + α x, K times",
        inputs=VERTEX_IN,
        outputs=VERTEX_OUT,
        infer=shapes.same_as_input,
        params=(
            Param("hops", "int", 10, "Steps of propagation, K.", minimum=1, maximum=64),
            Param("alpha", "float", 0.1, "Share pulled back to the start at each step.", minimum=0.0, maximum=1.0),
            _probability("edge_dropout", 0.5, "Share of edges dropped at each step while training."),
        ),
        tags=("pagerank", "propagation", "personalized", "diffusion", "multi-hop"),
        program=_program("appnp", hops="hops", alpha="alpha", drop="edge_dropout"),
        preparation=Preparation(self_loops=True, norm=True),
    ),
    Layer(
        type="aggregate",
        title="Aggregate",
        group="message passing",
        doc="Edge values brought together at the vertex their edges point to; a vertex without in-edges gets 0.",
        formula="y_v = reduce over in-edges e of v: x_e",
        inputs=(Port("e", "edge", "One row an edge."),),
        outputs=VERTEX_OUT,
        infer=shapes.edges_to_vertices,
        params=(Param("reduce", "enum", "sum", "How in-edges are combined.", choices=("sum", "mean", "max", "min")),),
        tags=("sum", "mean", "max", "min", "reduce", "scatter", "edge to vertex"),
        program=ProgramUse("aggregate", edges={"x": "e"}, sizes={"in": "e"}, constants={"reduce": "reduce"}),
    ),
    Layer(
        type="readout",
        title="Readout",
        group="message passing",
        doc="Vertex values brought together for each graph of many; a graph without vertices gets 0.",
        formula="y_g = reduce over vertices v of g: x_v",
        inputs=VERTEX_IN,
        outputs=(Port("y", "graph", "One row a graph."),),
        infer=shapes.vertices_to_graphs,
        params=(Param("reduce", "enum", "sum", "How vertices are combined.", choices=("sum", "mean", "max", "min")),),
        tags=("pooling", "global pool", "graph classification", "sum", "mean", "max", "graph"),
        program=_program("readout", reduce="reduce"),
        preparation=Preparation(readout=True),
    ),
    Layer(
        type="program",
        title="Vertex program",
        group="message passing",
        doc="A vertex program of the model itself, compiled to kernels like the layers above.",
        formula="y_v = f(v)",
        inputs=(
            Port("x", "vertex", "Read by the program as v.h and nb.h."),
            Port("e", "edge", "Read by the program as e.w.", optional=True),
        ),
        outputs=VERTEX_OUT,
        infer=user_program.outputs,
        params=(
            Param("program", "str", "", "Name of the vertex program; its sizes and constants are settings too."),
            Param("self_loops", "bool", False, "Give each vertex exactly one loop first.", advanced=True),
        ),
        tags=("custom", "code", "user", "python", "vertex function"),
        program=ProgramUse("", features={"h": "x"}, edges={"w": "e"}),
        open_params=True,
    ),
    Layer(
        type="activation",
        title="Activation",
        group="pointwise",
        doc="A bend applied to every number.",
        formula="y = f(x)",
        inputs=ROWS_IN,
        outputs=ROWS_OUT,
        infer=shapes.same_as_input,
        params=(
            Param("function", "enum", "relu", "Which bend.", choices=("relu", "elu", "leaky_relu", "tanh", "sigmoid")),
            Param("slope", "float", 0.01, "leaky_relu below zero.", minimum=0.0, maximum=1.0, advanced=True),
        ),
        tags=("relu", "elu", "leaky relu", "tanh", "sigmoid", "nonlinearity"),
    ),
    Layer(
        type="dropout",
        title="Dropout",
        group="pointwise",
        doc="Zeroes a random share of the numbers while training and scales up the rest.",
        formula="y = x m / (1 - p), m ~ Bernoulli(1 - p)",
        inputs=ROWS_IN,
        outputs=ROWS_OUT,
        infer=shapes.same_as_input,
        params=(_probability("p", 0.5, "Share that is zeroed."),),
        tags=("regularise", "regularize", "noise"),
        program=_program("dropout", p="p"),
    ),
    Layer(
        type="add",
        title="Add",
        group="combine",
        doc="Sum of values of one width, such as a residual connection.",
        formula="y = Σ x_i",
        inputs=MANY_IN,
        outputs=ROWS_OUT,
        infer=shapes.equal_widths,
        tags=("sum", "residual", "skip", "plus"),
    ),
    Layer(
        type="concat",
        title="Concat",
        group="combine",
        doc="Values side by side, such as jumping knowledge.",
        formula="y = [x_1 | x_2 | …]",
        inputs=MANY_IN,
        outputs=ROWS_OUT,
        infer=shapes.side_by_side,
        tags=("join", "concatenate", "stack", "jumping knowledge", "skip"),
    ),
    Layer(
        type="layer_norm",
        title="Layer norm",
        group="normalise",
        doc="Every row to mean 0 and variance 1, then a trained scale and shift.",
        formula="y = γ (x - mean) / √(var + ε) + β over each row",
        inputs=ROWS_IN,
        outputs=ROWS_OUT,
        infer=shapes.same_as_input,
        params=(EPS,),
        tags=("normalisation", "normalization"),
        weights=weights.scale_and_shift,
    ),
    Layer(
        type="batch_norm",
        title="Batch norm",
        group="normalise",
        doc="Every column to mean 0 and variance 1 over the vertices, then a trained scale and shift.",
        formula="y = γ (x - mean) / √(var + ε) + β over each column",
        inputs=ROWS_IN,
        outputs=ROWS_OUT,
        infer=shapes.same_as_input,
        params=(
            EPS,
            Param("momentum", "float", 0.1, "Pace of the running figures.", minimum=0.0, maximum=1.0, advanced=True),
        ),
        tags=("normalisation", "normalization"),
        weights=weights.running_figures,
    ),
)
LAYERS: dict[str, Layer] = {layer.type: layer for layer in _ROWS}
