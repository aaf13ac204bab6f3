"""Published columns that tell about the quasi-identifiers: classes are counted by them as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icefire.frames import engines
from icefire.microdata.data import Release
from icefire.microdata.inspection import COMPARED, told_by

ORIGINAL = " as it was"
"""What is added to the name of a quasi-identifier that other columns give away."""


@dataclass(frozen=True)
class Telling:
    """By what attackers who know the QI tell published rows apart.

    An age group that stands beside the generalized age tells something about the age, and a day of birth tells all of it.
    """

    names: list[str]
    """The columns by which rows are told apart."""
    told: list[str]
    """The columns beside the QI that tell something."""
    given_away: dict[str, str]
    """The QI that other columns give away, by the names under which they count as they were."""

    @classmethod
    def of(cls, release: Release) -> Telling:
        original, published = release.original, release.published
        names = list(published.qi)
        rest = [name for name in engines.columns(published.native) if name not in names]
        known = {name + ORIGINAL: name for name in original.qi if name not in rest}
        if not rest or not known or not release.can_look:
            return cls(names, [], {})
        height = release.rows.size
        drawn = np.random.default_rng(0).choice(height, min(height, COMPARED), replace=False)
        both = release.drawn(drawn, known)
        told = told_by(both.select(list(known)), both.select(rest))
        copies = [name for name, columns in told.items() if not columns]
        # Whoever sees such a column knows the QI, whatever became of it.
        given_away = {new: known[new] for new in sorted({column for columns in told.values() for column in columns})}
        return cls([*names, *copies, *given_away], list(told), given_away)
