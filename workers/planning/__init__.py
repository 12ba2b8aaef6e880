"""Every good way to spread a model: strategies that no other beats in both memory and time. NumPy alone."""
