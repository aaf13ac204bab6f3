"""Singles people out by several values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Guess, Ints, Knowledge
from icefire.synthetic.predicates import NOBODY, Cells, Conditions
from icefire.synthetic.roles import SinglingOutAttack

BATCH = 2_000
TRIES, STALE = 200, 5
"""Batches after which it is given up to find more predicates, and those without a single new one."""


@dataclass(frozen=True)
class Multivariate(SinglingOutAttack):
    """Predicates of several columns, drawn from released rows, that one released row alone fulfils.

    A text must be the same, a number at least as far from the median.

    Parameters:
        columns: number of columns of a predicate.
        predicates: how many; fewer if no more are found.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> people = People(pl.DataFrame({"a": [1, 2, 9], "b": ["x", "y", "y"]}), pl.DataFrame({"a": [5], "b": ["x"]}))
        >>> guess = Multivariate(columns=2).attack(people.members, people.known("release"), np.random.default_rng(0))
        >>> sorted({condition.value for predicate in guess.predicates for condition in predicate if condition.column == "b"})
        ['x', 'y']

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. 2022.
    """

    columns: Annotated[int, AtLeast(1)] = 3
    predicates: Annotated[int, AtLeast(1)] = 500

    @classmethod
    def variants(cls, published: pl.DataFrame, knowledge: Knowledge) -> list[Multivariate]:
        return [cls(columns=min(columns, published.width)) for columns in dict.fromkeys((3, min(5, published.width)))]

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        cells = Cells(published.unique(maintain_order=True))
        number = min(self.columns, published.width)
        there = ~np.isnan(cells.numbers)
        medians = [
            float(np.median(row[mask])) if mask.any() else 0.0 for row, mask in zip(cells.numbers, there, strict=True)
        ]
        texts = np.array([name in cells.texts for name in published.columns])
        kept: dict[tuple[object, ...], tuple[Ints, Ints, np.ndarray]] = {}
        tries, stale, batch_size = 0, 0, min(BATCH, 20 * cells.table.height)
        while len(kept) < self.predicates and tries < TRIES and stale < STALE:
            before = len(kept)
            rows = rng.integers(0, cells.table.height, batch_size)
            columns = np.sort(rng.random((batch_size, published.width)).argsort(axis=1)[:, :number], axis=1)
            values = cells.numbers[columns, rows[:, None]]
            missing = np.isnan(values)
            sides = np.where(values > np.array(medians)[columns], 2, 1)
            comparisons = np.where(missing, 3, np.where(texts[columns], 0, sides))
            batch = columns, comparisons, np.where(missing, 0.0, values)
            for place in np.flatnonzero(cells.alone(Conditions.together(*batch)) != NOBODY):
                key = tuple(part[place].tobytes() for part in batch)
                kept.setdefault(key, (columns[place], comparisons[place], batch[2][place]))
            tries, stale = tries + 1, 0 if len(kept) > before else stale + 1
        chosen = list(kept.values())[: self.predicates]
        if not chosen:
            return Guess(predicates=())
        found = Conditions.together(*(np.array([entry[part] for entry in chosen]) for part in range(3)))
        return Guess(predicates=cells.written(found))
