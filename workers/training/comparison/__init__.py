"""A job's model trained again elsewhere: with passes off, in DGL, in PyG, each in a fresh process."""
