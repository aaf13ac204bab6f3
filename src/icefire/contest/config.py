"""contest.toml: what a contest is made of. Whatever is wrong in it is named with its line."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from icefire.core.errors import FileError, IcefireError
from icefire.core.registry import Registry, Role

Path_ = tuple[str | int, ...]
MOST_FAULTS = 20
NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"


def _with_zone(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no zone: write {moment.isoformat()}+09:00, or Z for UTC")
    return moment


Moment = Annotated[datetime, AfterValidator(_with_zone)]
Name = Annotated[str, Field(pattern=NAME)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Task(_Part):
    """One thing attackers are measured by."""

    name: Name
    metric: str
    baselines: tuple[str, ...] = ()
    """Attacks that the judge makes by itself on every release."""


class Dataset(_Part):
    """One set of data that every team gets and releases."""

    name: Name
    source: str
    """How the data are made, such as households(n=200)."""
    per_team: bool = False
    """Whether every team gets data of its own."""
    utility: tuple[str, ...] = ()
    safety: tuple[str, ...] = ()
    """Metrics that need no guess."""
    require: tuple[str, ...] = ()
    """What a release must reach to be valid, such as utility>=0.7."""
    flags: tuple[str, ...] = ()
    """Metrics that look for cheats; a person rules on what they find."""
    tasks: Annotated[tuple[Task, ...], Field(min_length=1)]


class Phase(_Part):
    opens: Moment
    closes: Moment

    @model_validator(mode="after")
    def _in_order(self) -> Phase:
        if self.closes <= self.opens:
            raise ValueError(
                f"the phase closes at {self.closes.isoformat()}, before it opens at {self.opens.isoformat()}"
            )
        return self


class Round(_Part):
    """A defence and then an attack."""

    name: Name
    weight: Annotated[float, Field(gt=0)] = 1.0
    defence: Phase
    attack: Phase
    freeze: Moment | None = None
    """From here on the public sees what it saw."""

    @model_validator(mode="after")
    def _in_order(self) -> Round:
        if self.attack.opens < self.defence.closes:
            raise ValueError(
                "the attack opens before the defence closes: attackers would see releases that still change"
            )
        if self.freeze is not None and not self.defence.opens < self.freeze <= self.attack.closes:
            raise ValueError("the freeze lies outside the round")
        return self


class Limits(_Part):
    """What one team may do, and what one upload may be."""

    releases: Annotated[int, Field(ge=1)] = 20
    """Valid releases a team may send in for one set."""
    guesses: Annotated[int, Field(ge=1)] = 1
    """Answers to one target that are scored."""
    waiting: Annotated[int, Field(ge=1)] = 5
    """Uploads of one team that may wait for the judge at a time."""
    megabytes: Annotated[float, Field(gt=0)] = 20.0
    unpacked: Annotated[float, Field(ge=1)] = 50.0
    """How many times larger a compressed upload may become."""
    rows: Annotated[int, Field(ge=1)] = 1_000_000
    columns: Annotated[int, Field(ge=1)] = 500
    seconds: Annotated[float, Field(gt=0)] = 120.0
    """For one job of the judge."""
    memory_mb: Annotated[int, Field(ge=64)] = 4_000


class Scoring(_Part):
    """How scores become standings; `weights` are for the rule `weighted`."""

    rule: str
    weights: dict[str, Annotated[float, Field(ge=0)]] = {}
    attack: str = "lowered"
    not_submitted: float | None = None
    """The total of a team without a valid release; none: it is not ranked."""
    feedback: Literal["none", "band", "exact"] = "none"
    """What is told of answers before the attack closes: nothing, tenths, or all."""


class Bot(_Part):
    """A player of rehearsals."""

    name: str
    defend: tuple[str, ...]
    """Anonymizers, one after the other."""
    attack: str


class Config(_Part):
    """A whole contest."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    kind: str
    game: str = "reidentification"
    scoring: Scoring
    sets: Annotated[tuple[Dataset, ...], Field(min_length=1)]
    rounds: Annotated[tuple[Round, ...], Field(min_length=1)]
    limits: Limits = Limits()
    bots: tuple[Bot, ...] = ()

    def set_named(self, name: str) -> Dataset:
        return next(one for one in self.sets if one.name == name)

    def as_dict(self) -> dict[str, Any]:
        return self.model_dump(mode="json")


def read_config(path: Path, check: Callable[[Config], list[tuple[Path_, str]]] | None = None) -> Config:
    """Read and check a contest file. `check` looks at what only the game can know: names of metrics and attacks."""
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
        faults = [_fault(one) for one in error.errors()]
        raise _complaint(path, text, faults) from error
    faults = [*_together(config), *(check(config) if check else [])]
    if faults:
        raise _complaint(path, text, faults)
    return config


