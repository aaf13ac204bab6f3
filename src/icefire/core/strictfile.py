"""Strict reading of TOML files: every fault is reported with its line and, where possible, a suggestion."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from icefire.core.errors import FileError, UnknownName

KeyPath: TypeAlias = tuple[str | int, ...]
"""Where a value lies in the file, such as ("sets", 0, "utility")."""
Fault: TypeAlias = tuple[KeyPath, str]
"""Where something is wrong, and what."""
MOST_FAULTS = 20
NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"
"""Names in such files."""


class Part(BaseModel):
    """A table of a file: unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


PartT = TypeVar("PartT", bound=BaseModel)


def read_strict(path: Path, model: type[PartT], check: Callable[[PartT], list[Fault]]) -> PartT:
    """Read a file. `check` finds what the model cannot: faults between parts, and names that do not exist."""
    if not path.is_file():
        raise FileError(f"no file {path}")
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error
    try:
        found = model.model_validate(content)
    except ValidationError as error:
        raise _complaint(path, text, [_fault(details, model) for details in _causes(error)]) from error
    faults = check(found)
    if faults:
        raise _complaint(path, text, faults)
    return found


def names_used_twice(where: KeyPath, names: list[str]) -> list[Fault]:
    """Faults of a list of tables with names."""
    twice = [position for position, name in enumerate(names) if name in names[:position]]
    return [((*where, position, "name"), f"the name {names[position]!r} is used twice") for position in twice]


def shipped_file(name: Path, what: str, folders: tuple[Path, ...]) -> Path:
    """The file of something that ships, by its name; a path of a file as it is."""
    if name.suffix or name.exists():
        return name
    shipped = {file.stem: file for folder in folders for file in folder.glob("*.toml")}
    if str(name) not in shipped:
        raise UnknownName.of(what, name, shipped)
    return shipped[str(name)]


def _complaint(path: Path, text: str, faults: list[Fault]) -> FileError:
    lines = _lines(text)
    messages = []
    for where, what in faults[:MOST_FAULTS]:
        known = where
        while known and known not in lines:
            known = known[:-1]
        line = f", line {lines[known]}" if known in lines else ""
        messages.append(f"{path}{line}: {_dotted(where)}: {what}" if where else f"{path}: {what}")
    rest = len(faults) - len(messages)
    return FileError("\n".join(messages) + (f"\n({rest} more)" if rest > 0 else ""))


def _causes(error: ValidationError) -> list[ErrorDetails]:
    """The errors without those that follow from others: a list is too short if its only entry is wrong."""
    found = error.errors()
    wrong = {each["loc"][:length] for each in found for length in range(len(each["loc"]))}
    return [each for each in found if each["type"] != "too_short" or each["loc"] not in wrong]


def _fault(error: ErrorDetails, model: type[BaseModel]) -> Fault:
    """A validation error of the model in the words of the file."""
    # Unions and validators add names of their own to the path.
    *path, last = error["loc"] or ("",)
    place = (*(part for part in path if isinstance(part, int) or re.fullmatch(r"[\w.-]+", part)), last)
    kind = error["type"]
    if kind == "extra_forbidden":
        return place, str(UnknownName.of("key", place[-1], _model(model, place[:-1]).model_fields))
    if kind == "missing":
        return place[:-1], f"the key {place[-1]!r} is missing"
    message = error["msg"].removeprefix("Value error, ")
    if kind == "string_pattern_mismatch":
        message = "a name consists of the letters a to z, digits, - and _, at most 40 of them"
    given = error.get("input")
    shown = "" if isinstance(given, dict | BaseModel | list) or kind == "value_error" else f" (found {given!r})"
    return place, message[0].lower() + message[1:] + shown


def _model(model: type[BaseModel], where: KeyPath) -> type[BaseModel]:
    """The model of the table at a place."""
    for part in where:
        # A key of a mapping has no field of its own.
        if isinstance(part, str) and part in model.model_fields:
            inner = _inner_model(model.model_fields[part].annotation)
            assert inner is not None, "only tables have unknown keys"
            model = inner
    return model


def _inner_model(annotation: object) -> type[BaseModel] | None:
    """The model inside tuple[X, ...] or X | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _inner_model(part)) is not None), None)


def _dotted(where: KeyPath) -> str:
    """
    >>> _dotted(("sets", 0, "tasks", 0, "metric"))
    'sets[1].tasks[1].metric'
    """
    text = ""
    for part in where:
        text += f"[{part + 1}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text


def _lines(text: str) -> dict[KeyPath, int]:
    """The line of every key and table of a TOML document."""
    found: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if header := re.match(r"\[\[(.+?)\]\]|\[(.+?)\]", stripped):
            table = ()
            parts = [part.strip().strip('"') for part in (header[1] or header[2]).split(".")]
            for position, part in enumerate(parts):
                table += (part,)
                if header[1] and position == len(parts) - 1:
                    counts[table] = counts.get(table, -1) + 1
                    # Tables inside an earlier entry of the list are counted anew.
                    counts = {key: value for key, value in counts.items() if key[: len(table)] != table or key == table}
                if table in counts:
                    table += (counts[table],)
            found.setdefault(table, number)
        elif key := re.match(r'([\w-]+|"[^"]+")\s*=', stripped):
            found.setdefault((*table, key[1].strip('"')), number)
    return found
