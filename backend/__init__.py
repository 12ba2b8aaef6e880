"""The web: stores models, datasets and jobs and tells about them; it never computes and never imports torch."""
