"""How a model's operators can lie on several devices; no kind of job uses it yet."""
