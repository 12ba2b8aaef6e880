"""The table of datasets. A row says what was asked; what came of it lies in storage, its facts copied here."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from workers.core.database import Base
from workers.core.journal import Json, UtcDateTime


class Dataset(Base):
    """One dataset. `info` is a DatasetInfo once the dataset is ready; `job_id` names the import that makes it."""

    __tablename__ = "dataset"
    __table_args__ = (Index("ix_dataset_created_at_id", "created_at", "id"),)

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    description: Mapped[str] = mapped_column(Text, default="")
    source: Mapped[dict[str, Any]] = mapped_column(Json)
    options: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    job_id: Mapped[str | None] = mapped_column(String(40), default=None)
    info: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
