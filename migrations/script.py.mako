"""${message}

Revision: ${up_revision}. After: ${down_revision | comma,n}.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.limits import lock_timeout

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    lock_timeout()
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    lock_timeout()
    ${downgrades if downgrades else "pass"}
