"""Builds the documentation site: pages of both languages, tutorials that are run, and a reference from the source."""
