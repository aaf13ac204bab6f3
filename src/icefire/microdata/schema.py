"""Which columns identify, which are sensitive, and how each is to be read. Kept in `schema.toml`.

qi = ["age", "sex", "job"]
sa = ["income"]              # may be left out: every other column

[columns.age]
hierarchy = { widths = [5, 10, 20] }

[columns.job]
type = "ordered"             # numeric, ordered or categorical; guessed where it is left out
order = ["clerk", "head", "chief"]
labels = { clerk = "Clerk" }
hierarchy = "job.csv"        # a file: value, level 1, level 2, ...
                             # or { mapping = { clerk = "staff" } }, { digits = [3, 2] }, { learned = 3 }
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from icefire.core.errors import DataError, FileError, ParameterError, UnknownName
from icefire.frames.files import header, read_table
from icefire.microdata.hierarchy import Hierarchy

ColumnType = Literal["numeric", "ordered", "categorical"]
FILE = "schema.toml"


@dataclass(frozen=True)
class Column:
    """How one column is to be read. A type of None means: numbers are numeric, anything else categorical."""

    type: ColumnType | None = None
    order: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    hierarchy: Hierarchy | None = None
    published: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels that a release uses beside the hierarchy's, each with the cells it stands for."""


@dataclass(frozen=True)
class Schema:
    """Quasi-identifiers, sensitive attributes, and what is known of columns."""

    qi: tuple[str, ...]
    sa: tuple[str, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("qi", "sa"):
            if isinstance(getattr(self, name), str) or not isinstance(getattr(self, name), Sequence):
                raise DataError(f'{name} must be a list of column names, such as ["age"]; got {getattr(self, name)!r}')
            object.__setattr__(self, name, tuple(getattr(self, name)))
            names = getattr(self, name)
            if len(set(names)) < len(names):
                twice = next(column for column in names if names.count(column) > 1)
                raise DataError(f"the column {twice!r} stands twice among the {name.upper()}")
        both = [column for column in self.qi if column in self.sa]
        if both:
            raise DataError(f"the column {both[0]!r} is both QI and SA: a column is one or the other")
        for name in self.columns:
            if name not in (*self.qi, *self.sa):
                raise UnknownName.of("QI or SA column", name, (*self.qi, *self.sa))

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.qi, *self.sa)

    def column(self, name: str) -> Column:
        return self.columns.get(name, Column())

    def restricted(self, names: Sequence[str]) -> Schema:
        """The schema of a table that has only some of the columns."""
        kept = set(names)
        return Schema(
            tuple(name for name in self.qi if name in kept),
            tuple(name for name in self.sa if name in kept),
            {name: column for name, column in self.columns.items() if name in kept},
        )

    def generalized(self, names: Sequence[str]) -> Schema:
        """The schema once those columns hold generalized cells: their order and hierarchy no longer apply."""
        return replace(self, columns={name: column for name, column in self.columns.items() if name not in names})

    def without_published(self) -> Schema:
        """The same schema before any release."""
        return replace(self, columns={name: replace(column, published={}) for name, column in self.columns.items()})

    def with_published(self, labels: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Schema:
        """The same schema, knowing what further labels of a release stand for."""
        changed = {
            name: replace(self.column(name), published={**self.column(name).published, **entry})
            for name, entry in labels.items()
        }
        return replace(self, columns={**self.columns, **changed})

    def with_hierarchies(self, hierarchies: Mapping[str, Hierarchy]) -> Schema:
        """The same schema with hierarchies set or replaced."""
        changed = {name: replace(self.column(name), hierarchy=h) for name, h in hierarchies.items()}
        return replace(self, columns={**self.columns, **changed})


def read_schema(path: Path, names: Sequence[str]) -> Schema:
    """Read schema.toml for a table with the given columns."""
    if not path.is_file():
        raise FileError(f'no file {path}: write one with a line such as qi = ["{names[0]}"]')
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error
    _only(content, {"kind", "qi", "sa", "columns"}, f"key of {path}")
    _expect(content.get("kind", "microdata") == "microdata", str(path), 'kind = "microdata"', content.get("kind"))
    _expect(
        isinstance(content.get("columns", {}), dict),
        str(path),
        "columns: tables such as [columns.age]",
        content.get("columns"),
    )
    qi = _names(content.get("qi"), "qi", path)
    for name in (*qi, *_names(content.get("sa", []), "sa", path), *content.get("columns", {})):
        if name not in names:
            raise UnknownName.of(f"column in {path}", name, names)
    sa = _names(content["sa"], "sa", path) if "sa" in content else [name for name in names if name not in qi]
    columns = {name: _column(name, entry, path) for name, entry in content.get("columns", {}).items()}
    return Schema(tuple(qi), tuple(sa), columns)


def _names(value: Any, key: str, path: Path) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise FileError(f'{path}: {key} must be a list of column names, such as {key} = ["age", "sex"]')
    return value


def _only(entry: Mapping[str, Any], known: set[str], what: str) -> None:
    for key in entry:
        if key not in known:
            raise UnknownName.of(what, key, known)


def _column(name: str, entry: Any, path: Path) -> Column:
    where = f"{path}, column {name!r}"
    _expect(isinstance(entry, dict), where, f'a table, such as [columns.{name}] with a line type = "ordered"', entry)
    _only(entry, {"type", "order", "labels", "hierarchy", "published"}, f"key of {where}")
    kind, order, labels, published = (entry.get(key) for key in ("type", "order", "labels", "published"))
    _expect(kind in (None, *get_args(ColumnType)), where, f"type: one of {', '.join(get_args(ColumnType))}", kind)
    _expect(order is None or isinstance(order, list), where, 'order: a list, such as ["low", "high"]', order)
    _expect(
        kind != "ordered" or bool(order), where, 'order: a list, such as ["low", "high"], for an ordered column', order
    )
    _expect(labels is None or isinstance(labels, dict), where, 'labels: a table, such as { "1" = "male" }', labels)
    listed = published is None or (
        _is_table(published, list) and all(_is_list(v, str) and v for v in published.values())
    )
    _expect(listed, where, 'published: a table of labels with their cells, such as { north = ["1", "2"] }', published)
    _expect(not _circular(published or {}), where, "published: labels that do not stand for themselves", published)
    return Column(
        type=kind or ("ordered" if order else None),
        order=tuple(str(value) for value in order or []),
        labels={str(value): str(label) for value, label in (labels or {}).items()},
        hierarchy=_hierarchy(entry["hierarchy"], path, where) if "hierarchy" in entry else None,
        published={str(label): tuple(cells) for label, cells in (published or {}).items()},
    )


def _expect(holds: bool, where: str, expected: str, got: Any) -> None:
    if not holds:
        raise FileError(f"{where}: expected {expected}; got {got!r}")


def _hierarchy(entry: Any, path: Path, where: str) -> Hierarchy:
    if isinstance(entry, str):
        return read_hierarchy(path.parent / entry)
    _expect(isinstance(entry, dict), where, "hierarchy: a file name, or a table such as { widths = [5, 10] }", entry)
    _only(entry, {"table", "mapping", "widths", "digits", "learned", "origin"}, f"key of the hierarchy of {where}")
    numbers = (int, float)
    rules: dict[str, tuple[bool, str]] = {
        "widths": (_is_list(entry.get("widths"), numbers), "widths: a list of numbers, such as [5, 10]"),
        "digits": (_is_list(entry.get("digits"), int), "digits: a list of integers, such as [3, 2]"),
        "learned": (isinstance(entry.get("learned"), int), "learned: a number of levels"),
        "origin": (isinstance(entry.get("origin"), numbers), "origin: a number"),
        "mapping": (_is_table(entry.get("mapping"), str), 'mapping: a table, such as { clerk = "staff" }'),
        "table": (_is_table(entry.get("table"), list), 'table: a table of lists, such as { clerk = ["staff", "all"] }'),
    }
    for key in entry:
        _expect(rules[key][0], where, f"hierarchy with {rules[key][1]}", entry[key])
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
    """Whether some label stands, through others, for itself."""
    for start in labels:
        seen, ahead = set(), list(labels[start])
        while ahead:
            if (cell := ahead.pop()) == start:
                return True
            if cell not in seen:
                seen.add(cell)
                ahead += labels.get(cell, ())
    return False


def _is_list(value: Any, of: type | tuple[type, ...]) -> bool:
    return isinstance(value, list) and all(isinstance(one, of) and not isinstance(one, bool) for one in value)


def _is_table(value: Any, of: type) -> bool:
    return isinstance(value, dict) and all(isinstance(one, of) for one in value.values())


def read_hierarchy(path: Path) -> Hierarchy:
    """A hierarchy file: a header, then one row per value with its labels from fine to coarse."""
    rows = read_table(path, texts=tuple(header(path))).rows()
    table: dict[str, tuple[str, ...]] = {}
    for line, row in enumerate(rows, start=2):
        if any(cell is None for cell in row):
            raise FileError(f"{path}, line {line}: a value or a label is missing")
        if row[0] in table:
            raise FileError(f"{path}, line {line}: the value {row[0]!r} stands there a second time")
        table[row[0]] = tuple(row[1:])
    return Hierarchy(table=table)


def schema_toml(schema: Schema) -> str:
    """The text of schema.toml, with everything it needs inside."""
    lines = ['kind = "microdata"', f"qi = {_toml(schema.qi)}", f"sa = {_toml(schema.sa)}"]
    for name, column in schema.columns.items():
        lines += ["", f"[columns.{_toml(name)}]"]
        if column.type:
            lines.append(f"type = {_toml(column.type)}")
        if column.order:
            lines.append(f"order = {_toml(column.order)}")
        if column.labels:
            lines.append(f"labels = {_toml(column.labels)}")
        if column.hierarchy:
            ways = ("table", "widths", "digits", "learned")
            written = {
                way: getattr(column.hierarchy, way) for way in ways if getattr(column.hierarchy, way) is not None
            }
            if column.hierarchy.origin:
                written["origin"] = column.hierarchy.origin
            lines.append(f"hierarchy = {_toml(written)}")
        if column.published:
            lines.append(f"published = {_toml(column.published)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(str(key))} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    # JSON's texts, numbers and truth values are also TOML's.
    return json.dumps(value, ensure_ascii=False)
