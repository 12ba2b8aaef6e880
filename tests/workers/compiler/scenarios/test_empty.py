"""Rows without edges, graphs without edges or vertices. Numbers are those of the table in README.md."""

from __future__ import annotations

import pytest
import torch

from tests.workers.compiler.graphs import graph
from tests.workers.compiler.programs import PROGRAMS
from tests.workers.compiler.scenarios.running import Runner, body, finite, gradients, inputs_of, layer
from workers.compiler.ir import Program
from workers.compiler.parse import parse_program

# Triton's interpreter computes beyond the numbers that anybody reads: 1/0, the exponential of what is masked.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

LAYERS: dict[str, Program] = {
    "gcn": layer("gcn", out=2),
    "gat": layer("gat", out=2, heads=2, joined=4, drop=0.0),
    "gatv2": layer("gatv2", out=2, heads=2, joined=4, drop=0.0),
    "sage pool": layer("sage", out=2, reduce="pool"),
    "gin": layer("gin", out=2, hidden=3),
    "monet": layer("monet", out=2, kernels=2, dim=2),
    "transformer": layer("transformer", out=2, heads=2, joined=4),
    "edgeconv": layer("edgeconv", out=2, hidden=3),
    "pna": layer("pna", out=2),
    "edgegate": layer("edgegate", out=2, reduce="max"),
    "tgcn": layer("tgcn", out=2, frames=3),
    # The same sizes as elsewhere, so that their kernels are built once.
    **{
        name: parse_program(PROGRAMS[name].text, PROGRAMS[name].bindings)
        for name in ("sage", "sage of the longest", "appnp", "sgc", "tag", "agnn", "edgegate sum", "aggregate min")
    },
}


def test_1_the_mean_of_no_edges_is_zero_and_so_is_its_gradient(run: Runner) -> None:
    where, program = graph([], 2), body("return mean(nb.h for nb in v.innbs)")
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    assert out.tolist() == [[0, 0], [0, 0]]
    assert not gradients(out, inputs)["h"].any()


@pytest.mark.parametrize("n", [0, 2])
@pytest.mark.parametrize("name", LAYERS)
def test_2_every_layer_runs_without_edges_and_without_vertices(name: str, n: int, run: Runner) -> None:
    where, program = graph([], n), LAYERS[name]
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    assert out.shape[0] == n
    assert finite({"out": out} | gradients(out, inputs))


def test_3_the_maximum_of_nothing_is_zero_and_passes_no_gradient(run: Runner) -> None:
    where, program = graph([(0, 1)], 2), body("return max(nb.h for nb in v.innbs)")
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    assert out[0].tolist() == [0, 0]
    assert torch.equal(out[1], inputs["h"][0])
    assert gradients(out, inputs)["h"].tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize("name", ["gat", "gatv2"])
def test_4_attention_without_in_edges_leaves_the_bias(name: str, run: Runner) -> None:
    where, program = graph([(0, 1), (2, 1)], 3), LAYERS[name]
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    torch.testing.assert_close(out[[0, 2]], inputs["b"].expand(2, 4))
    assert finite(gradients(out, inputs))


def test_5_monet_over_a_block_with_a_destination_without_edges(run: Runner) -> None:
    where = graph([(4, 0), (3, 0), (2, 1)], 5, 3)
    program = layer("monet", True, out=2, kernels=2, dim=2)
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    torch.testing.assert_close(out[2], inputs["dst:h"][2] @ inputs["residual"] + inputs["b"])
    assert finite(gradients(out, inputs))


def test_6_edge_convolution_of_one_isolated_vertex_is_zero_each_time(run: Runner) -> None:
    where, program = graph([], 1), LAYERS["edgeconv"]
    inputs = inputs_of(program, where)
    outs = [run(program, where, inputs)["out"] for _ in range(2)]
    assert [out.tolist() for out in outs] == [[[0, 0]]] * 2
    assert not any(g.any() for g in gradients(outs[1], inputs).values())


def test_7_the_maximum_of_negatives_is_negative(run: Runner) -> None:
    where, program = graph([(0, 1), (2, 1)], 3), body("return max(nb.h for nb in v.innbs)")
    inputs = inputs_of(program, where, {"h": torch.tensor([[-3.0, -1], [9, 9], [-2, -2]])})
    out = run(program, where, inputs)["out"]
    assert out[1].tolist() == [-2, -1]
    assert gradients(out, inputs)["h"].tolist() == [[0, 1], [0, 0], [1, 0]]


def test_8_empty_rows_between_full_rows(run: Runner) -> None:
    where = graph([(0, 1), (2, 1), (1, 3), (3, 3)], 5)
    program = body("return max(nb.h for nb in v.innbs) - min(nb.h for nb in v.innbs)")
    h = torch.tensor([[-5.0, 1], [2, -2], [-6, 3], [4, -4], [7, 7]])
    inputs = inputs_of(program, where, {"h": h})
    out = run(program, where, inputs)["out"]
    assert out.tolist() == [[0, 0], [1, 2], [0, 0], [2, 2], [0, 0]]
    assert gradients(out, inputs)["h"].tolist() == [[1, -1], [-1, 1], [-1, 1], [1, -1], [0, 0]]


def test_10_and_12_trailing_vertices_keep_their_rows_and_the_last_one_its_value(run: Runner) -> None:
    program = body("return v.h + sum(nb.h for nb in v.innbs)")
    where = graph([(0, 1), (1, 2), (2, 3), (3, 0)], 5)
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    assert torch.equal(out[4], inputs["h"][4])
    assert gradients(out, inputs)["h"].tolist() == [[2, 2]] * 4 + [[1, 1]]
    last = graph([(0, 4), (1, 4)], 5)
    out = run(program, last, inputs)["out"]
    torch.testing.assert_close(out[4], inputs["h"][[4, 0, 1]].sum(0))
    assert gradients(out, inputs)["h"].tolist() == [[2, 2]] * 2 + [[1, 1]] * 3


@pytest.mark.parametrize("reduce", ["sum", "mean", "max"])
def test_11_a_readout_has_a_row_for_graphs_without_vertices(reduce: str, run: Runner) -> None:
    where = graph([(0, 0), (1, 0), (2, 0), (3, 2), (4, 2)], 5, 4)
    program = layer("readout", True, reduce=reduce)
    inputs = inputs_of(program, where)
    out = run(program, where, inputs)["out"]
    assert out.shape == (4, 3)
    assert not out[[1, 3]].any()
    assert finite(gradients(out, inputs))
