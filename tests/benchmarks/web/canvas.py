"""The model editor at 500 and at 1,000 layers: opening, dragging, panning, undoing, typing, laying out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from playwright.sync_api import CDPSession, Page

from tests.benchmarks.web.budgets import Figures, percentile
from tests.benchmarks.web.documents import long_program
from tests.benchmarks.web.site import Site

ON_CANVAS = "() => document.querySelectorAll('.react-flow__node').length"
MOVES = 60
MB = 2**20


def round_500(site: Site) -> Figures:
    """One opening of a model of 500 layers and what is done with it, all in view and then near."""
    with site.page() as page:
        found: Figures = {"open 500": open_model(page, site, site.model(500, 700, 16))}
        x, y = layer_at(page)
        found["drag 500"], found["paint 500"] = drag(page, x, y)
        found["undo 500"] = undo(page)
        found["pan 500"], _ = drag(page, *empty_place(page))
        found |= laid_out(page)
        found |= near(page)
    return found | {"lineage": lineage(site)}


def lineage(site: Site) -> float:
    """Milliseconds from the key that opens a program of 200 values to its drawing."""
    with site.page() as page:
        open_model(page, site, site.store("long", long_program(200)))
        page.locator('[data-id="long"] .layer-head').click()
        page.get_by_role("button", name="Open the program").wait_for()
        drawn = """() => new Promise((resolve) => {
            const from = performance.now();
            const shown = () => requestAnimationFrame(() => resolve(performance.now() - from));
            const look = () => (document.querySelector('.vertex-node') ? shown() : setTimeout(look, 5));
            document.querySelector('.open-program').click();
            look();
        })"""
        return float(page.evaluate(drawn))


def round_1000(site: Site) -> Figures:
    with site.page() as page:
        found: Figures = {"open 1000": open_model(page, site, site.model(1000, 1400, 24))}
        found["drag 1000"] = 1000 / mean_frame(page, *layer_at(page))
        found["pan 1000"] = 1000 / mean_frame(page, *empty_place(page))
        cdp = page.context.new_cdp_session(page)
        found["heap 1000"] = heap(cdp) / MB
        found["dom 1000"] = page.evaluate("() => document.querySelectorAll('*').length")
    return found


def open_model(page: Page, site: Site, path: str) -> float:
    """Milliseconds from the address to a canvas that answers."""
    page.goto(f"{site.stack.url}{path}", wait_until="commit")
    ready = "() => window.__probe.settled(() => document.querySelectorAll('.react-flow__node .layer').length > 0)"
    return float(page.evaluate(ready))


def layer_at(page: Page) -> tuple[float, float]:
    """A point on a layer near the middle of the canvas."""
    found: list[float] = page.evaluate(
        """() => {
            const box = document.querySelector('.canvas').getBoundingClientRect();
            const [cx, cy] = [box.left + box.width / 2, box.top + box.height / 2];
            const at = [...document.querySelectorAll('.react-flow__node')]
                .map((node) => node.getBoundingClientRect())
                .map((r) => [r.left + r.width / 2, r.top + Math.min(r.height / 2, 14)])
                .filter(([x, y]) => document.elementFromPoint(x, y)?.closest('.react-flow__node'));
            const far = ([x, y]) => Math.hypot(x - cx, y - cy);
            return at.sort((a, b) => far(a) - far(b))[0];
        }"""
    )
    return found[0], found[1]


def empty_place(page: Page) -> tuple[float, float]:
    """A point of the canvas with nothing on it."""
    found: list[float] = page.evaluate(
        """() => {
            const box = document.querySelector('.canvas').getBoundingClientRect();
            for (let y = box.top + 60; y < box.bottom - 60; y += 7)
                for (let x = box.left + 240; x < box.right - 240; x += 11)
                    if (document.elementFromPoint(x, y)?.classList.contains('react-flow__pane')) return [x, y];
        }"""
    )
    return found[0], found[1]


@contextmanager
def filmed(page: Page) -> Iterator[None]:
    page.evaluate(
        "() => { window.__stop = window.__probe.film(); window.__still = window.__probe.follow('pointermove'); }"
    )
    yield
    page.evaluate("() => { window.__stop(); window.__still(); }")


def drag(page: Page, x: float, y: float) -> tuple[float, float]:
    """95th percentiles of the frames and of the time from pointer to picture while something is dragged."""
    with filmed(page):
        move(page, x, y)
    frames: list[float] = page.evaluate("() => window.__probe.frames")
    paints: list[float] = page.evaluate("() => window.__probe.paints")
    return percentile(frames, 0.95), percentile(paints, 0.95)


def mean_frame(page: Page, x: float, y: float) -> float:
    return mean_frame_while(page, lambda: move(page, x, y))


def mean_frame_while(page: Page, act: Callable[[], None]) -> float:
    """Mean time between pictures, in ms, while something is done."""
    with filmed(page):
        act()
    frames: list[float] = page.evaluate("() => window.__probe.frames")
    return sum(frames) / len(frames)


def move(page: Page, x: float, y: float) -> None:
    """Press, move in a circle at about 60 events a second, release."""
    page.mouse.move(x, y)
    page.mouse.down()
    for i in range(MOVES):
        page.mouse.move(x + 3 * min(i, MOVES - i), y + 2 * min(i, MOVES - i))
        page.wait_for_timeout(8)
    page.mouse.up()


def undo(page: Page) -> float:
    return median(after_keys(page, ["Control+z", "Control+y", "Control+z"]))


def after_keys(page: Page, keys: list[str]) -> list[float]:
    """Milliseconds from each key to the picture that follows it."""
    page.evaluate("() => { window.__still = window.__probe.follow('keydown'); }")
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(120)
    page.evaluate("() => window.__still()")
    times: list[float] = page.evaluate("() => window.__probe.paints")
    return times


def laid_out(page: Page) -> Figures:
    """Auto-layout from key to new places, and the longest task of the page meanwhile."""
    done = """() => new Promise((resolve) => {
        const from = performance.now();
        const button = () => document.querySelector('[aria-label^="Undo"]')?.getAttribute('aria-label') ?? '';
        const done = () => /arrange|lay|tidy/i.test(button());
        const look = () => (done() ? resolve(performance.now() - from) : setTimeout(look, 5));
        window.__probe.long = [];
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true }));
        look();
    })"""
    took = float(page.evaluate(done))
    page.wait_for_timeout(400)
    tasks: list[list[float]] = page.evaluate("() => window.__probe.long")
    return {"layout 500": took, "layout task 500": max((length for _, length in tasks), default=0)}


def near(page: Page) -> Figures:
    """The same near enough to read: drag, pan, type a width."""
    page.get_by_title("Zoom to 100 %").click()
    page.wait_for_timeout(500)
    found: Figures = {}
    found["near pan 500"], _ = drag(page, *empty_place(page))
    page.wait_for_timeout(300)
    x, y = layer_at(page)
    found["near drag 500"], _ = drag(page, x, y)
    gcn = page.locator('[data-id^="gcn_"] .layer-head').first
    gcn.click()
    field = page.get_by_label("Out features", exact=True)
    field.click()
    found["key 500"] = percentile(after_keys(page, ["End", "Backspace", "2", "Backspace", "8", "Backspace", "4"]), 0.95)
    return found


def heap(cdp: CDPSession) -> float:
    """Bytes of JavaScript's heap that are in use after a collection."""
    cdp.send("HeapProfiler.enable")
    cdp.send("HeapProfiler.collectGarbage")
    return float(cdp.send("Runtime.getHeapUsage")["usedSize"])
