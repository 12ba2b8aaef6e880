"""Runs one training job: load, train, keep what came out, compare.

1. Load the dataset; make the task from it, with the module of the model document.
2. Compile, train and keep the best, as every training job does (`workers/training/course.py`).
3. Store the model as a file that needs only torch.
4. Train again, each time in a fresh process, in the systems that the job compares with, and with passes off.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from workers.core.channel import Channel
from workers.core.dataset import GraphData
from workers.core.dataset_store import describe
from workers.systems.seastar.comparison import contender
from workers.systems.seastar.comparison.counterparts import COUNTERPARTS
from workers.systems.seastar.comparison.pass_study import study
from workers.systems.seastar.spec import SeastarResult, SeastarSpec
from workers.systems.seastar.tasks import KINDS
from workers.training.comparison.contest import Contest
from workers.training.comparison.host import compare
from workers.training.comparison.outcome import Comparison, PassStudy
from workers.training.course import Course, begin, figures, keep, trained
from workers.zoo.interop.portable import FILE_NAME, MEDIA_TYPE, portable


@dataclass(frozen=True)
class Run:
    """What a job asked for, and on what."""

    spec: SeastarSpec
    channel: Channel
    data: GraphData


def run(spec: SeastarSpec, channel: Channel) -> SeastarResult:
    """Train as `spec` says, speaking through `channel`. Raises JobError or DocumentError for what the user can mend."""
    begin(spec.training)
    data = channel.load_dataset(spec.dataset)
    channel.log(f"{data.name}: {data.n:,} vertices, {len(data.src):,} arcs")
    kind = KINDS[spec.task.type]
    tasks = kind.make(spec, data)
    job, course = Run(spec, channel, data), Course(spec, channel, kind.metric, tasks)
    done = trained(course)
    with torch.no_grad():
        predictions = kind.predictions(data, tasks)
    keep(course, done, predictions)
    channel.artifact(FILE_NAME, portable(course.module, describe(spec.dataset, data)), MEDIA_TYPE)
    ran = len(done.history)
    return SeastarResult(
        **figures(course, done),
        outcome=kind.outcome(tasks, [b.scores for b in done.best], [b.epoch for b in done.best]),
        comparison=_compare(job, ran),
        pass_study=_study(job, ran),
    )


def _compare(job: Run, ran: int) -> Comparison | None:
    """The same epochs again in every system the job names."""
    if not job.spec.compare:
        return None
    contest = Contest[SeastarSpec](
        contender=contender.__name__, system="asterism", spec=job.spec, epochs=ran, threads=torch.get_num_threads()
    )
    found = compare(contest, job.spec.compare, COUNTERPARTS, job.channel, job.data)
    job.channel.progress(ran, ran, "epochs")
    return found


def _study(job: Run, ran: int) -> PassStudy | None:
    """What each pass of the compiler is worth, where the job asks."""
    if job.spec.pass_study is None:
        return None
    found = study(job.spec, job.channel, job.data, torch.get_num_threads())
    job.channel.progress(ran, ran, "epochs")
    return found
