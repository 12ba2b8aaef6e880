"""Real servers for tests: PostgreSQL, Valkey and the whole stack, each as processes that die with the test run."""
