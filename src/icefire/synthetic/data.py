"""Members and people who are not, what is released of the members, and guesses at who is one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.attackers import EVERYTHING
from icefire.core.errors import DataError, UnknownName
from icefire.core.seeds import chosen_people, generator
from icefire.frames.files import as_numbers, require_finite
from icefire.synthetic.schema import Schema as Schema

if TYPE_CHECKING:
    from icefire.synthetic.model import Model

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
HELD_OUT = 0.2
"""Share of the people who are held out as control, if no others are given."""
Level = Literal["release", "halves", "facts", "all"]
RELEASE: Level = "release"
HALVES: Level = "halves"
FACTS: Level = "facts"
Comparison = Literal["=", "<=", ">=", "missing"]


class People:
    """The members' table, which is to be released, and a control group: others of the same population.

    Without a control group, a fifth of the rows is held out as one: these are not members, and no release is made of them.

    >>> people = People(pl.DataFrame({"age": [30, 40, 50, 60, 70]}))
    >>> people.people, people.control.height, sorted(people.knowledge.table["age"])
    (4, 1, [30, 40, 50, 60, 70])
    """

    def __init__(
        self,
        members: pl.DataFrame,
        control: pl.DataFrame | None = None,
        schema: Schema | None = None,
        where: str = "the table",
        model: Model | None = None,
        reference: pl.DataFrame | None = None,
    ) -> None:
        """`model` is handed out beside the table that is released of them; `reference` is a sample of further people of the
        same population, of whom attackers know that they are not members."""
        self.schema, self.model = schema or Schema(), model
        self.schema.check(members.columns, where)
        members = plain(members, self.schema, where)
        if control is None:
            members, control = _held_out(members, where)
        self.members, self.control = members, fitted(control, members, self.schema, "the control group")
        if not members.width or not members.height:
            raise DataError(
                f"{where} has {members.height} rows and {members.width} columns: there is nobody to protect"
            )
        self.reference = None if reference is None else fitted(reference, members, self.schema, "the reference sample")
        if not self.control.height:
            raise DataError("the control group is empty: risk is measured against people who are not in the data")

    @property
    def people(self) -> int:
        return self.members.height

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.members.columns)

    @property
    def facts(self) -> tuple[str, ...]:
        """The columns that are not hidden."""
        return tuple(name for name in self.names if name not in self.schema.hidden)

    @cached_property
    def _order(self) -> Ints:
        """Candidates in an order that says nothing to anybody who does not know already who is a member."""
        digest = hashlib.sha256()
        for table in (self.members, self.control):
            digest.update(table.write_csv().encode())
        seed = int.from_bytes(digest.digest()[:8], "big") >> 1
        return generator(seed, "candidates").permutation(self.members.height + self.control.height)

    @cached_property
    def candidates(self) -> pl.DataFrame:
        """Members and control group in one table."""
        return pl.concat([self.members, self.control], how="vertical_relaxed")[self._order]

    @cached_property
    def membership(self) -> Mask:
        """[candidate]: the secret."""
        return self._order < self.members.height

    @property
    def rows(self) -> Ints:
        """[candidate]: the row in the members' table; beyond its end for others."""
        return self._order

    @cached_property
    def rare(self) -> Mask:
        """[candidate]: whether they belong to the rarest tenth."""
        from icefire.synthetic.rarity import rare

        return rare(self)

    @property
    def knowledge(self) -> Knowledge:
        return self.known(EVERYTHING)

    def known(self, level: str) -> Knowledge:
        """What attackers of a level hold."""
        if level == RELEASE:
            return Knowledge(RELEASE, self.candidates.select([]), self.schema, self.names, self.model)
        if level == FACTS:
            return Knowledge(
                FACTS, self.candidates.select(self.facts), self.schema, self.names, self.model, self.reference
            )
        chosen = HALVES if level == HALVES else "all"
        return Knowledge(chosen, self.candidates, self.schema, self.names, self.model, self.reference)

    def sample(self, people: int, rng: np.random.Generator) -> People:
        rows = chosen_people(self.people, people, rng)
        others = max(1, round(self.control.height * min(1.0, people / self.people)))
        chosen = chosen_people(self.control.height, others, rng)
        return self._with(self.members[rows], self.control[chosen], self.model)

    def summary(self) -> dict[str, int]:
        return {"people": self.people, "control": self.control.height, "columns": len(self.names)}

    def begin(self, rng: np.random.Generator) -> tuple[Release, np.random.Generator]:
        return Release(self, self.members), rng

    def with_members(self, members: pl.DataFrame) -> People:
        """Another table in place of the members', as the next step of a pipeline sees it."""
        return self._with(members, self.control, self.model)

    def with_model(self, model: Model | None) -> People:
        """The same people, with a model that is handed out beside the table."""
        return self._with(self.members, self.control, model)

    def _with(self, members: pl.DataFrame, control: pl.DataFrame, model: Model | None) -> People:
        return People(members, control, self.schema, model=model, reference=self.reference)

    def __repr__(self) -> str:
        return f"People({self.people:,} members, {self.control.height:,} others, {len(self.names)} columns)"


