"""`python -m tests.benchmarks speed | accuracy`: every figure the project quotes comes from here."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys

from tests.benchmarks import accuracy, speed
from tests.benchmarks.workloads import WORKLOADS


def _speed(args: argparse.Namespace) -> None:
    models = (args.model,) if args.model else speed.MODELS
    systems = tuple(args.systems.split(",")) if args.systems else speed.SYSTEMS
    rows = speed.compare(models, args.workload, systems, args.repeats, args.epochs)
    _print([dataclasses.asdict(r) for r in rows] if args.json else speed.table(rows))


def _accuracy(args: argparse.Namespace) -> None:
    datasets = (args.dataset,) if args.dataset else tuple(accuracy.DATASETS)
    models = (args.model,) if args.model else accuracy.MODELS
    rows = accuracy.measure(datasets, models, args.seeds)
    _print([dataclasses.asdict(r) for r in rows] if args.json else accuracy.table(rows))
    if any(r.short for r in rows):
        raise SystemExit(1)


def _print(value: object) -> None:
    sys.stdout.write((value if isinstance(value, str) else json.dumps(value)) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True, help="speed where none is given")
    fast = commands.add_parser("speed", help="epoch time and memory against DGL and PyG")
    fast.add_argument("--model", choices=(*speed.MODELS, "gcn"))
    fast.add_argument("--workload", choices=list(WORKLOADS), default="skewed-50k")
    fast.add_argument("--systems", help="comma-separated; all by default")
    fast.add_argument("--repeats", type=int, default=3)
    fast.add_argument("--epochs", type=int, default=7)
    fast.set_defaults(run=_speed)
    right = commands.add_parser("accuracy", help="test accuracy of the templates on real graphs, through the REST API")
    right.add_argument("--dataset", choices=list(accuracy.DATASETS))
    right.add_argument("--model", choices=accuracy.MODELS)
    right.add_argument("--seeds", type=int, default=5)
    right.set_defaults(run=_accuracy)
    for command in (fast, right):
        command.add_argument("--json", action="store_true", help="machine-readable")
    args = parser.parse_args(sys.argv[1:] or ["speed"])
    args.run(args)


if __name__ == "__main__":
    main()
