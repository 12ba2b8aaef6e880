"""The database's history: `python -m migrations` brings any database up to date."""
