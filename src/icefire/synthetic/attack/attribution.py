"""Hidden values of released rows with the same known values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Floats, Guess, Ints, Knowledge
from icefire.synthetic.encoding import Binned, binned, joined
from icefire.synthetic.network import mutual_information, pair_counts
from icefire.synthetic.roles import InferenceAttack


@dataclass(frozen=True)
class Attribution(InferenceAttack):
    """Infer how probable each hidden value is: its share among the released rows that have the same known values (CAP).

    For candidates whose known values no released row has, those that tell least about the hidden one are left out, until there
    is such a row. A number is inferred as the median of these rows.

    Parameters:
        bins: number of bins of a numeric column that is known.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People, Schema
        >>> table = pl.DataFrame({"a": ["p", "p", "q"], "b": ["x", "y", "y"]})
        >>> people = People(table, pl.DataFrame({"a": ["q"], "b": ["x"]}), Schema(hidden=["b"]))
        >>> guess = Attribution().attack(people.members, people.known("facts"), np.random.default_rng(0))
        >>> guess.values.filter(people.candidates["a"] == "p").rows()
        [(0.5, 0.5), (0.5, 0.5)]

    Reference:
        Elliot: Final report on the disclosure risk associated with the synthetic data produced by the SYLLS team. 2014; Taub,
        Elliot, Pampaka, Smith: Differential correct attribution probability for synthetic data: an exploration. 2018.
    """

    bins: Annotated[int, AtLeast(2)] = 5

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        known = knowledge.table.columns
        codes = binned([published.select(known), knowledge.table], known, self.bins)
        columns = []
        for name in self.hidden(knowledge):
            target = binned([published.select(name)], [name], self.bins)
            order = _telling(codes, target)
            columns += _inferred(published[name], target.tables[0][:, 0], codes, order)
        return Guess(values=pl.DataFrame(columns))


def _telling(codes: Binned, target: Binned) -> Ints:
    """The known columns, those first that tell most about the hidden one in the release."""
    told = []
    for place, size in enumerate(codes.sizes):
        both = np.hstack([codes.tables[0][:, [place]], target.tables[0]])
        told.append(mutual_information(pair_counts(both, (size, target.sizes[0]), 0, 1)))
    return np.argsort(-np.array(told), kind="stable")


def _inferred(column: pl.Series, target: np.ndarray, codes: Binned, order: Ints) -> list[pl.Series]:
    released, asked = codes.tables
    texts = column.unique().drop_nulls().sort()
    numeric = column.dtype.is_numeric()
    numbers = column.cast(pl.Float64).fill_null(float("nan")).to_numpy() if numeric else np.zeros(0)
    medians = np.full(asked.shape[0], np.nan)
    chances = np.zeros((asked.shape[0], len(texts)))
    open_ = np.arange(asked.shape[0])
    for length in range(order.size, -1, -1):
        groups, own = joined([released[:, order[:length]], asked[np.ix_(open_, order[:length])]])
        there = np.isin(own, groups)
        if numeric:
            medians[open_[there]] = _medians(groups, numbers, own[there])
        else:
            chances[open_[there]] = _shares(groups, target, own[there], len(texts))
        open_ = open_[~there]
        if not open_.size:
            break
    if numeric:
        return [pl.Series(column.name, medians).fill_nan(None)]
    if not len(texts):
        return [pl.Series(column.name, [None] * asked.shape[0], dtype=pl.String)]
    return [pl.Series(f"{column.name}={text}", chances[:, place]) for place, text in enumerate(texts)]


def _shares(groups: Ints, target: np.ndarray, own: Ints, texts: int) -> Floats:
    """[asked row, text]: the share of each text in the group; what is missing counts, but is no text."""
    counts = np.zeros((int(groups.max()) + 1, texts + 1))
    np.add.at(counts, (groups, target), 1.0)
    return np.asarray(counts[own, :texts] / counts[own].sum(axis=1, keepdims=True))


def _medians(groups: Ints, numbers: Floats, own: Ints) -> Floats:
    """[asked row]: the median of the group, NaN if it has no number."""
    held = pl.DataFrame({"group": groups, "number": numbers}).fill_nan(None)
    medians = held.group_by("group").agg(pl.col("number").median())
    asked = pl.DataFrame({"group": own}).join(medians, on="group", how="left", maintain_order="left")
    return asked["number"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
