"""`python -m backend.seed`: the bundled datasets, in storage and in the list. Running it again changes nothing."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from backend.datasets.bundles import store_bundled
from backend.datasets.table import Dataset
from backend.settings import read_settings
from workers.core import dataset_store
from workers.core.database import make_engine, read, write
from workers.core.journal import now
from workers.core.storage import Storage
from workers.datasets import bundled


def bundled_id(name: str) -> str:
    """The id of a seeded dataset, the same in every installation."""
    return f"ds_{name}"


def seed(engine: Engine, storage: Storage) -> list[str]:
    """Make the bundled datasets that are missing and return their names. Those that need scikit-learn need it."""
    made, began = [], now()
    for place, (name, choice) in enumerate(bundled.CATALOG.items()):
        dataset_id = bundled_id(name)
        with read(engine) as session:
            row = session.get(Dataset, dataset_id)
        stored = dataset_store.read_info(storage.files, dataset_id)
        if row is not None and stored is not None:
            continue
        try:
            info = stored or store_bundled(storage, dataset_id, name, name)
        except ModuleNotFoundError:
            continue
        # Lists show the newest first: the first of the catalog is to come first.
        created_at = began - timedelta(milliseconds=place)
        fresh = Dataset(
            id=dataset_id, name=name, description=choice.description, source={"type": "bundled", "name": name},
            options={}, info=info.model_dump(mode="json"), created_at=created_at,
        )  # fmt: skip
        with write(engine) as session:
            session.merge(fresh)
        made.append(name)
    return made


def main() -> None:
    settings = read_settings()
    engine = make_engine(settings.database_url)
    made = seed(engine, Storage(settings.storage_url))
    engine.dispose()
    print(f"datasets: {', '.join(made) if made else 'all there'}")


if __name__ == "__main__":
    main()
