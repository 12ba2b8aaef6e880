"""`make demo`: trains a template on a bundled graph in this process and prints accuracy, speed and the kernel table."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from workers.core.channel import MemoryChannel
from workers.datasets import bundled
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SeastarResult, SeastarSpec
from workers.systems.seastar.task_spec import LinkOutcome, Outcome
from workers.training.profile_spec import Profile
from workers.zoo.templates import TEMPLATES


class _Printing(MemoryChannel):
    """Remembers everything and prints the log as it comes."""

    def log(self, text: str, level: str = "info") -> None:
        super().log(text, level)
        sys.stdout.write(f"{level:8}{text}\n")
        sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--template", default="gat", choices=list(TEMPLATES))
    parser.add_argument("--dataset", help="a bundled dataset; the template's own by default")
    parser.add_argument("--epochs", type=int, help="the template's own number by default")
    args = parser.parse_args()
    template = TEMPLATES[args.template]
    name = args.dataset or template.dataset
    training = template.training | ({"epochs": args.epochs} if args.epochs else {})
    spec = SeastarSpec.model_validate(
        {"model": template.doc, "dataset": name, "task": template.task, "training": training}
    )
    channel = _Printing(datasets={name: bundled.load(name)})
    result = run(spec, channel)
    folder = Path(tempfile.mkdtemp(prefix="asterism-demo-"))
    for artifact, content in channel.artifacts.items():
        (folder / artifact).parent.mkdir(parents=True, exist_ok=True)
        (folder / artifact).write_bytes(content)
    sys.stdout.write(f"\n{summary(result)}\n\nCheckpoint, predictions and kernel sources: {folder}\n")


def summary(result: SeastarResult) -> str:
    """Accuracy, speed and the kernel table as text."""
    lines = [
        f"{_headline(result.outcome)}, best of {result.epochs_run} epochs at epoch {result.best_epoch}",
        f"epoch         {1e3 * result.epoch_s:.2f} ms, median",
        f"peak memory   {result.peak_memory_bytes / 2**20:.1f} MiB above the start",
        f"kernels       {result.kernels_built} built, {result.kernels_cached} from the cache, {result.compile_s:.2f} s",
    ]
    return "\n".join(lines + (kernel_table(result.profile) if result.profile else []))


def _headline(outcome: Outcome) -> str:
    if isinstance(outcome, LinkOutcome):
        return f"test AUC {outcome.test.auc:.4f}, hits@{outcome.hits_at} {outcome.test.hits:.4f}"
    return f"test accuracy {outcome.test.accuracy:.4f}"


def kernel_table(profile: Profile) -> list[str]:
    """One line a kernel, heaviest first, for one mean epoch."""
    head = (
        f"{'kernel':20}{'node':10}{'phase':10}{'calls':>6}{'ms':>9}{'MiB':>9}{'GB/s':>7}{'MFLOP':>8}{'floor ms':>10}"
        "  fused from"
    )
    rows = [
        f"{k.name:20}{k.node_id or '':10}{k.phase:10}{k.calls:6.1f}{1e3 * k.time_s:9.3f}{k.bytes / 2**20:9.2f}"
        f"{k.gb_per_s:7.1f}{k.operations / 1e6:8.2f}{1e3 * k.floor_s:10.4f}  {_shortened(k.fused_from)}"
        for k in profile.kernels
    ]
    measured = f"one epoch of {profile.epochs} measured: {1e3 * profile.epoch_s:.2f} ms on {profile.threads} threads"
    rates = f"memory copies at {profile.bandwidth_gb_per_s:.1f} GB/s, products run at {profile.gflop_per_s:.0f} GFLOP/s"
    return ["", measured, rates, "", head, *rows]


def _shortened(names: tuple[str, ...], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


if __name__ == "__main__":
    main()
