"""What the metrics of reconstructed values share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.microdata.accuracy import Hits, judge_columns
from icefire.microdata.data import Microdata
from icefire.microdata.data import Schema as MicrodataSchema
from icefire.synthetic.data import Guess, Ints, People, Release, chance_columns


def judge_groups(release: Release, guess: Guess | None, rare: bool) -> tuple[Mapping[str, Hits], Mapping[str, Hits]]:
    """The hits of the hidden columns of the members, and those of the others; of rare guesses, where there are such."""
    people = release.original
    if guess is None or guess.values is None:
        raise Undefined("the guess says nothing of hidden values")
    named = {name: column for name in people.schema.hidden if (column := _named(guess, name, rare)) is not None}
    members, others = (np.flatnonzero(part) for part in (people.membership, ~people.membership))
    return _judge(people, members, named), _judge(people, others, named)


def _judge(people: People, rows: Ints, named: Mapping[str, pl.Series]) -> dict[str, Hits]:
    # Tenths of amounts, and how rare values are, are those of the group itself.
    table = Microdata(people.candidates[rows], MicrodataSchema(qi=(), sa=people.names))
    guesses = {name: column.gather(rows) for name, column in named.items()}
    return judge_columns(table, np.arange(rows.size), guesses, list(guesses))


def _named(guess: Guess, name: str, rare: bool) -> pl.Series | None:
    """The guessed values of a column; of a guess with chances, those with the largest (for how many people have them)."""
    assert guess.values is not None
    if rare and guess.rare_values is not None and name in guess.rare_values.columns:
        return guess.rare_values[name]
    if name in guess.values.columns:
        return guess.values[name]
    chances = chance_columns(guess.values, name)
    if not chances:
        return None
    table = guess.values.select(list(chances.values())).cast(pl.Float64).to_numpy()
    weights = 1.0 / np.maximum(table.sum(axis=0), 1e-300) if rare else 1.0
    return pl.Series(name, list(chances), dtype=pl.String).gather((table * weights).argmax(axis=1))
