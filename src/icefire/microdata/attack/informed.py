"""The most likely row, for attackers who know the method."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self

import numpy as np

from icefire.core.errors import InputError, Undefined
from icefire.core.roles import AnyAnonymizer
from icefire.core.seeds import generator
from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata, Rows
from icefire.microdata.distances import Categories, Feature, Floats, Ints, Same
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Anonymizer, InformedAttack

LEAST = 1e-30
"""Least probability of a cell: one impossible cell must not make all candidates equal."""
TABLE = 1 << 22
"""Probabilities in memory at a time."""


@dataclass(frozen=True)
class Informed(InformedAttack):
    """Take the row that makes the published one most likely, given the steps of the release and their parameters.

    Steps without randomness are repeated on the known rows. For the others, the likelihoods that they state are multiplied
    over the columns. Where the noise of each column and row is independent and all of it is stated, this is Bayes' rule.
    Other steps, such as swaps, are stated approximately, and another attack may find more.

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
        repeated, columns = self.find_likelihoods(published, knowledge)
        guess = Linkage(columns, rng).match(self.match, published, repeated.table)
        return guess.renumbered(repeated.people, knowledge.height)

    def find_likelihoods(self, published: Microdata, knowledge: Microdata) -> tuple[Repeated, list[Feature]]:
        """The known rows after the steps that can be repeated, and minus the logarithm of how likely each published cell is."""

        def find() -> tuple[Repeated, list[Feature]]:
            repeated = Repeated.of(self.known_steps, knowledge, published, generator(0, self.name))
            return repeated, _surprise(published, repeated)

        return knowledge.once(published, (type(self), self.known_steps), find)


@dataclass(frozen=True)
class Repeated:
    """The known rows after the steps that could be repeated, and for the columns that others change, how likely they do."""

    table: Microdata
    people: Rows
    stated: dict[str, tuple[Anonymizer, Microdata]]

    @classmethod
    def of(
        cls, steps: Iterable[AnyAnonymizer], knowledge: Microdata, published: Microdata, rng: np.random.Generator
    ) -> Repeated:
        table, people = knowledge, np.arange(knowledge.height)
        stated: dict[str, tuple[Anonymizer, Microdata]] = {}
        for step in steps:
            assert isinstance(step, Anonymizer)
            if not step.deterministic:
                if (part := _known_part(step, table)) is not None:
                    _require_conditions(part, stated)
                    for name in _changed_by(part, table, published):
                        _require_untouched(name, stated, part)
                        stated[name] = part, table
                continue
            try:
                release = step.anonymize(table, rng)
            except InputError as error:
                if not step.names_others(knowledge) and all(
                    name in knowledge.schema.names for name in published.schema.names
                ):
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
                else:
                    after.adopt(table, name)
            table, people = after, people[release.rows[order]]
        return cls(table, people, stated)


def _known_part(step: Anonymizer, table: Microdata) -> Anonymizer | None:
    """A random step on those of its columns that are known; None if there are none. It changes each column by itself."""
    columns: tuple[str, ...] = getattr(step, "columns", ())
    known = tuple(name for name in columns if name in table.schema.names)
    if len(known) == len(columns):
        return step
    settings = {field.name: getattr(step, field.name) for field in fields(step)}
    return type(step)(**{**settings, "columns": known}) if known else None


def _require_conditions(step: Anonymizer, stated: dict[str, tuple[Anonymizer, Microdata]]) -> None:
    for name in step.conditions:
        if name in stated:
            raise Undefined(f"{step.name} goes by the column {name!r}, which {stated[name][0].name} has changed")


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


def _surprise(published: Microdata, repeated: Repeated) -> list[Feature]:
    """Minus the logarithm of how likely each published cell is, given each known row."""
    found: list[Feature] = []
    for name in (name for name in repeated.table.schema.names if name in published.schema.names):
        step, table = repeated.stated.get(name, (None, repeated.table))
        cells = published.cells(name, table.domain(name))
        if step is not None:
            found.append(_Stated(name, 1.0, published, np.arange(published.height), cells.codes, step, table))
        elif cells.single is not None:
            found.append(Same(name, -float(np.log(LEAST)), cells.single, table.codes(name)))
        else:
            costs = -np.log(np.maximum(cells.fits, LEAST))
            found.append(Categories(name, 1.0, cells.codes, table.codes(name), costs))
    if not found:
        raise Undefined("the published table shares no column with what is known")
    return found


@dataclass(frozen=True)
class _Stated(Feature):
    """A column that a step changes at random."""

    published: Microdata
    rows: Ints
    cells: Ints
    """The cell of each row."""
    step: Anonymizer
    table: Microdata

    @property
    def height(self) -> int:
        return self.rows.size

    @property
    def width(self) -> int:
        return self.table.height

    def of(self, rows: Ints) -> Self:
        return replace(self, rows=self.rows[rows], cells=self.cells[rows])

    @property
    def alike(self) -> Ints:
        return self.cells

    @property
    def scale(self) -> Floats:
        return np.full(self.height, -np.log(LEAST))

    @cached_property
    def origins(self) -> Ints:
        return self.step.origins(self.table, self.name)

    def pairs(self, rows: Ints, people: Ints) -> Floats:
        found = np.empty(rows.size)
        shown, place = np.unique(self.cells[rows], return_inverse=True)
        order = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[order], np.arange(shown.size + 1))
        stand_in = rows[order[ends[:-1]]]
        step = max(1, TABLE // (int(self.origins.max()) + 1))
        for begin in range(0, shown.size, step):
            end = min(begin + step, shown.size)
            at = order[ends[begin] : ends[end]]
            found[at] = self._table(stand_in[begin:end])[place[at] - begin, self.origins[people[at]]]
        return found

    def block(self, rows: Ints, people: Ints) -> Floats:
        return np.take(self._table(rows), self.origins[people], axis=1)

    def _table(self, rows: Ints) -> Floats:
        """[row, origin]."""
        cells = self.table.domain(self.name).read(self.published.column(self.name)[self.rows[rows]])
        chance = self.step.likelihood(self.table, self.name, cells)
        assert chance is not None
        return np.asarray(-np.log(np.maximum(chance, LEAST))[cells.codes])
