"""Ports, settings and uses of programs that many rows of the layer table share."""

from __future__ import annotations

from workers.zoo.signature import Param, Port, ProgramUse

VERTEX_IN = (Port("x", "vertex", "One row a vertex."),)
VERTEX_OUT = (Port("y", "vertex", "One row a vertex."),)
ROWS_IN = (Port("x", "any", "One row a vertex or a graph."),)
ROWS_OUT = (Port("y", "any", "One row a vertex or a graph, as came in."),)
MANY_IN = (Port("x", "any", "Any number of wires, taken in the order they were drawn.", many=True),)

AS_CLASSES = "as many as the dataset has classes"
BIAS = Param("bias", "bool", True, "Add a trained constant to every column.", advanced=True)
EPS = Param("eps", "float", 1e-5, "Added to the variance.", minimum=1e-12, maximum=1.0, advanced=True)


def width(name: str, default: int, doc: str) -> Param:
    return Param(name, "int", default, doc, minimum=0, maximum=65536, size=True, zero=AS_CLASSES)


def probability(name: str, default: float, doc: str) -> Param:
    return Param(name, "float", default, doc, minimum=0.0, exclusive_maximum=1.0)


def program(name: str, **constants: str) -> ProgramUse:
    """A program whose feature `h` is port x and whose free size `in` is that port's width."""
    return ProgramUse(name, {"h": "x"}, sizes={"in": "x"}, constants=constants)


OUT = width("out_features", 64, "Width of the result.")
