"""Workers, queues, health and metrics: the platform seen from outside."""
