"""The one stream of events a browser holds open."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from backend.cluster import service
from backend.errors import Unprocessable
from backend.events.schemas import EVENT_STREAM
from backend.events.stream import AfterEvent, LastEventId, Stream, Topics, resume_after
from workers.core.database import read
from workers.core.problems import Problem

router = APIRouter(tags=["events"])


@router.get("/events", operation_id="events_stream", response_class=StreamingResponse, responses={200: EVENT_STREAM})
async def events_stream(
    request: Request,
    topics: Annotated[
        str, Query(min_length=1, max_length=8000, description="`job:<id>`, `jobs` and `cluster`, separated by commas.")
    ],
    after_id: AfterEvent = None,
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """Events as they happen: those missed since `Last-Event-ID` or `after_id` first, each once and in order.

    An event of a job named in `topics` carries that topic, also where `jobs` is followed too. `cluster` sends a picture
    of workers and queues when it changes. `resync` asks to load everything anew.
    """
    state = request.app.state
    following = _topics(topics)
    after = resume_after(last_event_id, after_id)

    def snapshot() -> dict[str, Any]:
        with read(state.engine) as session:
            items = service.workers(session, state.settings.lost_after_s)
            queues = service.queues(session, state.settings.lost_after_s)
        shown = {"workers": [w.model_dump(mode="json", exclude={"heartbeat_at"}) for w in items]}
        return shown | {"queues": [q.model_dump(mode="json") for q in queues]}

    stream = Stream(
        state.engine,
        state.hub,
        following,
        await state.hub.newest() if after is None else after,
        state.settings.max_replay,
        snapshot,
    )
    return stream.response()


def _topics(given: str) -> Topics:
    names = [name.strip() for name in given.split(",") if name.strip()]
    for name in names:
        if name not in ("jobs", "cluster") and not name.startswith("job:job_"):
            message = f"There is no topic {name[:80]!r}; there are `job:<id>`, `jobs` and `cluster`."
            raise Unprocessable(message, problems=[Problem(pointer="?topics", code="topic", message=message)])
    jobs = tuple(name.removeprefix("job:") for name in names if name.startswith("job:"))
    return Topics(jobs=jobs, all_jobs="jobs" in names, cluster="cluster" in names)
