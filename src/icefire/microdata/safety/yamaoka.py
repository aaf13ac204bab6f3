"""Detection of a false row map (Yamaoka's cheat)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.intervals import wilson
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.core.values import BAD_SHARE, Interval, Scale, Score
from icefire.microdata.data import Guess, Release
from icefire.microdata.distances import Floats, Ints, features
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Safety

WHOLE_SHARE, WHOLE_CLOSENESS = 0.75, 0.9
PART_SHARE, PART_CLOSENESS = 0.2, 0.3
NEARER_SHARE, NEARER_CLOSENESS = 0.7, 0.3
PLACES = 50_000
"""Among so many original rows, drawn at random, the place of a declared owner is found; the nearest is among all."""
MIXED = 200
"""Rows of shuffled columns that are compared: hardly anybody is near them, so each takes long."""


@dataclass(frozen=True)
class Yamaoka(Safety):
    """Estimated share of rows whose declared owner is false: the cheat that leaves the table as it is and lies about it.

    A false owner is as far from the published row as any other row: its place among all original rows, ordered by distance, is
    uniform. A true owner is near the front, whatever honest treatment the row had. So twice the share of rows whose
    declared owner lies in the farther half estimates how many are false (in tables of more than 50,000 rows, the place is found
    among so many of them, drawn at random). Two more looks complete it:

    - `closeness` compares how near rows lie to their nearest original with the same for rows whose columns were shuffled
      independently. About 1 means that the release is beyond recognition, and then it is not flagged.
    - `nearer` is the share of rows for which another row is nearer than the declared owner. In a table that is close to
      the original that is rare, unless the neighbour of each owner was declared.

    The detail says `flagged` when most rows look false in a recognizable table, a part does in a hardly changed one, or
    most rows have a nearer row in a hardly changed one. A person decides what to make of it.

    Parameters:
        sample: how many published rows are looked at.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> pay = np.random.default_rng(0).normal(size=(300, 3))
        >>> people = Microdata(pl.DataFrame(pay, schema=["a", "b", "c"]), Schema(qi=[], sa=["a", "b", "c"]))
        >>> honest = Release(people, people, np.arange(300))
        >>> cheat = Release(people, people, np.roll(np.arange(300), 1))
        >>> Yamaoka().measure(honest).detail["flagged"], Yamaoka().measure(cheat).detail["flagged"]
        (False, True)

    Reference:
        PWSCUP 2015, section 3.5.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    sample: Annotated[int, AtLeast(10)] = 1000

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        # Seeded from the whole declared map, so that a cheater cannot adapt to the sample.
        rng = generator(0, "yamaoka", hashlib.sha256(release.rows.tobytes()).hexdigest())
        height = release.published.height
        rows = rng.choice(height, min(self.sample, height), replace=False)
        columns = [column.of(rows) for column in features(release.published, release.original)]
        linkage = Linkage(columns, rng)
        # Beyond the budget, not all of these rows are looked at, nor is their distance known.
        seen, nearest = _known(linkage.smallest())
        linkage, rows = Linkage([column.of(seen) for column in columns], rng), rows[seen]
        declared = linkage.pairs(np.arange(rows.size), release.rows[rows])
        mixed = Linkage([column.of(rng.permutation(column.height)[:MIXED]) for column in columns], rng)
        by_chance = float(_known(mixed.smallest())[1].mean())
        closeness = float(nearest.mean()) / by_chance if by_chance > 0 else 1.0
        people = rng.permutation(linkage.width)[:PLACES]
        # A margin for rounding, so that equal distances count as equal.
        place = linkage.share_below(declared - 1e-9 * (1.0 + declared), people)
        far = 2 * int((place > 0.5).sum())
        displaced = int((declared > nearest * (1 + 1e-6) + 1e-6).sum())
        share, nearer = min(1.0, far / rows.size), displaced / rows.size
        neighbours = nearer >= NEARER_SHARE and closeness <= NEARER_CLOSENESS
        whole = share >= WHOLE_SHARE and closeness <= WHOLE_CLOSENESS
        part = share >= PART_SHARE and closeness <= PART_CLOSENESS
        detail = {
            "flagged": whole or part or neighbours,
            "closeness": closeness,
            "nearer": nearer,
            "rows looked at": int(rows.size),
            "mean distance to declared owner": float(declared.mean()),
            "mean distance to nearest original": float(nearest.mean()),
        }
        if neighbours:
            return self.score(nearer, wilson(displaced, rows.size), detail=detail)
        half = wilson(far / 2, rows.size)
        return self.score(share, Interval(2 * half.low, min(1.0, 2 * half.high), half.confidence), detail=detail)


def _known(distances: Floats) -> tuple[Ints, Floats]:
    """The rows whose distance is known, and it."""
    rows = np.flatnonzero(np.isfinite(distances))
    return rows, distances[rows]
