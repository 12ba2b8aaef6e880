"""What there is to choose from: systems, ops, layers, templates; and what becomes of a vertex program."""
