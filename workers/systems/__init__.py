"""One folder a job kind, all of the same inner shape."""
