"""A bend of every number as a vertex program: one generated loop each way, in memory that training uses again."""

from workers.compiler.language import Vertex, elu, leaky_relu, relu, sigmoid, tanh


def bend(v: Vertex(h="in"), *, function="relu", slope=0.01):
    if function == "elu":
        return elu(v.h)
    if function == "leaky_relu":
        return leaky_relu(v.h, slope)
    if function == "tanh":
        return tanh(v.h)
    if function == "sigmoid":
        return sigmoid(v.h)
    return relu(v.h)
