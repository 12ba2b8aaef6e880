"""The whole pipeline on whole layers: same values and gradients, whatever is switched off."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.workers.compiler.cases import CASES, leaf, program, random_inputs
from tests.workers.compiler.gradients import check_gradients
from tests.workers.compiler.graphs import SQUARE
from tests.workers.compiler.layers import LAYERS
from workers.compiler.counts import count
from workers.compiler.ir import Builder, Program
from workers.compiler.passes import PIPELINE, compile_joint, pipeline, run_pipeline
from workers.compiler.passes.pipeline import SWITCHES

EVERY_OP = [n for n in CASES if n != "sum_rows"]


def _piped(p: Program) -> Program:
    return run_pipeline(p)[-1].program


@pytest.mark.parametrize("name", EVERY_OP)
def test_gradients_of_every_op_survive_the_pipeline(name: str) -> None:
    p = program(name)
    for where in ("random", "no edges", "duplicates"):
        check_gradients(p, random_inputs(p, SQUARE[where]), SQUARE[where], _piped)


@pytest.mark.parametrize("where", SQUARE)
@pytest.mark.parametrize("layer", LAYERS)
def test_layers_survive_the_pipeline(layer: str, where: str) -> None:
    p = LAYERS[layer]
    check_gradients(p, random_inputs(p, SQUARE[where]), SQUARE[where], _piped)


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("layer", LAYERS)
def test_every_switch_may_be_off(layer: str, switch: str) -> None:
    p = LAYERS[layer]
    check_gradients(
        p, random_inputs(p, SQUARE["random"]), SQUARE["random"], lambda q: run_pipeline(q, {switch})[-1].program
    )


def test_an_unknown_switch_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="fold_constants"):
        run_pipeline(LAYERS["gat"], {"fold"})


def test_required_passes_cannot_be_switched_off() -> None:
    with pytest.raises(ValueError, match="lower_softmax"):
        run_pipeline(LAYERS["gat"], {"lower_softmax"})


def test_stages_name_the_passes_and_count_operations() -> None:
    p = LAYERS["gat"]
    joint, stages = compile_joint(p, ("h", "weight", "not used"))
    assert joint.wrt == ("h", "weight")
    assert [s.name for s in stages if s.name != "differentiate"] == [step.name for step in PIPELINE]
    assert stages[0].before == count(p)
    assert all(a.after == b.before for a, b in pairwise(stages))
    assert "edge_softmax" not in stages[-1].after.ops


def test_the_same_program_gives_the_same_stages() -> None:
    assert run_pipeline(LAYERS["gat"], wrt=("h",)) == run_pipeline(LAYERS["gat"], wrt=("h",))


def test_leaves_that_simplify_away_have_no_gradient() -> None:
    b = Builder("p")
    x, y, zero = leaf(b, "x", ()), leaf(b, "y", ()), b.add("constant", value=0.0)
    joint, _ = compile_joint(b.build({"out": b.add("where", zero, y, x)}), ("x", "y"))
    assert joint.wrt == ("x",)
    assert [name for name, _ in joint.program.outputs] == ["out", "grad:x"]


def test_leaves_behind_a_comparison_have_no_gradient() -> None:
    b = Builder("p")
    x, y = leaf(b, "x", ()), leaf(b, "s", (), "param")
    joint, _ = compile_joint(b.build({"out": b.add("mul", x, b.add("gt", x, y))}), ("x", "s"))
    assert joint.wrt == ("x",)


def test_every_pass_is_described_in_the_folders_readme() -> None:
    described = (Path(pipeline.__file__).parent / "README.md").read_text()
    missing = [n for n in (*(p.name for p in PIPELINE), *SWITCHES) if f"`{n}`" not in described]
    assert not missing
