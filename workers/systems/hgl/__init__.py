"""Heterogeneous training: one program over all relations, trained on a stitched graph."""
