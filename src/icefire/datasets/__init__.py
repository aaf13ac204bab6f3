"""Data sets: seeded generators of artificial data, and readers of public data files."""
