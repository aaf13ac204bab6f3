"""Places over time."""

from icefire.core.lazy import classes_of

__getattr__ = classes_of(__name__)
