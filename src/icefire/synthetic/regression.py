"""Regressions on the members' table and on a release, in the same terms: linear, logistic, and Cox's for event times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import expit, ndtri

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.synthetic.data import Floats, Mask

RARE = 5
"""Members who have to hold a text, and others, before it is a term of its own."""
STEPS, CLOSE = 50, 1e-9
TINY = 1e-9
"""What is added to a curvature, so that terms which are always the same have no effect and an error beyond all bounds."""
VAGUE = 100.0
"""Standard error of a coefficient, in standard deviations of its term, from which on it is not estimated at all."""
REACH = float(ndtri(0.975))


@dataclass(frozen=True)
class Terms:
    """What a regression is on: numbers in standard deviations of the members, and each text but the most frequent one."""

    numbers: tuple[tuple[str, float, float], ...]
    """Name, mean and standard deviation."""
    texts: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, members: pl.DataFrame, names: Sequence[str]) -> Terms:
        numbers, texts = [], []
        for name in names:
            column = members[name].drop_nulls()
            if column.dtype.is_numeric():
                cells = column.cast(pl.Float64).to_numpy()
                if cells.size and cells.std() > 0:
                    numbers.append((name, float(cells.mean()), float(cells.std())))
                continue
            counted = column.value_counts().sort("count", name, descending=[True, False])
            frequent = counted.filter((pl.col("count") >= RARE) & (len(column) - pl.col("count") >= RARE))
            texts += [(name, text) for text in frequent[name] if text != counted[name][0]]
        return cls(tuple(numbers), tuple(texts))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.numbers) + tuple(f"{name}={text}" for name, text in self.texts)

    def matrix(self, table: pl.DataFrame) -> Floats:
        """[row, term]; NaN where a cell is missing."""
        columns = [
            (table[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() - mean) / spread
            for name, mean, spread in self.numbers
        ]
        columns += [
            table[name].eq(text).cast(pl.Float64).fill_null(float("nan")).to_numpy() for name, text in self.texts
        ]
        return np.stack(columns, axis=1) if columns else np.zeros((table.height, 0))


@dataclass(frozen=True)
class Coefficients:
    """[term]: estimates with their standard errors."""

    values: Floats
    errors: Floats

    @classmethod
    def none(cls, terms: int) -> Coefficients:
        """Nothing could be estimated."""
        return cls(np.zeros(terms), np.full(terms, np.inf))

    @property
    def estimated(self) -> Mask:
        return np.asarray(np.isfinite(self.errors) & (self.errors < VAGUE))

    def overlap(self, other: Coefficients) -> Floats:
        """[term]: the share of the intervals of 95% that they have in common, the mean over both; 0 if one has none.

        >>> one, two = (Coefficients(np.array([value]), np.array([1.0])) for value in (0.0, 1.959964))
        >>> one.overlap(two).round(4).tolist()
        [0.5]

        Reference:
            Karr, Kohnen, Oganian, Reiter, Sanil: A framework for evaluating the utility of data altered to protect
            confidentiality. 2006.
        """
        widths = [2 * REACH * np.maximum(part.errors, 1e-12) for part in (self, other)]
        low = np.maximum(self.values - widths[0] / 2, other.values - widths[1] / 2)
        high = np.minimum(self.values + widths[0] / 2, other.values + widths[1] / 2)
        shared = np.maximum(high - low, 0.0)
        found = (shared / widths[0] + shared / widths[1]) / 2
        # Rounded, so that what is the same overlaps wholly.
        return np.asarray(np.where(self.estimated & other.estimated, np.round(found, 12), 0.0))

    def told(self, term: int) -> Json:
        """An estimate and its interval; None if there is none."""
        if not self.estimated[term]:
            return None
        value, reach = float(self.values[term]), REACH * float(self.errors[term])
        return {"value": value, "low": value - reach, "high": value + reach}


def linear(matrix: Floats, target: Floats) -> Coefficients:
    """Least squares with an intercept, which is left out.

    >>> x = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> found = linear(x, np.array([1.0, 2.0, 4.0, 5.0]))
    >>> found.values.round(3).tolist(), found.errors.round(3).tolist()
    ([1.4], [0.141])
    """
    design, target = _complete(matrix, target)
    free = design.shape[0] - design.shape[1]
    if free < 1:
        raise Undefined("there are fewer rows without missing cells than terms of the regression")
    inverse = np.linalg.inv(design.T @ design + TINY * np.eye(design.shape[1]))
    values = inverse @ design.T @ target
    variance = float(((target - design @ values) ** 2).sum()) / free
    # The error of a term that never varies is beyond all bounds even if the others explain everything.
    errors = np.sqrt(np.diag(inverse) * max(variance, 1e-12))
    errors[np.diag(inverse) > 1 / np.sqrt(TINY)] = np.inf
    return Coefficients(values[1:], errors[1:])


def logistic(matrix: Floats, target: Floats) -> Coefficients:
    """Logistic regression of 0 and 1 with an intercept, which is left out: coefficients are logarithms of odds ratios."""
    design, target = _complete(matrix, target)
    signs = 2 * target - 1

    def at(weights: Floats) -> _Slope:
        chances = expit(design @ weights)
        bend = (design.T * (chances * (1 - chances))) @ design
        loss = float(np.logaddexp(0.0, -signs * (design @ weights)).sum())
        return _Slope(loss, design.T @ (target - chances), bend)

    found = _newton(at, design.shape[1])
    return Coefficients(found.values[1:], found.errors[1:])


def cox(matrix: Floats, times: Floats, events: Mask) -> Coefficients:
    """Cox's regression: coefficients are logarithms of hazard ratios. Ties as Breslow has them.

    Reference:
        Cox: Regression models and life-tables. 1972; Breslow: Covariance analysis of censored survival data. 1974.
    """
    there = ~(np.isnan(matrix).any(axis=1) | np.isnan(times))
    if not (there & events).any():
        raise Undefined("no event happens")
    order = np.flatnonzero(there)[np.argsort(-times[there], kind="stable")]
    design, times, events = matrix[order], times[order], events[order]
    # Whoever has a time at least as long is at risk; sorted from the longest, that is a prefix, with its ties.
    ends = np.searchsorted(-times, -times[events], side="right") - 1

    def at(weights: Floats) -> _Slope:
        risks = design @ weights
        most = float(risks.max())
        scale = np.exp(risks - most)
        total = np.maximum(np.cumsum(scale)[ends], 1e-300)
        first = np.cumsum(scale[:, None] * design, axis=0)[ends] / total[:, None]
        # How often a row is at risk, each event with its own weight: what happens at the end of a prefix counts for all of it.
        shares = np.cumsum(np.bincount(ends, weights=1 / total, minlength=times.size)[::-1])[::-1]
        bend = (design.T * (scale * shares)) @ design - first.T @ first
        loss = float((np.log(total) + most - risks[events]).sum())
        return _Slope(loss, (design[events] - first).sum(axis=0), bend)

    return _newton(at, matrix.shape[1])


@dataclass(frozen=True)
class _Slope:
    """A loss at some weights, the direction in which it falls, and its curvature."""

    loss: float
    down: Floats
    bend: Floats


def _newton(at: Callable[[Floats], _Slope], terms: int) -> Coefficients:
    """The weights of the least loss. Steps that would raise it are halved: far from the minimum they lead too far."""
    weights = np.zeros(terms)
    here, ridge = at(weights), TINY * np.eye(terms)
    for _ in range(STEPS):
        move = np.clip(np.linalg.solve(here.bend + ridge, here.down), -5.0, 5.0)
        there = at(weights + move)
        while not there.loss <= here.loss and np.abs(move).max() > CLOSE:
            move = move / 2
            there = at(weights + move)
        if np.abs(move).max(initial=0.0) <= CLOSE:
            break
        weights, here = weights + move, there
    return Coefficients(weights, np.sqrt(np.maximum(np.diag(np.linalg.inv(here.bend + ridge)), 0.0)))


def _complete(matrix: Floats, target: Floats) -> tuple[Floats, Floats]:
    """The rows in which nothing is missing, with an intercept."""
    there = ~(np.isnan(matrix).any(axis=1) | np.isnan(target))
    if not there.any():
        raise Undefined("every row lacks a cell that the regression needs")
    return np.column_stack([np.ones(int(there.sum())), matrix[there]]), target[there]
