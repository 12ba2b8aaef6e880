"""Models, their drafts and versions.

Documents are kept as canonical JSON text, not as a JSON column: the bytes are what hashes and ETags are made of, and
PostgreSQL's JSONB would reorder keys and refuse a NUL.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from workers.core.database import Base
from workers.core.journal import UtcDateTime


class Model(Base):
    """A model and its draft. `draft_etag` is over the whole document, `draft_hash` over what it means."""

    __tablename__ = "model"
    __table_args__ = (
        Index("ix_model_updated_at_id", "updated_at", "id"),
        Index("ix_model_created_at_id", "created_at", "id"),
        Index("ix_model_name_id", "name", "id"),
    )

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    template: Mapped[str | None] = mapped_column(String(64), default=None)
    draft: Mapped[str] = mapped_column(Text)
    draft_etag: Mapped[str] = mapped_column(String(64))
    draft_hash: Mapped[str] = mapped_column(String(64))
    draft_nodes: Mapped[int]
    newest_version: Mapped[int] = mapped_column(default=0)
    newest_hash: Mapped[str | None] = mapped_column(String(64), default=None)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ModelVersion(Base):
    """A document as it was when someone kept it. Never changed."""

    __tablename__ = "model_version"

    model_id: Mapped[str] = mapped_column(ForeignKey("model.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    note: Mapped[str] = mapped_column(String(500))
    doc: Mapped[str] = mapped_column(Text)
    content_hash: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
