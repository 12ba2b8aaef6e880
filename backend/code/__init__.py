"""Models and vertex programs as text and as drawings, each made from the other. Parsed, never run."""
