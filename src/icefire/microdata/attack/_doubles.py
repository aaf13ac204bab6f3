"""Which doubles a value with an error can become, when the sum is published with all its bits.

numpy makes errors of 53 random bits, and each operation on them rounds:

    uniform   z = low + (high - low) * m / 2^53
    laplace   z = b * log(2u) below one half, -b * log(2 - 2u) above it, u = m / 2^53
    gaussian  z is any double
    published = value + (scale * z) * unit, or value * (1 + scale * z)

So for a value and what was published, z is known up to a few neighbours. If none of them, put
through the same operations, gives the published bits, the value is not behind them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

Distribution = Literal["gaussian", "laplace", "uniform"]
Unit = Literal["deviation", "absolute", "factor"]
Floats = NDArray[np.float64]
NEAR = 3
"""Neighbours on either side of the draw that rounding may hide."""
TRIES = 2 * NEAR + 1
HALF_WIDTH = np.sqrt(3)
DECAY = np.sqrt(0.5)
BITS = 2.0**53


@dataclass(frozen=True)
class Law:
    """How errors are drawn, and what they are multiplied by."""

    distribution: Distribution
    scale: float
    unit: Unit

    def surprise(self, published: Floats, known: Floats, unit: float) -> Floats:
        """Minus the logarithm of how likely each known value becomes the published double; infinite
        if it cannot."""
        with np.errstate(all="ignore"):
            gap = published - known
            size = self.scale * (np.abs(known) if self.unit == "factor" else unit)
            draws = (gap / known if self.unit == "factor" else gap / unit) / self.scale
            ways, grain = self._ways(published, known, unit, np.where(np.isfinite(draws), draws, 0.0))
            # How many draws make this double, relative to draws without gaps.
            crowd = np.where(ways == TRIES, 1.0, ways * grain * size / np.spacing(np.abs(published)))
            cost = np.log(size) - self._log_density(draws) - np.log(crowd)
        cost = np.where(np.isfinite(cost), cost, np.inf)
        # A factor leaves 0 as it is, and what is missing stays missing.
        same = (np.isnan(published) & np.isnan(known)) | ((published == 0) & (known == 0) & (self.unit == "factor"))
        return np.where(same, 0.0, cost)

    def _ways(self, published: Floats, known: Floats, unit: float, draws: Floats) -> tuple[Floats, Floats]:
        """How many draws near the given one make the published bits, and how far apart draws are
        there."""
        match self.distribution:
            case "uniform":
                width = HALF_WIDTH - (-HALF_WIDTH)
                number = np.rint((draws + HALF_WIDTH) / width * BITS)
                grain = np.full(draws.shape, width / BITS)
            case "laplace":
                tail = np.exp(-np.abs(draws) / DECAY)
                number = np.rint(np.where(draws < 0, tail / 2, 1 - tail / 2) * BITS)
                grain = 2 * DECAY / (BITS * tail)
            case "gaussian":
                number, grain = draws, np.spacing(np.abs(draws))
        ways = np.zeros(draws.shape)
        for step in range(-NEAR, NEAR + 1):
            ways += self._published(known, unit, self._draw(number, step, grain)) == published
        return ways, grain

    def _draw(self, number: Floats, step: int, grain: Floats) -> Floats:
        """The error that numpy makes of a number of 53 bits; NaN if there is no such number."""
        if self.distribution == "gaussian":
            return np.asarray(number + step * grain)
        number = np.where((number + step >= 0) & (number + step < BITS), number + step, np.nan)
        share = number * 2.0**-53
        if self.distribution == "uniform":
            return np.asarray(-HALF_WIDTH + (HALF_WIDTH - (-HALF_WIDTH)) * share)
        # As numpy, xlogy takes the logarithm of the C library; np.log has its own, which differs in
        # the last bit.
        upper = 0.0 - DECAY * xlogy(1.0, 2.0 - share - share)
        return np.asarray(np.where(share >= 0.5, upper, 0.0 + DECAY * xlogy(1.0, share + share)))

    def _published(self, known: Floats, unit: float, draw: Floats) -> Floats:
        error = self.scale * draw
        return known * (1 + error) if self.unit == "factor" else known + error * unit

    def _log_density(self, draws: Floats) -> Floats:
        match self.distribution:
            case "uniform":
                return np.where(np.abs(draws) <= HALF_WIDTH * (1 + 1e-9), -np.log(2 * HALF_WIDTH), -np.inf)
            case "laplace":
                return np.asarray(-np.abs(draws) / DECAY - np.log(2 * DECAY))
            case "gaussian":
                return np.asarray(-(draws**2) / 2 - np.log(2 * np.pi) / 2)
