"""Datasets: graphs to train on, and the files they come from."""
