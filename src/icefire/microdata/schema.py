"""schema.toml of microdata: the role of each column, and its type and hierarchy. `icefire init` writes one.

identifying = ["name"]       # never published
qi = ["age", "sex", "job"]   # quasi-identifiers: what others may know
sa = ["income"]              # sensitive: what nobody is to learn
other = ["wave"]             # published, neither of them
weight = "weight"            # how many people of the population a row stands for
household = "house"          # who lives together; not published

[columns.age]
hierarchy = { widths = [5, 10, 20] }
importance = 2               # how much a loss in it counts, relative to the other columns; 1 if left out

[columns.contact]
accepted = "switchboard numbers of offices"  # why it may be published though it looks identifying

[columns.income]
decimals = 2                 # numbers that steps compute are rounded to so many; as the values have them if left out
tolerance = 0.05             # an amount is disclosed by a guess that is no further from it, as a share of it

[columns.diagnosis]
protect = ["HIV"]            # values of which nobody is to be certain, however likely they are without the release

[columns.job]
type = "ordered"             # numeric, ordered or categorical; without it numbers are numeric, all else categorical
order = ["clerk", "head", "chief"]
labels = { clerk = "Clerk" }
hierarchy = "job.csv"        # a file: value, level 1, level 2, ...
                             # or { mapping = { clerk = "staff" } }, { digits = [3, 2] }, { learned = 3 }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeGuard, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import DataError, FileError, ParameterError, UnknownName
from icefire.frames.files import read_toml, toml_value
from icefire.frames.reading import read_rows
from icefire.microdata.hierarchy import Hierarchy, value_text

ColumnType = Literal["numeric", "ordered", "categorical"]
FILE = "schema.toml"
TOLERANCE = 0.05
"""How far a guess may be from an amount, as a share of it, to disclose it."""
LISTS, SINGLE = ("qi", "sa", "other", "identifying"), ("weight", "household")
"""Roles that several columns have, and that one has."""
T = TypeVar("T")


@dataclass(frozen=True)
class Column:
    """How the values of a column are read. Without a type, numbers are numeric and all else categorical."""

    type: ColumnType | None = None
    order: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    hierarchy: Hierarchy | None = None
    published: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels of a release that are not in the hierarchy, each with the cells it stands for."""
    importance: float = 1.0
    """How much what is lost in the column counts, relative to the others."""
    accepted: str = ""
    """Why what the checks say of the column is accepted: that it identifies people, or repeats."""
    decimals: int | None = None
    """The decimals of its numbers, so that they need not be looked up in the data."""
    tolerance: float | None = None
    """How far a guess may be from an amount, as a share of it, to disclose it; TOLERANCE if left out."""
    protect: tuple[str, ...] = ()
    """Values that count by themselves in attribute disclosure, however likely they are without the release."""

    def __post_init__(self) -> None:
        if not _is_importance(self.importance):
            raise ParameterError.of("Column", "importance", "a number above 0", self.importance)


