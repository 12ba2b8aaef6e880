"""Types of the API, generated from its OpenAPI document by `make client`. Do not edit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from asterism.base import Schema
from pydantic import AwareDatetime, ConfigDict, Field


class BlockModel(Schema):
    """A stochastic block model with word-like features, as in a citation graph."""

    type: Literal['sbm'] = 'sbm'
    n: int = 2708
    """Vertices."""
    classes: int = 7
    """Classes."""
    mean_degree: float = 3.9
    """Mean number of neighbours."""
    homophily: float = 0.81
    """Share of edges that stay inside a class."""
    features: int = 1433
    """Words; 0 gives no features."""
    words_per_vertex: int = 18
    """Mean number of words of a vertex."""
    feature_signal: float = 0.21
    """Share of words drawn from the class's own."""
    labels_per_class: int = 20
    """Training labels of each class."""
    val: int = 500
    """Validation vertices."""
    test: int = 1000
    """Test vertices."""
    seed: int = 0
    """Same seed, same graph."""


class BodyUploadsCreate(Schema):
    files: list[str]
    """The files of one dataset, or one archive of them."""


class BundledChoice(Schema):
    """A graph that comes with the installation."""

    name: str
    title: str
    description: str


class BundledSource(Schema):
    """A graph that comes with the installation."""

    type: Literal['bundled'] = 'bundled'
    name: str
    """One of GET /dataset-sources."""


class Check(Schema):
    """One thing looked at. A note is worth knowing and stops nothing; what must not be is an error instead."""

    name: str
    state: Literal['passed', 'note'] | str
    detail: str


class ClassCount(Schema):
    """One class: of its vertices (graphs, where graphs are classified) how many are in each part of the split."""

    name: str
    count: int
    train: int
    val: int
    test: int


class ClassScores(Schema):
    """On one part of the vertices or graphs."""

    loss: float
    """Mean cross entropy."""
    accuracy: float
    """Share of right answers."""


class ComparedCurve(Schema):
    """Evaluated epochs in order. Seconds are those spent training until then, evaluation left out."""

    epochs: list[int]
    seconds: list[float]
    train_loss: list[float]
    val_loss: list[float]
    val_accuracy: list[float]


class ComparedFigures(Schema):
    """One system's run over the same epochs, from the same weights, with as many threads, in a process of its own."""

    setup_s: float
    """Graph formats, kernels and a first forward pass, before the first epoch."""
    first_epoch_s: float
    epoch_s: float
    """Median of the epochs after the first."""
    epochs_per_s: float
    edges_per_s: float
    """Arcs of the dataset over `epoch_s`."""
    peak_memory_bytes: int
    """Growth of the peak resident memory over what the process held with the data loaded."""
    launches: int | None
    """Kernels started in an epoch; None where they are not ours to count."""
    kept_bytes: int | None
    """Kept between forward and backward pass by kernels of ours."""
    test_accuracy: float
    """With the weights of the last epoch."""
    difference: float | None
    """Largest difference of the scores from Asterism's before training; None for Asterism itself."""
    curve: ComparedCurve


