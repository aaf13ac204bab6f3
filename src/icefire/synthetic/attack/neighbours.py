"""Hidden values of the nearest released rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.encoding import points
from icefire.synthetic.nearest import nearest
from icefire.synthetic.roles import InferenceAttack


@dataclass(frozen=True)
class Neighbours(InferenceAttack):
    """Infer the hidden value that the nearest released rows have, by the columns that are known.

    Parameters:
        k: number of rows; the most frequent value of theirs, or the median of numbers.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People, Schema
        >>> tables = pl.DataFrame({"a": [1, 9], "b": ["x", "y"]}), pl.DataFrame({"a": [2, 8], "b": ["x", "y"]})
        >>> people = People(*tables, Schema(hidden=["b"]))
        >>> guess = Neighbours(k=1).attack(people.members, people.known("facts"), np.random.default_rng(0))
        >>> guess.values["b"].equals(people.candidates["b"])
        True

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. 2022.
    """

    k: Annotated[int, AtLeast(1)] = 1

    @classmethod
    def variants(cls, published: pl.DataFrame, knowledge: Knowledge) -> list[Neighbours]:
        return [cls(k=k) for k in (1, 5) if k <= published.height]

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        hidden = self.hidden(knowledge)
        space = points([knowledge.table, published], knowledge.table.columns)
        rows = nearest(space, self.k)[1]
        return Guess(values=pl.DataFrame([_agreed(published[name], rows) for name in hidden]))


def _agreed(column: pl.Series, rows: np.ndarray) -> pl.Series:
    """What most of the given rows hold; of several as frequent, what the nearest row among them holds."""
    if rows.shape[1] == 1:
        return column.gather(rows[:, 0])
    if column.dtype.is_numeric():
        held = column.cast(pl.Float64).fill_null(float("nan")).to_numpy()[rows]
        there = ~np.isnan(held).all(axis=1)
        middle = np.full(rows.shape[0], np.nan)
        middle[there] = np.nanmedian(held[there], axis=1)
        return pl.Series(column.name, middle).fill_nan(None)
    codes = column.rank("dense").fill_null(0).cast(pl.Int64).to_numpy()[rows]
    votes = (codes[:, :, None] == codes[:, None, :]).sum(axis=2)
    return column.gather(np.take_along_axis(rows, votes.argmax(axis=1)[:, None], axis=1)[:, 0])
