"""Refusals of a contest."""

from __future__ import annotations

from icefire.core.errors import DataError, FileError


class NotNow(DataError):
    """The request is well-formed, but the state of the contest does not allow it."""


class NotFound(DataError):
    """There is no such thing, or not for who asks."""


class DiskFull(FileError):
    """There is no room for it on the disk."""


def refuse_if(condition: bool, why: str) -> None:
    """Raise NotNow if a condition holds."""
    if condition:
        raise NotNow(why)
