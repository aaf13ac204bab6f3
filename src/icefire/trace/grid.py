"""A rectangular grid of regions on a map."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import DataError, ParameterError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Grid:
    """Regions in rows from the south and columns from the west; a region is `row * columns + column`.

    The defaults are the grid of PWS Cup 2019: 32 x 32 cells of central Tokyo.

    >>> Grid().regions, round(float(Grid().distances[0, 33]), 4)
    (1024, 0.4866)
    """

    rows: int = 32
    columns: int = 32
    cell_height: float = 0.346875
    """Kilometres from south to north."""
    cell_width: float = 0.34125
    """Kilometres from west to east."""
    south: float = 35.65
    west: float = 139.68
    north: float = 35.75
    east: float = 139.8

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            if type(getattr(self, name)) is not int or getattr(self, name) < 1:
                raise ParameterError.of("Grid", name, "an integer of at least 1", getattr(self, name))
        for name in ("cell_height", "cell_width", "south", "west", "north", "east"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise ParameterError.of("Grid", name, "a number", value)
            if name.startswith("cell") and value <= 0:
                raise ParameterError.of("Grid", name, "above 0", value)
        if not (self.south < self.north and self.west < self.east):
            raise ParameterError.of("Grid", "south", "south of north, and west west of east", self.south)

    @property
    def regions(self) -> int:
        """Number of regions."""
        return self.rows * self.columns

    @cached_property
    def centres(self) -> Floats:
        """[region, 2]: kilometres to the north and to the east of the centre of region 0."""
        row, column = np.divmod(np.arange(self.regions), self.columns)
        return np.stack([row * self.cell_height, column * self.cell_width], axis=1)

    @cached_property
    def distances(self) -> Floats:
        """[region, region]: kilometres between the centres."""
        gaps = self.centres[:, None, :] - self.centres[None, :, :]
        return np.asarray(np.sqrt((gaps**2).sum(axis=2)))

    def blocks(self, height: int, width: int) -> Ints:
        """The block of each region, for blocks of `height` rows and `width` columns."""
        row, column = np.divmod(np.arange(self.regions), self.columns)
        across = -(-self.columns // width)
        return np.asarray(row // height * across + column // width)

    def nearest(self, points: Floats) -> Ints:
        """The region nearest to each point, given in kilometres as in `centres`; points outside go to the border."""
        row = np.clip(np.rint(points[..., 0] / self.cell_height), 0, self.rows - 1)
        column = np.clip(np.rint(points[..., 1] / self.cell_width), 0, self.columns - 1)
        return np.asarray((row * self.columns + column).astype(np.int64))

    def locate(self, latitude: Floats, longitude: Floats) -> Ints:
        """The region of each coordinate; DataError at the first point outside the map."""
        row = (latitude - self.south) / (self.north - self.south) * self.rows
        column = (longitude - self.west) / (self.east - self.west) * self.columns
        outside = np.flatnonzero((row < 0) | (row >= self.rows) | (column < 0) | (column >= self.columns))
        if outside.size:
            point = outside[0]
            raise DataError(f"row {point + 1}: ({latitude[point]}, {longitude[point]}) lies outside the map")
        return row.astype(np.int64) * self.columns + column.astype(np.int64)

    def neighbourhood(self, reach: int = 1) -> Floats:
        """[region, region]: 1 for regions at most `reach` rows and columns apart, else 0."""
        row, column = np.divmod(np.arange(self.regions), self.columns)
        near = (abs(row[:, None] - row) <= reach) & (abs(column[:, None] - column) <= reach)
        return near.astype(np.float64)
