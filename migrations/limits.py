"""What keeps a migration from holding up a running platform."""

from __future__ import annotations

from alembic import op


def lock_timeout(seconds: int = 5) -> None:
    """Give up on a lock after a while instead of queueing every other query behind this one (PostgreSQL only)."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"SET LOCAL lock_timeout = '{seconds}s'")
