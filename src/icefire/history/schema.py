"""schema.toml of a history: the names of columns in files, and the length of periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast, get_args

from icefire.core.errors import FileError, UnknownName
from icefire.frames.files import read_toml, toml_value

FILE = "schema.toml"
Rule = Literal["day", "week", "month", "quarter", "year", "all"]
"""The length of a period."""
COLUMNS = ("user", "invoice", "date", "time", "item", "price", "quantity")
REQUIRED = ("user", "date", "item")
MASTER = ("user", "birth", "country")


@dataclass(frozen=True)
class Schema:
    """The names of columns in the files of records and of the master table, by icefire's own names.

    A column that is not listed has icefire's name: a table with the columns user, date and item needs no schema.
    """

    columns: dict[str, str] = field(default_factory=dict)
    master: dict[str, str] = field(default_factory=dict)
    periods: Rule = "month"
    accepted: dict[str, str] = field(default_factory=dict)
    """Why columns may be published although their cells identify people by themselves, by icefire's names."""

    def name(self, column: str) -> str:
        """The name of a column in the file."""
        return self.columns.get(column, column)

    def renaming(self, header: Sequence[str], where: str) -> dict[str, str]:
        """Map the column names of a file to icefire's; FileError for a missing or an unknown column."""
        known = {self.name(column): column for column in COLUMNS}
        missing = [column for column in REQUIRED if self.name(column) not in header]
        if missing:
            lines = "; ".join(f'{column} = "name in the file"' for column in missing)
            raise FileError(
                f"{where} has no column for the {' and the '.join(missing)}. Its columns are {', '.join(header)}. "
                f"Name it in {FILE}, under [columns]: {lines}"
            )
        unknown = [name for name in header if name not in known]
        if unknown:
            raise FileError(
                f"{where} has unknown columns: {', '.join(map(repr, unknown))}. Name them in {FILE}, under [columns], as "
                f"one of {', '.join(COLUMNS)}, or drop them"
            )
        return {name: known[name] for name in header}


def read_schema(path: Path) -> Schema:
    """Read schema.toml; the default schema (icefire's column names, periods of a month) if there is no such file."""
    if not path.is_file():
        return Schema()
    content = read_toml(path, (*COLUMNS, "periods", "columns", "master", "accepted"), "history")
    for key in content:
        if key in COLUMNS:
            raise FileError(f"{path}: {key} = ... must stand under [columns]")
    rule = content.get("periods", "month")
    if rule not in get_args(Rule):
        raise UnknownName.of(f"period length in {path}", rule, get_args(Rule))
    return Schema(
        _names(content.get("columns", {}), COLUMNS, "columns", path),
        _names(content.get("master", {}), MASTER, "master", path),
        cast(Rule, rule),
        _names(content.get("accepted", {}), (*COLUMNS, *MASTER), "accepted", path),
    )


def _names(entry: object, valid: Sequence[str], key: str, path: Path) -> dict[str, str]:
    if not isinstance(entry, dict) or not all(isinstance(name, str) for name in entry.values()):
        raise FileError(f'{path}: [{key}] must hold lines such as user = "customer_id"')
    for name in entry:
        if name not in valid:
            raise UnknownName.of(f"column under [{key}] in {path}", name, valid)
    if key != "accepted" and len(set(entry.values())) < len(entry):
        raise FileError(f"{path}: a column of the file is named twice under [{key}]")
    return dict(entry)


def schema_toml(schema: Schema) -> str:
    """The text of schema.toml."""
    lines = ['kind = "history"', f'periods = "{schema.periods}"']
    for title, names in (("columns", schema.columns), ("master", schema.master), ("accepted", schema.accepted)):
        if names:
            lines += ["", f"[{title}]", *(f"{key} = {toml_value(value)}" for key, value in names.items())]
    return "\n".join(lines) + "\n"
