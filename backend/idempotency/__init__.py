"""A repeated POST with the same Idempotency-Key happens once."""
