"""Jobs for a GPU: what is refused, and that a model put elsewhere still answers in memory."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from workers.compiler.runtime import GraphIndex
from workers.core.channel import MemoryChannel
from workers.core.dataset_store import describe
from workers.core.errors import JobError
from workers.datasets import bundled
from workers.systems.seastar.run import run
from workers.systems.seastar.spec import SYSTEM, SeastarSpec
from workers.training.placement import Peak, device_of, fetch, place
from workers.zoo.graphs import Graphs
from workers.zoo.module import ModelModule
from workers.zoo.templates import TEMPLATES


def spec(**fields: Any) -> SeastarSpec:
    document = {"model": TEMPLATES["gcn"].doc.model_dump(), "dataset": "karate", "device": "gpu"}
    return SeastarSpec.model_validate(document | fields)


def problems(asked: SeastarSpec) -> list[str]:
    assert SYSTEM.check is not None
    info = describe("karate", bundled.load("karate"))
    return [p.pointer for p in SYSTEM.check(asked, lambda _: info) if p.code == "device"]


def test_jobs_run_on_a_gpu_but_for_samples_and_comparisons() -> None:
    assert SYSTEM.devices == ("cpu", "gpu")
    assert problems(spec()) == []
    assert problems(spec(compare=("pyg",))) == ["/compare"]
    sampled = {"type": "node_classification", "batches": {"type": "sampled"}}
    assert problems(spec(task=sampled)) == ["/task/batches"]
    assert problems(spec(task=sampled, device="cpu")) == []


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_worker_whose_torch_has_no_cuda_says_so() -> None:
    with pytest.raises(JobError, match="no CUDA"):
        run(spec(), MemoryChannel(datasets={"karate": bundled.load("karate")}))


OF_VERTICES = [n for n, t in TEMPLATES.items() if t.kind == "seastar" and t.task["type"] == "node_classification"]


@pytest.mark.filterwarnings("ignore:no kernels are generated")
@pytest.mark.parametrize("template", OF_VERTICES)
def test_all_that_a_model_reads_lies_where_it_runs(template: str) -> None:
    """On a device whose numbers do not exist, which refuses tensors in memory as a GPU does."""
    data, device = bundled.load("karate"), torch.device("meta")
    info = describe("karate", data)
    model = ModelModule(TEMPLATES[template].doc, info).to(device)
    graphs = Graphs(data.src, data.dst, data.n, GraphIndex.square, model.dtype, device=device)
    out = model(torch.zeros(data.n, info.features, device=device), graphs, None, 1)
    assert (out.device, out.shape) == (device, (data.n, len(info.classes)))


def test_what_a_placed_model_gives_comes_to_memory() -> None:
    model = nn.Linear(3, 2)
    place(model, torch.device("meta"))
    with pytest.raises(NotImplementedError, match="meta"):  # there are no numbers to bring
        model(torch.zeros(4, 3, device="meta"))


def test_a_model_is_fetched_as_it_was() -> None:
    model = nn.Linear(3, 2)
    place(model, device_of("cpu"))
    before = {name: x.clone() for name, x in model.state_dict().items()}
    fetch(model)
    assert all(torch.equal(before[name], x) for name, x in model.state_dict().items())
    assert not model._forward_hooks


def test_peak_memory_grows_with_what_is_held() -> None:
    peak = Peak("cpu")
    held = torch.ones(30_000_000)
    assert peak.growth() >= held.nbytes // 2
