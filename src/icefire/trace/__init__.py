"""Places over time."""
