"""Graph data from files, generators and installed packages, checked at the door. Plain numpy; no torch."""
