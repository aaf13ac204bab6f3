"""Planar Laplace noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import lambertw

from icefire.core.parameters import Above
from icefire.trace.data import Cells, Floats, Ints, Reference, Release, Traces
from icefire.trace.grid import Grid
from icefire.trace.roles import Anonymizer

PARTS = 20
"""Points in a cell, in each direction, by which the noise is summed up."""
FARTHEST = 12.0
"""Distance in units of 1 / epsilon that noise hardly ever exceeds: once in ten thousand."""


@dataclass(frozen=True)
class PlanarLaplace(Anonymizer):
    """Planar Laplace: move each cell by geo-indistinguishable noise of epsilon = level / radius (kilometres).

    Points that leave the map are put back to its border.

    Parameters:
        level: privacy level at the radius; smaller is more noise.
        radius: kilometres.

    Example:
        The mean distance of planar Laplace noise is 2 / epsilon: here 2 km, on a map of 25 x 25 km.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> grid = Grid(rows=50, columns=50, cell_height=0.5, cell_width=0.5)
        >>> walks = Traces(np.zeros((1, 1)), np.full((1, 10_000), 25 * 50 + 25), grid)
        >>> moved = PlanarLaplace(level=1.0).anonymize(walks, np.random.default_rng(0)).cells.codes
        >>> round(float(grid.distances[25 * 50 + 25, moved].mean()), 1)
        2.0

    Reference:
        Andres et al.: Geo-indistinguishability. 2013; sample programs of PWS Cup 2019.
    """

    level: Annotated[float, Above(0)] = 4.0
    radius: Annotated[float, Above(0)] = 1.0
    aliases: ClassVar[tuple[str, ...]] = ("PL",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(level=level) for level in (2.0, 4.0, 7.0)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        moved = self._moved(original.original, original.grid, rng)
        return Release.shuffled(original, Cells(moved, original.grid.regions), rng)

    def channel(self, knowledge: Reference) -> Floats | None:
        grid = knowledge.grid
        down, across = (
            np.arange(-self._far(count, size), self._far(count, size) + 1)
            for count, size in ((grid.rows, grid.cell_height), (grid.columns, grid.cell_width))
        )
        # The density of the noise over each cell that a point may move by, from points inside it.
        inner = (np.arange(PARTS) + 0.5) / PARTS - 0.5
        north = (down[:, None] + inner).ravel() * grid.cell_height
        east = (across[:, None] + inner).ravel() * grid.cell_width
        density = np.exp(-np.hypot(north[:, None], east) * self.level / self.radius)
        moves = density.reshape(down.size, PARTS, across.size, PARTS).sum(axis=(1, 3))
        # Points that leave the map are put back to its border.
        rows, columns = (_ends(steps, count) for steps, count in ((down, grid.rows), (across, grid.columns)))
        found = np.einsum("ird,de,jce->ijrc", rows, moves, columns, optimize=True)
        return np.asarray(found.reshape(grid.regions, grid.regions) / moves.sum())

    def _far(self, count: int, size: float) -> int:
        """How many cells to look at in each direction: the whole map, and as far beyond as noise ever goes."""
        return count + int(np.ceil(FARTHEST * self.radius / self.level / size))

    def _moved(self, codes: NDArray[np.integer], grid: Grid, rng: np.random.Generator) -> Ints:
        share = rng.random(codes.shape)
        distance = -(np.real(lambertw((share - 1.0) / np.e, -1)) + 1.0) * self.radius / self.level
        angle = rng.uniform(0.0, 2 * np.pi, codes.shape)
        step = np.stack([np.sin(angle), np.cos(angle)], axis=-1) * distance[..., None]
        return grid.nearest(grid.centres[codes] + step)


def _ends(steps: Ints, count: int) -> Floats:
    """[start, end, step]: 1 where a step from one row (or column) of the map ends in another, at the border if it leaves."""
    ends = np.clip(np.arange(count)[:, None] + steps, 0, count - 1)
    return np.asarray(ends[:, None, :] == np.arange(count)[:, None], dtype=np.float64)
