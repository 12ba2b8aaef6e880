"""Readers, one format a file. Each has a FORMAT; `workers.datasets.importer` lists them."""
