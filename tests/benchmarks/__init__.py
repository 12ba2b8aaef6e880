"""What the project claims about accuracy and speed, measured: `python -m tests.benchmarks --help`."""
