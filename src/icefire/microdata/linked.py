"""Persons and households in one release.

Two published tables that are linked give away who lives together, so an attacker may know all members of a household at once:
two people of 40 and a child of 3 are rare where each of them is common. The unit that has to be hidden is the household. Its
members are therefore laid side by side into one row, the steps make k such rows equal, and the rows are taken apart again.
The number of members cannot be hidden in linked tables: households of one size are anonymized among themselves, and sizes of
which there are fewer than k households are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from icefire.core.errors import DataError, InputError
from icefire.core.pipeline import Pipeline
from icefire.core.roles import AnyAnonymizer
from icefire.microdata.cells import Codes, as_text
from icefire.microdata.data import Microdata, Release, Rows
from icefire.microdata.partition import group_equal
from icefire.microdata.schema import Schema

ROW = "__row"


@dataclass(frozen=True)
class Linked:
    """A table of persons and a table of households. The role `household` names the column that links them, in both schemas.

    >>> persons = pl.DataFrame({"home": [1, 1, 2, 2], "age": [40, 3, 41, 5]})
    >>> homes = pl.DataFrame({"home": [1, 2], "town": ["Nara", "Nara"]})
    >>> schemas = Schema(["age"], household="home"), Schema(["town"], household="home")
    >>> linked = Linked(Microdata(persons, schemas[0]), Microdata(homes, schemas[1]))
    >>> from icefire.microdata.anonymize.mondrian import Mondrian
    >>> release = linked.anonymize([Mondrian(k=2)], np.random.default_rng(0))
    >>> release.k, sorted(release.persons["age"]), sorted(release.households["home"])
    (2, ['[3..5]', '[3..5]', '[40..41]', '[40..41]'], [1, 2])
    """

    persons: Microdata
    households: Microdata

    def __post_init__(self) -> None:
        for what, table in ("persons", self.persons), ("households", self.households):
            if table.schema.household is None:
                raise DataError(f'the schema of the {what} must name the column that links: household = "..."')
            if table.frame[table.schema.household].null_count():
                raise DataError(f"the column {table.schema.household!r} of the {what} has missing values")
        both = set(self.persons.schema.names) & set(self.households.schema.names) - {self.persons.schema.household}
        if both:
            raise DataError(f"both tables have a column {min(both)!r}: leave it out of one of them, or rename it")
        ids, homes = self._ids
        if homes.n_unique() < homes.len():
            raise DataError(f"the household {homes.filter(homes.is_duplicated())[0]!r} is listed twice")
        for some, all_, said in (ids, homes, "is not in the table of households"), (homes, ids, "has no persons"):
            if not (known := some.is_in(all_.implode())).all():
                raise DataError(f"the household {some.filter(~known)[0]!r} {said}")

    @property
    def _ids(self) -> tuple[pl.Series, pl.Series]:
        """The household of each person, and of each row of the table of households."""
        tables = self.persons, self.households
        persons, homes = (as_text(table.frame[str(table.schema.household)]) for table in tables)
        return persons, homes

    @cached_property
    def homes(self) -> Codes:
        """[person]: the row of the household."""
        ids, homes = self._ids
        return ids.replace_strict(homes, np.arange(homes.len()), return_dtype=pl.Int64).to_numpy().astype(np.int64)

    @cached_property
    def sizes(self) -> Codes:
        """[household]: the number of members."""
        return np.bincount(self.homes, minlength=self.households.height)

    def anonymize(self, steps: Sequence[AnyAnonymizer], rng: np.random.Generator) -> LinkedRelease:
        """Anonymize all households of a size, by their columns and those of all members."""
        asked = [int(step.k) for step in steps if hasattr(step, "k")]
        if not asked:
            raise InputError(
                "linked tables need a step that makes k households equal: mondrian, global_recode or local_suppression"
            )
        parts: dict[int, Part] = {}
        dropped = 0
        for size in np.unique(self.sizes).tolist():
            rows = np.flatnonzero(self.sizes == size)
            if rows.size < max(asked):
                dropped += rows.size
                continue
            members = self._members(rows, size, rng)
            release = Pipeline(tuple(steps)).anonymize(self._wide(rows, members), rng)
            least = _least(release.published)
            if least < min(asked):
                raise DataError(
                    f"after these steps, some households of {size} are equal to {least - 1} others, not to {min(asked) - 1}: "
                    "what comes after a step that makes them equal must not change quasi-identifiers"
                )
            parts[size] = Part(release, rows[release.rows], members[release.rows])
        if not parts:
            raise DataError(f"there are fewer than {max(asked)} households of every size: lower k")
        numbers = rng.permutation(sum(part.homes.size for part in parts.values())) + 1
        return LinkedRelease(self, parts, dropped, numbers)

    def _members(self, rows: Rows, size: int, rng: np.random.Generator) -> Rows:
        """[household, place]: its members, those of like quasi-identifiers in the same place; ties are drawn."""
        # The order must not say anything but what the quasi-identifiers say.
        keys = [rng.random(self.persons.height), *(self.persons.codes(name) for name in self.persons.qi[::-1])]
        order = np.lexsort((*keys, self.homes))
        starts = np.cumsum(self.sizes) - self.sizes
        return np.asarray(order[starts[rows][:, None] + np.arange(size)])

    def _wide(self, rows: Rows, members: Rows) -> Microdata:
        """One row per household, with the columns of all members."""
        home, person = self.households.schema, self.persons.schema
        names = [name for name in home.names if name != home.household]
        columns = dict(self.households.frame[rows].select(names).to_dict())
        roles = _listed(home)
        read = {name: column for name, column in home.columns.items() if name != home.household}
        for place in range(members.shape[1]):
            table = self.persons.frame[members[:, place]]
            for role, listed in _listed(person).items():
                for name in listed:
                    roles[role].append(_placed(name, place))
                    columns[_placed(name, place)] = table[name].alias(_placed(name, place))
                    if name in person.columns:
                        read[_placed(name, place)] = person.columns[name]
        return Microdata(pl.DataFrame(columns), Schema(roles["qi"], roles["sa"], read, roles["other"]))


@dataclass(frozen=True)
class Part:
    """The households of a size."""

    release: Release
    """A row for each household."""
    homes: Rows
    """[published row]: the row of the household."""
    members: Rows
    """[published row, place]: the rows of its members."""


@dataclass(frozen=True)
class LinkedRelease:
    """Two published tables, linked by new random numbers, and the secret that links them back."""

    original: Linked
    parts: Mapping[int, Part]
    """By the number of members. Attack these releases: they have a row per household, whose members may be known together."""
    dropped: int
    """Households that were left out, since there were too few of their size."""
    numbers: Codes = field(repr=False)
    """The new number of each household, one part after the other."""

    @cached_property
    def k(self) -> int:
        """At least so many households are equal in their own quasi-identifiers and in those of all members."""
        return min(_least(part.release.published) for part in self.parts.values())

    @property
    def households(self) -> pl.DataFrame:
        """The published households, ordered by their new numbers."""
        return self._households.drop(ROW)

    @property
    def persons(self) -> pl.DataFrame:
        """The published persons, ordered by the number of their household, and within it by their cells."""
        return self._persons.drop(ROW)

    @property
    def rows(self) -> tuple[Rows, Rows]:
        """The secret: the original row of each published person, and of each published household."""
        persons, households = (table[ROW].to_numpy() for table in (self._persons, self._households))
        return persons, households

    @cached_property
    def _households(self) -> pl.DataFrame:
        schema = self.original.households.schema
        tables = [
            part.release.published.frame.select(schema.published).with_columns(pl.Series(ROW, part.homes))
            for part in self.parts.values()
        ]
        return _joined(tables).insert_column(0, pl.Series(str(schema.household), self.numbers)).sort(schema.household)

    @cached_property
    def _persons(self) -> pl.DataFrame:
        schema = self.original.persons.schema
        tables, begin = [], 0
        for size, part in self.parts.items():
            numbers = pl.Series(str(schema.household), self.numbers[begin : begin + part.homes.size])
            begin += part.homes.size
            for place in range(size):
                rows = pl.Series(ROW, part.members[:, place])
                tables.append(pl.DataFrame([numbers, *self._placed_cells(part, place), rows]))
        frame = _joined(tables)
        return frame.sort(frame.columns)

    def _placed_cells(self, part: Part, place: int) -> list[pl.Series]:
        """The published cells of the members in a place."""
        shown = part.release.published.frame
        return [shown[_placed(name, place)].alias(name) for name in self.original.persons.schema.published]

    @cached_property
    def people(self) -> Release:
        """The persons with the columns of their households, as one table: what whoever knows a single person sees."""
        original, link = self.original, str(self.original.persons.schema.household)
        homes = original.households.frame.drop(str(original.households.schema.household))
        frame = pl.concat([original.persons.frame.drop(link), homes[original.homes]], how="horizontal")
        person, home = original.persons.schema, original.households.schema
        roles = {role: [*names, *_listed(home)[role]] for role, names in _listed(person).items()}
        columns = {
            name: column
            for schema in (person, home)
            for name, column in schema.columns.items()
            if name not in (link, home.household)
        }
        schema = Schema(roles["qi"], roles["sa"], columns, roles["other"])
        tables, rows = [], []
        for size, part in self.parts.items():
            shown = part.release.published.frame
            for place in range(size):
                tables.append(pl.DataFrame([*self._placed_cells(part, place), *shown.select(home.published)]))
                rows.append(part.members[:, place])
        published = Microdata(_joined(tables), schema.without_columns())
        return Release(Microdata(frame, schema), published, np.concatenate(rows))


def _listed(schema: Schema) -> dict[str, list[str]]:
    """The published columns by role. A weight is published like others that are neither."""
    weight = [schema.weight] if schema.weight else []
    return {"qi": [*schema.qi], "sa": [*schema.sa], "other": [*schema.other, *weight]}


def _placed(name: str, place: int) -> str:
    return f"{name} ({place + 1})"


def _least(table: Microdata) -> int:
    """The smallest number of rows with the same quasi-identifiers."""
    return int(group_equal([table.codes(name) for name in table.qi])[1].min())


def _joined(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Tables below each other; a column that holds texts in one of them holds texts in all."""
    names = [name for name in tables[0].columns if len({table[name].dtype for table in tables}) > 1]
    return pl.concat([table.with_columns(as_text(table[name]) for name in names) for table in tables])
