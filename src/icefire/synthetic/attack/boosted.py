"""Hidden values by a model that was trained on the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.boosting import ROUNDS, classifier, regressor
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.encoding import BINS, Binned, binned
from icefire.synthetic.roles import InferenceAttack


@dataclass(frozen=True)
class Boosted(InferenceAttack):
    """Infer hidden values by gradient-boosted trees that were trained on the release.

    Parameters:
        rounds: number of trees.
        bins: number of bins of a numeric column.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People, Schema
        >>> table = pl.DataFrame({"a": ["p", "q"] * 20, "b": ["x", "y"] * 20})
        >>> people = People(table, table, Schema(hidden=["b"]))
        >>> guess = Boosted().attack(people.members, people.known("facts"), np.random.default_rng(0))
        >>> guess.values["b"].equals(people.candidates["b"])
        True

    Reference:
        Friedman: Greedy function approximation: a gradient boosting machine. 2001.
    """

    rounds: Annotated[int, AtLeast(1)] = ROUNDS
    bins: Annotated[int, AtLeast(2)] = BINS

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        known = knowledge.table.columns
        codes = binned([published.select(known), knowledge.table], known, self.bins)
        categorical = [not published[name].dtype.is_numeric() for name in known]
        columns = [self._inferred(published[name], codes, categorical) for name in self.hidden(knowledge)]
        return Guess(values=pl.DataFrame(columns))

    def _inferred(self, column: pl.Series, codes: Binned, categorical: list[bool]) -> pl.Series:
        there = column.is_not_null().to_numpy()
        if not column.dtype.is_numeric():
            values = column.unique().sort(nulls_last=True)
            classes = column.cast(pl.Enum(values.drop_nulls())).to_physical().fill_null(len(values) - 1)
            model = classifier(
                codes.tables[0], codes.sizes, categorical, classes.to_numpy().astype(np.int64), len(values), self.rounds
            )
            return values.gather(model.outputs(codes.tables[1]).argmax(axis=1)).alias(column.name)
        if not there.any():
            return pl.Series(column.name, [None] * codes.tables[1].shape[0], dtype=pl.Float64)
        numbers = column.drop_nulls().cast(pl.Float64).to_numpy()
        model = regressor(codes.tables[0][there], codes.sizes, categorical, numbers, self.rounds)
        return pl.Series(column.name, model.outputs(codes.tables[1])[:, 0])
