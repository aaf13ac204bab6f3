"""Ranks with ties broken at random: a tie resolved in file order would leak or lose the truth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.microdata.data import Guess, Microdata

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def amounts(published: Microdata, knowledge: Microdata, name: str) -> tuple[Floats, Floats]:
    """One column of both tables as numbers: (published, original). Missing values are NaN."""
    if name not in published.schema.names:
        raise Undefined(f"the column {name!r} was not published")
    if name not in knowledge.numeric:
        raise Undefined(f"the column {name!r} holds no amounts")
    original = knowledge.frame[name].cast(float).to_numpy().astype(np.float64)
    return knowledge.domain(name).read(published.frame[name]).midpoints, original


def published_amounts(published: Microdata, knowledge: Microdata) -> list[str]:
    """Sensitive amounts that both tables have."""
    names = [name for name in knowledge.numeric_sa if name in published.schema.names]
    if not names:
        raise Undefined("no sensitive amount is both published and known")
    return names


def first_amount(published: Microdata, knowledge: Microdata, column: str | None) -> str:
    return column if column is not None else published_amounts(published, knowledge)[0]


def order_of(values: Floats, rng: np.random.Generator) -> Ints:
    """Positions from the smallest value to the largest, missing ones last."""
    return np.lexsort((rng.random(values.size), np.nan_to_num(values, nan=np.inf)))


def matched(released: Floats, known: Floats, place: Ints, rng: np.random.Generator) -> Guess:
    """For a published row of rank r the original row of rank place[r]; equal amounts are in random order."""
    drawn = order_of(known, rng)[place[rank_of(released, rng)]]
    alike, people_alike = (
        np.unique(np.nan_to_num(values, nan=np.inf), return_inverse=True)[1] for values in (released, known)
    )
    return Guess.exchanged(drawn, alike, people_alike)


def rank_of(values: Floats, rng: np.random.Generator) -> Ints:
    """Zero-based rank of each value."""
    ranks = np.empty(values.size, dtype=np.int64)
    ranks[order_of(values, rng)] = np.arange(values.size)
    return ranks
