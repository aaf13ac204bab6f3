r"""How many hidden values an attacker reconstructs.

    plain           sum_i [guess_i = v_i] / n                        share of the people whose value is right
    rarity-weighted sum_i [guess_i = v_i] / n(v_i) / sum_i 1 / n(v_i)  mean over the values of the share of their holders

n(v) is how many people have the value v, so that somebody with a rare value counts more: the second is the score of NIST's
red team exercise. Amounts are right in their tenth. The baseline of both is the best guess that is the same for everybody: the
share of the most frequent value, and 1 over the number of values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.documents import Json, JsonObject
from icefire.core.errors import Undefined
from icefire.microdata.beliefs import value_groups
from icefire.microdata.cells import as_text
from icefire.microdata.data import Microdata

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Hits:
    """A hidden column: the value of each person, or the tenth of their amount, and whether a guess names it."""

    groups: Ints
    right: Flags

    @classmethod
    def of(cls, truth: Microdata, name: str, people: Ints, guess: pl.Series) -> Hits:
        domain = truth.domain(name)
        groups = value_groups(domain, truth.is_numeric(name))
        if truth.is_numeric(name):
            amounts = guess.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
            middles = (domain.positions[1:] + domain.positions[:-1]) / 2
            codes = np.searchsorted(middles, amounts)
            codes[np.isnan(amounts)] = len(domain.values) - 1 if domain.missing else len(domain.values)
        else:
            place = {text: code for code, text in enumerate(domain.texts)}
            texts = as_text(guess).fill_null("")
            codes = texts.replace_strict(place, default=len(domain.values), return_dtype=pl.Int64).to_numpy()
        guessed = np.append(groups, -1)[codes]
        actual = groups[truth.codes(name)[people]]
        return cls(actual, guessed == actual)

    @property
    def plain(self) -> float:
        return float(self.right.mean())

    @property
    def weighted(self) -> float:
        counts = np.bincount(self.groups)
        some = counts > 0
        return float((np.bincount(self.groups, self.right)[some] / counts[some]).mean())

    @property
    def plain_baseline(self) -> float:
        return float(np.bincount(self.groups).max() / self.groups.size)

    @property
    def weighted_baseline(self) -> float:
        return 1.0 / np.unique(self.groups).size


def judge_columns(
    truth: Microdata, people: Ints, guesses: Mapping[str, pl.Series], names: Sequence[str]
) -> dict[str, Hits]:
    """The hits of each column; Undefined if there is none, or nobody."""
    columns = {name: Hits.of(truth, name, people, guesses[name]) for name in names if name in guesses}
    if not columns or not people.size:
        raise Undefined("no sensitive column was published that the attacker does not know")
    return columns


def accuracy_detail(columns: Mapping[str, Hits], weighted: bool) -> JsonObject:
    """By column; and the baseline, the mean over the columns of the best guess that is the same for everybody."""
    values: dict[str, Json] = {name: hits.weighted if weighted else hits.plain for name, hits in columns.items()}
    baselines = [hits.weighted_baseline if weighted else hits.plain_baseline for hits in columns.values()]
    return {"baseline": float(np.mean(baselines)), "by column": values}


def whole_rows(columns: Mapping[str, Hits]) -> float:
    """The share of the people of whom every hidden value is right."""
    return float(np.logical_and.reduce([hits.right for hits in columns.values()]).mean())
