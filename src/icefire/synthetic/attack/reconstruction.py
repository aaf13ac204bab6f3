"""Hidden columns reconstructed from the released rows that are like a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.microdata import schema as microdata
from icefire.microdata.beliefs import infer
from icefire.microdata.data import Microdata
from icefire.microdata.data import Schema as MicrodataSchema
from icefire.microdata.similarity import find_similar
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.roles import InferenceAttack


@dataclass(frozen=True)
class Reconstruction(InferenceAttack):
    """Read the hidden columns of the released rows that are like a person, weighted by how much they are.

    How much a known column counts is learned from the release: what predicts the hidden columns of its rows from the other rows
    best. Beside the most probable value of each column it says the one to guess where rare values count more.

    Example:
        >>> import polars as pl
        >>> from icefire.synthetic.data import People, Schema
        >>> table = pl.DataFrame({"a": ["p", "q"] * 20, "b": ["x", "y"] * 20})
        >>> people = People(table, table, Schema(hidden=["b"]))
        >>> guess = Reconstruction().attack(people.members, people.known("facts"), np.random.default_rng(0))
        >>> guess.values["b"].equals(people.candidates["b"])
        True

    Reference:
        NIST Collaborative Research Cycle: red team exercise. 2025. Nadaraya: On estimating regression. 1964.
    """

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        hidden, known = self.hidden(knowledge), knowledge.table.columns
        types = {name: microdata.Column(type="categorical") for name in published.columns if _is_text(published, name)}
        rows = Microdata(published, MicrodataSchema(qi=known, sa=hidden, columns=types))
        people = Microdata(
            knowledge.table,
            MicrodataSchema(qi=known, columns={name: column for name, column in types.items() if name in known}),
        )
        similar = find_similar(rows, people, hidden, rng)
        if similar is None:
            raise Undefined("no released row has a value in common with anybody")
        guess = infer(rows, people, hidden, similar)
        return Guess(values=_table(guess.values, published), rare_values=_table(guess.rare_values, published))


def _is_text(table: pl.DataFrame, name: str) -> bool:
    return not table[name].dtype.is_numeric()


def _table(values: Mapping[str, pl.Series], like: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame({name: column.cast(like.schema[name]) for name, column in values.items()})
