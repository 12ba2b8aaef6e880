"""`python -m migrations`: bring the database of ASTERISM_DATABASE_URL up to date."""

from __future__ import annotations

from migrations.upgrade import upgrade
from workers.core.settings import settings

if __name__ == "__main__":
    upgrade(settings().database_url)
