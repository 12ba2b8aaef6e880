"""Vertex-centric training: a model's vertex programs become fused kernels and are trained on one graph."""
