"""Likelihood of published prices and quantities, exact or as intervals, given known ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from icefire.history.data import History, Ints
from icefire.history.facets import interval_ends

Floats = NDArray[np.float64]
SPREADS = (0.001, 0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0)
"""Standard deviations of the logarithm of an amount to choose from."""
NEVER = 1e-12


@dataclass(frozen=True)
class Amounts:
    """Prices or quantities, as codes of the distinct published cells (intervals) and of the distinct known values.

    The logarithm of an amount is moved by normal noise, and then rounded to a unit or put into its interval.
    """

    low: Floats
    high: Floats
    values: Floats
    published: Ints
    known: Ints

    @classmethod
    def of(cls, published: History, knowledge: History, name: str, unit: float | None = None) -> Amounts:
        ends = np.stack(interval_ends(published.frame, name))
        column = knowledge.frame[name].to_numpy().astype(np.float64)
        step = _step(np.concatenate([ends.ravel(), column])) if unit is None else unit
        cells, cell_of = np.unique(ends, axis=1, return_inverse=True)
        values, value_of = np.unique(column, return_inverse=True)
        # The least amount stands for everything below it: amounts are clipped there.
        low = np.where(cells[0] <= step, 0.0, cells[0] - step / 2)
        with np.errstate(divide="ignore"):
            low, high = np.log(low), np.log(cells[1] + step / 2)
        return cls(low, high, np.log(np.maximum(values, step / 2)), cell_of.ravel(), value_of.ravel())

    def log_likelihood(self, cells: Ints, values: Ints, spread: float) -> Floats:
        """Log probability of each cell given the known value beside it; missing ones say nothing."""
        value = self.values[values]
        made = ndtr((self.high[cells] - value) / spread) - ndtr((self.low[cells] - value) / spread)
        return np.where(np.isnan(made), 0.0, np.log(np.maximum(made, NEVER)))

    def table(self, spread: float) -> Floats:
        """[cell, value]: the log probabilities of all."""
        cells, values = np.arange(self.low.size)[:, None], np.arange(self.values.size)[None, :]
        return self.log_likelihood(cells, values, spread)

    def likeliest(self, cells: Ints, values: Ints, weights: Floats) -> float:
        """The spread under which these cells are likeliest, given the values beside them."""
        keys, place = np.unique(cells * self.values.size + values, return_inverse=True)
        cells, values = np.divmod(keys, self.values.size)
        total = np.bincount(place, weights)
        fits = [float(total @ self.log_likelihood(cells, values, spread)) for spread in SPREADS]
        return SPREADS[int(np.argmax(fits))]


def _step(values: Floats) -> float:
    """The unit to which amounts are rounded."""
    values = values[np.isfinite(values)]
    for step in (1.0, 0.1, 0.01):
        if np.allclose(values / step, np.rint(values / step), atol=1e-6):
            return step
    return 0.001
