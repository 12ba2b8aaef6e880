"""What kinds of training jobs share: the loop, its settings, its records and files. Knows no kind of its own."""
