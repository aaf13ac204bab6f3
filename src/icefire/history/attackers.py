"""Attackers with partial knowledge."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import ParameterError
from icefire.history.data import History, Ints

Flags = NDArray[np.bool_]


def limited(
    history: History,
    rng: np.random.Generator,
    records: int | None = None,
    share: float = 1.0,
    periods: tuple[str, ...] = (),
    characters: int | None = None,
) -> History:
    """The records that an attacker with partial knowledge has. Limits are combined; without any, the history itself.

    Parameters:
        records: number of records of each customer.
        share: share of all records, and at least one.
        periods: labels of the known periods; all if empty.
        characters: number of leading characters of items.
    """
    if records is None and share == 1 and not periods and characters is None:
        return history
    kept = np.ones(history.height, dtype=np.bool_)
    if periods:
        for label in periods:
            if label not in history.periods.labels:
                raise ParameterError.of("attacker", "periods", f"among {', '.join(history.periods.labels)}", label)
        kept &= np.isin(history.period_codes, [history.periods.labels.index(label) for label in periods])
    if share < 1:
        kept &= rng.permutation(history.height) < max(1, round(share * history.height))
    if records is not None:
        kept &= _sample_of_each(history.user_codes, kept, records, rng)
    known = history if kept.all() else history.only(kept, complete=False)
    if characters is not None:
        known = known.with_frame(known.frame.with_columns(cut_items(pl.col("item"), characters)))
    if known is not history:
        known.places = np.flatnonzero(kept) if history.places is None else history.places[kept]
    return known


def cut_items(items: pl.Expr, characters: int) -> pl.Expr:
    """Truncate items to a prefix: 22728 becomes 22*. Items and prefixes that are not longer stay as they are."""
    prefix = items.str.strip_suffix("*")
    return pl.when(prefix.str.len_chars() > characters).then(prefix.str.head(characters) + "*").otherwise(items)


def _sample_of_each(users: Ints, allowed: Flags, number: int, rng: np.random.Generator) -> Flags:
    """A random sample of at most `number` allowed records of each user."""
    order = np.lexsort((rng.random(users.size), ~allowed, users))
    ordered = users[order]
    first = np.searchsorted(ordered, ordered, side="left")
    chosen = np.zeros(users.size, dtype=np.bool_)
    chosen[order] = np.arange(users.size) - first < number
    return chosen
