"""Models to plan for, with sizes as parameters. `MODELS` is all of them; sizes need no torch (`sizes.py`)."""
