"""k-concealment: hiding among k without making groups."""
