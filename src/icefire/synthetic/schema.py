"""schema.toml of synthetic tables: what each column is, and which ones attackers try to infer.

hidden = ["diagnosis"]       # what somebody who knows all else about a person tries to infer

[columns.age]
low = 0                      # the domain, known without a look at the data: differential privacy needs it
high = 110                   # published as whole numbers, as low and high are

[columns.weight]
low = 30
high = 200
decimals = 1                 # digits behind the point with which its numbers are published

[columns.author]
accepted = "public register" # why it may be published although its cells identify people

[columns.sex]
values = ["f", "m"]
missing = true               # a cell may be empty

[columns.region]
type = "categorical"         # codes that only look like numbers

[survival]                   # where people were watched until an event, or until they were lost from view
time = "years"
event = "died"
cases = ["yes"]              # the values of the event that mean that it happened
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Literal, get_args

from icefire.core.errors import DataError, FileError, UnknownName
from icefire.frames.files import read_toml, toml_value

ColumnType = Literal["numeric", "categorical"]
FILE = "schema.toml"
KEYS = ("type", "values", "low", "high", "missing", "decimals", "accepted")


@dataclass(frozen=True)
class Column:
    """How a column is read, and its domain if that is known without a look at the data."""

    type: ColumnType | None = None
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    missing: bool = False
    """Whether a cell may be empty, as a part of the domain."""
    decimals: int | None = None
    """Digits behind the point; as many as low and high have if left out."""
    accepted: str = ""
    """Why it may be published although its cells identify people by themselves."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        if self.decimals is not None and self.decimals < 0:
            raise DataError(f"decimals must be 0 or more, not {self.decimals}")
        if self.decimals is not None and (self.values or self.type == "categorical"):
            raise DataError("a column of texts has no decimals")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise DataError(f"low must be below high; got {self.low:g} and {self.high:g}")
        if self.values and self.type == "numeric":
            raise DataError("a numeric column has low and high, not values")

    @property
    def bounded(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def places(self) -> int | None:
        """The digits behind the point of its numbers, as far as the schema says it.

        >>> Column(low=0, high=110).places, Column(low=0.25, high=9).places, Column(low=0, high=9, decimals=1).places
        (0, 2, 1)
        """
        if self.decimals is not None or self.low is None or self.high is None:
            return self.decimals
        return max(_digits(self.low), _digits(self.high))


def _digits(number: float) -> int:
    """Digits behind the point."""
    exponent = Decimal(str(number)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@dataclass(frozen=True)
class Survival:
    """The columns of event times: how long somebody was watched, and whether the event happened then."""

    time: str
    event: str
    cases: tuple[str, ...]


@dataclass(frozen=True)
class Schema:
    """The hidden columns, how each column is read, and which hold event times."""

    hidden: Sequence[str] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    survival: Survival | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "hidden", tuple(self.hidden))

    def column(self, name: str) -> Column:
        return self.columns.get(name, Column())

    def check(self, names: Sequence[str], where: str) -> None:
        """Raise UnknownName if a column is named that a table does not have."""
        timed = () if self.survival is None else (self.survival.time, self.survival.event)
        for name in (*self.hidden, *self.columns, *timed):
            if name not in names:
                raise UnknownName.of(f"column in {where}", name, names)
        if names and set(names) <= set(self.hidden):
            raise DataError(f"all columns of {where} are hidden: leave one that attackers know")


def read_schema(path: Path) -> Schema:
    """Read schema.toml; a schema without any entry if there is no such file."""
    if not path.is_file():
        return Schema()
    content = read_toml(path, ("hidden", "columns", "survival"), "synthetic")
    hidden, tables = content.get("hidden", []), content.get("columns", {})
    if not isinstance(hidden, list) or not all(isinstance(name, str) for name in hidden):
        raise FileError(f'{path}: hidden must be a list of column names, such as ["diagnosis"]')
    if not isinstance(tables, dict):
        raise FileError(f"{path}: columns must be tables, such as [columns.age]")
    columns = {name: _column(name, entry, path) for name, entry in tables.items()}
    return Schema(hidden, columns, _survival(content["survival"], path) if "survival" in content else None)


def _survival(entry: object, path: Path) -> Survival:
    if not isinstance(entry, dict) or set(entry) != {"time", "event", "cases"}:
        raise FileError(f"{path}: [survival] must be a table with time, event and cases")
    time, event, cases = entry["time"], entry["event"], entry["cases"]
    texts = [time, event, *cases] if isinstance(cases, list) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise FileError(f'{path}, [survival]: time and event are names of columns, and cases a list such as ["yes"]')
    return Survival(time, event, tuple(cases))


def _column(name: str, entry: object, path: Path) -> Column:
    where = f"{path}, [columns.{name}]"
    if not isinstance(entry, dict):
        raise FileError(f"{where}: must be a table with {', '.join(KEYS)}")
    for key in entry:
        if key not in KEYS:
            raise UnknownName.of(f"key under [columns.{name}] in {path}", key, KEYS)
    values = entry.get("values", [])
    if entry.get("type", "numeric") not in get_args(ColumnType):
        raise FileError(f'{where}: type must be "numeric" or "categorical", not {entry["type"]!r}')
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise FileError(f'{where}: values must be a list of texts, such as ["f", "m"]')
    for key in ("low", "high"):
        if type(entry.get(key, 0)) not in (int, float):
            raise FileError(f"{where}: {key} must be a number, not {entry[key]!r}")
    if type(entry.get("decimals", 0)) is not int:
        raise FileError(f"{where}: decimals must be a whole number, not {entry['decimals']!r}")
    if type(entry.get("missing", False)) is not bool:
        raise FileError(f"{where}: missing must be true or false, not {entry['missing']!r}")
    accepted = entry.get("accepted", "")
    if not isinstance(accepted, str) or (not accepted.strip() and "accepted" in entry):
        raise FileError(f"{where}: accepted must be the reason in words, not {accepted!r}")
    bounds = entry.get("low"), entry.get("high"), entry.get("missing", False), entry.get("decimals")
    try:
        return Column(entry.get("type"), tuple(values), *bounds, accepted)
    except DataError as error:
        raise FileError(f"{where} is wrong: {error}") from error


def schema_toml(schema: Schema) -> str:
    """The text of schema.toml."""
    lines = ['kind = "synthetic"', " = ".join(("hidden", toml_value(list(schema.hidden))))]
    for name, column in schema.columns.items():
        entries: dict[str, object] = {
            "type": column.type,
            "values": column.values or None,
            "low": column.low,
            "high": column.high,
        }
        entries |= {"decimals": column.decimals, "missing": column.missing or None, "accepted": column.accepted or None}
        lines += ["", f"[columns.{toml_value(name)}]"]
        lines += [f"{key} = {toml_value(value)}" for key, value in entries.items() if value is not None]
    if schema.survival is not None:
        lines += ["", "[survival]"]
        lines += [f"{key} = {toml_value(value)}" for key, value in vars(schema.survival).items()]
    return "\n".join(lines) + "\n"
