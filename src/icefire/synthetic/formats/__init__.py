"""File formats of synthetic tables."""
