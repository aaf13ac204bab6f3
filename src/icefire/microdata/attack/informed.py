"""The most likely row, for attackers who know the method."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from icefire.core.errors import InputError, Undefined
from icefire.core.roles import AnyAnonymizer
from icefire.microdata.data import Guess, Microdata, Rows
from icefire.microdata.distances import Costs, Floats, Match
from icefire.microdata.roles import Anonymizer, InformedAttack

LEAST = 1e-30
"""Least probability of a cell: one impossible cell must not make all candidates equal."""


@dataclass(frozen=True)
class Informed(InformedAttack):
    """Take the row that makes the published one most likely, given the steps of the release and their parameters.

    Steps without randomness are repeated on the known rows. For the others, the likelihoods that they state are multiplied
    over the columns. Where every step acts on columns of its own and nothing else is random, this is Bayes' rule: no attack
    finds more on average.

    Parameters:
        match: "nearest" decides row by row; "assignment" uses every person at most once, at the largest total likelihood.

    Example:
        Half of the sexes are random and the amounts nearly exact, so the amounts decide.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.anonymize.noise import Noise
        >>> from icefire.microdata.anonymize.pram import Pram
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [10.0, 20.0, 30.0]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["m", "f"], "pay": [10.5, 30.5]}), schema)
        >>> attack = Informed().knowing([Pram(keep=0.5), Noise(scale=0.1)])
        >>> attack.attack(published, original, np.random.default_rng(0)).rows.tolist()
        [0, 2]

    Reference:
        Domingo-Ferrer, Muralidhar: New directions in anonymization: permutation paradigm, verifiability by subjects and
        intruders, transparency to users. 2016. For swapping: Nin, Herranz, Torra: Rethinking rank swapping to decrease
        disclosure risk. 2008.
    """

    match: Match = "nearest"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Informed]:
        return [cls("nearest"), cls("assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        surprise = _Surprise(published, _Repeated.of(self.known_steps, knowledge, published, rng), rng)
        guess = surprise.match(self.match, published, surprise.repeated.table)
        return guess.renumbered(surprise.people, knowledge.height)


@dataclass(frozen=True)
class _Repeated:
    """The known rows after the steps that could be repeated, and for the columns that others change, how likely they do."""

    table: Microdata
    people: Rows
    stated: dict[str, tuple[Anonymizer, Microdata]]

    @classmethod
    def of(
        cls, steps: Iterable[AnyAnonymizer], knowledge: Microdata, published: Microdata, rng: np.random.Generator
    ) -> _Repeated:
        table, people = knowledge, np.arange(knowledge.height)
        stated: dict[str, tuple[Anonymizer, Microdata]] = {}
        for step in steps:
            assert isinstance(step, Anonymizer)
            if not step.deterministic:
                for name in _changed_by(step, table, published):
                    _require_untouched(name, stated, step)
                    stated[name] = step, table
                continue
            try:
                release = step.anonymize(table, rng)
            except InputError as error:
                if all(name in knowledge.schema.names for name in published.schema.names):
                    raise Undefined(f"{step.name} cannot be repeated: {error}") from error
                # It needs columns that are not known. What it makes of the others is read from the published cells.
                continue
            order = np.argsort(release.rows, kind="stable")
            after = release.published.take(order)
            if stated and after.height < table.height:
                # Which rows go depends on values that are not known any more.
                continue
            for name in (name for name in table.schema.names if name in after.schema.names):
                if after.height < table.height or not after.column(name).equals(table.column(name)):
                    _require_untouched(name, stated, step)
            table, people = after, people[release.rows[order]]
        return cls(table, people, stated)


def _changed_by(step: Anonymizer, table: Microdata, published: Microdata) -> list[str]:
    names = [name for name in table.schema.names if name in published.schema.names]
    return [
        name
        for name in names
        if step.likelihood(table, name, table.domain(name).read(published.column(name)[:0])) is not None
    ]


def _require_untouched(name: str, stated: dict[str, tuple[Anonymizer, Microdata]], step: Anonymizer) -> None:
    if name in stated:
        raise Undefined(f"the column {name!r} is changed by {stated[name][0].name} and then by {step.name}")


class _Surprise(Costs):
    """Minus the logarithm of how likely each published row is, given each known row."""

    def __init__(self, published: Microdata, repeated: _Repeated, rng: np.random.Generator) -> None:
        super().__init__(published.height, repeated.table.height, rng)
        self.published, self.repeated, self.people = published, repeated, repeated.people
        self.names = [name for name in repeated.table.schema.names if name in published.schema.names]
        if not self.names:
            raise Undefined("the published table shares no column with what is known")
        self.scale = np.full(self.height, -np.log(LEAST) * len(self.names))

    def block(self, part: slice) -> Floats:
        total = np.zeros((len(range(self.height)[part]), self.width))
        for name in self.names:
            step, table = self.repeated.stated.get(name, (None, self.repeated.table))
            cells = table.domain(name).read(self.published.frame[name][part])
            chance = cells.fits if step is None else step.likelihood(table, name, cells)
            assert chance is not None
            total -= np.log(np.maximum(chance, LEAST))[cells.codes][:, table.codes(name)[self._shuffled]]
        return total
