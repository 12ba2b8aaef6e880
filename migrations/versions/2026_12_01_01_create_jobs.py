"""Create jobs, their events and commands, workers, and the clock that orders events.

Revision: 20261201_01. After: nothing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.limits import lock_timeout
from migrations.types import JSON, MOMENT

revision = "20261201_01"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    lock_timeout()
    clock = op.create_table(
        "event_clock",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_event_clock"),
    )
    op.bulk_insert(clock, [{"id": 1, "value": 0}])
    _create_job()
    _create_of_a_job("job_event", sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False))
    op.create_index("ix_job_event_job_id_id", "job_event", ["job_id", "id"])
    _create_of_a_job(
        "job_command",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("taken_at", MOMENT, nullable=True),
    )
    op.create_index("ix_job_command_job_id_attempt", "job_command", ["job_id", "attempt"])
    _create_worker()


def downgrade() -> None:
    lock_timeout()
    for table in ("worker", "job_command", "job_event", "job", "event_clock"):
        op.drop_table(table)


def _create_job() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("state_reason", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("max_attempts", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(16), nullable=False),
        sa.Column("spec", JSON, nullable=False),
        sa.Column("result", JSON, nullable=True),
        sa.Column("progress", JSON, nullable=True),
        sa.Column("latest_metrics", JSON, nullable=False),
        sa.Column("labels", JSON, nullable=False),
        sa.Column("worker", sa.String(200), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("sent_at", MOMENT, nullable=False),
        sa.Column("heartbeat_at", MOMENT, nullable=True),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.Column("last_event_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_job"),
    )
    op.create_index("ix_job_state_heartbeat_at", "job", ["state", "heartbeat_at"])
    op.create_index("ix_job_kind_id", "job", ["kind", "id"])


def _create_of_a_job(name: str, *own: sa.Column[object]) -> None:
    op.create_table(
        name,
        *own,
        sa.Column("job_id", sa.String(40), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(64 if name == "job_command" else 32), nullable=False),
        sa.Column("body", JSON, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=f"fk_{name}_job_id_job", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )


def _create_worker() -> None:
    op.create_table(
        "worker",
        sa.Column("id", sa.String(200), nullable=False),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(16), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("busy", sa.Integer(), nullable=False),
        sa.Column("devices", JSON, nullable=False),
        sa.Column("versions", JSON, nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("heartbeat_at", MOMENT, nullable=False),
        sa.Column("stopped_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_worker"),
    )
