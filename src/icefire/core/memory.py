"""How much memory tables of all pairs may take: one limit for all comparisons of everybody with everybody."""

from __future__ import annotations

TABLES = 4
"""Tables of the full size that a dense matching holds at the same time."""
PARTS = 4
"""A part that is worked on at a time takes one of so many parts of the limit."""
_limit = 640_000_000


def limit() -> int:
    """Bytes that the tables of a comparison may take."""
    return _limit


def set_limit(size: int) -> None:
    """Change the limit for the whole process."""
    global _limit
    _limit = size


def fits(height: int, width: int) -> bool:
    """Whether a full table of numbers of that size can be matched within the limit; otherwise, work in parts."""
    return 8 * TABLES * height * width <= _limit


def step(other: int) -> int:
    """How many rows (or columns) of `other` numbers each make up one part.

    >>> step(20_000)
    1000
    """
    return max(1, _limit // PARTS // (8 * max(1, other)))
