"""The pipeline's results for the zoo's layers are those on file."""

from __future__ import annotations

import pytest

from tests.workers.compiler.golden import NAMES, final_ir, path


@pytest.mark.parametrize("name", NAMES)
def test_the_final_ir_is_the_one_on_file(name: str) -> None:
    assert final_ir(name) == path(name).read_text(), "if meant: python -m tests.workers.compiler.golden"
