"""Create models and their versions.

Revision: 20261201_20. After: 20261201_02.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.limits import lock_timeout
from migrations.types import MOMENT

revision = "20261201_20"
down_revision = "20261201_02"
branch_labels = None
depends_on = None


def upgrade() -> None:
    lock_timeout()
    op.create_table(
        "model",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("template", sa.String(64), nullable=True),
        sa.Column("draft", sa.Text(), nullable=False),
        sa.Column("draft_etag", sa.String(64), nullable=False),
        sa.Column("draft_hash", sa.String(64), nullable=False),
        sa.Column("draft_nodes", sa.Integer(), nullable=False),
        sa.Column("newest_version", sa.Integer(), nullable=False),
        sa.Column("newest_hash", sa.String(64), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_model"),
    )
    for column in ("updated_at", "created_at", "name"):
        op.create_index(f"ix_model_{column}_id", "model", [column, "id"])
    op.create_table(
        "model_version",
        sa.Column("model_id", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("note", sa.String(500), nullable=False),
        sa.Column("doc", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name="fk_model_version_model_id_model", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("model_id", "number", name="pk_model_version"),
    )


def downgrade() -> None:
    lock_timeout()
    op.drop_table("model_version")
    op.drop_table("model")
