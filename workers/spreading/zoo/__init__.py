"""Models to plan for, with sizes as parameters. Sizes (`sizes.py`) need no torch."""
