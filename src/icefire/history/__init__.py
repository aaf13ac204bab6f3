"""Histories: many records per person, released period by period."""

from icefire.core.lazy import classes_of

__getattr__ = classes_of(__name__)
