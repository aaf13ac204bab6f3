"""The configuration of a contest, as its file declares it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from icefire.core.documents import JsonObject

KeyPath: TypeAlias = tuple[str | int, ...]
"""Where a value lies in the file, such as ("sets", 0, "utility")."""
Fault: TypeAlias = tuple[KeyPath, str]
"""Where something is wrong, and what."""
PhaseName = Literal["defence", "attack"]
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
    """A metric by which attacks on a release are scored."""

    name: Name
    metric: str
    baselines: tuple[str, ...] = ()
    """Attacks that the judge runs on every release."""
    attacker: str | None = None
    """How much attackers know, such as T25; the most if left out. A guess is then called by it."""


class Dataset(_Part):
    """A data set that every team is dealt and has to release."""

    name: Name
    source: str
    """The generator of the data, such as households(n=200)."""
    per_team: bool = False
    """Whether every team is dealt different data."""
    utility: tuple[str, ...] = ()
    safety: tuple[str, ...] = ()
    """Safety metrics that need no guess."""
    require: tuple[str, ...] = ()
    """Bounds that a valid release meets, such as closeness>=0.7."""
    flags: tuple[str, ...] = ()
    """Metrics that detect cheating; the operator rules on what they flag."""
    tasks: Annotated[tuple[Task, ...], Field(min_length=1)]


class Phase(_Part):
    """When a phase opens and closes."""

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
    """A defence phase followed by an attack phase."""

    name: Name
    weight: Annotated[float, Field(gt=0)] = 1.0
    defence: Phase
    attack: Phase
    freeze: Moment | None = None
    """When the public board stops changing."""

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
    """Bounds on what a team may upload, and on the resources of a job."""

    releases: Annotated[int, Field(ge=1)] = 20
    """Accepted releases per team and data set."""
    guesses: Annotated[int, Field(ge=1)] = 1
    """Scored guesses per team and target."""
    waiting: Annotated[int, Field(ge=1)] = 5
    """Uploads of a team that may wait for the judge at the same time."""
    megabytes: Annotated[float, Field(gt=0)] = 20.0
    unpacked: Annotated[float, Field(ge=1)] = 50.0
    """How many times larger than the upload its unpacked files may be."""
    rows: Annotated[int, Field(ge=1)] = 1_000_000
    columns: Annotated[int, Field(ge=1)] = 500
    seconds: Annotated[float, Field(gt=0)] = 120.0
    """Time limit of a job."""
    memory_mb: Annotated[int, Field(ge=64)] = 4_000
    """Memory limit of a job."""


class Scoring(_Part):
    """The rules that turn scores into standings; `weights` belong to the rule `weighted`."""

    rule: str
    weights: dict[str, Annotated[float, Field(ge=0)]] = {}
    attack: str = "lowered"
    not_submitted: float | None = None
    """The total of a team without a valid release; without it such a team is not ranked."""
    feedback: Literal["none", "band", "exact"] = "none"
    """What is shown of guesses before the attack closes: nothing, scores rounded to tenths, or exact scores."""


class Bot(_Part):
    """A team that is played by the program, in rehearsals and shows."""

    name: str
    defend: tuple[str, ...]
    """The anonymizers of its release, in order."""
    attack: str


class Config(_Part):
    """The configuration of a contest."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    kind: str
    game: str = "reidentification"
    scoring: Scoring
    sets: Annotated[tuple[Dataset, ...], Field(min_length=1)]
    rounds: Annotated[tuple[Round, ...], Field(min_length=1)]
    limits: Limits = Limits()
    bots: tuple[Bot, ...] = ()

    def dataset(self, name: str) -> Dataset:
        return next(dataset for dataset in self.sets if dataset.name == name)

    def has_dataset(self, name: str) -> bool:
        return any(dataset.name == name for dataset in self.sets)

    def as_dict(self) -> JsonObject:
        return self.model_dump(mode="json")
