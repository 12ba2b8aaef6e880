"""A system that does what a test tells it to. It lies outside workers/systems: dropping the folder is all it takes."""
