"""`python -m backend`: serve the API and the pages."""

from __future__ import annotations

import sys
from types import FrameType

import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError

from backend.main import create_app
from backend.settings import read_settings
from workers.core.logs import log_as_json
from workers.core.settings import explain

# For answers on their way; event streams end by themselves when they are told.
GRACE_S = 3


class Server(uvicorn.Server):
    """Ends open event streams first, which would otherwise hold up the end."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.streams = app.state.hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.streams.close()
        super().handle_exit(sig, frame)


def main() -> int:
    try:
        settings = read_settings()
    except ValidationError as error:
        raise SystemExit(explain(error)) from None
    log_as_json(settings.log_level)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=settings.bind,
        port=settings.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
    )
    server = Server(config, app)
    server.run()
    return 0 if server.started else 1


if __name__ == "__main__":
    sys.exit(main())
