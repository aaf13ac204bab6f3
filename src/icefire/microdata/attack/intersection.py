"""Posterior over the ways in which people fit several releases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.microdata.attack.posterior import Unlikely
from icefire.microdata.composition import Composed
from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.joint import joint_candidates
from icefire.microdata.roles import Attack


@dataclass(frozen=True)
class Intersection(Attack):
    """Name the person who is most likely behind each row, going by all releases of the same people together.

    Each release says that a person is one of a few rows. Rows of different releases that differ in what was published
    unchanged are not the same person's, so what they allow together is less.

    Parameters:
        match: "nearest" names the likeliest person row by row; "assignment" names each person once.

    Example:
        The first release mixes people of 20 and 30, and of 40 and 50, the second one those of 30 and 40.

        >>> import polars as pl
        >>> from icefire.microdata.composition import combine
        >>> from icefire.microdata.data import Release, Schema
        >>> schema, rng = Schema(qi=["age"], sa=["pay"]), np.random.default_rng(0)
        >>> people = Microdata(pl.DataFrame({"age": [20, 30, 40, 50], "pay": [1, 2, 3, 4]}), schema)
        >>> cells = ["[20..30]", "[20..30]", "[40..50]", "[40..50]"], ["20", "[30..40]", "[30..40]", "50"]
        >>> tables = [people.frame.with_columns(age=pl.Series(column)) for column in cells]
        >>> first, second = (Release.shuffled(people, table, np.arange(4), rng, ["age"]) for table in tables)
        >>> both = combine(first, [second.published])
        >>> guess = Intersection().attack(both.published, people.only(["age"]), rng)
        >>> guess.found(both.rows)
        4.0

    Reference:
        Ganta, Kasiviswanathan, Smith: Composition attacks and auxiliary information in data privacy. KDD 2008.
    """

    match: Match = "nearest"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Intersection]:
        # Of a single release, `posterior` says the same.
        return [cls("nearest"), cls("assignment")] if isinstance(published, Composed) else []

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        found = joint_candidates(published, knowledge)
        if np.diff(sparse.csc_array(found.weights).indptr)[found.class_of].min(initial=1) == 0:
            raise Undefined("nobody fits some rows: their cells were changed, not generalized")
        chances = sparse.csr_array(found.weights.T)
        return Unlikely(found.class_of, found.group_of, chances, rng).match(self.match, published, knowledge)
