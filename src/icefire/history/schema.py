"""schema.toml of a history: what the columns of the tables mean, and how time is cut into periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from icefire.core.errors import FileError, UnknownName
from icefire.frames.files import read_toml

FILE = "schema.toml"
Rule = Literal["day", "week", "month", "quarter", "year", "all"]
COLUMNS = ("user", "invoice", "date", "time", "item", "price", "quantity")
REQUIRED = ("user", "date", "item")
MASTER = ("user", "birth", "country")


@dataclass(frozen=True)
class Schema:
    """The names that a file gives to the columns of records and of the master table.

    A column that is not named keeps its own name: a table with the columns user, date and item needs no schema at all.
    """

    columns: dict[str, str] = field(default_factory=dict)
    master: dict[str, str] = field(default_factory=dict)
    periods: Rule = "month"

    def name(self, column: str) -> str:
        return self.columns.get(column, column)

    def renaming(self, header: Sequence[str], where: str) -> dict[str, str]:
        """From the names in a file to ours; every column has to have a meaning."""
        known = {self.name(column): column for column in COLUMNS}
        missing = [column for column in REQUIRED if self.name(column) not in header]
        if missing:
            lines = "; ".join(f'{column} = "name of the column"' for column in missing)
            raise FileError(
                f"{where} has no column for the {' and the '.join(missing)}. Its columns are {', '.join(header)}. "
                f"Say in {FILE}, under [columns], which is which: {lines}"
            )
        loose = [name for name in header if name not in known]
        if loose:
            raise FileError(
                f"{where} has columns without a meaning: {', '.join(map(repr, loose))}. Name them under [columns] in {FILE} as "
                f"one of {', '.join(COLUMNS)}, or drop them"
            )
        return {name: known[name] for name in header}


def read_schema(path: Path) -> Schema:
    """Read schema.toml; without one the columns have our names and periods are months."""
    if not path.is_file():
        return Schema()
    content = read_toml(path, (*COLUMNS, "periods", "columns", "master"), "history")
    for key in content:
        if key in COLUMNS:
            raise FileError(f"{path}: {key} = ... belongs under a line [columns]")
    rule = content.get("periods", "month")
    if rule not in get_args(Rule):
        raise UnknownName.of(f"way to cut periods in {path}", rule, get_args(Rule))
    return Schema(
        _names(content.get("columns", {}), COLUMNS, "columns", path),
        _names(content.get("master", {}), MASTER, "master", path),
        rule,
    )


def _names(entry: Any, valid: Sequence[str], key: str, path: Path) -> dict[str, str]:
    if not isinstance(entry, dict) or not all(isinstance(name, str) for name in entry.values()):
        raise FileError(f'{path}: [{key}] holds lines such as user = "customer_id"')
    for name in entry:
        if name not in valid:
            raise UnknownName.of(f"column under [{key}] in {path}", name, valid)
    if len(set(entry.values())) < len(entry):
        raise FileError(f"{path}: under [{key}] one column has two meanings")
    return dict(entry)


def schema_toml(schema: Schema) -> str:
    lines = ['kind = "history"', f'periods = "{schema.periods}"']
    for title, names in (("columns", schema.columns), ("master", schema.master)):
        if names:
            lines += ["", f"[{title}]", *(f"{key} = {_quoted(value)}" for key, value in names.items())]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
