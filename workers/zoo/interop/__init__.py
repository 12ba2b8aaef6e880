"""Models and graphs shared with torch, DGL and PyG."""
