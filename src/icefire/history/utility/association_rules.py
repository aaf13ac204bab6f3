"""Pairs of items that are bought together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility


@dataclass(frozen=True)
class AssociationRules(Utility):
    """Share of the strongest pairs of items bought together that are not among the release's strongest.

    A pair is as strong as the number of baskets that hold both items; a basket is an invoice, or a user's day where there
    are none.

    Parameters:
        number: how many of the strongest pairs are compared.

    Example:
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "ann 2011-01-03 cup", "bob 2011-01-04 tea", "bob 2011-01-04 pen")
        >>> after = records("1 2011-01-03 tea", "1 2011-01-03 cup", "2 2011-01-04 tea", "2 2011-01-05 pen")
        >>> release = Release(before, after, [[0], [1]], [0, 1, 2, 3])
        >>> AssociationRules().measure(before, release).value
        0.5
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(1)] = 100
    aliases: ClassVar[tuple[str, ...]] = ("association rules",)

    def measure(self, original: History, release: Release) -> Score:
        labels = original.frame["item"].unique().sort()
        before = _pairs(original, labels)
        if before[1].size == 0:
            raise Undefined("no basket holds two items")
        top = _strongest(*before, self.number)
        kept = np.isin(top, _strongest(*_pairs(release.published, labels), self.number)).sum()
        return self.score(1.0 - float(kept) / top.size, detail={"pairs": int(top.size)})


def baskets(history: History) -> np.ndarray:
    """The basket of each record."""
    by_invoice = history.has("invoice") and history.frame["invoice"].n_unique() > 1
    key = ["user", "invoice"] if by_invoice else ["user", "date"]
    return history.frame.select(pl.struct(key).rank("dense")).to_series().to_numpy().astype(np.int64) - 1


def _pairs(history: History, labels: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of items as one number, and in how many baskets they are."""
    codes = history.frame["item"].cast(pl.Enum(labels), strict=False).to_physical().cast(pl.Int64)
    known = codes.is_not_null().to_numpy()
    rows, columns = codes.drop_nulls().to_numpy(), baskets(history)[known]
    shape = (len(labels), int(columns.max(initial=0)) + 1)
    inside = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=shape)
    inside.sum_duplicates()
    inside.data[:] = 1.0
    together = sparse.triu(inside @ inside.T, 1).tocoo()
    first, second = together.coords
    return first.astype(np.int64) * len(labels) + second, together.data


def _strongest(pairs: np.ndarray, counts: np.ndarray, number: int) -> np.ndarray:
    return np.asarray(pairs[np.lexsort((pairs, -counts))[:number]])
