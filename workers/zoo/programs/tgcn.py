"""Temporal graph convolution: a gated recurrent unit over frames, whose inputs are convolutions of each frame.

Zhao et al., T-GCN: A Temporal Graph Convolutional Network for Traffic Prediction, 2019; on a graph with self-loops. The
frames of a vertex stand side by side in its features. One sum over neighbours serves all gates and frames.
"""

from workers.compiler.language import Param, Vertex, columns, concat, reshape, sigmoid, tanh


def tgcn(
    v: Vertex(h="in", norm=""),
    convolve: Param("in // frames, 3 * out"),
    b_convolve: Param("3 * out"),
    update: Param("2 * out, out"),
    b_update: Param("out", init="zeros"),
    reset: Param("2 * out, out"),
    b_reset: Param("out", init="zeros"),
    candidate: Param("2 * out, out"),
    b_candidate: Param("out", init="zeros"),
    *,
    frames=1,
    out=64,
):
    v.z = reshape(v.h, frames, -1) @ convolve
    seen = reshape(sum(nb.z * nb.norm for nb in v.innbs) * v.norm + b_convolve, frames * 3 * out)
    # The state before the first frame is 0, of every vertex alike.
    state = columns(seen, 0, out) * 0
    for t in range(frames):
        at = t * 3 * out
        z = sigmoid(concat(columns(seen, at, at + out), state) @ update + b_update)
        r = sigmoid(concat(columns(seen, at + out, at + 2 * out), state) @ reset + b_reset)
        new = tanh(concat(columns(seen, at + 2 * out, at + 3 * out), state * r) @ candidate + b_candidate)
        state = z * state + (1 - z) * new
    return state
