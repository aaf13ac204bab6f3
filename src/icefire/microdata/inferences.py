"""What an attacker says about hidden columns: a value of each for every person, and how sure they are of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import InputError
from icefire.microdata.data import Microdata

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Inference:
    """The guessed value of each hidden column for every person, or for a sample of them.

    A value is a category, or an amount. For an amount, `intervals` says where it lies; left out, that is within the
    tolerance of the schema.
    """

    values: Mapping[str, pl.Series] = field(repr=False)
    """By column, the most probable value of each person; null where the attacker does not know."""
    confidence: Mapping[str, Floats] = field(repr=False)
    """By column, the probability that the attacker gives to that value."""
    known: tuple[str, ...] = ()
    """The columns that the attacker knew."""
    people: NDArray[np.int64] | None = field(default=None, repr=False)
    """The rows of the known table that were asked for, in order; None if all were."""
    baseline: Mapping[str, Floats] = field(default_factory=dict, repr=False)
    """By column, the probability of the same value by what the release says of everybody else."""
    intervals: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict, repr=False)
    """By column of amounts, the smallest and the largest amount that the guess admits."""

    rare_values: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)
    """By column, the value whose probability is largest for how many people have it: what to say where rare values count
    more. Left out, the most probable one."""

    rows: NDArray[np.int64] | None = field(default=None, repr=False)
    """For each person a published row whose hidden cells, all together, are the most probable."""

    def check(self, published: Microdata, knowledge: Microdata) -> None:
        """Raise InputError unless there is an answer for every person who was asked for."""
        asked = knowledge.height if self.people is None else self.people.size
        for name, values in self.values.items():
            if name in knowledge.schema.names:
                raise InputError(f"the column {name!r} is known to the attacker: there is nothing to infer")
            if len(values) != asked or self.confidence[name].size != asked:
                raise InputError(f"the column {name!r} has {len(values):,} answers for {asked:,} people")
