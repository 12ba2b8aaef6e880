"""A model as Python text, and back."""
