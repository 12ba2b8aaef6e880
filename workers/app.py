"""Celery's settings: one broker, one queue per kind of device, and a database that is the truth.

Tasks are acknowledged when they start: the broker only says "look at this job"; whether it runs is decided by the
compare-and-swap in the database, so a message that comes twice, late or never does no harm.
"""

from __future__ import annotations

from typing import Any

from celery import Celery

from workers.core.settings import settings

app = Celery("asterism", broker=settings().broker_url, include=["workers.tasks"])


def by_device(_name: str, _args: Any, kwargs: dict[str, Any], _options: Any, **_: Any) -> dict[str, str]:
    """A job goes to the queue of the device it needs."""
    return {"queue": kwargs["device"]}


app.conf.update(
    task_routes=(by_device,),
    task_default_queue="cpu",
    task_acks_late=False,
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    # Without this a busy worker would hold messages back that an idle one could take.
    worker_prefetch_multiplier=1,
    worker_disable_prefetch=True,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_connection_timeout=2,
    broker_transport_options={"socket_connect_timeout": 2, "socket_timeout": 5, "socket_keepalive": True},
)
