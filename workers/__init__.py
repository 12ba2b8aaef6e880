"""Everything that computes: the job runner, the compiler and the systems."""
