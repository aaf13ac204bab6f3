"""Similarity of items by who buys them, before and after."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.core.similarity import unit_rows
from icefire.history.data import History, Release

Matrix = sparse.csr_array
Scoring = Callable[[NDArray[np.float64]], NDArray[np.float64]]
ROWS = 500


def similarity_distance(original: History, release: Release, scoring: Scoring, items: pl.Series | None = None) -> float:
    """Sum over the original's pairs of items of |similarity before - after|, per similarity before; at most 1.

    A pair is two different items that share a user; its similarity is the cosine of their scores over users. Pairs that
    only the release has are ignored.
    """
    labels = original.frame["item"].unique().sort() if items is None else items.sort()
    before, after = (_vectors(history, labels, scoring) for history in (original, release.published))
    total = lost = 0.0
    for begin in range(0, len(labels), ROWS):
        part = slice(begin, begin + ROWS)
        ours = _pairs(before, part)
        theirs = _pairs(after, part).multiply(ours > 0)
        total += float(ours.sum())
        lost += float(abs(ours - theirs.tocsr()).sum())
    if total == 0:
        raise Undefined("no two items of the original have a customer in common")
    # Differences by rounding count as none.
    return min(lost / total, 1.0) if lost > 1e-12 * total else 0.0


def _pairs(vectors: Matrix, part: slice) -> Matrix:
    """Similarities of some items with all others; an item is no pair with itself."""
    found = (vectors[part] @ vectors.T).tocoo()
    rows, columns = found.coords
    other = columns != rows + (part.start or 0)
    return sparse.csr_array((found.data[other], (rows[other], columns[other])), shape=found.shape)


def _vectors(history: History, labels: pl.Series, scoring: Scoring) -> Matrix:
    """[item, user]: scores of total quantities, every row of length 1."""
    codes = history.frame["item"].cast(pl.Enum(labels), strict=False).to_physical().cast(pl.Int64)
    amount = history.middle("quantity") if history.has("quantity") else np.ones(history.height)
    known = codes.is_not_null().to_numpy() & ~np.isnan(amount)
    holders = history.holders
    held = known[holders.records]
    rows, columns = codes.to_numpy()[holders.records[held]].astype(np.int64), holders.users[held]
    shares = (amount[holders.records] * holders.weights)[held]
    total = sparse.csr_array((shares, (rows, columns)), shape=(len(labels), len(history.users)))
    total.sum_duplicates()
    total.data = scoring(total.data)
    total.eliminate_zeros()
    return unit_rows(total)


def require_quantities(original: History, release: Release) -> None:
    if not (original.has("quantity") and release.published.has("quantity")):
        raise Undefined("these records have no quantities")


def popular_items(history: History, number: int = 100) -> pl.Series:
    """The items of most users; of equally popular ones those whose id comes later."""
    users = history.frame.group_by("item").agg(pl.col("user").n_unique().alias("users"))
    return users.sort("users", "item", descending=[True, True])["item"].head(number)
