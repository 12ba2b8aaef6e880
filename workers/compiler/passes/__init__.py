"""Passes: program in, program out, one deed a file; `PIPELINE` is their order.

Every pass is pure, and its result is verified. `differentiate` stands where the gradients are asked for: after the
program has been brought into its shortest form, before means and softmax are written out.
"""

from __future__ import annotations

from workers.compiler.passes.differentiate import Joint, differentiate
from workers.compiler.passes.pipeline import PIPELINE, Pass, Stage, compile_joint, run_pipeline

__all__ = ["PIPELINE", "Joint", "Pass", "Stage", "compile_joint", "differentiate", "run_pipeline"]
