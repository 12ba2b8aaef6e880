"""Vertex programs over relations: one file a program, in the language of the compiler's README."""
