"""Create the table of answers kept for repeated requests.

Revision: 20261201_02. After: 20261201_01.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.limits import lock_timeout
from migrations.types import JSON, MOMENT

revision = "20261201_02"
down_revision = "20261201_01"
branch_labels = None
depends_on = None


def upgrade() -> None:
    lock_timeout()
    op.create_table(
        "idempotency_key",
        sa.Column("key", sa.String(255), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("headers", JSON, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_idempotency_key"),
    )
    op.create_index("ix_idempotency_key_created_at", "idempotency_key", ["created_at"])


def downgrade() -> None:
    lock_timeout()
    op.drop_table("idempotency_key")
