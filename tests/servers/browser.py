"""Chromium, headless, driven by Playwright: the machine's own, never a downloaded one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.servers.databases import ROOT

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
# The address bar's list is a page of its own, made anew for each window: 0.6 s of a CPU while ours loads.
OFF = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
# Of several lists of features the browser takes the last, so what Playwright turns off is said again.
OFF_BY_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip


class NoBrowser(RuntimeError):
    """Pages cannot be looked at on this machine; the message says why."""


def find_chromium() -> str:
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        raise NoBrowser("Chromium is not installed (Debian's package: chromium)")
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        raise NoBrowser("the front end is not built (make install-test builds it)")
    return found


def flags() -> list[str]:
    """What the browser is started with."""
    found = [*FLAGS, f"--disable-features={','.join((*OFF_BY_PLAYWRIGHT, *OFF))}"]
    # Chromium's sandbox refuses to run as root.
    return [*found, "--no-sandbox"] if os.geteuid() == 0 else found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a browser; raises NoBrowser where there is none or nothing to show."""
    path = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        try:
            yield browser
        finally:
            browser.close()
