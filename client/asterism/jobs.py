"""Starting jobs and finding them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from asterism import frames
from asterism.base import Schema
from asterism.datasets import Dataset
from asterism.handle import pages
from asterism.job import Job
from asterism.models import Model
from asterism.schemas import ModelDoc, TemplateItem
from asterism.transport import Transport

if TYPE_CHECKING:
    import pandas

Start = TemplateItem | Model | ModelDoc | Mapping[str, Any]


class Jobs:
    """`a.jobs`."""

    def __init__(self, api: Transport) -> None:
        self._api = api

    def run(
        self, spec: Schema | Mapping[str, Any], *, labels: Mapping[str, str] | None = None, key: str | None = None
    ) -> Job:
        """Start a job; it is queued at once. With a `key` of yours, running the same script again finds that job
        (for a day) instead of starting another."""
        body = {"spec": as_json(spec), "labels": dict(labels or {})}
        return Job.of(self._api, self._api.post("/jobs", body, key=key))

    def train(
        self,
        start: Start,
        *,
        dataset: str | Dataset | None = None,
        kind: str = "",
        name: str = "",
        device: str = "cpu",
        task: Schema | Mapping[str, Any] | None = None,
        compiler: Schema | Mapping[str, Any] | None = None,
        compare: Iterable[str] = (),
        pass_study: Schema | Mapping[str, Any] | None = None,
        labels: Mapping[str, str] | None = None,
        key: str | None = None,
        **training: Any,
    ) -> Job:
        """Train a template, a model (its draft is kept as a version first) or a document.

        A template brings its dataset, task and settings; keywords beyond those named here are settings of the
        training (`epochs=100, learning_rate=0.01`) and win over the template's. `compare=["dgl"]` trains the model
        again elsewhere, `pass_study={}` with each pass of the compiler off by itself. Models over relations are trained
        by the kind `hgl`, which their templates know; of a model or document say so: `kind="hgl"`.
        """
        spec = _started_from(start)
        spec = {"kind": "seastar"} | spec | {"name": name, "device": device} | ({"kind": kind} if kind else {})
        if compared := list(compare):
            spec["compare"] = compared
        spec["training"] = {**spec.get("training", {}), **training}
        given = {"dataset": dataset.id if isinstance(dataset, Dataset) else dataset, "task": task}
        given |= {"compiler": compiler, "pass_study": pass_study}
        spec |= {field: as_json(v) if isinstance(v, Schema) else v for field, v in given.items() if v is not None}
        if "dataset" not in spec:
            raise TypeError("say which dataset to train on: dataset='ds_…'")
        return self.run(spec, labels=labels, key=key)

    def get(self, job_id: str) -> Job:
        """One job."""
        return Job.of(self._api, self._api.get(f"/jobs/{job_id}"))

    def list(
        self,
        *,
        state: str | None = None,
        kind: str | None = None,
        q: str | None = None,
        label: str | None = None,
        sort: str = "-created_at",
    ) -> Iterator[Job]:
        """Jobs, newest first; `state` takes several, separated by commas, `label` is a key or `key=value`."""
        return pages(self._api, "/jobs", Job, state=state, kind=kind, q=q, label=label, sort=sort)

    def frame(self, jobs: Iterable[Job | str] | None = None) -> pandas.DataFrame:
        """One row a job: state, times, settings and newest metrics; all jobs by default."""
        return frames.of_jobs(self.list() if jobs is None else map(self._found, jobs))

    def metrics_frame(self, jobs: Iterable[Job | str]) -> pandas.DataFrame:
        """The series of several jobs under one another, by job and step."""
        return frames.of_runs((job, job.metrics()) for job in map(self._found, jobs))

    def _found(self, job: Job | str) -> Job:
        return self.get(job) if isinstance(job, str) else job


def as_json(value: Schema | Mapping[str, Any]) -> dict[str, Any]:
    """As the API takes it, from a typed object or a dict."""
    return value.to_json() if isinstance(value, Schema) else dict(value)


def _started_from(start: Start) -> dict[str, Any]:
    """The fields of a spec that what is trained decides."""
    if isinstance(start, TemplateItem):
        known = {"kind": start.kind, "model": start.doc.to_json(), "dataset": start.dataset_id, "task": start.task}
        return known | {"training": start.training}
    if isinstance(start, Model):
        version = start.version(start.keep().number)
        pinned = {"model_id": start.id, "version": version.number, "content_hash": version.content_hash}
        return {"model": version.doc.to_json(), "model_ref": pinned}
    return {"model": as_json(start)}
