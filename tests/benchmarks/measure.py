"""One system, one model, one graph, in this process: prints one JSON line. Run by `gnn.py` in fresh processes."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tests.benchmarks.workloads import WORKLOADS

WARM_UP = 2


def timed_epochs(net: nn.Module, x: Any, y: torch.Tensor, epochs: int, *, one_pass: bool = False) -> dict[str, float]:
    """x: whatever form of features `net` takes; y: int64[N]. `one_pass`: Adam as our jobs run it.

    Median and least time of a warm epoch (forward, loss, backward, Adam), growth of the peak resident set, and the
    first epoch apart, which holds compilation and lazily built formats.
    """
    optimizer = torch.optim.Adam(net.parameters(), 1e-2, fused=one_pass)
    before, times, loss = peak_mb(), [], torch.zeros(())
    for _ in range(epochs + WARM_UP):
        started = time.perf_counter()
        optimizer.zero_grad()
        loss = functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        times.append(1e3 * (time.perf_counter() - started))
    warm = np.array(times[WARM_UP:])
    return {
        "epoch_ms": round(float(np.median(warm)), 2),
        "least_ms": round(float(warm.min()), 2),
        "first_ms": round(times[0], 1),
        "extra_mb": round(peak_mb() - before, 1),
        "loss": round(float(loss.detach()), 5),
    }


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system")
    parser.add_argument("model")
    parser.add_argument("workload", choices=list(WORKLOADS))
    parser.add_argument("--epochs", type=int, default=7)
    args = parser.parse_args()
    torch.manual_seed(0)
    workload = WORKLOADS[args.workload]()
    y = torch.from_numpy(workload.y)
    if args.system == "asterism":
        from tests.benchmarks import ours

        x = ours.features(workload)
        net = ours.network(args.model, workload, x)
        figures = timed_epochs(net, x, y, args.epochs) | {"error": ours.difference_from_reference(net, workload, x)}
    else:
        from tests.benchmarks.peers import PEERS

        peer = PEERS[args.system](args.model, workload)
        figures = timed_epochs(peer, torch.from_numpy(workload.x), y, args.epochs)
    sys.stdout.write(json.dumps({"system": args.system, "threads": torch.get_num_threads(), **figures}) + "\n")


if __name__ == "__main__":
    main()
