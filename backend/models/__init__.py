"""Models people author: one draft each, and numbered versions that never change."""
