"""The arena: a contest's pages, its API and its live stream."""
