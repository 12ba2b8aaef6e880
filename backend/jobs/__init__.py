"""Jobs over REST and their events as they happen."""
