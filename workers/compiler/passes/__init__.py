"""Passes: program in, program out, one deed a file."""
