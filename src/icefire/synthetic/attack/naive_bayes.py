"""The hidden value that goes best with each of the known ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.encoding import BINS, Codes, binned
from icefire.synthetic.network import conditionals, pair_counts
from icefire.synthetic.roles import InferenceAttack


@dataclass(frozen=True)
class NaiveBayes(InferenceAttack):
    """Infer the most probable hidden value by Bayes' rule, from how often it goes with each known value in the release.

    A number is inferred as the median of the released numbers in the most probable bin.

    Parameters:
        bins: number of bins of a numeric column.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People, Schema
        >>> tables = pl.DataFrame({"a": ["p", "q"], "b": ["x", "y"]}), pl.DataFrame({"a": ["q", "p"], "b": ["y", "x"]})
        >>> people = People(*tables, Schema(hidden=["b"]))
        >>> guess = NaiveBayes().attack(people.members, people.known("facts"), np.random.default_rng(0))
        >>> guess.values["b"].equals(people.candidates["b"])
        True

    Reference:
        Maron: Automatic indexing: an experimental inquiry. 1961.
    """

    bins: Annotated[int, AtLeast(2)] = BINS

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        known = knowledge.table.columns
        codes = binned([published.select(known), knowledge.table], known, self.bins)
        guessed = []
        for name in self.hidden(knowledge):
            target = binned([published.select(name)], [name], self.bins)
            chosen = likeliest(target.tables[0], target.sizes[0], codes.tables, codes.sizes)
            guessed.append(_values(published[name], target.tables[0][:, 0], target.sizes[0]).gather(chosen))
        return Guess(values=pl.DataFrame(guessed))


def likeliest(target: Codes, size: int, tables: tuple[Codes, ...], sizes: tuple[int, ...]) -> np.ndarray:
    """[candidate]: the code of the hidden value that is most probable, given the known ones."""
    released, asked = tables
    counts = np.bincount(target[:, 0], minlength=size)
    score = np.tile(np.log(counts + 1e-9), (asked.shape[0], 1))
    for column in range(released.shape[1]):
        both = np.hstack([target, released[:, [column]]])
        chances = conditionals(pair_counts(both, (size, sizes[column]), 0, 1))
        score += np.log(chances)[:, asked[:, column]].T
    return np.asarray(score.argmax(axis=1))


def _values(column: pl.Series, codes: np.ndarray, size: int) -> pl.Series:
    """[code]: the released value that stands for it: the median of numbers, the text itself."""
    order = np.argsort(column.rank("ordinal").fill_null(0).to_numpy(), kind="stable")
    inside = [order[codes[order] == code] for code in range(size)]
    places = [int(rows[(rows.size - 1) // 2]) if rows.size else 0 for rows in inside]
    return column.gather(places)
