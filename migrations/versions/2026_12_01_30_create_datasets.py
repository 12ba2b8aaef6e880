"""Create datasets.

Revision: 20261201_30. After: 20261201_20.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.limits import lock_timeout
from migrations.types import JSON, MOMENT

revision = "20261201_30"
down_revision = "20261201_20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    lock_timeout()
    op.create_table(
        "dataset",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("source", JSON, nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("job_id", sa.String(40), nullable=True),
        sa.Column("info", JSON, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dataset"),
    )
    op.create_index("ix_dataset_created_at_id", "dataset", ["created_at", "id"])


def downgrade() -> None:
    lock_timeout()
    op.drop_table("dataset")
