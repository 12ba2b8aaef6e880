"""Bring a graph in: from files, or made by a generator."""
