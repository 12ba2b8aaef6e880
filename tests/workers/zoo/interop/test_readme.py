"""The example of the README runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

README = Path(__file__).parents[4] / "workers" / "zoo" / "interop" / "README.md"


def test_the_first_example_trains() -> None:
    text = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)[0]
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(text, "README.md", "exec"), names)
    assert names["loss"].item() < 0.9
