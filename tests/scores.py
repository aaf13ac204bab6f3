"""Numbers inside the detail of a score."""

from __future__ import annotations

from collections.abc import Mapping

from icefire.core.documents import Json
from icefire.core.values import Score


def number(score: Score, *path: str) -> float:
    """The number that stands in the detail of a score under these keys."""
    found: Json = score.detail
    for key in path:
        assert isinstance(found, Mapping), f"{key} is asked of {found}"
        found = found[key]
    assert isinstance(found, int | float), found
    return found
