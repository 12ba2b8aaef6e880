"""`connect`, and what an installation offers."""

from __future__ import annotations

from typing import Any, Self

from asterism.datasets import Datasets
from asterism.errors import AsterismError
from asterism.jobs import Jobs
from asterism.models import Models
from asterism.schemas import (
    Health,
    LayerItem,
    LayerList,
    OpItem,
    OpList,
    QueueItem,
    SystemItem,
    SystemList,
    TemplateItem,
    TemplateList,
    WorkerItem,
    WorkerList,
)
from asterism.schemas import Queue as QueueState
from asterism.transport import Transport


class Templates:
    """`a.templates`: models to start from."""

    def __init__(self, api: Transport) -> None:
        self._api = api

    def get(self, name: str) -> TemplateItem:
        """One template."""
        return TemplateItem.model_validate(self._api.get(f"/templates/{name}"))

    def list(self) -> list[TemplateItem]:
        """All templates, in the order to show them."""
        return TemplateList.model_validate(self._api.get("/templates")).items


class Asterism:
    """One installation. Use it in a `with`, or `close` it when done."""

    def __init__(self, url: str, token: str | None = None, *, timeout_s: float = 30.0) -> None:
        self.api = Transport(url, token, timeout_s)
        self.models = Models(self.api)
        self.templates = Templates(self.api)
        self.datasets = Datasets(self.api)
        self.jobs = Jobs(self.api)

    def layers(self) -> list[LayerItem]:
        """The palette: layers with their ports and settings."""
        return LayerList.model_validate(self.api.get("/layers")).items

    def ops(self) -> list[OpItem]:
        """The operations of the compiler's intermediate representation."""
        return OpList.model_validate(self.api.get("/ops")).items

    def systems(self) -> list[SystemItem]:
        """The kinds of job this installation runs, with the JSON schemas of their specs."""
        return SystemList.model_validate(self.api.get("/systems")).items

    def workers(self) -> list[WorkerItem]:
        """Workers with their devices, slots and jobs."""
        return WorkerList.model_validate(self.api.get("/workers")).items

    def queue(self) -> list[QueueItem]:
        """How many jobs wait for each kind of device."""
        return QueueState.model_validate(self.api.get("/queue")).items

    def health(self) -> Health:
        """Whether the installation can do its work, part by part."""
        return Health.model_validate(self.api.get("/health"))

    def request(self, method: str, path: str, *, json: Any = None, **params: Any) -> Any:
        """Any operation of the API, by its path below /api/v1; gives the parsed answer, None where it is empty."""
        answer = self.api.request(method, path, json=json, params=params)
        return answer.json() if answer.content else None

    def close(self) -> None:
        self.api.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(url: str = "http://127.0.0.1:8765", token: str | None = None, *, timeout_s: float = 30.0) -> Asterism:
    """Connect to an installation; `token` where it asks for one. Raises Unreachable or ApiError where none answers."""
    found = Asterism(url, token, timeout_s=timeout_s)
    try:
        found.health()
    except AsterismError:
        found.close()
        raise
    return found
