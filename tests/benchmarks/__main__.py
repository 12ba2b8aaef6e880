"""`python -m tests.benchmarks NAME`: figures, by what is measured. NAME: gnn, hetero, spread, tensoropt, … (--help)."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys

from tests.benchmarks import (
    accuracy,
    floor,
    gnn,
    gpu,
    guards,
    hetero,
    kernels,
    passes,
    relations,
    spread,
    tensoropt,
    trials,
)
from tests.benchmarks.workloads import WORKLOADS


def _gnn(args: argparse.Namespace) -> None:
    models = (args.model,) if args.model else gnn.MODELS
    found = gnn.compare(models, (args.workload,), tuple(args.peers.split(",")), args.rounds, args.epochs)
    if not args.json:
        _print(f"{gnn.machine()}\n{gnn.HEAD}")
    wrong = False
    for comparison in found:
        _print(json.dumps(comparison.record()) if args.json else "\n".join(gnn.lines(comparison)))
        wrong |= not comparison.correct
    raise SystemExit(wrong)


def _hetero(args: argparse.Namespace) -> None:
    models = (args.model,) if args.model else hetero.MODELS
    graphs = (args.workload,) if args.workload else hetero.WORKLOADS
    bench, peers = hetero.folder(args.bench), tuple(p for p in args.peers.split(",") if p)
    if not args.json:
        _print(f"{gnn.machine()}\n{gnn.HEAD}")
    wrong = False
    for comparison in hetero.compare(
        bench, models, graphs, peers, args.rounds, args.epochs, args.seconds, args.memory, args.whole
    ):
        _print(json.dumps(comparison.record()) if args.json else "\n".join(gnn.lines(comparison)))
        wrong |= not comparison.correct
    raise SystemExit(wrong)


def _relations(args: argparse.Namespace) -> None:
    rows = [
        row for model in relations.MODELS for row in relations.measure(hetero.folder(args.bench), model, args.epochs)
    ]
    _print("\n".join(json.dumps(dataclasses.asdict(r)) if args.json else relations.line(r) for r in rows))


def _floor(args: argparse.Namespace) -> None:
    rows = floor.measure(floor.limit_source(args.limit), args.workload, args.rounds)
    _print("\n".join(json.dumps(dataclasses.asdict(r)) for r in rows) if args.json else floor.table(rows))


def _guards(args: argparse.Namespace) -> None:
    found = list(guards.measure(args.rounds))
    rows = [json.dumps(dataclasses.asdict(g)) for g in found] if args.json else [guards.HEAD, *map(guards.line, found)]
    _print("\n".join(rows))
    raise SystemExit(not all(g.met for g in found))


def _kernels(args: argparse.Namespace) -> None:
    if not args.json:
        _print(f"{gnn.machine()}\n{kernels.HEAD}")
    for model in (args.model,) if args.model else gnn.MODELS:
        machine, rows = kernels.measure(model, args.workload, args.epochs)
        records = [json.dumps(dataclasses.asdict(r)) for r in rows]
        _print("\n".join(records if args.json else kernels.lines(machine, rows)))


def _passes(args: argparse.Namespace) -> None:
    models = (args.model,) if args.model else ("gat", "gcn")
    if not args.json:
        _print(f"{gnn.machine()}\n{args.workload}\n{passes.HEAD}")
    first, same = None, True
    for row in passes.compare(models, args.workload, args.rounds, args.epochs):
        first = row if first is None or first.model != row.model else first
        _print(json.dumps(dataclasses.asdict(row)) if args.json else passes.line(row, first))
        same &= row.same
    raise SystemExit(not same)


def _gpu(args: argparse.Namespace) -> None:
    rows = list(gpu.measure(args.epochs))
    if not rows:
        _print(json.dumps({"gpu": None}) if args.json else gpu.NO_GPU)
        return
    shown = (
        [json.dumps(dataclasses.asdict(r)) for r in rows]
        if args.json
        else [gpu.machine(), gpu.HEAD, *map(gpu.line, rows)]
    )
    _print("\n".join(shown))


def _tensoropt(args: argparse.Namespace) -> None:
    for name in args.only:
        head, rows = tensoropt.PARTS[name]
        if not args.json:
            _print(head)
        for row in rows():
            _print(json.dumps(dataclasses.asdict(row)) if args.json else row.line())


def _parts(given: str) -> tuple[str, ...]:
    names = tuple(given.split(","))
    if unknown := [name for name in names if name not in tensoropt.PARTS]:
        raise argparse.ArgumentTypeError(f"there is no {', '.join(unknown)}; parts: {', '.join(tensoropt.PARTS)}")
    return names


def _spread(args: argparse.Namespace) -> None:
    if not args.json:
        _print(f"{gnn.machine()}\n{spread.HEAD}")
    correct = True
    for row in spread.measure((args.model,) if args.model else tuple(spread.SIZES), args.steps):
        _print(json.dumps(dataclasses.asdict(row)) if args.json else spread.line(row))
        correct &= row.correct
    raise SystemExit(not correct)


def _accuracy(args: argparse.Namespace) -> None:
    datasets = (args.dataset,) if args.dataset else tuple(trials.DATASETS)
    models = (args.model,) if args.model else trials.MODELS
    rows = accuracy.measure(datasets, models, args.seeds)
    _print(json.dumps([dataclasses.asdict(r) for r in rows]) if args.json else accuracy.table(rows))
    if any(r.short for r in rows):
        raise SystemExit(1)


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _hetero_arguments(mixed: argparse.ArgumentParser) -> None:
    mixed.add_argument("--bench", help="folder of workloads.py and peers_hetero.py; ASTERISM_BENCH where not given")
    mixed.add_argument("--model", choices=hetero.MODELS, help="all by default")
    mixed.add_argument("--workload", choices=hetero.WORKLOADS, help="all by default")
    mixed.add_argument(
        "--peers",
        default=",".join(hetero.PEERS),
        help="comma-separated, or 'fastest': those that were when all were last run",
    )
    mixed.add_argument("--seconds", type=float, default=float("inf"), help="of a model on a graph, then no more rounds")
    mixed.add_argument("--rounds", type=int, default=5)
    mixed.add_argument("--epochs", type=int, default=5)
    mixed.set_defaults(run=_hetero)
    mixed.add_argument("--memory", choices=("min", "balanced", "speed"), default="balanced", help="what we may keep")
    mixed.add_argument("--whole", action="store_true", help="our layers see the whole graph, not what scores depend on")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True, help="gnn where none is given")
    fast = commands.add_parser("gnn", help="epoch time and memory against DGL and PyG")
    fast.add_argument("--model", choices=gnn.MODELS, help="all by default")
    fast.add_argument("--workload", choices=list(WORKLOADS), default="skewed-50k")
    fast.add_argument("--peers", default="dgl,pyg,pyg-compile", help="comma-separated")
    fast.add_argument("--rounds", type=int, default=5)
    fast.add_argument("--epochs", type=int, default=7)
    fast.set_defaults(run=_gnn)
    _hetero_arguments(commands.add_parser("hetero", help="graphs of several relations against DGL and PyG"))
    growth = commands.add_parser("relations", help="epochs with 10 to 1,000 relations over the same number of edges")
    growth.add_argument("--bench", help="folder of workloads.py; ASTERISM_BENCH where not given")
    growth.add_argument("--epochs", type=int, default=7)
    growth.set_defaults(run=_relations)
    planned = commands.add_parser("tensoropt", help="planning times, and the best under a cap against what people pick")
    every = ",".join(tensoropt.PARTS)
    planned.add_argument("--only", metavar="PART[,PART]", type=_parts, default=_parts(every), help=f"of {every}")
    planned.set_defaults(run=_tensoropt)
    ranks = commands.add_parser("spread", help="strategies known by name, trained on two processes")
    ranks.add_argument("--model", choices=list(spread.SIZES), help="all by default")
    ranks.add_argument("--steps", type=int, default=22)
    ranks.set_defaults(run=_spread)
    hand = commands.add_parser("floor", help="generated aggregation kernels beside hand-written ones")
    hand.add_argument("--limit", help="C++ source of the hand-written kernels; ASTERISM_LIMIT where it is not given")
    hand.add_argument("--workload", choices=list(WORKLOADS), default="skewed-50k")
    hand.add_argument("--rounds", type=int, default=15)
    hand.set_defaults(run=_floor)
    bounds = commands.add_parser("guards", help="edge weights, threads and tiny graphs beside their bounds")
    bounds.add_argument("--rounds", type=int, default=9)
    bounds.set_defaults(run=_guards)
    steps = commands.add_parser("kernels", help="bytes, operations, bandwidth and floor of every kernel of an epoch")
    steps.add_argument("--model", choices=gnn.MODELS, help="all by default")
    steps.add_argument("--workload", choices=list(WORKLOADS), default="skewed-50k")
    steps.add_argument("--epochs", type=int, default=7)
    steps.set_defaults(run=_kernels)
    each = commands.add_parser("passes", help="time, memory and launches with passes of the compiler off")
    each.add_argument("--model", choices=passes.MODELS, help="gat and gcn by default")
    each.add_argument("--workload", choices=list(WORKLOADS), default="skewed-50k")
    each.add_argument("--rounds", type=int, default=1)
    each.add_argument("--epochs", type=int, default=7)
    each.set_defaults(run=_passes)
    right = commands.add_parser("accuracy", help="test scores of the templates on real graphs, through the REST API")
    right.add_argument("--dataset", choices=list(trials.DATASETS))
    right.add_argument("--model", choices=trials.MODELS)
    right.add_argument("--seeds", type=int, default=5)
    right.set_defaults(run=_accuracy)
    card = commands.add_parser("gpu", help="Triton's kernels on a GPU: numbers, time and memory beside PyG")
    card.add_argument("--epochs", type=int, default=10)
    card.set_defaults(run=_gpu)
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="machine-readable, one object a line")
    args = parser.parse_args(sys.argv[1:] or ["gnn"])
    args.run(args)


if __name__ == "__main__":
    main()