@dataclass(frozen=True)
class Schema:
    """Quasi-identifiers (QI), sensitive attributes (SA), and how each column is read."""

    qi: Sequence[str]
    sa: Sequence[str] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    other: Sequence[str] = ()
    """Published, neither QI nor SA."""
    identifying: Sequence[str] = ()
    """Left out when the table is read, so that a table may not have them."""
    weight: str | None = None
    """The column with sampling weights."""
    household: str | None = None
    """The column that says who lives together; never published."""
    unnamed: Sequence[str] = ()
    """Sensitive columns of which nobody said that they are: no list of the file names them."""

    def __post_init__(self) -> None:
        for name in ("qi", "sa", "other", "identifying"):
            if isinstance(getattr(self, name), str) or not isinstance(getattr(self, name), Sequence):
                raise DataError(f'{name} must be a list of column names, such as ["age"]; got {getattr(self, name)!r}')
            object.__setattr__(self, name, tuple(getattr(self, name)))
            names = getattr(self, name)
            if len(set(names)) < len(names):
                twice = next(column for column in names if names.count(column) > 1)
                raise DataError(f"the column {twice!r} is listed twice in the {name.upper()}")
        seen: dict[str, str] = {}
        for role, names in self.roles.items():
            for column in names:
                if column in seen:
                    raise DataError(
                        f"the column {column!r} is both {seen[column]} and {role}: a column is one or the other"
                    )
                seen[column] = role
        for name in self.columns:
            if name not in seen:
                raise UnknownName.of("column with a role", name, seen)

    @property
    def roles(self) -> dict[str, tuple[str, ...]]:
        """The columns of each role."""
        single = {"weight": self.weight, "household": self.household}
        lists = {"QI": self.qi, "SA": self.sa, "other": self.other, "identifying": self.identifying}
        return {role: tuple(names) for role, names in lists.items()} | {
            role: (name,) for role, name in single.items() if name is not None
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the table, without the identifying ones."""
        return (*self.qi, *self.sa, *self.other, *(name for name in (self.weight, self.household) if name))

    @property
    def published(self) -> tuple[str, ...]:
        """The columns that a release may have."""
        return tuple(name for name in self.names if name != self.household)

    def column(self, name: str) -> Column:
        return self.columns.get(name, Column())

    def importance(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The weights of columns in a loss."""
        return np.array([self.column(name).importance for name in names], dtype=np.float64)

    def restricted(self, names: Sequence[str]) -> Schema:
        """The schema of some of the columns."""
        kept = set(names)
        lists = {
            key: tuple(name for name in getattr(self, key) if name in kept) for key in ("qi", "sa", "other", "unnamed")
        }
        return Schema(
            **lists,
            identifying=self.identifying,
            columns={name: column for name, column in self.columns.items() if name in kept},
            weight=self.weight if self.weight in kept else None,
            household=self.household if self.household in kept else None,
        )

    def without_columns(self) -> Schema:
        """The roles alone, as of a release whose cells are read as they stand."""
        return replace(self, columns={}, unnamed=())

    def generalized(self, names: Sequence[str]) -> Schema:
        """The schema after these columns are generalized: their order and hierarchy no longer apply."""
        columns = {
            name: Column(importance=column.importance, tolerance=column.tolerance, protect=column.protect)
            if name in names
            else column
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns)

    def without_published(self) -> Schema:
        """The schema without the labels of releases."""
        return replace(self, columns={name: replace(column, published={}) for name, column in self.columns.items()})

    def with_published(self, labels: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Schema:
        """The schema with further labels of a release."""
        changed = {
            name: replace(self.column(name), published={**self.column(name).published, **entry})
            for name, entry in labels.items()
        }
        return replace(self, columns={**self.columns, **changed})

    def with_hierarchies(self, hierarchies: Mapping[str, Hierarchy]) -> Schema:
        """The schema with the hierarchies of some columns replaced."""
        changed = {name: replace(self.column(name), hierarchy=h) for name, h in hierarchies.items()}
        return replace(self, columns={**self.columns, **changed})


def read_schema(path: Path, names: Sequence[str]) -> Schema:
    """Read schema.toml for a table with the given columns."""
    if not path.is_file():
        raise FileError(f'no file {path}: write one with a line such as qi = ["{names[0]}"]')
    content = read_toml(path, (*LISTS, *SINGLE, "columns"), "microdata")
    tables = content.get("columns", {})
    if not isinstance(tables, dict):
        raise _unexpected(str(path), "columns: tables such as [columns.age]", tables)
    if "qi" not in content:
        raise FileError(f'{path}: qi must be a list of column names, such as qi = ["{names[0]}"]')
    lists = {key: tuple(_names(content.get(key, []), key, path)) for key in LISTS}
    single = {key: _name(content[key], key, path) for key in SINGLE if key in content}
    said = [*(name for listed in lists.values() for name in listed), *single.values()]
    for name in (*said, *tables):
        # A release does not have the columns that identify people.
        if name not in names and name not in lists["identifying"]:
            raise UnknownName.of(f"column in {path}", name, names)
    unnamed = tuple(name for name in names if name not in said)
    columns = {name: _column(name, entry, path) for name, entry in tables.items()}
    lists["sa"] += unnamed
    schema = Schema(lists["qi"], lists["sa"], columns, lists["other"], lists["identifying"], unnamed=unnamed)
    return replace(schema, weight=single.get("weight"), household=single.get("household"))


def _unexpected(where: str, expected: str, got: object) -> FileError:
    return FileError(f"{where}: expected {expected}; got {got!r}")


def _names(value: object, key: str, path: Path) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise FileError(f'{path}: {key} must be a list of column names, such as {key} = ["age", "sex"]')
    return value


def _name(value: object, key: str, path: Path) -> str:
    if not isinstance(value, str):
        raise FileError(f'{path}: {key} must be the name of a column, such as {key} = "{key}"')
    return value


def _check_keys(entry: Mapping[str, object], known: Sequence[str], what: str) -> None:
    for key in entry:
        if key not in known:
            raise UnknownName.of(what, key, known)


def _column(name: str, entry: object, path: Path) -> Column:
    where = f"{path}, column {name!r}"
    if not isinstance(entry, dict):
        raise _unexpected(where, f'a table, such as [columns.{name}] with a line type = "ordered"', entry)
    _check_keys(
        entry,
        (
            "type",
            "order",
            "labels",
            "hierarchy",
            "published",
            "importance",
            "decimals",
            "accepted",
            "tolerance",
            "protect",
        ),
        f"key of {where}",
    )
    accepted = entry.get("accepted", "")
    if not isinstance(accepted, str) or (not accepted.strip() and "accepted" in entry):
        raise _unexpected(where, "accepted: the reason in words", accepted)
    tolerance, protect = entry.get("tolerance"), entry.get("protect", [])
    if tolerance is not None and not (_is_list_of([tolerance], int, float) and 0 <= tolerance < 1):
        raise _unexpected(where, "tolerance: a share of at least 0 and below 1, such as 0.05", tolerance)
    if not _is_list_of(protect, str, int, float):
        raise _unexpected(where, 'protect: a list of values, such as ["HIV"]', protect)
    kind, order, labels = entry.get("type"), entry.get("order"), entry.get("labels", {})
    importance, decimals = entry.get("importance", 1.0), entry.get("decimals")
    if kind not in (None, *get_args(ColumnType)):
        raise _unexpected(where, f"type: one of {', '.join(get_args(ColumnType))}", kind)
    if order is not None and not isinstance(order, list):
        raise _unexpected(where, 'order: a list, such as ["low", "high"]', order)
    if kind == "ordered" and not order:
        raise _unexpected(where, 'order: a list, such as ["low", "high"], for an ordered column', order)
    if not isinstance(labels, dict):
        raise _unexpected(where, 'labels: a table, such as { "1" = "male" }', labels)
    if not _is_importance(importance):
        raise _unexpected(where, "importance: a number above 0, such as 2 or 0.5", importance)
    if decimals is not None and (not isinstance(decimals, int) or isinstance(decimals, bool) or decimals < 0):
        raise _unexpected(where, "decimals: a whole number, such as 2", decimals)
    return Column(
        type=kind or ("ordered" if order else None),
        order=tuple(str(value) for value in order or []),
        labels={str(value): str(label) for value, label in labels.items()},
        hierarchy=_hierarchy(entry["hierarchy"], path, where) if "hierarchy" in entry else None,
        published=_published(entry.get("published", {}), where),
        importance=importance,
        accepted=accepted,
        decimals=decimals,
        tolerance=tolerance,
        protect=tuple(value_text(value) for value in protect),
    )


def _published(entry: object, where: str) -> dict[str, tuple[str, ...]]:
    if not _is_table_of(entry, list) or not all(cells and _is_list_of(cells, str) for cells in entry.values()):
        raise _unexpected(where, 'published: a table of labels with their cells, such as { north = ["1", "2"] }', entry)
    labels = {label: tuple(cells) for label, cells in entry.items()}
    if _circular(labels):
        raise _unexpected(where, "published: labels that do not stand for themselves", entry)
    return labels


def _hierarchy(entry: object, path: Path, where: str) -> Hierarchy:
    if isinstance(entry, str):
        return read_hierarchy(path.parent / entry)
    if not isinstance(entry, dict):
        raise _unexpected(where, "hierarchy: a file name, or a table such as { widths = [5, 10] }", entry)
    known = ("table", "mapping", "widths", "digits", "learned", "origin")
    _check_keys(entry, known, f"key of the hierarchy of {where}")
    numbers = (int, float)
    rules: dict[str, tuple[bool, str]] = {
        "widths": (_is_list_of(entry.get("widths"), *numbers), "widths: a list of numbers, such as [5, 10]"),
        "digits": (_is_list_of(entry.get("digits"), int), "digits: a list of integers, such as [3, 2]"),
        "learned": (isinstance(entry.get("learned"), int), "learned: a number of levels"),
        "origin": (isinstance(entry.get("origin"), numbers), "origin: a number"),
        "mapping": (_is_table_of(entry.get("mapping"), str), 'mapping: a table, such as { clerk = "staff" }'),
        "table": (
            _is_table_of(entry.get("table"), list),
            'table: a table of lists, such as { clerk = ["staff", "all"] }',
        ),
    }
    for key in entry:
        valid, expected = rules[key]
        if not valid:
            raise _unexpected(where, f"hierarchy with {expected}", entry[key])
    try:
        if "mapping" in entry:
            return Hierarchy.mapping(entry["mapping"])
        table = entry.get("table")
        return Hierarchy(
            table=None if table is None else {str(value): tuple(labels) for value, labels in table.items()},
            widths=tuple(entry["widths"]) if "widths" in entry else None,
            digits=tuple(entry["digits"]) if "digits" in entry else None,
            learned=entry.get("learned"),
            origin=entry.get("origin", 0.0),
        )
    except ParameterError as error:
        raise FileError(f"{where}: {error}") from error


def _circular(labels: Mapping[str, Sequence[str]]) -> bool:
    """Whether a label stands for itself, directly or through other labels."""
    for start in labels:
        seen, pending = set(), list(labels[start])
        while pending:
            if (cell := pending.pop()) == start:
                return True
            if cell not in seen:
                seen.add(cell)
                pending += labels.get(cell, ())
    return False


def _is_importance(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < np.inf


def _is_list_of(value: object, *types: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, types) and not isinstance(item, bool) for item in value)


def _is_table_of(value: object, item_type: type[T]) -> TypeGuard[dict[str, T]]:
    return isinstance(value, dict) and all(isinstance(item, item_type) for item in value.values())


def read_hierarchy(path: Path) -> Hierarchy:
    """Read a hierarchy file: a row per value with its labels from fine to coarse, below a header or without one.

    The first row is a header unless one of its labels is used again below, as the `*` is that ends all rows of ARX.
    """
    rows = read_rows(path)
    used = [set(column) for column in zip(*rows[1:], strict=True)]
    begin = 0 if any(label in labels for label, labels in list(zip(rows[0], used, strict=False))[1:]) else 1
    table: dict[str, tuple[str, ...]] = {}
    for line, row in enumerate(rows[begin:], start=begin + 1):
        if not all(row):
            raise FileError(f"{path}, line {line}: a value or a label is missing")
        if row[0] in table:
            raise FileError(f"{path}, line {line}: the value {row[0]!r} is listed twice")
        table[row[0]] = tuple(row[1:])
    return Hierarchy(table=table)


def schema_toml(schema: Schema) -> str:
    """The text of schema.toml, with all hierarchies inside."""
    lines = ['kind = "microdata"', f"qi = {toml_value(schema.qi)}", f"sa = {toml_value(schema.sa)}"]
    lines += [
        f"{key} = {toml_value(getattr(schema, key))}"
        for key in ("other", "identifying", *SINGLE)
        if getattr(schema, key)
    ]
    for name, column in schema.columns.items():
        lines += ["", f"[columns.{toml_value(name)}]"]
        if column.type:
            lines.append(f"type = {toml_value(column.type)}")
        if column.order:
            lines.append(f"order = {toml_value(column.order)}")
        if column.labels:
            lines.append(f"labels = {toml_value(column.labels)}")
        if column.hierarchy:
            entry = {key: getattr(column.hierarchy, key) for key in ("table", "widths", "digits", "learned")}
            entry["origin"] = column.hierarchy.origin or None
            written = {key: value for key, value in entry.items() if value is not None}
            lines.append(f"hierarchy = {toml_value(written)}")
        if column.published:
            lines.append(f"published = {toml_value(column.published)}")
        if column.importance != 1:
            lines.append(f"importance = {toml_value(column.importance)}")
        if column.accepted:
            lines.append(f"accepted = {toml_value(column.accepted)}")
        if column.decimals is not None:
            lines.append(f"decimals = {toml_value(column.decimals)}")
        if column.tolerance is not None:
            lines.append(f"tolerance = {toml_value(column.tolerance)}")
        if column.protect:
            lines.append(f"protect = {toml_value(column.protect)}")
    return "\n".join(lines) + "\n"
