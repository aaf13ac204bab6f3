"""How the published columns that attackers do not know go with those that they know, learned from classes of rows.

Who is behind a published row is not known, but often who is behind a class of them. So the means of the unknown columns over
each class are regressed on the means of the known columns over the people who fit it (ecological regression). What holds
between classes is then used within them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import sparse

from icefire.core.ranks import mean_ranks
from icefire.microdata.cells import as_text, parse_interval
from icefire.microdata.data import Microdata
from icefire.microdata.distances import Floats, Ints

STEPS, LABELS = 50, 20
"""Most steps of a curve over a known column, or values of it that are told apart; most values of an unknown column."""
STEP, LABEL = 0.03, 0.3
"""Size of a step and of a known value in the regression: the smaller, the more a straight line is preferred to them."""
RIDGES = 10.0 ** np.arange(-3, 4)
"""How much slopes are held back. Classes that were left out decide which is best."""
FOLDS = 5
FLOOR = 0.02
"""Least error of what is predicted, in standard deviations of an amount."""
DIRECTIONS = 8
"""Most numbers in which published rows and people are compared in the end."""


@dataclass(frozen=True)
class Coding:
    """A column as numbers that go by the code of each row."""

    column: str
    codes: Ints
    table: Floats
    """[code, number]; 0 on average over the rows."""

    @classmethod
    def of(cls, column: str, codes: Ints, table: Floats) -> Coding:
        mean = np.bincount(codes, minlength=len(table)) @ table / codes.size
        return cls(column, codes, table - mean)

    def sums(self, weights: sparse.csr_array) -> Floats:
        """[group, number]: sums over the rows with the weights [group, row]."""
        size = self.codes.size
        places = sparse.csr_array((np.ones(size), self.codes, np.arange(size + 1)), (size, len(self.table)))
        return np.asarray((weights @ places) @ self.table)


def known_codings(knowledge: Microdata) -> list[Coding]:
    """What the attacker knows of people, for the regression."""
    found = []
    for name in knowledge.schema.names:
        domain, codes = knowledge.domain(name), knowledge.codes(name)
        if domain.ordinal:
            found += _curve(name, codes, np.append(domain.positions, np.nan))
        else:
            found.append(_labels(name, codes, STEPS, LABEL))
    return found


def told_codings(published: Microdata, names: Sequence[str]) -> list[Coding]:
    """Columns of a release that the attacker does not know. An amount has two codings, of which one is to be used."""
    found = []
    for name in names:
        column = published.column(name)
        values = _amounts(column)
        if values is None:
            found.append(_labels(name, _numbered(as_text(column)), LABELS))
            continue
        present = ~np.isnan(values)
        for numbers in (values[present], mean_ranks(values[present])):
            spread = float(numbers.std()) if numbers.size else 0.0
            if spread > 0:
                scaled = np.full(values.size, 0.0)
                scaled[present] = (numbers - numbers.mean()) / spread
                distinct, codes = np.unique(scaled, return_inverse=True)
                found.append(Coding.of(name, codes, distinct[:, None]))
    return found


def _curve(name: str, codes: Ints, positions: Floats) -> list[Coding]:
    """A straight line, and steps that make a curve of it."""
    values = positions[codes]
    present = values[~np.isnan(values)]
    spread = float(present.std()) if present.size else 0.0
    if spread == 0:
        return [_labels(name, codes, STEPS, LABEL)]
    line = np.nan_to_num((positions - present.mean()) / spread)
    cuts = np.unique(np.quantile(present, np.arange(1, STEPS) / STEPS, method="lower"))
    # Missing values come last and have a step of their own.
    steps = np.searchsorted(cuts, values, side="right") + np.isnan(values)
    table = STEP * np.tri(cuts.size + 2, cuts.size + 1, -1)
    table[-1] = 0.0
    table[-1, -1] = LABEL
    return [Coding.of(name, codes, line[:, None]), Coding.of(name, steps, table)]


def _labels(name: str, codes: Ints, number: int, size: float = 1.0) -> Coding:
    """The most frequent values, each by itself."""
    counts = np.bincount(codes)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    number = min(number, order.size)
    return Coding.of(name, np.minimum(rank, number)[codes], size * np.eye(number + 1, number))


def _numbered(texts: pl.Series) -> Ints:
    return np.asarray(texts.rank("dense").fill_null(0).to_numpy(), dtype=np.int64)


def _amounts(column: pl.Series) -> Floats | None:
    """The numbers of a column, or the middles of its intervals, NaN where one is missing; None if it holds others."""
    if column.dtype.is_numeric() or column.dtype.is_temporal():
        return column.to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)
    if column.dtype != pl.String:
        return None
    distinct = column.unique()
    ends = [None if text is None else parse_interval(text) for text in distinct]
    if not any(ends) or not all(end or text in (None, "*") for end, text in zip(ends, distinct, strict=True)):
        return None
    middles = pl.Series([(end[0] + end[1]) / 2 if end else np.nan for end in ends], dtype=pl.Float64)
    return column.replace_strict(distinct, middles, return_dtype=pl.Float64).to_numpy().astype(np.float64)


@dataclass(frozen=True)
class Relation:
    """Numbers of published rows and people that are nearer to each other the likelier they belong together.

    Half the squared distance is the negative logarithm of a likelihood.
    """

    published: Floats
    people: Floats

    @classmethod
    def learned(
        cls,
        told: Sequence[Coding],
        known: Sequence[Coding],
        rows: sparse.csr_array,
        people: sparse.csr_array,
        sizes: Ints,
        rng: np.random.Generator,
    ) -> Relation | None:
        """From [class, published row] and [class, person], each adding up to 1; None if nothing is told."""
        if not told:
            return None
        causes = np.concatenate([coding.sums(people) for coding in known], axis=1)
        effects = np.concatenate([coding.sums(rows) for coding in told], axis=1)
        owner = np.repeat(np.arange(len(told)), [coding.table.shape[1] for coding in told])
        regression = _Regression(causes, effects, sizes, rng)
        ridges, errors = regression.best(owner)
        kept = _better(told, errors)
        if not kept:
            return None
        chosen = np.isin(owner, kept)
        errors = regression.held_out(ridges[owner])[:, chosen]
        whitened = _whitening(errors)
        slopes = regression.slopes(ridges[owner])[:, chosen] @ whitened
        predicted = _added(known, slopes)
        # Directions in which predictions hardly differ tell nothing.
        _, directions = np.linalg.eigh(np.atleast_2d(np.cov(predicted.T, bias=True)))
        strongest = directions[:, ::-1][:, :DIRECTIONS]
        return cls(_added([told[i] for i in kept], whitened @ strongest), _added(known, slopes @ strongest))


def _better(told: Sequence[Coding], errors: Floats) -> list[int]:
    """Of the codings of each column the one with the least error, if it is less than without knowing anything."""
    best: dict[str, int] = {}
    for at in np.argsort(-errors, kind="stable").tolist():
        if errors[at] < 1.0:
            best[told[at].column] = at
    return sorted(best.values())


def _added(codings: Sequence[Coding], slopes: Floats) -> Floats:
    """[row, number]: what the columns add up to with these slopes. Equal rows have equal sums to the last digit."""
    widths = [coding.table.shape[1] for coding in codings]
    parts = np.split(slopes, np.cumsum(widths)[:-1])
    total = np.zeros((codings[0].codes.size, slopes.shape[1]))
    for coding, part in zip(codings, parts, strict=True):
        total += (coding.table @ part)[coding.codes]
    return total


def _whitening(errors: Floats) -> Floats:
    """What turns errors into independent ones of size 1. Few classes say little about which errors go together."""
    covariance, (classes, numbers) = errors.T @ errors / len(errors), errors.shape
    mixed = (classes * covariance + numbers * np.diag(np.diag(covariance))) / (classes + numbers)
    values, vectors = np.linalg.eigh(mixed)
    return np.asarray(vectors / np.sqrt(np.maximum(values, FLOOR**2)))


class _Regression:
    """Ridge regression of class means, each as precise as its size allows."""

    def __init__(self, causes: Floats, effects: Floats, sizes: Ints, rng: np.random.Generator) -> None:
        root = np.sqrt(sizes)[:, None]
        self.causes, self.effects = causes * root, effects * root
        self.moments = self.causes.T @ self.causes, self.causes.T @ self.effects
        self.folds = [np.flatnonzero(part) for part in np.arange(FOLDS)[:, None] == rng.integers(0, FOLDS, sizes.size)]
        self.left = [self._without(fold) for fold in self.folds]

    def _without(self, fold: Ints) -> tuple[Floats, Floats, Floats]:
        """Eigenvalues and vectors of the rest, and its products with the effects."""
        causes, effects = self.causes[fold], self.effects[fold]
        values, vectors = np.linalg.eigh(self.moments[0] - causes.T @ causes)
        return np.maximum(values, 0.0), vectors, vectors.T @ (self.moments[1] - causes.T @ effects)

    def held_out(self, ridges: Floats) -> Floats:
        """[class, effect]: the errors of predictions that were learned from other classes."""
        errors = self.effects.copy()
        for fold, (values, vectors, products) in zip(self.folds, self.left, strict=True):
            errors[fold] -= self.causes[fold] @ (vectors @ (products / (values[:, None] + ridges)))
        return errors

    def best(self, owner: Ints) -> tuple[Floats, Floats]:
        """The best ridge of each owner of effects, and the share of the squares that is then left."""
        total = np.bincount(owner, (self.effects**2).sum(axis=0))
        left = np.array(
            [
                np.bincount(owner, (self.held_out(np.full(owner.size, ridge)) ** 2).sum(axis=0))
                / np.maximum(total, 1e-300)
                for ridge in RIDGES
            ]
        )
        return RIDGES[left.argmin(axis=0)], left.min(axis=0)

    def slopes(self, ridges: Floats) -> Floats:
        """[cause, effect]: learned from all classes."""
        values, vectors = np.linalg.eigh(self.moments[0])
        products = vectors.T @ self.moments[1]
        return np.asarray(vectors @ (products / (np.maximum(values, 0.0)[:, None] + ridges)))
