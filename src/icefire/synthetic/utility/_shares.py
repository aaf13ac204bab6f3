"""Tables of counts of the members and of the release, in the same bins."""

from __future__ import annotations

import numpy as np

from icefire.synthetic.data import Floats, People, Release
from icefire.synthetic.encoding import Binned, Codes, binned


def both(original: People, release: Release, bins: int) -> Binned:
    """The members and the release as codes."""
    return binned([original.members, release.published], original.names, bins)


def cells(codes: Codes, columns: tuple[int, ...], sizes: tuple[int, ...]) -> Floats:
    """The share of each combination of values."""
    places = np.zeros(codes.shape[0], dtype=np.int64)
    number = 1
    for column in columns:
        places = places * sizes[column] + codes[:, column]
        number *= sizes[column]
    return np.asarray(np.bincount(places, minlength=number) / codes.shape[0])


def apart(table: Binned, columns: tuple[int, ...]) -> float:
    """The total variation distance of the members and the release: the share of people to move until they are the same."""
    first, second = (cells(codes, columns, table.sizes) for codes in table.tables)
    return float(np.abs(first - second).sum() / 2)
