"""Targets: each turns a program into something that runs."""
