"""Photograph every view, light and dark, at 1280 and 390 px, into the ignored `pictures/`: `make screenshots`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Error

import asterism
from tests.e2e.take_screenshot import installation
from tests.e2e.views import View, every_view, furnish, look_at, settle
from tests.servers.browser import chromium
from tests.servers.databases import ROOT
from tests.workers.toy import EXTRA_SYSTEMS

PICTURES = ROOT / "pictures"
STUDIED = ("fold_constants", "share_subexpressions", "save_or_recompute", "fuse", "split_concat_linears")
WIDTHS = {1280: 860, 390: 844}
SOON_MS = 120_000
TALLEST = 3000
# Pages scroll inside the shell, on a phone all in all: how high the window must be to show all of one.
HEIGHT = """() => {
    const main = document.querySelector('#main');
    const inside = main ? innerHeight + main.scrollHeight - main.clientHeight : 0;
    return Math.max(inside, document.documentElement.scrollHeight);
}"""


def photograph(browser: Browser, url: str, views: list[View], theme: str, width: int) -> None:
    """One picture a view, of the whole page but for the editor, which fills the window."""
    folder = PICTURES / f"{theme}-{width}"
    folder.mkdir(parents=True, exist_ok=True)
    phone = width < 640
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS[width]}, reduced_motion="reduce", has_touch=phone, is_mobile=phone,
        color_scheme="dark" if theme == "dark" else "light",
    )  # fmt: skip
    page = context.new_page()
    page.set_default_timeout(SOON_MS)
    for view in views:
        try:
            look_at(page, url, view)
        except (Error, AssertionError) as error:
            print(f"{view.name}: {str(error).splitlines()[0]}", flush=True)  # a control that this width does not have
        whole = page.evaluate(HEIGHT) if "/models/" not in view.path else 0
        page.set_viewport_size({"width": width, "height": min(max(WIDTHS[width], whole), TALLEST)})
        settle(page)
        page.screenshot(path=folder / f"{view.name}.png", timeout=SOON_MS)
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    context.close()
    print(f"{len(views)} pictures in {folder}", flush=True)


def main(wanted: list[str]) -> None:
    with (
        tempfile.TemporaryDirectory() as home,
        installation(Path(home), extra_systems=EXTRA_SYSTEMS) as stack,
        asterism.connect(stack.url) as a,
        chromium() as browser,
    ):
        views = [v for v in every_view(furnish(a, passes=STUDIED)) if not wanted or v.name in wanted]
        for theme in ("light", "dark"):
            for width in WIDTHS:
                photograph(browser, stack.url, views, theme, width)


if __name__ == "__main__":
    main(sys.argv[1:])
