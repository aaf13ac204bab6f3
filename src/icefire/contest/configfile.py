"""Reading and checking a contest's file. Every fault is reported with its line and, where possible, a suggestion."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from icefire.contest.config import Config, Fault, KeyPath
from icefire.contest.games import GAMES, Games
from icefire.contest.rules import check_scoring
from icefire.core.errors import FileError, UnknownName
from icefire.core.registry import Registry

SHIPPED = (Path(__file__).parents[1] / "contests", Path(__file__).parents[3] / "contests")
"""Where the contests that ship lie: in the package, or beside its sources."""
MOST_FAULTS = 20


def load_config(path: Path, registry: Registry | None = None, games: Games = GAMES) -> Config:
    """Read a contest file and check it in full. The name of a contest that ships will do, such as demo."""
    if not path.suffix and not path.exists():
        shipped = {file.stem: file for folder in SHIPPED for file in folder.glob("*.toml")}
        if str(path) not in shipped:
            raise UnknownName.of("file or contest", path, shipped)
        path = shipped[str(path)]
    known = registry or Registry()

    def check(config: Config) -> list[Fault]:
        if config.game not in games:
            return [(("game",), str(UnknownName.of("game", config.game, games)))]
        faults, scoring = games[config.game].check(known, config), check_scoring(config)
        # A misspelt metric of a set would be reported a second time, at its weight.
        return [*faults, *(fault for fault in scoring if not (faults and fault[0][:2] == ("scoring", "weights")))]

    return read_config(path, check)


def read_config(path: Path, check: Callable[[Config], list[Fault]]) -> Config:
    """Read a contest file. `check` finds what the model cannot: unknown metrics, attacks and rules."""
    if not path.is_file():
        raise FileError(f"no file {path}")
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error
    try:
        config = Config.model_validate(content)
    except ValidationError as error:
        raise _complaint(path, text, [_fault(details) for details in error.errors()]) from error
    faults = [*_check_together(config), *check(config)]
    if faults:
        raise _complaint(path, text, faults)
    return config


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


def _fault(error: ErrorDetails) -> Fault:
    """A validation error of the model in the words of a contest file."""
    # Unions and validators add names of their own to the path.
    *path, last = error["loc"] or ("",)
    place = (*(part for part in path if isinstance(part, int) or re.fullmatch(r"[\w.-]+", part)), last)
    kind = error["type"]
    if kind == "extra_forbidden":
        return place, str(UnknownName.of("key", place[-1], _model(place[:-1]).model_fields))
    if kind == "missing":
        return place[:-1], f"the key {place[-1]!r} is missing"
    message = error["msg"].removeprefix("Value error, ")
    if kind == "string_pattern_mismatch":
        message = "a name consists of lower-case letters, digits, - and _, at most 40 of them"
    given = error.get("input")
    shown = "" if isinstance(given, dict | BaseModel | list) or kind == "value_error" else f" (found {given!r})"
    return place, message[0].lower() + message[1:] + shown


def _model(where: KeyPath) -> type[BaseModel]:
    """The model of the table at a place."""
    model: type[BaseModel] = Config
    for part in where:
        if isinstance(part, str):
            inner = _inner_model(model.model_fields[part].annotation)
            assert inner is not None, "only tables have unknown keys"
            model = inner
    return model


def _inner_model(annotation: object) -> type[BaseModel] | None:
    """The model inside tuple[X, ...] or X | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _inner_model(part)) is not None), None)


def _check_together(config: Config) -> list[Fault]:
    """Faults between parts that are right by themselves."""
    faults: list[Fault] = []
    groups: list[tuple[KeyPath, list[str]]] = [
        (("sets",), [dataset.name for dataset in config.sets]),
        (("rounds",), [entry.name for entry in config.rounds]),
        *(
            (("sets", position, "tasks"), [task.name for task in dataset.tasks])
            for position, dataset in enumerate(config.sets)
        ),
    ]
    for where, names in groups:
        twice = [position for position, name in enumerate(names) if name in names[:position]]
        faults += [((*where, position, "name"), f"the name {names[position]!r} is used twice") for position in twice]
    for position in range(1, len(config.rounds)):
        if config.rounds[position].defence.opens < config.rounds[position - 1].attack.closes:
            faults.append((("rounds", position, "defence"), "this round begins before the previous one has ended"))
    if config.scoring.rule == "weighted":
        total = sum(config.scoring.weights.values())
        if abs(total - 1.0) > 1e-9:
            faults.append((("scoring", "weights"), f"the weights add up to {total:g}, not to 1"))
    elif config.scoring.weights:
        faults.append((("scoring", "weights"), f"the rule {config.scoring.rule!r} takes no weights"))
    return faults


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
