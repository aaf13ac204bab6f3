"""What published columns tell about the columns that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from icefire.core.budget import current
from icefire.core.errors import Undefined
from icefire.core.seeds import generator
from icefire.microdata.attack._relation import Relation, known_codings, told_codings
from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import Feature, Ints, Numbers, agreement_weight, features
from icefire.microdata.linkage import Linkage
from icefire.microdata.partition import group_equal
from icefire.microdata.roles import Attack

FIRST = 1e6
"""Weight of the QI: a row that fits them better goes before any row of which other columns tell more."""
SAMPLE = 5_000
"""Published rows to learn from where too many people fit them all."""
CLASSES = 50_000
"""Most classes to learn from."""
LEARNING = 0.3
"""Share of the budget that is spent on who fits, to learn from them."""


@dataclass(frozen=True)
class Told(Attack):
    """Use published columns that are not known: learn from the release how they go with those that are.

    Beside a generalized age, a column with the years of experience still tells the age. Nobody has to say so: classes of
    older people have more experience on average. The means of the unknown columns over each class are regressed on what is
    known of the people who fit it. Then, among the people who fit a row, the one is named whose predicted values are nearest.
    Columns that cannot be predicted in classes that were left out are not used.

    Parameters:
        match: "nearest" decides row by row; "assignment" uses every person at most once, at least total distance.

    Example:
        Four people are in each class of ages, and nobody knows that experience begins at twenty.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> ages = np.arange(20, 60)
        >>> people = Microdata(pl.DataFrame({"age": ages}), Schema(qi=["age"]))
        >>> cells = [f"[{age // 4 * 4}..{age // 4 * 4 + 3}]" for age in ages]
        >>> table = pl.DataFrame({"age": cells, "experience": ages - 20})
        >>> published = Microdata(table, Schema(qi=["age"], sa=["experience"]))
        >>> guess = Told().attack(published, people, np.random.default_rng(0))
        >>> bool((guess.rows == np.arange(40)).mean() > 0.9)
        True

    Reference:
        Goodman: Ecological regressions and behavior of individuals. American Sociological Review, 1953.
    """

    match: Match = "nearest"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Told]:
        if not _unknown(published, knowledge):
            return []
        return [cls("nearest"), cls("assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        key = type(self), current().left
        linkage = Linkage(knowledge.once(published, key, lambda: self._columns(published, knowledge)), rng)
        found = linkage.match(self.match, published, knowledge)
        if self.match == "nearest" or found.asked is not None:
            return found
        # Rows that differ in what they tell cannot change places.
        alike = group_equal([knowledge.codes(name) for name in knowledge.schema.names])[2]
        return Guess.exchanged(found.rows, linkage.which, alike)

    def _columns(self, published: Microdata, knowledge: Microdata) -> list[Feature]:
        """The known columns and what others tell, the same for both ways to match."""
        unknown, rng = _unknown(published, knowledge), generator(0, self.name)
        if not unknown:
            raise Undefined("every published column is known: there is none to learn about")
        columns = [
            replace(column, weight=FIRST) if column.name in knowledge.qi else column
            for column in features(published, knowledge)
        ]
        with current().part(LEARNING).spent():
            rows, guess = _fitting(columns, published, knowledge, rng)
        relation = _relation(published, knowledge, unknown, rows, guess, rng)
        if relation is not None:
            columns = [_weighed(column, rows, guess) for column in columns]
            columns += [
                Numbers("told", 0.5, shown, known)
                for shown, known in zip(relation.published.T.copy(), relation.people.T.copy(), strict=True)
            ]
        return columns


def _unknown(published: Microdata, knowledge: Microdata) -> list[str]:
    return [name for name in published.schema.names if name not in knowledge.schema.names]


def _fitting(
    columns: Sequence[Feature], published: Microdata, knowledge: Microdata, rng: np.random.Generator
) -> tuple[Ints, Guess]:
    """Published rows, and who fits each of them best by what is known."""
    rows = np.arange(published.height)
    guess = Linkage(columns, rng).match("nearest", published, knowledge)
    if guess.chances is None:
        rows = np.sort(rng.choice(rows, min(rows.size, SAMPLE), replace=False))
        guess = Linkage([column.of(rows) for column in columns], rng).match("nearest", published, knowledge)
    if guess.asked is None:
        return rows, guess
    chances = guess.chances and replace(guess.chances, rows=guess.chances.rows[guess.asked])
    return rows[guess.asked], Guess(guess.rows[guess.asked], chances)


def _weighed(column: Feature, rows: Ints, guess: Guess) -> Feature:
    """Costs as logarithms of likelihoods, like those of what is told."""
    return column if column.weight == FIRST else replace(column, weight=agreement_weight(column.of(rows), guess.rows))


def _relation(
    published: Microdata,
    knowledge: Microdata,
    unknown: Sequence[str],
    rows: Ints,
    guess: Guess,
    rng: np.random.Generator,
) -> Relation | None:
    if guess.chances is None:
        return None
    classes, class_of, sizes = np.unique(guess.chances.rows, return_inverse=True, return_counts=True)
    shares = 1.0 / sizes[class_of]
    members = sparse.csr_array((shares, (class_of, rows)), (classes.size, published.height))
    chosen = np.arange(classes.size)
    if chosen.size > CLASSES:
        chosen = np.sort(rng.choice(chosen, CLASSES, replace=False))
    return Relation.learned(
        told_codings(published, unknown),
        known_codings(knowledge),
        members[chosen],
        guess.chances.shares[classes[chosen]],
        sizes[chosen],
        rng,
    )
