"""Releases without a row for each person: synthetic tables."""

from icefire.core.lazy import classes_of

__getattr__ = classes_of(__name__)
