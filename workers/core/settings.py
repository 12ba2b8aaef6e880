"""What the environment decides for jobs, their storage and their database; the only reader of it outside the web side.

Every variable starts with ASTERISM_. Times are seconds; tests shorten them to watch the watchdog at work.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

PREFIX = "ASTERISM_"


class Settings(BaseModel):
    """One value per variable: field `broker_url` is read from ASTERISM_BROKER_URL."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    home: Path = Field(default=Path("~/.asterism"), description="State folder: database, storage, kernel cache.")
    database_url: str = Field(default="", description="SQLAlchemy URL; empty: a SQLite file in the state folder.")
    broker_url: str = Field(default="redis://127.0.0.1:6379/0", description="Valkey or Redis, for queues and wake-ups.")
    storage_url: str = Field(
        default="", description="fsspec URL of uploads, datasets and artifacts; empty: a folder in home."
    )
    kernel_cache: str = Field(
        default="", description="Folder of compiled kernels; empty: a folder in the state folder."
    )
    data_roots: str = Field(default="", description="Folders imports may read on the server, separated by colons.")
    extra_systems: str = Field(default="", description="More folders of systems, separated by colons.")
    heartbeat_s: float = Field(default=2.0, gt=0, description="How often a worker says that it and its jobs live.")
    lost_after_s: float = Field(default=15.0, gt=0, description="A job or worker silent for this long is lost.")
    resend_after_s: float = Field(default=60.0, gt=0, description="A queued job nobody took is sent again after this.")
    sweep_s: float = Field(default=2.0, gt=0, description="How often the watchdog looks.")
    watch_s: float = Field(default=0.2, gt=0, description="How often a worker looks for commands to its jobs.")
    kill_after_s: float = Field(default=5.0, gt=0, description="From asking a job's process to stop to killing it.")
    spare_processes: int = Field(default=1, ge=0, le=8, description="Processes a worker keeps ready for the next jobs.")
    log_level: str = Field(default="INFO", description="Level of the structured logs.")

    def resolved(self) -> Self:
        """The same with every empty value filled in from the state folder."""
        home = self.home.expanduser().absolute()
        return self.model_copy(
            update={
                "home": home,
                "database_url": self.database_url or f"sqlite:///{home}/asterism.db",
                "storage_url": self.storage_url or f"file://{home}/storage",
                "kernel_cache": self.kernel_cache or f"{home}/kernels",
            }
        )


def named_values(cls: type[BaseModel], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that are set, by the name of their field."""
    return {
        name: environment[PREFIX + name.upper()] for name in cls.model_fields if environment.get(PREFIX + name.upper())
    }


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from the environment; raises pydantic's ValidationError naming a value that cannot be used."""
    return Settings.model_validate(
        named_values(Settings, os.environ if environment is None else environment)
    ).resolved()


def explain(error: ValidationError) -> str:
    """One sentence a wrong variable: its name, what it should be, what it is."""
    lines = []
    for wrong in error.errors():
        name = str(wrong["loc"][0])
        variable = "PORT" if name == "port" else PREFIX + name.upper()
        lines.append(f"{variable}={wrong['input']!r}: {wrong['msg']}.")
    return "\n".join(lines)


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings, read once; ends the process with a sentence when they cannot be used."""
    try:
        return read_settings()
    except ValidationError as error:
        raise SystemExit(explain(error)) from None
