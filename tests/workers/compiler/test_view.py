"""What a page shows of a program: every pass, every kernel, or every problem; all without torch."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.workers.compiler.programs import PROGRAMS, ZOO, written
from workers.compiler.passes.pipeline import SWITCHES
from workers.compiler.text import parse_ir
from workers.compiler.view import compile_view

GAT = PROGRAMS["gat"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_shows_its_passes_and_kernels(name: str) -> None:
    view = compile_view(PROGRAMS[name].text, PROGRAMS[name].bindings)
    assert view.problems == ()
    assert parse_ir(view.before).name in view.before
    assert parse_ir(view.stages[-1].ir) == parse_ir(view.after)
    assert {k.direction for k in view.kernels} == {"forward", "backward"}
    assert all("asterism_kernel" in k.source and "@triton.jit" in k.triton for k in view.kernels if k.side != "dense")
    assert all(k.fused_from for k in view.kernels)


def test_a_stage_says_whether_it_changed_anything() -> None:
    stages = {s.name: s for s in compile_view(GAT.text, GAT.bindings).stages}
    assert stages["differentiate"].changed
    assert stages["lower_softmax"].changed
    assert not stages["lower_means"].changed


def test_a_kernel_points_at_the_lines_it_was_made_of() -> None:
    view = compile_view(written("v.z = v.h @ W\nreturn sum(nb.z for nb in v.innbs)"), {})
    (walk,) = [k for k in view.kernels if k.direction == "forward" and k.side == "dst"]
    assert walk.lines == (3,)
    assert "sum_edges" in walk.fused_from


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switched_off_pass_is_no_stage(switch: str) -> None:
    view = compile_view(GAT.text, GAT.bindings, {switch})
    assert switch not in [s.name for s in view.stages]
    assert view.kernels


def test_without_fusion_there_are_more_kernels() -> None:
    fused, apart = (compile_view(GAT.text, GAT.bindings, off) for off in ((), ("fuse",)))
    assert len(apart.kernels) > 2 * len(fused.kernels)


def test_problems_are_shown_with_the_signature_that_could_be_read() -> None:
    view = compile_view(written("return v.g"), {}, pointer="/source")
    assert view.signature is not None
    assert [p.message for p in view.problems] == ["vertices have no feature 'g'"]
    assert (view.before, view.stages, view.kernels) == ("", (), ())
    assert compile_view("x", {}).signature is None


def test_the_view_needs_no_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from workers.compiler.view import compile_view\n"
        f"text = open({str(ZOO / 'gcn.py')!r}).read()\n"
        "print(len(compile_view(text, {'in': 4, 'out': 2}).kernels))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1
