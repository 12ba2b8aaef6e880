"""Bundled datasets into storage. Apart from the rest, so that seeding loads nothing of the web."""

from __future__ import annotations

from workers.core import dataset_store
from workers.core.dataset import DatasetInfo
from workers.core.storage import Storage
from workers.datasets import bundled
from workers.datasets.documents import examine, with_documents


def store_bundled(storage: Storage, dataset_id: str, bundled_name: str, name: str) -> DatasetInfo:
    """Put a bundled dataset into storage, checked and summarised like every other."""
    data = bundled.load_any(bundled_name)
    return dataset_store.save(storage.files, dataset_id, with_documents(data, examine(data), name))
