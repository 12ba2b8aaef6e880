"""One model under one setting of the compiler, in this process: prints one JSON line. Run by `passes.py`."""

from __future__ import annotations

import json
import sys

import numpy as np
import torch
from torch.nn import functional

from tests.benchmarks import ours
from tests.benchmarks.measure import peak_mb, timed_epochs
from tests.benchmarks.workloads import WORKLOADS
from workers.compiler.runtime import profile


def main() -> None:
    request = json.loads(sys.argv[1])
    torch.manual_seed(0)
    workload = WORKLOADS[request["workload"]]()
    x, y = ours.features(workload), torch.from_numpy(workload.y)
    net = ours.network(request["model"], workload, x, passes_off=request["off"], memory=request["memory"])
    before = peak_mb()
    with profile.profiled() as record:
        logits = net(x)
        functional.cross_entropy(logits, y).backward()
    gradients = torch.cat([p.grad.flatten() for p in net.parameters() if p.grad is not None])
    np.savez(request["numbers"], logits=logits.detach().numpy(), gradients=gradients.numpy())
    del logits
    figures = timed_epochs(net, x, y, request["epochs"])
    figures["extra_mb"] = round(peak_mb() - before, 1)
    launches = sum(step.calls for step in record.steps.values())
    kept = sum(record.saved_bytes.values()) / 1e6
    sys.stdout.write(json.dumps({**figures, "launches": launches, "kept_mb": round(kept, 2)}) + "\n")


if __name__ == "__main__":
    main()
