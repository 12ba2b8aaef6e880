"""What axe-core finds on a page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.servers.databases import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
COLOURS: dict[str, Any] = {"runOnly": ["color-contrast"]}
"""What another theme can change."""


def serious(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """What axe finds serious or worse, with the place; `options` are axe's own."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm ci in frontend)")
    # Evaluated, not added as a script: the pages' policy allows no inline scripts.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate("async (options) => (await axe.run(options)).violations", options or {})
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0]['failureSummary'][:200]}"
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
