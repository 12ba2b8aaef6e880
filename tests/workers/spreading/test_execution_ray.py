"""Ranks as Ray actors do what ranks as processes do. Skipped where Ray, an extra, is not installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

pytest.importorskip("ray", reason="Ray is an extra")

from tests.workers.spreading.test_execution import made
from tests.workers.spreading.test_execution_ranks import (
    OPTIMIZERS,
    STEPS,
    dies,
    fails,
    one_device,
    sleeps,
    strategies,
)
from workers.spreading.execution.outcome import RankFailed
from workers.spreading.execution.ray_launcher import RayLauncher
from workers.spreading.execution.run import train

# Ray's own: files and sockets it leaves to the collector, and what it will change.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def launcher() -> Iterator[RayLauncher]:
    with RayLauncher() as launcher:
        yield launcher


def test_training_under_actors_equals_one_device(launcher: RayLauncher) -> None:
    captured, batch = made("transformer")
    losses, state = one_device("transformer", [batch])
    heard: list[tuple[int, int, float]] = []
    trained = train(
        captured,
        strategies("transformer", 7),
        [batch],
        OPTIMIZERS["transformer"],
        launcher=launcher,
        steps=STEPS,
        heard=lambda *event: heard.append(event),
    )
    for one in trained:
        torch.testing.assert_close(one.losses, losses, rtol=1e-9, atol=1e-12)
        torch.testing.assert_close(one.state, state, rtol=1e-5, atol=1e-7)
        assert one.as_planned
    assert heard == [(i, step, loss) for i, one in enumerate(trained) for step, loss in enumerate(one.losses)]


def test_what_an_actor_raises_comes_back(launcher: RayLauncher) -> None:
    with pytest.raises(RankFailed, match="Rank 1 of 2 failed: ValueError: no luck"):
        launcher.run(fails, [0, 1], 60)


def test_an_actor_that_is_killed_is_named(launcher: RayLauncher) -> None:
    with pytest.raises(RankFailed, match="Rank 0 of 2 was lost"):
        launcher.run(dies, [0, 1], 60)


def test_actors_that_take_too_long_are_ended(launcher: RayLauncher) -> None:
    with pytest.raises(RankFailed, match="Not done after 2 s: rank 0, 1"):
        launcher.run(sleeps, [0, 1], 2)


def test_more_ranks_than_the_cluster_holds_are_refused(launcher: RayLauncher) -> None:
    with pytest.raises(RankFailed, match="1000 ranks need 1000 CPU, the cluster has"):
        launcher.run(sleeps, list(range(1000)), 60)