def _complaint(path: Path, text: str, faults: list[tuple[Path_, str]]) -> FileError:
    lines = _lines(text)
    told = []
    for where, what in faults[:MOST_FAULTS]:
        known = where
        while known and known not in lines:
            known = known[:-1]
        line = f", line {lines[known]}" if known in lines else ""
        told.append(f"{path}{line}: {_dotted(where)}: {what}" if where else f"{path}: {what}")
    rest = len(faults) - len(told)
    return FileError("\n".join(told) + (f"\n({rest} more)" if rest > 0 else ""))


def _fault(error: Any) -> tuple[Path_, str]:
    """One complaint of the model in our words."""
    # Unions and validators add names of their own to the path.
    *path, last = error["loc"] or ("",)
    place = (*(part for part in path if isinstance(part, int) or re.fullmatch(r"[\w.-]+", part)), last)
    kind = error["type"]
    if kind == "extra_forbidden":
        names = _keys(place[:-1])
        near = difflib.get_close_matches(str(place[-1]), names, 1, 0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(names)}"
        return place, f"unknown key; {hint}"
    if kind == "missing":
        return place[:-1], f"the key {place[-1]!r} is missing"
    message = error["msg"].removeprefix("Value error, ")
    if kind == "string_pattern_mismatch":
        message = "a name has small letters, digits, - and _, at most 40 of them"
    given = error.get("input")
    shown = "" if isinstance(given, dict | BaseModel | list) or kind == "value_error" else f" (found {given!r})"
    return place, message[0].lower() + message[1:] + shown


def _keys(where: Path_) -> list[str]:
    """The keys that a table may have."""
    model: Any = Config
    for part in where:
        if isinstance(part, int):
            continue
        model = _inner(model.model_fields[part].annotation)
    return list(model.model_fields)


def _inner(annotation: Any) -> Any:
    """The model inside tuple[X, ...] or X | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in getattr(annotation, "__args__", ()) if (found := _inner(part)) is not None), None)


def _together(config: Config) -> list[tuple[Path_, str]]:
    """What is wrong with parts that are right by themselves."""
    faults: list[tuple[Path_, str]] = []
    groups: list[tuple[Path_, list[str]]] = [
        (("sets",), [one.name for one in config.sets]),
        (("rounds",), [one.name for one in config.rounds]),
        *((("sets", at, "tasks"), [task.name for task in one.tasks]) for at, one in enumerate(config.sets)),
    ]
    for where, names in groups:
        twice = [at for at, name in enumerate(names) if name in names[:at]]
        faults += [((*where, at, "name"), f"{names[at]!r} stands there twice") for at in twice]
    for at in range(1, len(config.rounds)):
        if config.rounds[at].defence.opens < config.rounds[at - 1].attack.closes:
            faults.append((("rounds", at, "defence"), "the round begins before the one before it has ended"))
    if config.scoring.rule == "weighted":
        total = sum(config.scoring.weights.values())
        if abs(total - 1.0) > 1e-9:
            faults.append((("scoring", "weights"), f"the weights add up to {total:g}, not to 1"))
    elif config.scoring.weights:
        faults.append((("scoring", "weights"), f"the rule {config.scoring.rule!r} takes no weights"))
    return faults


def nearest(what: str, name: str, names: list[str]) -> str:
    """A complaint about a name, with the nearest valid choice."""
    near = difflib.get_close_matches(name, names, 1, 0.4)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(names)}"
    return f"unknown {what} {name!r}; {hint}"


def made(registry: Registry, kind: str, role: Role, step: str) -> str | None:
    """What is wrong with a step such as mondrian(k=5), if anything is."""
    try:
        registry.make(kind, role, step)
    except IcefireError as error:
        return str(error)
    return None


def _dotted(where: Path_) -> str:
    """sets[1].tasks[1].metric: tables count from 1."""
    text = ""
    for part in where:
        text += f"[{part + 1}]" if isinstance(part, int) else (f".{part}" if text else part)
    return text


def _lines(text: str) -> dict[Path_, int]:
    """The line of every key and table of a TOML document."""
    found: dict[Path_, int] = {}
    counts: dict[Path_, int] = {}
    table: Path_ = ()
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if header := re.match(r"\[\[(.+?)\]\]|\[(.+?)\]", stripped):
            table = ()
            parts = [part.strip().strip('"') for part in (header[1] or header[2]).split(".")]
            for at, part in enumerate(parts):
                table += (part,)
                if header[1] and at == len(parts) - 1:
                    counts[table] = counts.get(table, -1) + 1
                    # Tables inside an earlier entry of the list are counted anew.
                    counts = {key: value for key, value in counts.items() if key[: len(table)] != table or key == table}
                if table in counts:
                    table += (counts[table],)
            found.setdefault(table, number)
        elif key := re.match(r'([\w-]+|"[^"]+")\s*=', stripped):
            found.setdefault((*table, key[1].strip('"')), number)
    return found
