"""Readers, one format a file; `workers.datasets.importer` has the table of them."""
