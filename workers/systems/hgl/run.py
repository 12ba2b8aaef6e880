"""Runs one heterogeneous training job.

1. Load the dataset, a graph of many types stitched into one numbering; one of a single type counts as one relation.
2. Make the task from it, with the module of the model document.
3. Compile, train and keep the best, as every training job does (`workers/training/course.py`).
4. Train again, each time in a fresh process, in the systems that the job compares with.
"""

from __future__ import annotations

import torch

from workers.core.channel import Channel
from workers.core.errors import WrongGraph
from workers.core.hetero import HeteroData
from workers.core.one_type import as_hetero
from workers.systems.hgl.comparison import contender
from workers.systems.hgl.comparison.counterparts import COUNTERPARTS
from workers.systems.hgl.spec import HglResult, HglSpec
from workers.systems.hgl.tasks import KINDS
from workers.training.comparison.contest import Contest
from workers.training.comparison.host import compare
from workers.training.comparison.outcome import Comparison
from workers.training.course import Course, begin, figures, keep, trained
from workers.training.profile_spec import Profile


def run(spec: HglSpec, channel: Channel) -> HglResult:
    """Train as `spec` says, speaking through `channel`. Raises JobError or DocumentError for what the user can mend."""
    begin(spec.training)
    data = load(spec.dataset, channel)
    types, relations = len(data.node_types), len(data.relations)
    channel.log(f"{data.name}: {data.n:,} vertices of {types:,} types, {data.edges:,} edges of {relations:,} relations")
    kind = KINDS[spec.task.type]
    tasks = kind.make(spec, data)
    course = Course(spec, channel, kind.metric, tasks)
    done = trained(course)
    with torch.no_grad():
        predictions = kind.predictions(data, tasks)
        scores = kind.final(tasks) if kind.final else [b.scores for b in done.best]
    keep(course, done, predictions)
    said = figures(course, done)
    return HglResult(
        **said,
        outcome=kind.outcome(tasks, scores, [b.epoch for b in done.best]),
        types=types,
        relations=relations,
        launches=launches(said["profile"]),
        comparison=_compare(spec, channel, data, said["epochs_run"]),
    )


def _compare(spec: HglSpec, channel: Channel, data: HeteroData, ran: int) -> Comparison | None:
    """The same epochs again in every system the job names."""
    if not spec.compare:
        return None
    contest = Contest[HglSpec](
        contender=contender.__name__, system="asterism", spec=spec, epochs=ran, threads=torch.get_num_threads()
    )
    found = compare(contest, spec.compare, COUNTERPARTS, channel, data)
    channel.progress(ran, ran, "epochs")
    return found


def load(dataset: str, channel: Channel) -> HeteroData:
    """The dataset with its types and relations, of which a graph of one type has one each."""
    try:
        return channel.load_hetero(dataset)
    except WrongGraph:
        return as_hetero(channel.load_dataset(dataset))


def launches(profile: Profile | None) -> float | None:
    """Kernels started in one mean epoch, products among them."""
    return None if profile is None else sum(k.calls for k in profile.kernels if k.kind != "other")
