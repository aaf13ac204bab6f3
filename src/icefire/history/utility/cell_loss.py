"""Cell loss, after PWSCUP 2018, with a price for values that are false."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.records import SPANS
from icefire.history.roles import Utility
from icefire.history.sets import label_sizes, set_sizes
from icefire.history.utility._rows import kept_rows

BLANK = "*"
"""A deleted cell; in our own notation, the item with any beginning."""
UNITS = {"date": 1.0, "price": 0.01, "quantity": 1.0}


@dataclass(frozen=True)
class CellLoss(Utility):
    """Cell loss: 1 for a deletion, less for sets, intervals and false values; mean over date, item, price and quantity.

    A set of items costs 1 - 1/|set|, and an interval from a to b around x ((a-x)^2 + (b-x)^2 + (b-a) w) / (2 (b-a+w) sd), w
    being a day, a cent or a piece and sd the standard deviation of the column. A missing cell has nothing to lose. An amount
    that is far off can cost more than its deletion: the formula has no upper end. An item that was replaced by another, or
    by a set without it, counts 1. In the contest values that are false cost nothing: see `ut_il`.

    Example:
        Of the two items one costs 1/2, so the column costs 1/4; the dates are exact.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "bob 2011-01-05 cup")
        >>> after = records("1 2011-01-03 {cup|tea}", "2 2011-01-05 cup")
        >>> CellLoss().measure(before, Release(before, after, [[0], [1]], [0, 1])).value
        0.125

    Reference:
        Rules of PWSCUP 2018.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("cell loss",)

    def measure(self, original: History, release: Release) -> Score:
        losses = column_losses(original, release, strict=True)
        return self.score(float(np.mean(list(losses.values()))), detail={"by column": losses})


def column_losses(original: History, release: Release, strict: bool) -> dict[str, float]:
    """The mean loss of the cells of each column; unless strict, a single value costs nothing, and a set its size."""
    published, rows = kept_rows(release)
    gone = original.height - rows.size
    items = _items(original, release, published, rows, strict)
    losses = {"item": float((items.sum() + gone) / original.height)}
    for name in (name for name in SPANS if original.has(name)):
        if not release.published.has(name):
            losses[name] = 1.0
            continue
        before = _numbers(original.frame[name])
        spread = np.nanstd(before) if (~np.isnan(before)).any() else 0.0
        low = _numbers(release.published.frame[name])[published]
        high = low
        if f"{name}_to" in release.published.frame.columns:
            high = _numbers(release.published.frame[f"{name}_to"])[published]
            high = np.where(np.isnan(high), low, high)
        interval, blank = _marks(release.published, name, published, low, high)
        counted = ~blank & (interval | strict)
        x, a, b = (np.where(counted, side, np.nan) for side in (before[rows], low, high))
        cells = np.where(blank & ~np.isnan(before[rows]), 1.0, interval_loss(x, a, b, UNITS[name], float(spread)))
        losses[name] = float((cells.sum() + gone) / original.height)
    return losses


def interval_loss(x: np.ndarray, a: np.ndarray, b: np.ndarray, unit: float, spread: float) -> np.ndarray:
    """
    >>> interval_loss(np.array([5.0]), np.array([4.0]), np.array([6.0]), 1.0, 2.0).tolist()
    [0.3333333333333333]
    """
    loss = (a - x) ** 2 + (b - x) ** 2 + (b - a) * unit
    if spread == 0 and np.nansum(loss) > 0:
        raise Undefined("a column with one value only has been changed: its loss has no scale")
    lost = loss / (2 * (b - a + unit) * (spread or 1.0))
    return np.where(np.isnan(x), 0.0, np.where(np.isnan(a), 1.0, lost))


def _marks(
    history: History, name: str, chosen: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which of the chosen cells are intervals, and which were deleted: as they are written, since a deleted date is any
    date, and `[5;5]` an interval."""
    if history.written is None:
        return high != low, np.isnan(low)
    texts = history.written[name].gather(chosen)
    return texts.str.starts_with("[").to_numpy(), np.isnan(low) | (texts == BLANK).to_numpy()


def _items(original: History, release: Release, published: np.ndarray, rows: np.ndarray, strict: bool) -> np.ndarray:
    before = original.frame["item"].gather(rows)
    pairs = pl.DataFrame({"before": before, "after": release.published.frame["item"].gather(published)})
    distinct = pairs.unique()
    known = original.frame["item"].unique()
    after = distinct["after"]
    sizes = set_sizes(distinct["before"], after, known) if strict else label_sizes(after, known)
    blank = (after == BLANK).to_numpy()
    loss = pl.Series("loss", np.where((sizes > 0) & ~blank, 1.0 - 1.0 / np.maximum(sizes, 1), 1.0))
    return pairs.join(distinct.with_columns(loss), on=["before", "after"], maintain_order="left")["loss"].to_numpy()


def _numbers(column: pl.Series) -> np.ndarray:
    return column.to_physical().to_numpy().astype(np.float64)