@dataclass(frozen=True)
class Knowledge:
    """What attackers hold beside the released table: a table with a row for each candidate, members and others mixed, and the
    model that was handed out, if there is one."""

    level: Level
    table: pl.DataFrame = field(repr=False)
    schema: Schema
    names: tuple[str, ...]
    """The columns of the release."""
    model: Model | None = None
    reference: pl.DataFrame | None = field(default=None, repr=False)
    """Further people, who are known to be no members."""

    @property
    def people(self) -> int:
        return self.table.height

    @property
    def halves(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The columns of two data sets that lie apart: every other one."""
        return self.names[::2], self.names[1::2]


@dataclass(frozen=True)
class Release:
    """A table that was made from the members' table. The secret is who they are."""

    original: People = field(repr=False)
    published: pl.DataFrame = field(repr=False)

    def __post_init__(self) -> None:
        schema = self.original.schema
        table = fitted(self.published, _stated(self.original.members, schema), schema, "the release")
        if not table.height:
            raise DataError("the release has 0 rows")
        object.__setattr__(self, "published", table)

    @property
    def working(self) -> People:
        return self.original.with_members(self.published)

    def then(self, step: Release) -> Release:
        return Release(self.original, step.published)

    def finished(self, rng: np.random.Generator) -> Release:
        return self.reshuffled(rng)

    def reshuffled(self, rng: np.random.Generator) -> Release:
        """The same table in another order."""
        return Release(self.original, self.published[rng.permutation(self.published.height)])

    @classmethod
    def shuffled(cls, original: People, published: pl.DataFrame, rng: np.random.Generator) -> Release:
        """A release whose order says nothing: every synthesizer ends with this."""
        return cls(original, published).reshuffled(rng)


@dataclass(frozen=True)
class Condition:
    """One condition of a predicate."""

    column: str
    comparison: Comparison
    value: str | float | None = None


@dataclass(frozen=True)
class Guess:
    """An attacker's answer to one question; the other parts are empty.

    Who is a member: a confidence for each candidate. What a hidden value is: a table of values, a row for each candidate; or
    in place of the column `ill` the columns `ill=yes` and `ill=no` with the chance of each text. Who is alone: predicates.
    Which parts belong together: for each candidate the released rows nearest to the one half of their columns and those nearest
    to the other.
    """

    confidence: Floats | None = field(default=None, repr=False)
    values: pl.DataFrame | None = field(default=None, repr=False)
    predicates: tuple[tuple[Condition, ...], ...] | None = field(default=None, repr=False)
    links: tuple[Ints, Ints] | None = field(default=None, repr=False)
    rare_values: pl.DataFrame | None = field(default=None, repr=False)
    """Beside `values`: what to say of the columns where rare values count more."""

    def check(self, published: pl.DataFrame, knowledge: Knowledge) -> None:
        """Raise DataError unless the answer has the shape of the question."""
        number = knowledge.table.height
        if self.confidence is not None:
            if self.confidence.shape != (number,):
                raise DataError(f"the guess has {self.confidence.size} confidences for {number} candidates")
            if not np.isfinite(self.confidence).all():
                raise DataError("a confidence of the guess is not a finite number")
        elif self.values is not None:
            if self.values.height != number:
                raise DataError(f"the guess has {self.values.height} values for {number} candidates")
            self._check_values(self.values, knowledge)
        elif self.predicates is not None:
            self._check_predicates(knowledge)
        elif self.links is not None:
            for part in self.links:
                if part.ndim != 2 or part.shape[0] != number:
                    raise DataError(f"the guess links {part.shape[0]} people, and there are {number} candidates")
                if part.size and not 0 <= part.min() <= part.max() < published.height:
                    raise DataError(f"the guess names a row outside 1..{published.height}")
        else:
            raise DataError("the guess is empty")

    @staticmethod
    def _check_values(values: pl.DataFrame, knowledge: Knowledge) -> None:
        said = [name for name in values.columns if name in knowledge.names]
        for name in knowledge.names:
            chances = chance_columns(values, name)
            if not chances or name in said:
                continue
            said += chances.values()
            table = values.select(pl.col(chances.values()).cast(pl.Float64, strict=False)).to_numpy()
            if not np.isfinite(table).all() or table.min() < 0 or table.sum(axis=1).max() > 1 + 1e-6:
                raise DataError(f"the chances of {name!r} must be numbers from 0 on, and at most 1 together")
        for name in values.columns:
            if name not in said:
                raise UnknownName.of("column in the release", name, knowledge.names)

    def _check_predicates(self, knowledge: Knowledge) -> None:
        for conditions in self.predicates or ():
            if not conditions:
                raise DataError("a predicate of the guess has no condition")
            for condition in conditions:
                if condition.column not in knowledge.names:
                    raise UnknownName.of("column in the release", condition.column, knowledge.names)


def chance_columns(values: pl.DataFrame, name: str) -> dict[str, str]:
    """The columns of a guess with the chance of each text of a column, by text.

    >>> chance_columns(pl.DataFrame({"ill=yes": [0.2], "ill=no": [0.8]}), "ill")
    {'yes': 'ill=yes', 'no': 'ill=no'}
    """
    return {column[len(name) + 1 :]: column for column in values.columns if column.startswith(f"{name}=")}


def plain(frame: pl.DataFrame, schema: Schema, where: str) -> pl.DataFrame:
    """The table with numbers and texts alone."""
    for name in frame.columns:
        column = schema.column(name)
        if column.type == "numeric" or column.bounded:
            frame = as_numbers(frame, name, where)
        if column.type == "categorical" or column.values or not frame[name].dtype.is_numeric():
            frame = frame.with_columns(pl.col(name).cast(pl.String))
        require_finite(frame, name, where)
    return frame


def fitted(frame: pl.DataFrame, like: pl.DataFrame, schema: Schema, where: str) -> pl.DataFrame:
    """The table with the columns and types of another; DataError if it has others."""
    missing = [name for name in like.columns if name not in frame.columns]
    unknown = [name for name in frame.columns if name not in like.columns]
    if missing or unknown:
        problem = f"lacks the column {missing[0]!r}" if missing else f"has a column {unknown[0]!r} of its own"
        raise DataError(f"{where} {problem}: it must have the columns of the original, {', '.join(like.columns)}")
    frame = frame.select(like.columns)
    for name, dtype in like.schema.items():
        if dtype.is_numeric():
            frame = as_numbers(frame, name, where)
            require_finite(frame, name, where)
            # A release may hold fractions of what was counted.
            wider = pl.Float64 if frame[name].dtype.is_float() and dtype.is_integer() else dtype
            frame = frame.with_columns(_narrowed(frame[name].cast(wider), dtype))
        else:
            frame = frame.with_columns(pl.col(name).cast(pl.String))
    return frame


def _stated(members: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    """A table without rows, with the types of a release: they come from the schema as far as it states the decimals."""

    def typed(name: str) -> pl.Expr:
        places = schema.column(name).places
        return pl.col(name) if places is None else pl.col(name).cast(pl.Float64 if places else pl.Int64)

    return members.clear().with_columns(typed(name) for name in numeric(members))


def _narrowed(column: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Whole numbers as such again; a file does not tell 3 from 3.0."""
    if column.dtype == dtype:
        return column
    whole = column.drop_nulls()
    narrow = column.cast(dtype, strict=False)
    # A number that is too large for the type is whole, too.
    fits = narrow.null_count() == column.null_count()
    return narrow if fits and bool((whole == whole.round()).all()) else column


def _held_out(members: pl.DataFrame, where: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    number = round(HELD_OUT * members.height)
    if not 0 < number < members.height:
        raise DataError(
            f"{where} has {members.height} rows, too few to hold some out: give others of the same population in control.csv"
        )
    order = generator(0, "control").permutation(members.height)
    return members[np.sort(order[number:])], members[np.sort(order[:number])]


def numeric(table: pl.DataFrame, names: Sequence[str] | None = None) -> tuple[str, ...]:
    """The columns with numbers."""
    return tuple(name for name in names or table.columns if table[name].dtype.is_numeric())
