"""`python -m backend`: serve the API and the pages."""

from __future__ import annotations

import uvicorn

from backend.main import create_app
from backend.settings import read_settings
from workers.core.logs import log_as_json

# An open event stream must not hold up the end.
GRACE_S = 3


def main() -> None:
    settings = read_settings()
    log_as_json(settings.log_level)
    uvicorn.run(
        create_app(settings),
        host=settings.bind,
        port=settings.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
    )


if __name__ == "__main__":
    main()
