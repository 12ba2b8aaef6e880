"""`make bench-web`: the budgets of the pages, each measured so many times in Chromium on the real server."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence

from tests.benchmarks.web import bundles, canvas, jobs, model, runs, vitals
from tests.benchmarks.web.budgets import GROUPS, Figures, Row, rows, table
from tests.benchmarks.web.site import Site, site

ROUNDS: dict[str, Callable[[Site], Figures]] = {
    "vitals": vitals.round_,
    "model": model.round_,
    "editor": canvas.round_500,
    "large": canvas.round_1000,
    "job": jobs.round_,
    "runs": runs.round_,
    "logs": jobs.logs_round,
}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.web", description=__doc__)
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}; all by default")
    parser.add_argument("--rounds", type=int, default=5, help="each figure is the median of so many")
    parser.add_argument("--json", action="store_true", help="machine-readable, one object a line")
    args = parser.parse_args(argv)
    found = rows(measure(args.groups or GROUPS, args.rounds))
    text = "\n".join(json.dumps(row.record()) for row in found) if args.json else f"{machine()}\n\n{summary(found)}"
    sys.stdout.write(text + "\n")
    raise SystemExit(not all(row.met for row in found))


def measure(groups: Sequence[str], rounds: int) -> Iterator[Figures]:
    """Figures round by round; one more is made first and thrown away, since the first start of everything is slow."""
    if "bundles" in groups:
        yield bundles.round_()
    wanted = [ROUNDS[group] for group in GROUPS if group in groups and group in ROUNDS]
    if not wanted:
        return
    with site() as place:
        for measured in wanted:
            measured(place)
            for _ in range(rounds):
                yield measured(place)


def summary(found: Sequence[Row]) -> str:
    missed = [row.budget.measure for row in found if not row.met]
    return f"{table(found)}\n\n{len(found) - len(missed)} of {len(found)} met" + (
        f"; missed: {missed}" if missed else ""
    )


def machine() -> str:
    return f"{os.cpu_count()} CPUs ({platform.machine()}), headless Chromium, everything on one machine"


if __name__ == "__main__":
    main()
