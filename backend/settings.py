"""What the environment decides for the web side; the only reader of it there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

import workers.core.settings
from workers.core.settings import named_values

REPOSITORY = Path(__file__).resolve().parent.parent


class Settings(workers.core.settings.Settings):
    """The settings of jobs and storage, and the web's own; `port` is read from PORT, the others as there."""

    port: int = Field(default=8765, ge=0, le=65535, description="Where the API and the pages are served.")
    bind: str = Field(default="127.0.0.1", description="Address to listen on; the default is this machine only.")
    allowed_hosts: str = Field(
        default="localhost,127.0.0.1,[::1]",
        description="Host names a browser may use, separated by commas; requests and pages from others are refused.",
    )
    frontend: Path = Field(default=REPOSITORY / "frontend" / "dist", description="Folder of the built pages.")
    max_body_bytes: int = Field(default=8 * 2**20, gt=0, description="Largest request body outside uploads.")
    max_replay: int = Field(
        default=5000, gt=0, description="More missed events than this and the page reloads instead."
    )
    idempotency_hours: float = Field(default=24, gt=0, description="How long answers to repeated requests are kept.")


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from the environment; raises pydantic's ValidationError naming a value that cannot be used."""
    env = os.environ if environment is None else environment
    port = {"port": env["PORT"]} if env.get("PORT") else {}
    return Settings.model_validate(named_values(Settings, env) | port).resolved()
