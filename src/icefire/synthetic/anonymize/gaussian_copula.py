"""A normal distribution behind all columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import ndtr, ndtri

from icefire.core.grid import decimals_of, rounded
from icefire.synthetic.data import Floats, People, Release
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class GaussianCopula(Anonymizer):
    """Draw rows from a multivariate normal distribution with the members' rank correlations, and take their values by rank.

    Texts are ranked by how frequent they are; a row's place among equal ones is random. Numbers are interpolated between
    the members', and rounded to the decimals of their column.

    Example:
        >>> import numpy as np, polars as pl
        >>> table = pl.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [1.1, 2.2, 3.0, 4.1]})
        >>> release = GaussianCopula().anonymize(People(table, table), np.random.default_rng(0))
        >>> release.published.shape
        (4, 2)

    Reference:
        Nelsen: An introduction to copulas. 1999; Patki, Wedge, Veeramachaneni: The synthetic data vault. 2016.
    """

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        table, count = original.members, original.people
        scores = np.stack([_normal_scores(column, rng) for column in table], axis=1)
        correlation = np.atleast_2d(scores.T @ scores / count)
        values, vectors = np.linalg.eigh(correlation)
        drawn = rng.normal(size=(count, table.width)) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
        spread = np.sqrt(np.maximum(np.diag(correlation), 1e-12))
        shares = ndtr(drawn / spread)
        columns = [_by_rank(column, shares[:, place]) for place, column in enumerate(table)]
        return Release.shuffled(original, pl.DataFrame(columns), rng)


def _order(column: pl.Series) -> pl.Series:
    """Rows sorted by number, or by how frequent the text is; what is missing comes last."""
    if column.dtype.is_numeric():
        return column.arg_sort(nulls_last=True)
    frequent = pl.DataFrame({"text": column}).with_columns(number=pl.len().over("text"))
    return frequent.select(pl.arg_sort_by("number", "text", descending=[True, False], nulls_last=True)).to_series()


def _normal_scores(column: pl.Series, rng: np.random.Generator) -> Floats:
    """[row]: the place of the row in the column's order as a normal deviate, equal ones in random order."""
    mixed = rng.permutation(len(column))
    order = mixed[_order(column.gather(mixed)).to_numpy()]
    ranks = np.empty(len(column))
    ranks[order] = np.arange(len(column))
    return np.asarray(ndtri((ranks + 0.5) / len(column)))


def _by_rank(column: pl.Series, shares: Floats) -> pl.Series:
    """The values at these shares of the column's order."""
    ordered = column.gather(_order(column))
    places = shares * len(column) - 0.5
    near = np.clip(np.round(places), 0, len(column) - 1).astype(np.int64)
    picked = ordered.gather(near)
    if not column.dtype.is_numeric():
        return picked
    numbers = ordered.drop_nulls().cast(pl.Float64).to_numpy()
    if not numbers.size:
        return picked
    between = np.interp(places, np.arange(numbers.size), numbers)
    declared = 0 if column.dtype.is_integer() else None
    between = rounded(between, decimals_of(numbers, float(numbers.std()), declared=declared))
    return pl.Series(column.name, between).set(picked.is_null(), None).cast(column.dtype)
