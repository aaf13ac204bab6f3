"""How rare people are among all candidates, and in which columns."""

from __future__ import annotations

import numpy as np

from icefire.synthetic.data import Floats, Ints, Mask, People
from icefire.synthetic.encoding import binned
from icefire.synthetic.network import fit
from icefire.synthetic.ranking import rarest

NAMED = 2
"""Columns that are named as the reason."""


def surprise(people: People) -> Floats:
    """[candidate, column]: how unlikely a value is among all candidates, given the column that tells most about it."""
    codes = binned([people.candidates], people.names)
    return -fit(codes.tables[0], codes.sizes).terms(codes.tables[0])


def rare(people: People) -> Mask:
    """[candidate]: whether they belong to the rarest tenth."""
    return rarest(surprise(people).sum(axis=1))


def reasons(people: People, candidates: Ints) -> list[list[str]]:
    """[candidate]: the columns whose values are most unlikely, the rarest first."""
    found = surprise(people)[candidates]
    order = np.argsort(-found, axis=1, kind="stable")[:, :NAMED]
    return [[people.names[column] for column in row] for row in order]
