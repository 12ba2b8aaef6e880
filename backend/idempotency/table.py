"""Answers kept for repeated requests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from workers.core.database import Base
from workers.core.journal import Json, UtcDateTime


class IdempotencyKey(Base):
    """One key of one caller. `status` is None while the first request is still running."""

    __tablename__ = "idempotency_key"

    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    status: Mapped[int | None] = mapped_column(default=None)
    headers: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    body: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
