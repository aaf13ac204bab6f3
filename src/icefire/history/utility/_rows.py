"""Original records and the published records made from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.history.data import NONE, Ints, Release


def kept_rows(release: Release) -> tuple[Ints, Ints]:
    """(published record, its original record) for all that are no dummies."""
    published = np.flatnonzero(release.rows != NONE)
    return published, release.rows[published]


def paired(release: Release, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A column before and after, over the records that were kept."""
    if not (release.original.has(name) and release.published.has(name)):
        raise Undefined(f"these records have no {name}")
    published, original = kept_rows(release)
    return release.original.middle(name)[original], release.published.middle(name)[published]
