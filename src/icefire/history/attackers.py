"""Attackers who know less than everything."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.core.errors import ParameterError
from icefire.history.data import History, Ints


def limited(
    history: History,
    rng: np.random.Generator,
    records: int | None = None,
    share: float = 1.0,
    periods: tuple[str, ...] = (),
    characters: int | None = None,
) -> History:
    """What is left of the records for an attacker who knows so many of each customer, such a share of all, some
    periods only, or items by their first characters only. Limits add up; without any, the history itself."""
    whole = np.ones(history.height, dtype=np.bool_)
    if periods:
        for label in periods:
            if label not in history.periods.labels:
                raise ParameterError.of("attacker", "periods", f"among {', '.join(history.periods.labels)}", label)
        whole &= np.isin(history.period_codes, [history.periods.labels.index(label) for label in periods])
    if share < 1:
        whole &= rng.permutation(history.height) < round(share * history.height)
    if records is not None:
        whole &= _some_of_each(history.user_codes, whole, records, rng)
    known = history if whole.all() else history.only(whole, complete=False)
    return (
        known
        if characters is None
        else known.with_frame(known.frame.with_columns(cut_items(pl.col("item"), characters)))
    )


def cut_items(items: pl.Expr, characters: int) -> pl.Expr:
    """Items of which only the beginning is known: 22728 becomes 22*. Shorter ones, and shorter beginnings, stay."""
    whole = items.str.strip_suffix("*")
    return pl.when(whole.str.len_chars() > characters).then(whole.str.head(characters) + "*").otherwise(items)


def _some_of_each(users: Ints, allowed: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """A random choice of at most so many allowed records of each user."""
    order = np.lexsort((rng.random(users.size), ~allowed, users))
    ordered = users[order]
    first = np.searchsorted(ordered, ordered, side="left")
    chosen = np.zeros(users.size, dtype=np.bool_)
    chosen[order] = np.arange(users.size) - first < number
    return chosen