class ComparedJob(Schema):
    """A job that is compared, in brief."""

    id: str
    kind: str
    name: str
    state: Literal['queued', 'starting', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled', 'lost'] | str
    attempt: int
    device: str
    labels: dict[str, str]
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    finished_at: AwareDatetime | None
    last_event_id: int
    """Everything up to this event is in here; stream from it without a gap."""


class ComparedRow(Schema):
    """One setting, label, result or newest value, as each job has it."""

    section: Literal['setting', 'label', 'result', 'metric'] | str
    path: str
    """Where it is, with dots: `training.lr`; nodes of a model by their id."""
    values: list[str | int | float | bool | None]
    """One a job, in their order; None where a job has none."""
    differs: bool


class ComparedRun(Schema):
    """One system of a comparison. Without figures, `note` says why."""

    system: Literal['asterism', 'passes_off', 'dgl', 'pyg'] | str
    version: str
    """Of the library; empty for Asterism."""
    note: str
    figures: ComparedFigures | None


class Comparison(Schema):
    """The same model, data, weights and epochs in several systems, some epochs each in turn."""

    epochs: int
    threads: int
    runs: list[ComparedRun]


class CompiledFor(Schema):
    """The graph that a program was compiled for: the dataset's, or one of a usual size."""

    vertices: int
    edges: int


class CompiledKernel(Schema):
    """One step of a direction: a generated kernel, or a product left to the BLAS, which has no source."""

    name: str
    direction: Literal['forward', 'backward'] | str
    side: str
    """Whose rows it visits: dst, src, map (no edges) or dense."""
    source: str
    """In C++, for the CPU."""
    triton: str
    """In Triton, for a GPU."""
    fused_from: list[str]
    """Operations in it."""
    values: list[int]
    """Their numbers in `after`; the n-th is called vn in the sources."""
    lines: list[int]
    """Lines of the program they come from."""


class Compiler(Schema):
    """What the compiler leaves out, and what it spends memory on."""

    memory: Literal['min', 'balanced', 'speed'] | str = 'balanced'
    """min keeps as little as possible for the backward pass and computes the rest again; speed keeps whatever is faster to read than to compute."""
    passes_off: list[Literal['fold_constants', 'split_concat_linears', 'compute_before_gather', 'share_subexpressions', 'multiply_weights_first', 'reorder_products', 'drop_dead', 'hoist_out_of_aggregations', 'sum_relations_by_row', 'gather_from_vertices', 'divide_after_sum', 'gradients_from_results', 'save_or_recompute', 'fuse', 'reuse_buffers', 'drop_unread_relations'] | str] = (
        []
    )
    """Passes to leave out, to see what each is worth."""


class Component(Schema):
    """One thing the platform stands on."""

    name: Literal['database', 'broker', 'storage', 'workers'] | str
    ok: bool
    detail: str


class DatasetChange(Schema):
    """What may change about a dataset: how it is called."""

    name: str | None = None
    description: str | None = None


class DatasetUse(Schema):
    """A job that names the dataset."""

    job_id: str
    kind: str
    name: str
    state: Literal['queued', 'starting', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled', 'lost'] | str
    created_at: AwareDatetime


class DatasetUses(Schema):
    """Jobs that name the dataset, newest first; `total` counts them all."""

    items: list[DatasetUse]
    total: int


class Declare(Schema):
    """Adds to the signature, or changes what stands there under this name."""

    edit: Literal['declare'] = 'declare'
    what: Literal['feature', 'edge_feature', 'parameter', 'constant'] | str
    name: str
    shape: str | None = None
    """Of features and parameters."""
    init: str | None = None
    """How a parameter starts; None by its shape."""
    default: int | float | bool | str | None = None
    """Of a constant."""


class DegreeBin(Schema):
    """Vertices whose degree is from `low` to `high`, both included."""

    low: int
    high: int
    vertices: int


class Degrees(Schema):
    """How many arcs vertices have. Bins are even on a logarithmic axis and start at 1; `zero` counts degree 0."""

    bins: list[DegreeBin]
    zero: int
    min: int
    median: float
    mean: float
    p95: float
    max: int


class Delete(Schema):
    """Takes an operation away. What read it reads its first operand; a declaration goes when nothing reads it."""

    edit: Literal['delete'] = 'delete'
    node: str


class Device(Schema):
    """Something a job can run on."""

    kind: Literal['cpu', 'gpu'] | str
    name: str
    index: int
    cores: int | None
    """CPU cores the worker may use; None for a GPU."""
    memory_bytes: int


class DlrmSizes(Schema):
    """A recommender: embeddings of `tables` categories and a net over dense features, their products, a net on top."""

    batch: int = 16
    """Samples of a step, over all devices together."""
    model: Literal['dlrm'] = 'dlrm'
    dense: int = 16
    """Dense features."""
    tables: int = 4
    rows: int = 1024
    """Rows of every table."""
    width: int = 32
    """Width of an embedding."""
    hidden: int = 64


class DocProblem(Schema):
    """One thing that is wrong with a document."""

    pointer: str
    """JSON pointer into the document, nodes by id: /nodes/gat1/params/heads."""
    code: str
    message: str
    hint: str
    node_id: str | None
    port: str | None
    line: int | None
    column: int | None
    severity: Literal['error', 'warning'] | str


class EachPassOff(Schema):
    """Train the model again with one pass of the compiler off at a time, then with all of them off."""

    passes: list[Literal['fold_constants', 'split_concat_linears', 'compute_before_gather', 'share_subexpressions', 'multiply_weights_first', 'reorder_products', 'drop_dead', 'hoist_out_of_aggregations', 'sum_relations_by_row', 'gather_from_vertices', 'divide_after_sum', 'gradients_from_results', 'save_or_recompute', 'fuse', 'reuse_buffers', 'drop_unread_relations'] | str] = (
        []
    )
    """Which passes; every one where none is named. Those that change nothing in the model are not run."""
    epochs: int = 20
    """Epochs of each run; short ones go on for a second."""


class EdgeSplit(Schema):
    """How many edges train, validate and test."""

    train: int
    valid: int
    test: int


class Endpoint(Schema):
    """One port of one node."""

    node: str
    port: str


class Fan(Schema):
    """Edges of one relation at a vertex of one of its ends, over the vertices of that type."""

    touched: int
    """Vertices with at least one."""
    mean: float
    max: int


class Fold(Schema):
    """One model of a cross-validation, with the weights of its best epoch."""

    best_epoch: int
    val_accuracy: float
    test_accuracy: float


class FolderSource(Schema):
    """A folder on the server, under one of the roots that its settings allow."""

    type: Literal['folder'] = 'folder'
    path: str
    """Absolute path of the folder."""


class FormatChoice(Schema):
    """A format of files that are read."""

    name: str
    title: str
    files: str


class GraphClassification(Schema):
    """Tell the class of whole graphs, many small ones side by side in one step."""

    type: Literal['graph_classification'] = 'graph_classification'
    batch_size: int = 128
    """Graphs of one step."""
    folds: int = 0
    """Cross-validation: so many models, each tested on another part of the graphs and validated on the next; 0 trains one model on the dataset's own split."""


class GraphOutcome(Schema):
    """Scores of the best weights on every part of the graphs; means over the folds of a cross-validation."""

    type: Literal['graph_classification'] = 'graph_classification'
    train: ClassScores
    val: ClassScores
    test: ClassScores
    test_deviation: float | None
    """Standard deviation of the folds' test accuracy."""
    folds: list[Fold]
    """Empty for one model on the dataset's own split."""


class GraphSizes(Schema):
    """Vertices per graph."""

    min: int
    median: float
    max: int


class Group(Schema):
    """A box around nodes, notes and other groups. Only the canvas knows it: what runs does not change."""

    id: str
    title: str = ''
    members: list[str] = []
    """Ids of nodes, notes and groups."""
    collapsed: bool = False
    """Drawn as one block, with the ports of the wires that cross it."""


class GroupDifference(Schema):
    """A group that came, went, or has another title or other members."""

    id: str
    change: Literal['added', 'removed', 'changed'] | str
    title_before: str | None
    title_after: str | None
    joined: list[str]
    """Ids of members it did not have before."""
    left: list[str]
    """Ids of members it no longer has."""


class Health(Schema):
    """Whether the platform can do its work. `degraded`: it answers, but jobs do not start."""

    status: Literal['ok', 'degraded', 'down'] | str
    version: str
    components: list[Component]


class HeterogeneousCounts(Schema):
    """How many types and relations a heterogeneous graph has; which they are, one dataset alone tells."""

    type_count: int
    relation_count: int
    target: str | None
    """The type whose vertices are labelled"""
    timed: bool
    """Whether edges have times"""
    edge_split: EdgeSplit | None
    """None where edges themselves are not split"""


class ImportOptions(Schema):
    """How files become a graph. None means: as the format usually is."""

    format: (
        Literal[
            'auto',
            'planetoid',
            'npz',
            'edge_list',
            'tu',
            'ntriples',
            'triples',
            'heco',
            'typed_tables',
            'ogb',
            'pyg',
            'dgl',
        ]
        | str
    ) = 'auto'
    """Format of the files; auto tells it by their names."""
    symmetrise: bool = True
    """Take edges as undirected: both directions of each are kept."""
    drop_self_loops: bool = True
    """Leave out edges from a vertex to itself; layers add their own."""
    drop_duplicates: bool = True
    """Keep repeated edges once."""
    largest_component: bool = False
    """Keep only the largest connected part of the graph."""
    row_normalise: bool | None = None
    """Divide each vertex's features by their sum. Usual: on for planetoid and npz, else off."""
    inverse: bool | None = None
    """Heterogeneous graphs: add to each relation one that holds its edges backwards. Usual: on for N-Triples, HeCo and head-relation-tail tables, else off."""
    resource_types: Literal['one', 'class'] | str = 'one'
    """N-Triples: one type for all resources, as in R-GCN, or the class that each is of."""
    literals: Literal['vertices', 'features', 'drop'] | str = 'vertices'
    """N-Triples: texts and numbers as vertices, as features of what they describe, or not at all."""
    target_type: str = ''
    """Heterogeneous graphs: the type whose labels are learnt; empty: the only one that has any."""
    given_split: str = ''
    """Which of several splits the files give, 20 for train_20.npy; empty: the first."""
    split: Literal['auto', 'random', 'per_class', 'none'] | str = 'auto'
    """Who trains and who tests. auto: what the files say, else the format's usual; per_class: the same number of labels of each class; random: by share."""
    seed: int = 0
    """Seed of a split that the files do not give."""
    train_share: float = 0.6
    """Share of labelled vertices that train (random split)."""
    val_share: float = 0.2
    """Share of labelled vertices that validate (random split)."""
    labels_per_class: int = 20
    """Training labels of each class (per_class split)."""
    val_per_class: int = 30
    """Validation labels of each class (per_class split)."""
    edges_file: str = ''
    """Table of edges; empty: told by its name."""
    nodes_file: str = ''
    """Table of vertices; empty: told by its name."""
    features_file: str = ''
    """JSON of features by vertex; empty: told by its name."""
    header: bool | None = None
    """Whether tables start with column names; None: told by the first row."""
    source_column: str = ''
    """Column an edge starts from; empty: told by its name."""
    target_column: str = ''
    """Column an edge leads to; empty: told by its name."""
    id_column: str = ''
    """Column of vertex ids; empty: told by its name."""
    label_column: str = ''
    """Column of the classes; empty: told by its name."""
    split_column: str = ''
    """Column that says train, val or test; empty: one called split, if there is one."""
    feature_columns: list[str] = []
    """Columns of features; empty: f0, f1, and so on."""


class IngestResult(Schema):
    """The dataset that was made."""

    kind: Literal['ingest'] = 'ingest'
    dataset_id: str
    vertices: int
    arcs: int
    features: int
    classes: int
    graphs: int
    checks_passed: int
    checks_noted: int
    read_s: float
    """Seconds to read, tidy and check."""
    summarise_s: float
    store_s: float


class JobArtifact(Schema):
    """A file the job left."""

    name: str
    media_type: str
    size_bytes: int
    created_at: AwareDatetime
    attempt: int
    href: str
    """Where to download it."""


class JobArtifactList(Schema):
    """The files of the newest attempt."""

    items: list[JobArtifact]


class JobComparison(Schema):
    """Jobs side by side. Rows that differ come first."""

    jobs: list[ComparedJob]
    missing: list[str]
    """Jobs asked for that are not there; they may have been deleted."""
    rows: list[ComparedRow]
    total_rows: int
    """How many rows there are; more than 2,000 are cut, those that differ last."""


class JobEventItem(Schema):
    """An event as it was journaled."""

    id: int
    type: Literal['job.status', 'job.progress', 'job.metrics', 'job.log', 'job.artifact', 'end'] | str
    job_id: str
    attempt: int
    at: AwareDatetime
    body: dict[str, Any]


class JobEventList(Schema):
    """Events in order. Ask again with `after_id=next_after_id` for those that follow."""

    items: list[JobEventItem]
    next_after_id: int
    more: bool


class JobProgress(Schema):
    """How far a job is."""

    done: int
    total: int | None
    """None while it is unknown."""
    unit: str
    eta_s: float | None
    """Seconds left; None before 5 % is done and while `total` is unknown."""


class JobSeries(Schema):
    """One series of one job, of its newest attempt."""

    job_id: str
    attempt: int
    name: str
    steps: list[int]
    values: list[float | None]
    """One a step; None is a value that was not a number."""
    total: int
    """How many points there are; more than were asked for are thinned on the server."""


class JobSeriesList(Schema):
    """Series of many jobs. A job that has no point of a series is not among them."""

    items: list[JobSeries]


class KernelProfile(Schema):
    """One kernel over the measured epochs. Times in seconds, bytes and operations are sums for one mean epoch."""

    name: str
    kind: Literal['row', 'map', 'dense', 'other'] | str
    phase: Literal['forward', 'backward'] | str
    node_id: str | None
    """Node of the model the kernel belongs to."""
    fused_from: list[str]
    """Operations of the program fused into it."""
    ir: list[str]
    """Those operations as the intermediate representation has them."""
    lines: list[int]
    """Lines of the node's vertex program they come from."""
    calls: float
    time_s: float
    bytes: int
    """Bytes moved: each tensor once, each gathered row once an edge, ids once a loop."""
    least_bytes: int
    """Bytes that no cache can save: each tensor and the ids once."""
    operations: int
    """Arithmetic operations."""
    gb_per_s: float
    """`bytes` over the time."""
    floor_s: float
    """The longer of `least_bytes` at the machine's bandwidth and `operations` at its peak."""
    bound: Literal['memory', 'compute'] | str | None
    """Which of the two the floor is."""
    source: str | None
    """Artifact holding the kernel's generated source."""


class KgLinkPrediction(Schema):
    """Find the missing end of triples: which tail follows a head and a relation, which head goes before."""

    type: Literal['kg_link_prediction'] = 'kg_link_prediction'
    decoder: Literal['distmult', 'complex', 'rotate'] | str = 'complex'
    """What a triple of rows scores; complex and rotate read a row as complex numbers."""
    reciprocal: bool = True
    """Heads are asked for with weights of their own, not by turning the relation back."""
    loss: Literal['all_entities', 'negatives'] | str = 'all_entities'
    """Cross entropy over all entities, or negatives drawn at random and weighed by their scores."""
    negatives: int = 256
    """Negatives of each question, where the loss draws some."""
    temperature: float = 1.0
    """How much negatives that score high outweigh others; 0 not at all."""
    margin: float = 9.0
    """What the distances of rotate are taken from."""
    batch_size: int = 256
    """Questions a step: an entity and a relation with all answers, or single triples with negatives."""
    dropout: float = 0.2
    """Share of entries left out of a question's row."""
    val_share: float = 0.05
    """Share of triples that validate, where the dataset has no split."""
    test_share: float = 0.1
    """Share of triples that test, where the dataset has no split."""
    scored: int = 2000
    """Triples of each part ranked after an epoch, 0 all; the result is always of all."""


class LayerNeeds(Schema):
    """What the graph is given before the layer runs."""

    self_loops: bool
    """Exactly one loop at each vertex."""
    norm: bool
    """A vertex feature 1 / sqrt(in-degree)."""


class LayerPort(Schema):
    """A place to wire to."""

    name: str
    kind: Literal['vertex', 'edge', 'graph', 'param', 'scalar', 'any'] | str
    doc: str
    expects: str
    optional: bool
    many: bool
    """Takes any number of wires, in the order of the document."""


class LayerWidth(Schema):
    """How the width of a result follows from what arrives; a page that works it out shows shapes while one types."""

    of: Literal['port', 'setting', 'dataset'] | str
    """Where it is read: at an input port (a known width wins over a symbol), a setting, the dataset."""
    name: str
    """Of the port or the setting; of the dataset `features`, `edge_features` or `classes`."""
    side_by_side: bool
    """The widths of all wires of the port are added up."""
    times: str | None
    """Setting that multiplies the width."""
    unless: list[Any] | None
    """Setting and its value for which nothing is multiplied."""


class Library(Schema):
    """A heterogeneous graph of papers, authors, venues and fields; a paper's area is to be told."""

    type: Literal['library'] = 'library'
    papers: int = 900
    """Papers."""
    authors: int = 500
    """Authors."""
    venues: int = 16
    """Venues."""
    fields: int = 40
    """Fields."""
    authors_per_paper: float = 2.5
    """Mean number of authors of a paper."""
    citations_per_paper: float = 3.0
    """Mean number of papers that one cites."""
    homophily: float = 0.75
    """Share of edges that join two of one area."""
    feature_signal: float = 0.15
    """Share of words about the paper's area."""
    labels_per_class: int = 20
    """Training labels of each area."""
    seed: int = 0
    """Same seed, same graph."""


class Link(Schema):
    """A way between neighbouring devices of a ring."""

    bandwidth: float
    """Bytes a second that a device sends."""
    latency: float
    """Seconds until the first byte of a message has arrived."""


class LinkScores(Schema):
    """On one part of the edges, each part with as many pairs that have no edge."""

    loss: float
    """Mean binary cross entropy."""
    auc: float
    """Chance that an edge scores above a pair without one."""
    average_precision: float
    mrr: float
    """Mean over edges of 1 / rank among all pairs without an edge."""
    hits: float
    """Share of edges scored above the k-th best pair without one."""


class LogLine(Schema):
    """One line of a job's log."""

    event_id: int
    """The event that brought the line."""
    index: int
    """Its place in that event, from 0."""
    at: AwareDatetime
    attempt: int
    level: Literal['debug', 'info', 'warning', 'error'] | str
    text: str


class LstmSizes(Schema):
    """A language model of stacked LSTM layers."""

    batch: int = 16
    """Samples of a step, over all devices together."""
    model: Literal['lstm'] = 'lstm'
    vocabulary: int = 256
    length: int = 16
    width: int = 64
    layers: int = 2


class Measured(Schema):
    """What a collective takes on this machine: seconds = latency + bytes / bandwidth, fitted."""

    kind: Literal['all_gather', 'all_reduce', 'reduce_scatter', 'all_to_all', 'slice', 'divide'] | str
    devices: int
    """Of a group."""
    latency: float
    bandwidth: float
    residual: float
    """Median of |fitted - measured| / measured over the sizes measured."""


class MeasuredKernel(Schema):
    """One kernel of a profile: `name` and `phase` are `name` and `direction` of a compiled one."""

    name: str
    phase: Literal['forward', 'backward'] | str
    node_id: str | None
    calls: float
    """An epoch."""
    time_s: float
    """All calls of an epoch together."""


class MeasuredProgram(Schema):
    """The vertex program a node ran."""

    node_id: str
    text: str


class MemoryPoint(Schema):
    """Bytes of the tensors made in an epoch that were alive after a step."""

    phase: Literal['forward', 'backward'] | str
    node_id: str | None
    step: str
    """Kernel, or operation of the tensor library."""
    bytes: int


class MetricPoint(Schema):
    """The values of some series at one step."""

    step: int
    at: AwareDatetime
    values: dict[str, float | None]
    """None is a value that was not a number."""


class MlpSizes(Schema):
    """Layers of one width with ReLU between, and classes at the end."""

    batch: int = 16
    """Samples of a step, over all devices together."""
    model: Literal['mlp'] = 'mlp'
    features: int = 64
    width: int = 128
    layers: int = 3
    """Hidden layers."""
    classes: int = 16


class ModelDuplicate(Schema):
    """Name of the copy."""

    name: str | None = None
    """By default the model's name with `copy` added."""


class ModelItem(Schema):
    """One model, without its document."""

    id: str
    name: str
    template: str | None
    """The template it was made from."""
    nodes: int
    """Number of nodes in the draft."""
    draft_etag: str
    """ETag of the draft, to send as If-Match with the next change."""
    draft_hash: str
    """sha256 of what the draft means, positions left out."""
    newest_version: int
    """0 while there is no version."""
    draft_differs: bool
    """Whether the draft means something else than the newest version."""
    fault: str | None
    """First error of the draft, checked without a dataset; None for none."""
    created_at: AwareDatetime
    updated_at: AwareDatetime


class ModelList(Schema):
    """One page of models."""

    items: list[ModelItem]
    next_cursor: str | None
    """Where the next page begins; None on the last."""


class ModelRef(Schema):
    """Where the job's document came from; the document itself travels in the spec."""

    model_id: str
    version: int
    content_hash: str


class ModelRename(Schema):
    """A model's new name."""

    name: str


class ModelVersionItem(Schema):
    """One version, without its document."""

    model_id: str
    number: int
    """Counted from 1 in each model."""
    note: str
    content_hash: str
    """sha256 of what the document means, positions left out."""
    created_at: AwareDatetime


class ModelVersionList(Schema):
    """One page of versions, newest first."""

    items: list[ModelVersionItem]
    next_cursor: str | None
    """Where the next page begins; None on the last."""


class Motifs(Schema):
    """Many small graphs, told apart by which motif hangs on a random tree."""

    type: Literal['motifs'] = 'motifs'
    graphs: int = 600
    """Graphs."""
    min_vertices: int = 12
    """Vertices of the smallest graph."""
    max_vertices: int = 28
    """Vertices of the largest graph."""
    extra_edges: int = 2
    """Edges joined at random, which hide the motif."""
    seed: int = 0
    """Same seed, same graphs."""


class MoveDocument(Schema):
    """The layouts that a value goes through on its way to input `index` of operator `reader`, and its gradient back."""

    reader: str
    index: int
    forward: list[str] = []
    backward: list[str] = []


class NameValue(Schema):
    """Gives an operand that is written in place a name, on a line of its own before its statement."""

    edit: Literal['name_value'] = 'name_value'
    node: str
    name: str
    """`y` or `v.y`."""


class Named(Schema):
    """A strategy that people know by name, costed alike."""

    mesh: list[int]
    memory_bytes: float
    """Held from step to step and until the backward."""
    step_s: float
    memory: dict[str, float]
    """Bytes by cause."""
    time: dict[str, float]
    """Seconds by cause."""
    recomputed: int
    """Blocks that are computed again."""
    artifact: str
    """The file that holds the strategy whole."""
    name: str


class NeighbourhoodEdge(Schema):
    """One edge of a drawing; without direction where the graph has none."""

    source: int
    target: int
    relation: int | None
    """Its relation among those of a heterogeneous graph."""


class NeighbourhoodVertex(Schema):
    """One vertex of a drawing."""

    id: int
    name: str | None
    """None where vertices have no names."""
    label: str | None
    """Its class; None where it has none."""
    class_index: int | None
    degree: int
    """Arcs that arrive."""
    hop: int
    """Steps from the vertex in the middle."""
    type_index: int | None
    """Its type among those of a heterogeneous graph."""


class Node(Schema):
    """A block of the canvas. `type` names a layer of the zoo; `params` are that layer's parameters."""

    id: str
    type: str
    params: dict[str, int | float | bool | str] | None = None
    title: str = ''


class NodeOutcome(Schema):
    """Scores of the best weights on every part of the vertices."""

    type: Literal['node_classification'] = 'node_classification'
    train: ClassScores
    val: ClassScores
    test: ClassScores


class Note(Schema):
    """A comment on the canvas. Plain text; its place is in `layout`."""

    id: str
    text: str = ''
    width: int = 208
    height: int = 96


class NoteDifference(Schema):
    """A note that came, went or reads differently."""

    id: str
    change: Literal['added', 'removed', 'changed'] | str
    text_before: str | None
    text_after: str | None


class OpCounts(Schema):
    """How much there is to do in a program. Bytes are those of float32 on the graph that the compilation names."""

    ops: dict[str, int]
    """Computed values by op."""
    on_edges: int
    """Of these, computed once an edge."""
    launches: int
    """Kernels and products started; before fusion, every operation."""
    moved: int
    """Bytes read and written."""
    saved: int
    """Bytes kept for the backward pass, leaves left out."""
    allocated: int
    """Bytes of new tensors."""


class OpItem(Schema):
    """One operation of the compiler's intermediate representation."""

    name: str
    group: Literal['leaf', 'pointwise', 'shape', 'dense', 'movement', 'aggregation'] | str
    operands: list[str]
    variadic: bool
    public: bool
    """Whether a vertex program may use it; the others are made by passes."""
    doc: str
    """The formula."""
    rule: str
    """What rows and shapes it takes and gives."""
    example: str | None
    """Text of a vertex program that writes it; None where only passes do."""


class Operand(Schema):
    """What an operation reads: the value of a node, seen from a place, or an expression written out."""

    node: str | None = None
    place: Literal['source', 'edge', 'destination', 'vertex', 'parameter', 'scalar'] | str | None = (
        None
    )
    """source: of the neighbour. By default as it is kept."""
    text: str | None = None


class OperatorDocument(Schema):
    """How the tensors of an operator lie."""

    inputs: list[str] = []
    outputs: list[str] = []
    expected: list[str] = []


class ParamChange(Schema):
    """A setting before and after; None where there was none."""

    before: bool | int | float | str | None
    after: bool | int | float | str | None


class PassFigures(Schema):
    """The model trained with some passes off, beside the same with all passes on: an epoch each in turn."""

    epoch_s: float
    """How many times as long an epoch took as the one beside it with all passes on, the median of all pairs, times the median of all epochs with all passes on."""
    peak_memory_bytes: int
    """Of a run of its own, in which nothing else trained."""
    launches: int
    """Kernels started in an epoch."""
    kept_bytes: int
    """Kept between forward and backward pass."""
    loss_apart: float
    """Largest difference of a training loss from that with all passes on, as a share of it."""


class PassRun(Schema):
    """One pass left out, `all` of them, or none (`""`)."""

    off: str
    """The pass that was left out; `all`, or empty for none."""
    changes: bool
    """Whether anything is generated otherwise without it; where not, nothing ran."""
    note: str
    """Why there are no figures, where the pass changes something."""
    figures: PassFigures | None


class PassStudy(Schema):
    """What each pass of the compiler is worth to this model on this graph."""

    epochs: int
    threads: int
    spread_s: float
    """By how much an epoch differs where both of a pair have all passes on: the larger of two such runs."""
    runs: list[PassRun]
    """None off first, then one pass at a time, then all of them."""


class Point(Schema):
    """A strategy on the frontier."""

    mesh: list[int]
    memory_bytes: float
    """Held from step to step and until the backward."""
    step_s: float
    memory: dict[str, float]
    """Bytes by cause."""
    time: dict[str, float]
    """Seconds by cause."""
    recomputed: int
    """Blocks that are computed again."""
    artifact: str
    """The file that holds the strategy whole."""


class PortType(Schema):
    """What flows through a port."""

    kind: Literal['vertex', 'edge', 'graph', 'param', 'scalar', 'any'] | str
    shape: list[int | str]
    """Sizes of one row; symbols (F, K, C) where no dataset fixes them."""
    text: str
    """The same to read."""


class Position(Schema):
    x: float
    y: float


class PowerLaw(Schema):
    """Degrees with a heavy tail and dense features around a centre per class."""

    type: Literal['power_law'] = 'power_law'
    n: int = 10000
    """Vertices."""
    edges: int = 80000
    """Edges drawn; repeats are kept once."""
    exponent: float = 2.2
    """Degree d is as frequent as d to minus this."""
    classes: int = 8
    """Classes."""
    homophily: float = 0.5
    """Share of edges that stay inside a class."""
    features: int = 64
    """Features; 0 gives none."""
    separation: float = 0.25
    """Distance of class centres over the noise."""
    directed: bool = False
    """Whether edges have a direction."""
    seed: int = 0
    """Same seed, same graph."""


class Predicted(Schema):
    """What a plan says of a step on one device."""

    memory_bytes: float
    step_s: float


class ProgramCompile(Schema):
    """A vertex program to look into."""

    source: str
    bindings: dict[str, int | float | bool | str] | None = None
    """Values of its sizes and constants."""
    disabled: list[str] | None = None
    """Passes to leave out."""
    memory: Literal['min', 'balanced', 'speed'] | str = 'balanced'
    """How much may be kept for the backward pass."""


class ProgramDeclarationParameter(Schema):
    """A tensor a program trains."""

    name: str
    shape: str
    init: str
    per: Literal['', 'relation', 'type'] | str
    """Of what it has one slice each; empty where one serves all."""


class ProgramDifference(Schema):
    """A vertex program that came, went or reads differently."""

    name: str
    change: Literal['added', 'removed', 'changed'] | str
    diff: str
    """Unified diff of its text."""


class ProgramGraphCreate(Schema):
    """A vertex program to draw."""

    source: str
    bindings: dict[str, int | float | bool | str] = {}
    """Values of its sizes and constants; shapes need every size."""


class ProgramOp(Schema):
    """One operation a vertex program can write."""

    op: str
    group: str
    operands: list[str]
    """What must be given."""
    options: dict[str, str]
    """What may be given, with defaults as they are written."""
    variadic: bool
    """Takes any number of operands."""
    listed: bool
    """Reads a list of neighbour values."""
    ir: str | None
    """The row of the op table it becomes, where it is one."""
    doc: str


class ProgramOpList(Schema):
    """Everything that can be put into a vertex program."""

    items: list[ProgramOp]


class ProgramText(Schema):
    """The vertex program of a node, which `lines` of its kernels point into."""

    node_id: str
    text: str


class ProgramValue(Schema):
    """What a node gives: whose value, and the sizes of one row where they are known."""

    place: Literal['source', 'edge', 'destination', 'vertex', 'parameter', 'scalar'] | str
    shape: list[int] | None
    """Sizes of one row; None where they are not known."""
    declared: str | None
    """The shape as the signature writes it, such as `in, heads * out`."""
    listed: bool
    """Whether it is a list with one entry a neighbour or a relation."""
    per: Literal['', 'relation', 'type'] | str
    """Of what a parameter has one slice each; empty where one serves all."""


class ProgramWire(Schema):
    """A value on its way to an operand."""

    source: str
    target: str
    argument: int
    place: Literal['source', 'edge', 'destination', 'vertex', 'parameter', 'scalar'] | str
    back: bool
    """Whether it carries a value to the next round of a loop."""


class QueueItem(Schema):
    """The jobs that need one kind of device, and who could take them."""

    device: Literal['cpu', 'gpu'] | str
    queued: int
    running: int
    slots: int
    busy: int
    workers: int
    """Workers online."""
    oldest_queued_at: AwareDatetime | None
    next_jobs: list[str]
    """Ids of the jobs that start next, in order; at most 20."""


class Ran(Schema):
    """What running a strategy showed."""

    type: Literal['run'] = 'run'
    plan: str
    mesh: list[int]
    predicted: Predicted | None
    step_s: float
    """Median of the slowest rank."""
    asked_s: float
    """Of that in collectives, waiting included."""
    one_device_s: float
    """Median step of one process with one thread."""
    held_bytes: int
    """What the prediction counts, on the rank that held most."""
    peak_bytes: int
    losses: list[float]
    loss_off: float
    """Largest relative difference of a loss to one device."""
    as_planned: bool
    """Every step made the collectives of the plan: kind, group, bytes."""


class Rate(Schema):
    """How fast one device works through a family of operators, forward and backward alike."""

    operations: float
    """Floating-point operations a second."""
    bytes: float
    """Bytes read and written a second."""
    latency: float
    """Seconds that a call takes whatever its size."""


class RelationFacts(Schema):
    """One relation of a heterogeneous graph: edges of one meaning between two types."""

    source: str
    name: str
    target: str
    edges: int
    features: int
    """0 where its edges have none"""
    inverse: int | None
    """The relation that was added to hold these edges backwards"""
    inverse_of: int | None
    """The relation whose edges this one was added to hold backwards"""


class RelationFanOut(Schema):
    """A relation of which other numbers of neighbours are drawn."""

    relation: str
    """Its name, or `source name target` where several share a name."""
    fan_out: int
    """In-neighbours drawn of each vertex, in every layer; 0 takes all."""


class RelationSummary(Schema):
    """Edges of one relation."""

    source: str
    name: str
    target: str
    edges: int
    features: int
    inverse_of: int | None
    """The relation whose edges this one holds backwards."""
    sends: Fan
    """Edges that leave a vertex of the source type."""
    receives: Fan
    """Edges that arrive at a vertex of the target type."""


class Relations(Schema):
    """A heterogeneous graph of any number of types and relations, joined at random."""

    type: Literal['relations'] = 'relations'
    types: int = 5
    """Types of vertices."""
    relations: int = 20
    """Relations."""
    vertices: int = 10000
    """Vertices, the same number of each type."""
    edges: int = 100000
    """Edges, the same number of each relation."""
    features: int = 32
    """Features; 0 gives none."""
    classes: int = 4
    """Classes of the first type."""
    seed: int = 0
    """Same seed, same graph."""


class RemoveArgument(Schema):
    """Leaves out an optional operand, or one of many."""

    edit: Literal['remove_argument'] = 'remove_argument'
    node: str
    argument: int


class Rename(Schema):
    """Another name, wherever the old one stands."""

    edit: Literal['rename'] = 'rename'
    node: str
    name: str


class RepeatedWork(Schema):
    """Operations of one kind, forward and backward."""

    op: str
    per: Literal['relation', 'type', 'graph'] | str
    """What a loop runs them once each of."""
    looped: int
    """Launches of a loop; 0 where it has the rows at hand."""
    stitched: int
    """Launches over the whole graph."""


class Rewire(Schema):
    """Reads another value. One that has no name gets one."""

    edit: Literal['rewire'] = 'rewire'
    node: str
    argument: int
    operand: Operand


class Sampled(Schema):
    """Each step sees some of the training vertices and a sample of the neighbours that reach them."""

    type: Literal['sampled'] = 'sampled'
    batch_size: int = 512
    """Training vertices of one step; for links, training pairs."""
    fan_outs: list[int] = [10]
    """In-neighbours drawn for each vertex; 0 takes all. One number for every layer that passes messages, or one a layer, from the input on."""
    sampler: Literal['own', 'dgl'] | str = 'own'
    """Who draws: Asterism itself, or DGL where it is installed."""
    inference_rows: int = 65536
    """Vertices evaluated at a time, layer by layer with all their neighbours."""


class SampledByRelation(Schema):
    """Each step sees some training vertices and, of each relation, a sample of the neighbours that reach them."""

    type: Literal['sampled'] = 'sampled'
    batch_size: int = 512
    """Training vertices of one step."""
    fan_outs: list[int] = [10]
    """In-neighbours drawn of each vertex in each relation; 0 takes all. One number for every layer that passes messages, or one a layer, from the input on."""
    by_relation: Annotated[list[RelationFanOut], Field(validate_default=True)] = []
    """Relations of which other numbers are drawn."""


class SavedTensor(Schema):
    """A tensor kept between forward and backward."""

    node_id: str
    value: str
    """Its name in the intermediate representation."""
    op: str
    """Operation that gave it."""
    shape: list[int]
    bytes: int
    shared: bool
    """An input or a parameter, which would be there anyway."""


class SetArgument(Schema):
    """Types over an operand."""

    edit: Literal['set_argument'] = 'set_argument'
    node: str
    argument: int
    text: str


class SetOp(Schema):
    """Another operation on the same operands: `relu` becomes `elu`, `+` becomes `*`, `sum` becomes `mean`."""

    edit: Literal['set_op'] = 'set_op'
    node: str
    op: str


class SourceSpan(Schema):
    """A place in a text: lines and columns from 1, the end column is the first one outside."""

    line: int
    column: int
    end_line: int
    """0 where only the beginning is known."""
    end_column: int


class StrategyDocument(Schema):
    """All that runs: hops are written down, so that what was planned is what is read. Edges without hops are not."""

    mesh: list[int]
    operators: dict[str, OperatorDocument]
    moves: Annotated[list[MoveDocument], Field(validate_default=True)] = []
    recomputed: list[list[str]] = []


class SystemItem(Schema):
    """One kind of job."""

    kind: str
    title: str
    description: str
    devices: list[str]
    """Kinds of device it runs on."""
    spec_schema: dict[str, Any]
    """JSON schema of what it takes; x- keys are hints for forms."""
    result_schema: dict[str, Any]
    """JSON schema of what it gives."""


class SystemList(Schema):
    """Every kind of job this server can queue."""

    items: list[SystemItem]


class TextSpan(Schema):
    """A stretch of the text. Lines and columns count characters from 1; the end column is the first one outside."""

    line: int
    column: int
    end_line: int
    end_column: int


class TopColumn(Schema):
    """A feature that is set in many vertices."""

    column: int
    nonzero: int
    mean: float
    """Over all vertices."""


class Training(Schema):
    """How to train: optimiser, regularisation, stopping and seed."""

    epochs: int = 200
    """Most epochs to run."""
    optimizer: Literal['adam', 'adamw', 'sgd'] | str = 'adam'
    """Update rule."""
    learning_rate: float = 0.01
    """Step size of the optimiser."""
    learning_rate_decay: float = 1.0
    """What the step size is multiplied by after every epoch; 1 keeps it as it is."""
    weight_decay: float = 0.0005
    """L2 penalty on every weight; biases are left out."""
    patience: int = 100
    """Stop after this many epochs without a better validation loss or accuracy; 0 never stops early."""
    seed: int = 0
    """Seed of the weights and of dropout."""
    dtype: Literal['float32', 'float64'] | str = 'float32'
    """Number format of weights and activations."""
    kernels: Literal['generated', 'reference'] | str = 'generated'
    """Fused kernels made for this model, or the slow reference interpreter."""
    threads: int = 0
    """CPU threads; 0 takes all the worker has."""
    profile_epochs: int = 10
    """Epochs measured kernel by kernel; 0 measures none."""


class TransformerSizes(Schema):
    """A language model: pre-norm blocks of causal attention and a two-layer net, and the next token as target."""

    batch: int = 16
    """Samples of a step, over all devices together."""
    model: Literal['transformer'] = 'transformer'
    vocabulary: int = 256
    length: int = 32
    """Tokens of a sequence."""
    width: int = 64
    heads: int = 4
    hidden: int = 256
    """Width of the two-layer net inside a block."""
    layers: int = 2


class TripleScores(Schema):
    """Means over triples, each asked for its tail and its head, among entities of the right type; known ones struck."""

    loss: float
    """Mean cross entropy of the answer among all entities of its type."""
    mrr: float
    """Mean of 1 / place; of equal scores the mean place counts."""
    hits_1: float
    """Share of answers in the first place."""
    hits_3: float
    """Share of answers in the first 3."""
    hits_10: float
    """Share of answers in the first 10."""


class TypeFacts(Schema):
    """One type of vertices of a heterogeneous graph."""

    name: str
    vertices: int
    features: int
    """0 where its vertices have none"""


class TypeSummary(Schema):
    """Vertices of one type."""

    name: str
    vertices: int
    features: int
    labelled: int
    isolated: int
    """Vertices that no edge touches."""


class TypedScores(Schema):
    """On one part of the vertices of the target type."""

    loss: float
    """Mean cross entropy."""
    accuracy: float
    """Share of right answers."""
    macro_f1: float
    """Mean over the classes of the F1 score of each."""


class UploadSource(Schema):
    """Files that were uploaded: one format's files, or one .zip or .tar.gz of them."""

    type: Literal['upload'] = 'upload'
    upload_id: str
    """The upload."""


class UploadedFile(Schema):
    """One file of an upload."""

    name: str
    size_bytes: int


class UploadedTable(Schema):
    """A table among the files, so that its columns can be chosen."""

    file: str
    columns: list[str]
    """At most the first 200."""
    named: bool
    """Whether the file names its columns; else they are numbered."""


class VersionCreate(Schema):
    """Keep the draft as a version."""

    note: str = ''
    """What is new."""


class VertexProgram(Schema):
    """A user's vertex function in the closed Python subset; a layer of type `program` runs it."""

    name: str
    source: str


class VitSizes(Schema):
    """A vision Transformer: patches as tokens, the mean over patches classified."""

    batch: int = 16
    """Samples of a step, over all devices together."""
    model: Literal['vit'] = 'vit'
    image: int = 32
    """Pixels of a side."""
    patch: int = 8
    """Pixels of a patch's side."""
    channels: int = 3
    width: int = 64
    heads: int = 4
    hidden: int = 256
    layers: int = 2
    classes: int = 16


class WholeGraph(Schema):
    """Every step sees the whole graph."""

    type: Literal['whole'] = 'whole'


class WideResnetSizes(Schema):
    """A residual network of three stages of `blocks` blocks, channels times `widen`; pre-activation, batch norms."""

    batch: int = 16
    """Samples of a step, over all devices together."""
    model: Literal['wide_resnet'] = 'wide_resnet'
    image: int = 16
    """Pixels of a side."""
    channels: int = 3
    base: int = 8
    """Channels of the first stage before they are multiplied."""
    widen: int = 2
    blocks: int = 1
    """Blocks of a stage."""
    classes: int = 16


class Wire(Schema):
    """A value flowing from an output port to an input port."""

    source: Endpoint
    target: Endpoint


class WireDifference(Schema):
    """A wire that came or went."""

    change: Literal['added', 'removed', 'changed'] | str
    wire: Wire


class WordItem(Schema):
    """A word of the language that is no op by its own name: made of several, or about edges."""

    word: str
    doc: str
    """Its formula or meaning."""
    example: str


class Work(Schema):
    """What one training epoch takes, counted from the shapes; the model was not run."""

    flops: int
    """Floating point operations, forward and backward."""
    activation_bytes: int
    """Bytes of vertex values kept for the backward pass, float32."""
    parameter_bytes: int
    """Bytes of parameters, gradients and Adam's two moments, float32."""
    epoch_s: float
    """About how long it takes here, from rates measured on this machine's CPU."""


class WorkerItem(Schema):
    """A worker process. `device` is the queue it takes jobs from."""

    id: str
    host: str
    pid: int
    state: Literal['online', 'stopped', 'lost'] | str
    device: Literal['cpu', 'gpu'] | str
    slots: int
    """Jobs it runs at once."""
    busy: int
    """Slots in use."""
    devices: list[Device]
    versions: dict[str, str]
    jobs: list[str]
    """Ids of the jobs it runs now."""
    started_at: AwareDatetime
    heartbeat_at: AwareDatetime


class WorkerList(Schema):
    """Workers that live, and those that went within the last hour."""

    items: list[WorkerItem]


class ProblemItem(Schema):
    """One thing that is wrong, and where."""

    pointer: str
    """JSON pointer into the request's body, or `?name` for a query parameter."""
    code: str
    message: str
    hint: str
    node_id: str | None
    port: str | None
    line: int | None
    column: int | None


class ProblemDetails(Schema):
    """What went wrong (RFC 9457)."""

    model_config = ConfigDict(
        extra='allow',
    )
    type: str
    """Stable address of this kind of problem."""
    title: str
    status: int
    detail: str
    instance: str
    code: str
    request_id: str
    errors: list[ProblemItem]


class JobStatusEvent(Schema):
    """`job.status`: the job entered a state."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime
    attempt: int
    state: Literal['queued', 'starting', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled', 'lost'] | str
    reason: str
    worker: str | None


class JobProgressEvent(Schema):
    """`job.progress`: how far it is."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime
    attempt: int
    done: int
    total: int | None
    unit: str
    eta_s: float | None


class JobMetricsEvent(Schema):
    """`job.metrics`: points of its series since the last such event."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime
    attempt: int
    points: list[MetricPoint]


class StreamedLogLine(Schema):
    """A line of a log as it comes."""

    at: AwareDatetime
    level: Literal['debug', 'info', 'warning', 'error'] | str
    text: str


class JobLogEvent(Schema):
    """`job.log`: lines since the last such event, and how many were lost for want of speed."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime
    attempt: int
    lines: list[StreamedLogLine]
    dropped: int


class JobArtifactEvent(Schema):
    """`job.artifact`: the job left a file."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime
    attempt: int
    name: str
    media_type: str
    size_bytes: int
    path: str


class JobEndEvent(Schema):
    """`end`: nothing more comes from this attempt."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime
    attempt: int
    state: Literal['queued', 'starting', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled', 'lost'] | str


class ClusterEvent(Schema):
    """`cluster`: workers and queues, whenever they change."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime
    workers: list[dict[str, Any]]
    """As in the list of workers, without the time of the heartbeat."""
    queues: list[QueueItem]


class ResyncEvent(Schema):
    """`resync`: too much was missed to tell; load everything anew and go on from `seq`."""

    topic: str
    """`job:<id>`, `jobs` or `cluster`; the most exact of those followed."""
    job_id: str | None
    seq: int
    """Its id in the journal, ever growing; 0 where the event is not from the journal."""
    at: AwareDatetime


class AddOp(Schema):
    """A new statement: a name for what the operation makes of its operands. Nothing reads it yet."""

    edit: Literal['add_op'] = 'add_op'
    op: str
    operands: list[Operand]
    name: str | None = None
    """`y` or `v.y`; one is made up where none is given."""


class CodePlace(Schema):
    """Where something of the document stands in the text."""

    what: Literal['node', 'group', 'note', 'program'] | str
    id: str
    span: TextSpan


class CompiledStage(Schema):
    """The program after one pass."""

    name: str
    ir: str
    places: list[int]
    """As places_before."""
    before: OpCounts
    after: OpCounts
    changed: bool


class DatasetBrief(Schema):
    """The facts of one dataset among others."""

    id: str
    name: str
    task: Literal['node_classification', 'graph_classification', 'none'] | str
    vertices: int
    """N"""
    arcs: int
    """E, as stored"""
    features: int
    """F, 0 where vertices have no features"""
    feature_nonzero_ratio: float
    """Share of entries of x that are not zero"""
    edge_features: int
    classes: list[str]
    graphs: int
    """1 for a single graph"""
    train: int
    val: int
    test: int
    directed: bool
    source: str
    bytes: int
    heterogeneous: HeterogeneousCounts | None
    """None for a graph of one type and relation"""
    goals: list[Literal['node_classification', 'link_prediction', 'graph_classification'] | str]
    """What can be learnt from it."""


class DatasetItem(Schema):
    """One dataset."""

    id: str
    name: str
    description: str
    state: Literal['importing', 'ready', 'failed'] | str
    state_reason: str
    """Why the import failed; empty otherwise."""
    source_type: str
    """bundled, generator, upload or folder."""
    job_id: str | None
    """The import that makes it; None where there was none."""
    progress: JobProgress | None
    """Of a running import."""
    actions: list[Literal['delete', 'cancel', 'retry'] | str]
    """What may be done now; cancel and retry are those of the job."""
    created_at: AwareDatetime
    info: DatasetBrief | None
    """Its facts, once it is ready."""


class DatasetList(Schema):
    """One page of datasets, newest first."""

    items: list[DatasetItem]
    next_cursor: str | None
    """Where the next page begins; None on the last."""


class DatasetNeighbourhood(Schema):
    """A sampled piece of the graph around one vertex, small enough to draw. Same question, same answer."""

    vertex: int
    hops: int
    seed: int
    directed: bool
    vertices: list[NeighbourhoodVertex]
    edges: list[NeighbourhoodEdge]
    left_out: int
    """Neighbours that were met but not taken, to stay within the limit."""


class DatasetSources(Schema):
    """Where datasets can come from, with the JSON schemas of what each asks for."""

    bundled: list[BundledChoice]
    formats: list[FormatChoice]
    generators: dict[str, Any]
    """JSON schema by type of generator."""
    options: dict[str, Any]
    """JSON schema of the import options."""
    folders: bool
    """Whether folders on the server may be imported (ASTERISM_DATA_ROOTS)."""
    max_upload_bytes: int


class Features(Schema):
    """The values of vertex features."""

    columns: int
    nonzero: int
    nonzero_ratio: float
    sparse: bool
    """Whether they are stored as sparse rows."""
    min: float
    max: float
    mean: float
    empty_rows: int
    """Vertices without a single value that is not 0."""
    top_columns: list[TopColumn]


class FrontierOf(Schema):
    """The frontier for a number of devices: memory ascending, time descending."""

    devices: int
    points: list[Point]
    found: int
    """Points on the frontier, of which some are given."""
    known: list[Named]
    exact: bool
    eps: float
    """Proven: no strategy of these kinds beats what was found by more than this share."""
    search_s: float


class GeneratorSource(Schema):
    """A graph made from a seed."""

    type: Literal['generator'] = 'generator'
    generator: BlockModel | PowerLaw | Motifs | Library | Relations | dict[str, Any]
    """What to make."""


class GraphSchema(Schema):
    """Types of vertices and the relations between them."""

    types: list[TypeSummary]
    relations: list[RelationSummary]
    target: str | None


class Heterogeneous(Schema):
    """What a heterogeneous graph is made of."""

    types: list[TypeFacts]
    relations: list[RelationFacts]
    target: str | None
    """The type whose vertices are labelled"""
    timed: bool
    """Whether edges have times"""
    edge_split: EdgeSplit | None
    """None where edges themselves are not split"""
    type_count: int
    relation_count: int


class IngestSpec(Schema):
    """Import a graph from files, or make one, as a dataset to train on."""

    kind: Literal['ingest'] = 'ingest'
    name: str = ''
    """Label shown in lists."""
    device: Literal['cpu', 'gpu'] | str = 'cpu'
    """Kind of device the job needs; decides its queue."""
    max_attempts: int = 1
    """Runs again by itself after its worker was lost, up to this many attempts."""
    dataset_id: str | None = None
    """Id of the dataset to make; it must be new."""
    dataset_name: str
    """Name of the dataset."""
    source: UploadSource | FolderSource | GeneratorSource | dict[str, Any]
    """Where the graph comes from."""
    options: ImportOptions | None = None
    """How files become a graph."""


class InsertOp(Schema):
    """Puts an operation around an operand: `x` becomes `relu(x)`."""

    edit: Literal['insert_op'] = 'insert_op'
    node: str
    argument: int
    op: str
    operands: Annotated[list[Operand], Field(validate_default=True)] = []
    """Those after the first."""


class JobLogs(Schema):
    """Lines in order. Ask again with `after_id=next_after_id` for those that follow."""

    items: list[LogLine]
    dropped: int
    """Lines of this page lost because the job wrote faster than they could be stored."""
    next_after_id: int
    more: bool
    """Whether there were more lines already."""


class JobMetrics(Schema):
    """The series of one attempt. `points` holds at most `max_points`; `total` says how many there are."""

    attempt: int
    points: list[MetricPoint]
    total: int
    last_event_id: int


class KernelTimes(Schema):
    """What the last profile of a model says of its kernels."""

    job_id: str
    version: int | None
    """Version of the model that ran."""
    finished_at: AwareDatetime | None
    epochs: int
    """How many epochs were measured."""
    epoch_s: float
    machine: str
    kernels: list[MeasuredKernel]
    programs: list[MeasuredProgram]


class KgLinkOutcome(Schema):
    """Scores of the best weights; validation and test of all their triples, training of some."""

    type: Literal['kg_link_prediction'] = 'kg_link_prediction'
    train: TripleScores
    val: TripleScores
    test: TripleScores


class LastProfile(Schema):
    """The last profile of a model, if it was ever profiled."""

    measured: KernelTimes | None


class LayerItem(Schema):
    """One block of the canvas."""

    type: str
    title: str
    group: Literal['inputs', 'dense', 'message passing', 'over relations', 'pointwise', 'combine', 'normalise'] | str
    doc: str
    formula: str
    tags: list[str]
    """Other words to find it by."""
    inputs: list[LayerPort]
    outputs: list[LayerPort]
    params: dict[str, dict[str, Any]]
    """JSON schema of each setting. Hints: x-dim a width, x-advanced folds away, x-zero what 0 means."""
    open_params: bool
    """Takes settings beyond these: the constants of its vertex program."""
    needs: LayerNeeds
    widths: dict[str, LayerWidth] | None
    """Width of each result by port; null where only a validation can tell. Kind `any` is what arrives."""
    program: str | None
    """Name of the vertex program it runs."""
    program_source: str | None
    """Text of that program."""


class LayerList(Schema):
    """The palette."""

    items: list[LayerItem]


class LinkOutcome(Schema):
    """Scores of the best weights on every part of the edges."""

    type: Literal['link_prediction'] = 'link_prediction'
    train: LinkScores
    val: LinkScores
    test: LinkScores
    hits_at: int


class LinkPrediction(Schema):
    """Tell which pairs of vertices are joined: some edges are held back, and the rest pass the messages."""

    type: Literal['link_prediction'] = 'link_prediction'
    decoder: Literal['dot', 'mlp'] | str = 'dot'
    """Score of a pair: product of its two embeddings, or a perceptron on their products."""
    val_share: float = 0.05
    """Share of edges held back for validation."""
    test_share: float = 0.1
    """Share of edges held back for the test."""
    negatives: int = 1
    """Pairs without an edge for each training edge, drawn anew each epoch."""
    hits_at: int = 100
    """Hits@k: share of edges scored above the k-th best pair without one."""
    batches: WholeGraph | Sampled | dict[str, Any] | None = None
    """What one step sees."""


class Machine(Schema):
    """Devices, all alike, in hosts, all alike. Rates are by family of operators, `other` for those not named."""

    name: str
    source: Literal['declared', 'measured'] | str
    note: str = ''
    """Where the figures come from."""
    taken: str = ''
    """When it was measured, ISO 8601."""
    host: dict[str, str] | None = None
    """Facts of the host that was measured."""
    backend: Literal['gloo', 'nccl'] | str = 'nccl'
    devices: int
    devices_per_host: int
    memory: int
    """Bytes of a device."""
    rates: dict[str, Rate]
    """By family of operators; must have `other`."""
    fast: Link
    """Between devices of one host."""
    slow: Link
    """Between hosts."""
    collectives: Annotated[list[Measured], Field(validate_default=True)] = []
    residual: float | None = None
    """Of operators: median of |fitted - measured| / measured; None where declared."""


class ModelDoc(Schema):
    """A model: layers as nodes, wires between their ports, and the vertex programs it brings along."""

    schema_version: int = 1
    nodes: Annotated[list[Node], Field(validate_default=True)] = []
    wires: Annotated[list[Wire], Field(validate_default=True)] = []
    programs: Annotated[list[VertexProgram], Field(validate_default=True)] = []
    groups: Annotated[list[Group], Field(validate_default=True)] = []
    notes: Annotated[list[Note], Field(validate_default=True)] = []
    layout: dict[str, Position] | None = None
    code: str = ''
    """The model's text as its author left it, comments and all; empty where nobody wrote in it."""


class ModelDraft(Schema):
    """The draft of a model. Send `etag` as If-Match when saving."""

    model_id: str
    doc: ModelDoc
    etag: str
    content_hash: str
    """sha256 of what the draft means, positions left out."""
    updated_at: AwareDatetime


class ModelValidation(Schema):
    """What is wrong with a document, and what flows where."""

    ok: bool
    """Whether it can be trained: no problem is an error."""
    problems: list[DocProblem]
    types: dict[str, dict[str, PortType]]
    """By node id and output port, where they are known."""
    order: list[str]
    """Ids of the sound nodes in an order to run them."""
    used: list[str]
    """Ids of the nodes that lead to the output, in the document's order."""
    goal: Literal['node_classification', 'link_prediction', 'graph_classification'] | str | None
    """What the output is for; None while that is not known."""
    over_relations: bool
    """Whether a layer works over types and relations of a heterogeneous graph."""
    parameters: int | None
    """Numbers to train; None while a size is unknown or an error stands."""
    work: Work | None
    """None while a size is unknown or an error stands."""


class ModelValidationCreate(Schema):
    """A document to check, and the dataset to check it for."""

    doc: ModelDoc
    dataset_id: str | None = None
    """Fixes the sizes F, K and C."""


class ModelVersionDoc(Schema):
    """One version with its document. Never changes."""

    model_id: str
    number: int
    """Counted from 1 in each model."""
    note: str
    content_hash: str
    """sha256 of what the document means, positions left out."""
    created_at: AwareDatetime
    doc: ModelDoc


class NodeClassification(Schema):
    """Tell the class of every vertex."""

    type: Literal['node_classification'] = 'node_classification'
    batches: WholeGraph | Sampled | dict[str, Any] | None = None
    """What one step sees."""


class NodeDifference(Schema):
    """A node that came, went or is set differently."""

    id: str
    change: Literal['added', 'removed', 'changed'] | str
    type_before: str | None
    type_after: str | None
    params: dict[str, ParamChange]


class OpList(Schema):
    """The compiler's op table, and the other words a vertex program may use."""

    items: list[OpItem]
    words: list[WordItem]


class OwnedLayer(Schema):
    """The document with that node as a vertex program: same text, settings, wires and result."""

    doc: ModelDoc
    program: str
    """Name of the new program."""


class PlanTask(Schema):
    """Find every strategy that no other beats in memory and time, for each number of devices."""

    type: Literal['plan'] = 'plan'
    machine: Annotated[
        Literal['eight_gpus', 'this_host'] | str | Machine, Field(validate_default=True)
    ] = 'eight_gpus'
    """A declared cluster by name, rates and links of one's own, or the worker's host, measured first: processes of one thread each over gloo, up to as many as it has cores."""
    devices: list[int] = [1, 2, 4, 8]
    """Numbers of devices to plan for."""
    mesh_dims: int = 1
    """With 2, devices are also laid out as rectangles, split in two ways at once."""
    checkpointing: bool = True
    """Also plans in which repeated blocks are computed again instead of kept."""
    eps: float = 0.05
    """No strategy should beat what is found by more than this share; 0 is exact."""


class Planned(Schema):
    """What planning found."""

    type: Literal['plan'] = 'plan'
    parameters: int
    operators: int
    whole: list[str]
    """Kinds of operators nobody described: they run whole on every device."""
    machine: Machine
    """Declared, or as it was measured with the most devices asked for."""
    frontiers: list[FrontierOf]


class Profile(Schema):
    """Where an epoch's time went. Phases add up to `epoch_s`; kernels add up to at most their phases."""

    epochs: int
    epoch_s: float
    batch_s: float
    """Drawing neighbours, cutting out graphs, drawing pairs."""
    forward_s: float
    loss_s: float
    backward_s: float
    optimizer_s: float
    evaluation_s: float
    kernels: list[KernelProfile]
    saved: list[SavedTensor]
    saved_bytes: int
    """Bytes kept between forward and backward and for nothing else."""
    memory: list[MemoryPoint]
    """One more epoch, step by step; steps that change nothing left out."""
    programs: list[ProgramText]
    bandwidth_gb_per_s: float
    """Memory bandwidth measured on this machine just after."""
    gflop_per_s: float
    """Peak of matrix products measured on this machine just after."""
    threads: int
    machine: str


class ProgramArgument(Schema):
    """One operand. A wire comes from `node`; a literal is `text` and can be typed over."""

    name: str
    """What the operation calls it."""
    kind: Literal['wire', 'literal'] | str
    node: str | None
    place: Literal['source', 'edge', 'destination', 'vertex', 'parameter', 'scalar'] | str
    """From where the operation sees the value; the colour and shape of the port."""
    text: str
    """The operand as it is written."""
    span: TextSpan | None
    """Where it is written; None where a default holds or nothing stands."""
    editable: bool
    """Whether `set_argument` and `rewire` may change it."""


class ProgramDeclaration(Schema):
    """What a program declares before its body."""

    name: str
    doc: str
    features: dict[str, str]
    """Shapes of vertex features, as written."""
    edge_features: dict[str, str]
    parameters: list[ProgramDeclarationParameter]
    constants: dict[str, bool | int | float | str | None]
    """With their defaults; None must be given."""
    sizes: list[str]
    """Free sizes that must be given."""


class ProgramEditCreate(Schema):
    """Edits of a program's drawing, carried out on its text one after another."""

    source: str
    bindings: dict[str, int | float | bool | str] = {}
    """Values of its sizes and constants; shapes need every size."""
    edits: list[AddOp | InsertOp | SetArgument | RemoveArgument | Rewire | SetOp | Delete | Rename | NameValue | Declare | dict[str, Any]]


class ProgramNode(Schema):
    """One thing that is computed or given."""

    id: str
    kind: Literal['feature', 'parameter', 'constant', 'op', 'call', 'aggregate', 'choice', 'loop', 'result', 'opaque'] | str
    lane: Literal['input', 'vertex', 'edge', 'aggregation', 'result'] | str
    stage: int
    """Aggregations on the longest way here: lanes repeat for each stage."""
    op: str
    """Operation of the language: matmul, add, leaky_relu, sum, the name of a function …"""
    label: str
    """What to write on the node, such as `@` or `sum`."""
    name: str | None
    """The name the text gives its value: `v.z`, `alpha`."""
    value: ProgramValue
    arguments: list[ProgramArgument]
    span: TextSpan
    statement: TextSpan
    """The statement it stands in."""
    blocks: list[str]
    """Loops and conditions around it, outermost first: `for _ in range(hops)`."""
    can: list[str]
    """Edits that apply to it, such as rename, delete."""


class Queue(Schema):
    """All queues."""

    items: list[QueueItem]


class RelationSavings(Schema):
    """Launches of a program over relations, forward and backward: as a loop, stitched, and as it runs."""

    relations: int
    types: int
    looped: int
    """Every operation by itself, once for each relation or type it is about."""
    stitched: int
    """Every operation once, over the edges of all relations."""
    fused: int
    """Kernels and products that run; as many whatever the number of relations."""
    bundled: dict[str, int]
    """Products that serve all relations or types at once, by op."""
    by_relation: list[str]
    """Operations of the program that a loop would repeat."""
    work: list[RepeatedWork]
    """What adds up to `looped` and `stitched`."""


class RunTask(Schema):
    """Train a strategy on processes of this host and compare what it takes with what its plan said."""

    type: Literal['run'] = 'run'
    strategy: StrategyDocument
    """As a planning job stores it among its artifacts."""
    steps: int = 20
    """Steps to train; the first two are not timed."""
    rate: float = 0.001
    """Learning rate."""
    predicted: Predicted | None = None
    """What the plan said, to be shown beside."""
    plan: str = ''
    """The job that made the plan."""


class SeastarResult(Schema):
    """A trained model's figures; weights, predictions and kernel sources are artifacts."""

    kind: Literal['seastar'] = 'seastar'
    epochs_run: int
    best_epoch: int
    stopped_early: bool
    parameters: int
    epoch_s: float
    """Median time of a training epoch without evaluation, seconds."""
    peak_memory_bytes: int
    """Growth of the process's peak resident memory while training."""
    compile_s: float
    kernels_built: int
    kernels_cached: int
    profile: Profile | None
    outcome: NodeOutcome | LinkOutcome | GraphOutcome | dict[str, Any]
    """Scores of the best weights, by task."""
    comparison: Comparison | None
    """None where the job asked for none."""
    pass_study: PassStudy | None
    """None where the job asked for none."""


class SeastarSpec(Schema):
    """Train a vertex-centric graph neural network to tell vertices, links or graphs."""

    kind: Literal['seastar'] = 'seastar'
    name: str = ''
    """Label shown in lists."""
    device: Literal['cpu', 'gpu'] | str = 'cpu'
    """Kind of device the job needs; decides its queue."""
    max_attempts: int = 1
    """Runs again by itself after its worker was lost, up to this many attempts."""
    model: ModelDoc
    """The model to train."""
    model_ref: ModelRef | None = None
    """Model version the document was taken from."""
    dataset: str
    """Dataset to train on."""
    task: NodeClassification | LinkPrediction | GraphClassification | dict[str, Any] | None = (
        None
    )
    """What to learn."""
    training: Training | None = None
    """Training settings."""
    compiler: Compiler | None = None
    """Settings of the vertex compiler."""
    compare: list[Literal['passes_off', 'dgl', 'pyg'] | str] = []
    """Train the same model again from the same weights, each time in a fresh process: with every optional pass of the compiler off, and in the layers of DGL and PyG where they are installed."""
    pass_study: EachPassOff | None = None
    """Measure what each pass of the compiler is worth to this model: time, memory and kernels of an epoch with it off, the same losses."""


class TemplateItem(Schema):
    """A model to start from."""

    name: str
    title: str
    kind: str
    """Kind of job that trains it."""
    description: str
    paper: str
    """Where the model and its settings come from."""
    doc: ModelDoc
    task: dict[str, Any]
    """What a training job of it learns."""
    training: dict[str, Any]
    """Settings of a training job that suit it."""
    dataset: str
    """Name of the bundled dataset to try it on."""
    dataset_id: str
    """Its id. `vertices` is None while it is not there."""
    dataset_title: str
    vertices: int | None
    arcs: int | None
    parameters: int | None
    """Numbers to train on that dataset."""
    work: Work | None
    """What an epoch on that dataset takes."""
    train_s: float | None
    """About how long all epochs take; early stopping may end sooner."""


class TemplateList(Schema):
    """Models to start from, in the order to show them."""

    items: list[TemplateItem]


class TensoroptResult(Schema):
    """Frontiers by number of devices, or the figures of a run."""

    kind: Literal['tensoropt'] = 'tensoropt'
    outcome: Planned | Ran | dict[str, Any]


class TensoroptSpec(Schema):
    """Find good ways to spread a model over devices, or run one of them."""

    kind: Literal['tensoropt'] = 'tensoropt'
    name: str = ''
    """Label shown in lists."""
    device: Literal['cpu', 'gpu'] | str = 'cpu'
    """Kind of device the job needs; decides its queue."""
    max_attempts: int = 1
    """Runs again by itself after its worker was lost, up to this many attempts."""
    model: MlpSizes | TransformerSizes | VitSizes | WideResnetSizes | LstmSizes | DlrmSizes | dict[str, Any] | None = (
        None
    )
    """The model, by its sizes."""
    optimizer: Literal['sgd', 'momentum', 'adam'] | str = 'adam'
    """What keeps state beside every parameter."""
    task: PlanTask | RunTask | dict[str, Any] | None = None


class TypedNodeClassification(Schema):
    """Tell the class of every vertex of the dataset's target type."""

    type: Literal['node_classification'] = 'node_classification'
    batches: WholeGraph | SampledByRelation | dict[str, Any] | None = None
    """What one step sees."""


class TypedNodeOutcome(Schema):
    """Scores of the best weights on every part of the vertices."""

    type: Literal['node_classification'] = 'node_classification'
    target: str
    """The type whose vertices are told."""
    train: TypedScores
    val: TypedScores
    test: TypedScores


class UploadItem(Schema):
    """Files that were sent, waiting to be imported."""

    id: str
    files: list[UploadedFile]
    size_bytes: int
    format: str | None
    """The format their names speak for; None when it cannot be told."""
    format_title: str | None
    tables: list[UploadedTable]
    problem: str | None
    """What would stop an import, as far as it can be told without one."""


class CodeConversion(Schema):
    """A text and the document it says."""

    code: str
    doc: ModelDoc | None
    """None where the text has a fault: the last good document stands."""
    places: list[CodePlace]
    """Statements of nodes, groups and notes; what the cell of a program holds."""
    problems: list[DocProblem]
    """Faults of the text, with line, column and the node they are about."""


class CodeConversionCreate(Schema):
    """A model to write as text, or a text to read as a model."""

    to: Literal['code', 'document'] | str
    """What is wanted."""
    doc: ModelDoc
    """To code: the document. To document: the one the text was made from."""
    code: str | None = None
    """The text to read; to code, the text to bring up to date."""


class DatasetCreate(Schema):
    """A dataset to make. Bundled ones are ready at once; all others are imported by a job."""

    name: str
    description: str = ''
    source: BundledSource | GeneratorSource | UploadSource | FolderSource | dict[str, Any]
    """Where the graph comes from."""
    options: ImportOptions | None = None
    """How files become a graph."""


class DatasetInfo(Schema):
    """The facts of a dataset that checks, forms and pages need; stored beside the arrays as meta.json."""

    id: str
    name: str
    task: Literal['node_classification', 'graph_classification', 'none'] | str
    vertices: int
    """N"""
    arcs: int
    """E, as stored"""
    features: int
    """F, 0 where vertices have no features"""
    feature_nonzero_ratio: float
    """Share of entries of x that are not zero"""
    edge_features: int
    classes: list[str]
    graphs: int
    """1 for a single graph"""
    train: int
    val: int
    test: int
    directed: bool
    source: str
    bytes: int
    heterogeneous: Heterogeneous | None
    """None for a graph of one type and relation"""
    goals: list[Literal['node_classification', 'link_prediction', 'graph_classification'] | str]
    """What can be learnt from it."""


class DatasetSummary(Schema):
    """Everything the page of a dataset shows beside its plain facts."""

    vertices: int
    arcs: int
    undirected_edges: int | None
    """Pairs joined in both directions; None for a directed graph."""
    in_degrees: Degrees
    out_degrees: Degrees
    isolated: int
    """Vertices without any arc."""
    features: Features | None
    labelled: int
    unlabelled: int
    classes: list[ClassCount]
    train: int
    val: int
    test: int
    homophily: float | None
    """Share of arcs between vertices of one class; None without labels."""
    graph_sizes: GraphSizes | None
    """None for a single graph."""
    sha256: str
    """Over every array, in a fixed order."""
    suggested_vertex: int
    """A vertex whose neighbourhood makes a good picture."""


class HglResult(Schema):
    """A trained model's figures; weights, predictions and kernel sources are artifacts."""

    kind: Literal['hgl'] = 'hgl'
    epochs_run: int
    best_epoch: int
    stopped_early: bool
    parameters: int
    epoch_s: float
    """Median time of a training epoch without evaluation, seconds."""
    peak_memory_bytes: int
    """Growth of the process's peak resident memory while training."""
    compile_s: float
    kernels_built: int
    kernels_cached: int
    profile: Profile | None
    outcome: TypedNodeOutcome | KgLinkOutcome | dict[str, Any]
    """Scores of the best weights, by task."""
    types: int
    """Types of vertices of the graph."""
    relations: int
    """Relations of the graph."""
    launches: float | None
    """Kernels started in one epoch; None where no epoch was measured."""
    comparison: Comparison | None
    """None where the job asked for none."""


class HglSpec(Schema):
    """Train a heterogeneous graph neural network: one program over all types and relations."""

    kind: Literal['hgl'] = 'hgl'
    name: str = ''
    """Label shown in lists."""
    device: Literal['cpu', 'gpu'] | str = 'cpu'
    """Kind of device the job needs; decides its queue."""
    max_attempts: int = 1
    """Runs again by itself after its worker was lost, up to this many attempts."""
    model: ModelDoc
    """The model to train."""
    model_ref: ModelRef | None = None
    """Model version the document was taken from."""
    dataset: str
    """Dataset to train on."""
    task: TypedNodeClassification | KgLinkPrediction | dict[str, Any] | None = None
    """What to learn."""
    training: Training | None = None
    """Training settings."""
    compiler: Compiler | None = None
    """Settings of the vertex compiler."""
    compare: list[Literal['passes_off', 'dgl', 'pyg'] | str] = []
    """Train the same model again from the same weights, each time in a fresh process: with every optional pass of the compiler off, and in the layers of DGL and PyG where they are installed."""


class LayerCompilation(Schema):
    """The program a node runs, at its place in the model."""

    declares: ProgramDeclaration | None
    """None where the declarations cannot be read."""
    problems: list[DocProblem]
    before: str
    """The intermediate representation as read."""
    places_before: list[int]
    """For each value, the number of its span in `spans`; -1 for none."""
    stages: list[CompiledStage]
    after: str
    """After all passes, with gradients."""
    places_after: list[int]
    """As places_before."""
    spans: list[SourceSpan]
    """Places in the source that values come from."""
    kernels: list[CompiledKernel]
    relations: RelationSavings | None
    """What stitching saves; None for a program of one relation."""
    switches: list[str]
    """Passes that can be left out."""
    graph: CompiledFor
    """Size of the graph that bytes are counted for."""
    node_id: str
    source: str
    bindings: dict[str, bool | int | float | str]
    assumed: bool
    """Whether sizes that no dataset fixes had to be assumed."""


class LayerCompile(Schema):
    """A node of a document whose vertex program to look into."""

    doc: ModelDoc
    node_id: str
    dataset_id: str | None = None
    """Fixes the sizes; without it some are assumed."""
    disabled: list[str] | None = None
    """Passes to leave out."""
    memory: Literal['min', 'balanced', 'speed'] | str = 'balanced'
    """How much may be kept for the backward pass."""


class LayerOwn(Schema):
    """A node of a document whose layer is to become a vertex program of the model's own."""

    doc: ModelDoc
    node_id: str
    dataset_id: str | None = None
    """Fixes sizes where a setting depends on them."""


class ModelCreate(Schema):
    """A new model: empty, from a template, or with a document (an import)."""

    name: str
    doc: ModelDoc | None = None
    """The document to start with; unknown layers are kept."""
    template: str | None = None
    """A template to start from."""


class ModelDiff(Schema):
    """What differs between two states of a model. Positions are no difference, nor are groups that are only folded."""

    before: str
    after: str
    same: bool
    nodes: list[NodeDifference]
    wires: list[WireDifference]
    programs: list[ProgramDifference]
    groups: list[GroupDifference]
    notes: list[NoteDifference]


class ProgramCompilation(Schema):
    """A vertex program before and after every pass, and its kernels forward and backward."""

    declares: ProgramDeclaration | None
    """None where the declarations cannot be read."""
    problems: list[DocProblem]
    before: str
    """The intermediate representation as read."""
    places_before: list[int]
    """For each value, the number of its span in `spans`; -1 for none."""
    stages: list[CompiledStage]
    after: str
    """After all passes, with gradients."""
    places_after: list[int]
    """As places_before."""
    spans: list[SourceSpan]
    """Places in the source that values come from."""
    kernels: list[CompiledKernel]
    relations: RelationSavings | None
    """What stitching saves; None for a program of one relation."""
    switches: list[str]
    """Passes that can be left out."""
    graph: CompiledFor
    """Size of the graph that bytes are counted for."""


class ProgramGraph(Schema):
    """A vertex program as a graph. Without nodes the text could not be read: keep the last good drawing."""

    source: str
    """The text this is the graph of."""
    name: str
    doc: str
    nodes: list[ProgramNode]
    """In the order of the text: operands before what reads them."""
    wires: list[ProgramWire]
    problems: list[DocProblem]
    """With line, column and, in node_id, the node they are at."""
    focus: str | None
    """The node that the last edit was about."""


class DatasetDetail(Schema):
    """One dataset with how it was made and what was looked at."""

    id: str
    name: str
    description: str
    state: Literal['importing', 'ready', 'failed'] | str
    state_reason: str
    """Why the import failed; empty otherwise."""
    source_type: str
    """bundled, generator, upload or folder."""
    job_id: str | None
    """The import that makes it; None where there was none."""
    progress: JobProgress | None
    """Of a running import."""
    actions: list[Literal['delete', 'cancel', 'retry'] | str]
    """What may be done now; cancel and retry are those of the job."""
    created_at: AwareDatetime
    info: DatasetInfo | None
    """Its facts, once it is ready, with every type and relation."""
    source: dict[str, Any]
    """As it was asked for."""
    options: dict[str, Any]
    """As they were asked for."""
    checks: list[Check]
    """Checks at the door, as they ran."""
    notes: list[str]
    """What the importer remarked."""


class JobCreate(Schema):
    """A job to start."""

    spec: HglSpec | IngestSpec | SeastarSpec | TensoroptSpec | dict[str, Any]
    """What to do; `kind` decides which fields there are."""
    labels: dict[str, str] | None = None
    """Free words to find the job by."""


class JobItem(Schema):
    """One job: what was asked, where it stands, what came out."""

    id: str
    kind: str
    name: str
    state: Literal['queued', 'starting', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled', 'lost'] | str
    state_reason: str
    """Why it is in that state, in one line; empty when there is nothing to say."""
    attempt: int
    """How many times it was started, from 1."""
    spec: HglSpec | IngestSpec | SeastarSpec | TensoroptSpec | dict[str, Any]
    result: HglResult | IngestResult | SeastarResult | TensoroptResult | dict[str, Any] | None
    """None until it succeeded."""
    actions: list[Literal['cancel', 'retry', 'clone', 'delete'] | str]
    """What may be done with the job now; show no other buttons."""
    progress: JobProgress | None
    latest_metrics: dict[str, float | None]
    """The newest point of each series; None is not a number."""
    device: str
    worker: str | None
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    finished_at: AwareDatetime | None
    last_event_id: int
    """Everything up to this event is in here; stream from it without a gap."""
    labels: dict[str, str]


class JobList(Schema):
    """One page of jobs, in the order asked for."""

    items: list[JobItem]
    next_cursor: str | None
    """Where the next page begins; None on the last."""
    total: int | None
    """How many there are in all, counted to 10,000; only with `include=total`."""
