"""Synthetic walks through a city."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from icefire.core.parameters import AtLeast, Share
from icefire.trace.data import Traces
from icefire.trace.grid import Grid
from icefire.trace.roles import Dataset

Floats = NDArray[np.float64]
DAY = 20
"""Number of times in a day."""
CENTRES = 14
"""Number of busy centres."""
SENSITIVE = 37
"""Largest number of sensitive regions."""


@dataclass(frozen=True)
class Walks(Dataset):
    """Synthetic traces in a city, 8:00 to 17:30 every half hour, with homes, work places, favourite places and busy centres.

    Later in the day a user is at work or at a favourite place, stays, moves nearby, or goes where it is busy at that time.

    Parameters:
        n: number of users.
        days: number of days of the reference traces, and of the original traces.
        home: probability of being at home at 8:00.
        habit: probability of being at work or at a favourite place later in the day.
        rows, columns: size of the grid.

    Example:
        >>> import numpy as np
        >>> Walks(n=30, days=2, rows=8, columns=8).generate(np.random.default_rng(0))
        Traces(30 users, 40 times, 64 regions)
    """

    n: Annotated[int, AtLeast(1)] = 2000
    days: Annotated[int, AtLeast(1)] = 2
    home: Share = 0.3
    habit: Share = 0.21
    rows: Annotated[int, AtLeast(2)] = 32
    columns: Annotated[int, AtLeast(2)] = 32

    def generate(self, rng: np.random.Generator) -> Traces:
        grid = Grid(rows=self.rows, columns=self.columns)
        crowds = self._crowds(grid, rng)
        living = _normalized(0.75 / grid.regions + 0.25 * crowds[0])
        homes = rng.choice(grid.regions, self.n, p=living)
        work = rng.choice(grid.regions, self.n, p=crowds[DAY // 2])
        favourites = self._favourites(grid, homes, work, crowds.mean(axis=0), rng)
        both = [self._walk(grid, homes, work, favourites, crowds, rng) for _ in range(2)]
        sensitive = np.zeros(grid.regions, dtype=np.bool_)
        number = min(SENSITIVE, max(1, grid.regions // 28))
        sensitive[rng.choice(grid.regions, number, replace=False)] = True
        return Traces(both[0], both[1], grid, sensitive=sensitive, day=DAY)

    def _crowds(self, grid: Grid, rng: np.random.Generator) -> Floats:
        """[time of day, region]: distribution of people, in centres that are busy at different times of day."""
        reach = np.array([self.rows * grid.cell_height, self.columns * grid.cell_width])
        centres = rng.random((CENTRES, 2)) * reach
        width = rng.uniform(0.35, 1.1, CENTRES)
        size = rng.lognormal(0.0, 0.8, CENTRES)
        peak = rng.uniform(0, DAY, CENTRES)
        gaps = ((grid.centres[None, :, :] - centres[:, None, :]) ** 2).sum(axis=2)
        shape = np.exp(-gaps / (2 * width[:, None] ** 2)) / width[:, None] ** 2
        slots = np.arange(DAY)[:, None]
        weight = size * (0.4 + np.exp(-((slots - peak) ** 2) / 40))
        crowd = weight @ shape
        return np.asarray(_normalized(0.9 * crowd / crowd.sum(axis=1, keepdims=True) + 0.1 / grid.regions))

    def _favourites(
        self, grid: Grid, homes: NDArray[np.int64], work: NDArray[np.int64], crowd: Floats, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """[person, 4]: favourite places near home or work, or anywhere by popularity."""
        found = np.empty((self.n, 4), dtype=np.int64)
        for place in range(4):
            anchor = homes if place % 2 == 0 else work
            step = rng.normal(0.0, 1.2, (self.n, 2))
            near = grid.nearest(grid.centres[anchor] + step)
            anywhere = rng.choice(grid.regions, self.n, p=crowd)
            found[:, place] = np.where(rng.random(self.n) < 0.7, near, anywhere)
        return found

    def _walk(
        self,
        grid: Grid,
        homes: NDArray[np.int64],
        work: NDArray[np.int64],
        favourites: NDArray[np.int64],
        crowds: Floats,
        rng: np.random.Generator,
    ) -> NDArray[np.int32]:
        days = np.empty((self.n, self.days * DAY), dtype=np.int32)
        here = homes
        for time in range(days.shape[1]):
            slot = time % DAY
            at_home = self.home * np.exp(-slot / 1.5)
            at_work = self.habit * (0.65 if 3 <= slot <= 17 else 0.1)
            draw = rng.random(self.n)
            stay = np.where(
                rng.random(self.n) < 0.5, here, grid.nearest(grid.centres[here] + rng.normal(0, 0.4, (self.n, 2)))
            )
            crowd = rng.choice(grid.regions, self.n, p=crowds[slot])
            moving = rng.random(self.n) < (0.45 if slot else 1.0)
            favourite = favourites[np.arange(self.n), rng.integers(0, 4, self.n)]
            here = np.select(
                [draw < at_home, draw < at_home + at_work, draw < at_home + self.habit],
                [homes, work, favourite],
                np.where(moving, crowd, stay),
            )
            days[:, time] = here
        return days


def _normalized(values: Floats) -> Floats:
    return np.asarray(values / values.sum(axis=-1, keepdims=True))
