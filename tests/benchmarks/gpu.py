"""On a GPU: Triton's kernels against float64 on the CPU, then an epoch's time and peak memory against PyG's.

1. On a small graph, logits and every gradient against the reference interpreter in float64 on the same weights.
2. On 200,000 vertices and 4 million edges, warm epochs (forward, loss, backward, Adam) of both, one after the other.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.benchmarks import ours, peers
from tests.benchmarks.workloads import WORKLOADS, Workload, skewed

MODELS = ("gat", "gatv2", "gcn", "edgegate")
NO_GPU = "No GPU: torch sees no CUDA device here, so nothing was measured."
WARM_UP = 3


@dataclass(frozen=True)
class Row:
    """One model. Errors are the largest difference as a share of the largest number, of logits and of gradients."""

    model: str
    logits_error: float
    gradients_error: float
    epoch_ms: float
    peak_mb: float
    pyg_epoch_ms: float
    pyg_peak_mb: float


SYSTEMS = f"{'':10}{'':10}{'':11}{'ours':>10}{'PyG':>9}{'ratio':>7}{'ours':>10}{'PyG':>9}{'ratio':>7}"
HEAD = f"{'model':10}{'error':>10}{'gradients':>11}{'epoch ms':>10}{'':16}{'peak MB':>10}\n{SYSTEMS}"


def line(row: Row) -> str:
    """One model in the table under `HEAD`; ratios are PyG's figure over ours."""
    time_ratio, memory_ratio = row.pyg_epoch_ms / row.epoch_ms, row.pyg_peak_mb / row.peak_mb
    return (
        f"{row.model:10}{row.logits_error:10.1e}{row.gradients_error:11.1e}"
        f"{row.epoch_ms:10.2f}{row.pyg_epoch_ms:9.2f}{time_ratio:7.2f}"
        f"{row.peak_mb:10.0f}{row.pyg_peak_mb:9.0f}{memory_ratio:7.2f}"
    )


def machine() -> str:
    return f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}"


def measure(epochs: int) -> Iterator[Row]:
    """Every model in turn; nothing where there is no GPU."""
    if not torch.cuda.is_available():
        return
    device = torch.device("cuda")
    small, large = skewed("check", 5_000, 100_000), WORKLOADS["skewed-200k"]()
    for model in MODELS:
        errors = differences(model, small, device)
        x = torch.from_numpy(large.x).to(device)
        mine = _timed(ours.network(model, large, x), x, large, epochs)
        theirs = _timed(peers.pyg(model, large, device).to(device), x, large, epochs)
        yield Row(model, *errors, *mine, *theirs)


def differences(model: str, w: Workload, device: torch.device) -> tuple[float, float]:
    """Of logits and of all gradients from the reference interpreter's in float64 on the same weights."""
    torch.manual_seed(0)
    x = torch.from_numpy(w.x).to(device)
    net = ours.network(model, w, x)
    exact = ours.reference(net, w)
    found, expected = (_learnt(n, v, w) for n, v in ((net, x), (exact, torch.from_numpy(w.x).double())))
    logits, gradients = (_apart(a, b) for a, b in zip(found, expected, strict=True))
    return logits, gradients


def _learnt(net: nn.Module, x: Tensor, w: Workload) -> tuple[list[Tensor], list[Tensor]]:
    """Logits, and the gradients of the loss by every parameter."""
    logits = net.eval()(x)
    functional.cross_entropy(logits, torch.from_numpy(w.y).to(x.device)).backward()
    return [logits.detach()], [p.grad for p in net.parameters() if p.grad is not None]


def _apart(found: list[Tensor], expected: list[Tensor]) -> float:
    pairs = zip(found, expected, strict=True)
    return max(float((a.double().cpu() - b).abs().max() / b.abs().max()) for a, b in pairs)


def _timed(net: nn.Module, x: Tensor, w: Workload, epochs: int) -> tuple[float, float]:
    """Median time of a warm epoch in ms, and the most memory in MB that it held beyond what was there before."""
    y, optimizer = torch.from_numpy(w.y).to(x.device), torch.optim.Adam(net.parameters(), 1e-2)
    before, times = 0, []
    for epoch in range(epochs + WARM_UP):
        if epoch == WARM_UP:
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
        torch.cuda.synchronize()
        started = time.perf_counter()
        optimizer.zero_grad()
        functional.cross_entropy(net(x), y).backward()
        optimizer.step()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - started))
    return statistics.median(times[WARM_UP:]), (torch.cuda.max_memory_allocated() - before) / 2**20
