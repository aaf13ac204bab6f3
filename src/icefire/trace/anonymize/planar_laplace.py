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

DRAWS = 4_000
"""How often a region is moved to learn where it goes."""


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
        regions = knowledge.grid.regions
        start = np.repeat(np.arange(regions), DRAWS)
        moved = self._moved(start, knowledge.grid, np.random.default_rng(0))
        counts = np.bincount(start * regions + moved, minlength=regions**2).reshape(regions, regions)
        # A region that was not drawn is not impossible.
        return np.asarray((counts + 1.0 / regions) / (DRAWS + 1.0))

    def _moved(self, codes: NDArray[np.integer], grid: Grid, rng: np.random.Generator) -> Ints:
        share = rng.random(codes.shape)
        distance = -(np.real(lambertw((share - 1.0) / np.e, -1)) + 1.0) * self.radius / self.level
        angle = rng.uniform(0.0, 2 * np.pi, codes.shape)
        step = np.stack([np.sin(angle), np.cos(angle)], axis=-1) * distance[..., None]
        return grid.nearest(grid.centres[codes] + step)
