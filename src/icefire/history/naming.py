"""Fresh pseudonyms and invoice numbers, which say nothing about the original ones."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray


def fresh_names(number: int, taken: pl.Series, rng: np.random.Generator) -> NDArray[np.object_]:
    """Numbers in random order: from 1, or further up where these would meet an original id."""
    used = np.sort(taken.str.to_integer(strict=False).drop_nulls().to_numpy())
    start = 0
    while np.searchsorted(used, start + number, side="right") > np.searchsorted(used, start, side="right"):
        start = max(10 * start, 10 ** len(str(number)))
    return (start + 1 + rng.permutation(number)).astype(str).astype(np.object_)


def fresh_invoices(frame: pl.DataFrame, rng: np.random.Generator) -> pl.Series:
    """New invoice numbers: the old ones would name the customer. A number that several customers share says nothing."""
    if frame["invoice"].n_unique() <= 1 and frame["user"].n_unique() > 1:
        return frame["invoice"]
    keys = frame.select(pl.struct("user", "invoice").rank("dense")).to_series().to_numpy().astype(np.int64) - 1
    fresh = 1 + rng.permutation(int(keys.max()) + 1)
    return pl.Series("invoice", fresh[keys]).cast(pl.String).set(frame["invoice"].is_null(), None)
