"""Has the defender declared a false row map?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from icefire.core.intervals import wilson
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.core.values import Direction, Interval, Score
from icefire.microdata.data import Guess, Release
from icefire.microdata.distances import Distances, features
from icefire.microdata.roles import Safety

WHOLE_SHARE, WHOLE_CLOSENESS = 0.75, 0.9
PART_SHARE, PART_CLOSENESS = 0.2, 0.3


@dataclass(frozen=True)
class Yamaoka(Safety):
    """Estimated share of rows whose declared owner is false: the cheat that leaves the table as it is and lies about it.

    A false owner is as far from the published row as anybody: its place among all original rows, ordered by distance, is
    uniform. A true owner is near the front, whatever honest treatment the row had. So twice the share of rows whose
    declared owner lies in the farther half estimates how many are false. That alone would also blame a
    release that has been randomized beyond recognition; therefore `closeness` compares how near the rows lie to their
    nearest original with the same for rows whose columns were shuffled independently (about 1: nothing is left).
    The detail says `flagged` when most rows look false and the table is still recognizable, or when a part does in a
    table that is hardly changed.

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

    sample: Annotated[int, AtLeast(10)] = 1000

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        rng = generator(0, "yamaoka")
        height = release.published.height
        rows = rng.choice(height, min(self.sample, height), replace=False)
        columns = [replace(c, published=c.published[rows]) for c in features(release.published, release.original)]
        mixed = [replace(c, published=rng.permutation(c.published)) for c in columns]
        distances = Distances(columns, rng)
        declared = distances.pairs(np.arange(rows.size), release.rows[rows])
        anybody = distances.pairs(np.arange(rows.size), rng.integers(0, release.original.height, rows.size))
        nearest, by_chance = distances.smallest(), Distances(mixed, rng).smallest()
        closeness = float(nearest.mean() / by_chance.mean()) if by_chance.mean() > 0 else 1.0
        far = int((_place(distances, declared) > 0.5).sum())
        share = min(1.0, 2 * far / rows.size)
        interval = wilson(far, rows.size)
        whole = share >= WHOLE_SHARE and closeness <= WHOLE_CLOSENESS
        part = share >= PART_SHARE and closeness <= PART_CLOSENESS
        detail = {
            "flagged": whole or part,
            "closeness": closeness,
            "rows looked at": int(rows.size),
            "mean distance to": {
                "declared owner": float(declared.mean()),
                "nearest original": float(nearest.mean()),
                "random original": float(anybody.mean()),
            },
        }
        bounds = Interval(2 * interval.low, min(1.0, 2 * interval.high), interval.confidence)
        return Score(share, Direction.LOWER_IS_BETTER, bounds, detail)


def _place(distances: Distances, declared: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of original rows that are nearer than the declared one."""
    # Rounding of matrix products must not let equals overtake each other.
    return distances.share_below(declared - 1e-9 * (1.0 + declared))
