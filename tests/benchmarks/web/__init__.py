"""`make bench-web`: what the pages are allowed to weigh and how long they may take, measured in Chromium."""
