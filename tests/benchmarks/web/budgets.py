"""What the pages may weigh and how long they may take; every row is measured by a module of this folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Budget:
    """One promise. `least` marks figures that must not be below the budget, as frames a second."""

    group: str
    measure: str
    limit: float
    unit: str
    least: bool = False

    def met(self, seen: float) -> bool:
        return seen >= self.limit if self.least else seen <= self.limit


@dataclass(frozen=True)
class Row:
    """A promise and what was seen: the median of the rounds."""

    budget: Budget
    seen: float
    rounds: int

    @property
    def met(self) -> bool:
        return self.budget.met(self.seen)

    def record(self) -> dict[str, object]:
        b = self.budget
        return {
            "group": b.group, "measure": b.measure, "budget": b.limit, "unit": b.unit, "least": b.least,
            "seen": round(self.seen, 4), "rounds": self.rounds, "met": self.met,
        }  # fmt: skip


# Two pictures of a screen that shows 60 a second: what the budget of 33 ms means.
TWO_FRAMES_MS = 33.4
PAGES = ("Home", "Jobs", "Editor")
BUDGETS: dict[str, Budget] = {
    "first load js": Budget("bundles", "first load, JavaScript", 240, "KiB gzip"),
    "css": Budget("bundles", "first load, CSS", 45, "KiB gzip"),
    "fonts": Budget("bundles", "fonts", 110, "KiB"),
    "editor route": Budget("bundles", "editor route, on top", 90, "KiB gzip"),
    "code pane": Budget("bundles", "code pane, on top, lazy", 155, "KiB gzip"),
    "job route": Budget("bundles", "job route, on top", 60, "KiB gzip"),
    "workers": Budget("bundles", "workers", 25, "KiB gzip"),
    "one chunk": Budget("bundles", "largest chunk", 240, "KiB gzip"),
    "all js": Budget("bundles", "all JavaScript of ours", 650, "KiB gzip"),
    "speedscope": Budget("bundles", "speedscope, lazy", 210, "KiB gzip"),
    **{f"lcp {p}": Budget("vitals", f"{p}: largest paint", 1500, "ms") for p in PAGES},
    **{f"slow lcp {p}": Budget("vitals", f"{p}: largest paint, CPU 4x slower", 2500, "ms") for p in PAGES},
    **{f"cls {p}": Budget("vitals", f"{p}: layout shift", 0.05, "") for p in PAGES},
    "inp": Budget("vitals", "interaction to next paint, p75", 150, "ms"),
    "long": Budget("vitals", "longest task after load", 200, "ms"),
    "judge": Budget("model", "500 layers: check of a hovered port, slowest", 5, "ms"),
    "pick up": Budget("model", "500 layers: picking up a wire", 5, "ms"),
    "shapes": Budget("model", "500 layers: shapes of all wires in the browser", 30, "ms"),
    "validate": Budget("model", "500 layers: validation by the server, p95", 300, "ms"),
    "open 500": Budget("editor", "500 layers, 700 wires: open to interactive", 1500, "ms"),
    "drag 500": Budget("editor", "500 layers: frame while dragging, p95", TWO_FRAMES_MS, "ms"),
    "pan 500": Budget("editor", "500 layers: frame while panning, p95", TWO_FRAMES_MS, "ms"),
    "paint 500": Budget("editor", "500 layers: pointer to paint, p95", 50, "ms"),
    "near drag 500": Budget("editor", "500 layers, zoomed in: frame while dragging, p95", TWO_FRAMES_MS, "ms"),
    "near pan 500": Budget("editor", "500 layers, zoomed in: frame while panning, p95", TWO_FRAMES_MS, "ms"),
    "undo 500": Budget("editor", "500 layers: undo to paint", 100, "ms"),
    "key 500": Budget("editor", "500 layers: keystroke in a field to paint, p95", 50, "ms"),
    "lineage": Budget("editor", "a program of 200 values: open to drawn (D11)", 1000, "ms"),
    "layout 500": Budget("editor", "500 layers: auto-layout", 1000, "ms"),
    "layout task 500": Budget("editor", "500 layers: longest task while laying out", 50, "ms"),
    "open 1000": Budget("large", "1,000 layers: open to interactive", 3000, "ms"),
    "pan 1000": Budget("large", "1,000 layers: frames a second while panning", 24, "fps", least=True),
    "drag 1000": Budget("large", "1,000 layers: frames a second while dragging", 24, "fps", least=True),
    "heap 1000": Budget("large", "1,000 layers: heap", 250, "MB"),
    "dom 1000": Budget("large", "1,000 layers: elements", 20_000, ""),
    "charts": Budget("job", "20 charts x 10,000 points: first paint", 1000, "ms"),
    "rate": Budget("job", "live chart: paints a second", 4, "Hz"),
    "busy": Budget("job", "live job page, 10 points/s: main thread", 10, "%"),
    "list": Budget("runs", "1,000 runs of 200 series: list (D5)", 1000, "ms"),
    "compare": Budget("runs", "100 of them compared: first curves (D5)", 2000, "ms"),
    "lag": Budget("runs", "from the worker to the pixel, p95 (D1)", 1000, "ms"),
    "log scroll": Budget("logs", "100,000 lines: frames a second while scrolling", 30, "fps", least=True),
    "log heap": Budget("logs", "100,000 lines: heap", 100, "MB"),
    "log search": Budget("logs", "100,000 lines: search to paint", 150, "ms"),
}
GROUPS = tuple(dict.fromkeys(budget.group for budget in BUDGETS.values()))

Figures = dict[str, float]
"""What one round saw, by the keys of BUDGETS."""


def rows(rounds: Iterable[Figures]) -> list[Row]:
    """The median of every figure over the rounds that have it, in the order of the table."""
    found: dict[str, list[float]] = {}
    for figures in rounds:
        for key, value in figures.items():
            found.setdefault(key, []).append(value)
    return [Row(BUDGETS[key], median(found[key]), len(found[key])) for key in BUDGETS if key in found]


def table(found: Iterable[Row]) -> str:
    lines = ["| measure | budget | seen | |", "|---|---|---|---|"]
    for row in found:
        b = row.budget
        sign = "≥" if b.least else "≤"
        word = "met" if row.met else "**missed**"
        lines.append(f"| {b.measure} | {sign} {_plain(b.limit)} {b.unit} | {_plain(row.seen)} | {word} |")
    return "\n".join(lines)


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def percentile(values: Iterable[float], share: float) -> float:
    """The value that `share` of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
