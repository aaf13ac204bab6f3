"""The configuration of a contest, as its file declares it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from icefire.core.documents import JsonObject
from icefire.core.strictfile import NAME, Part

PhaseName = Literal["defence", "attack"]


def _with_zone(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no zone: write {moment.isoformat()}+09:00, or Z for UTC")
    return moment


Moment = Annotated[datetime, AfterValidator(_with_zone)]
Name = Annotated[str, Field(pattern=NAME)]


class Task(Part):
    """A metric by which attacks on a release are scored."""

    name: Name
    metric: str
    baselines: tuple[str, ...] = ()
    """Attacks that the judge runs on every release."""
    attacker: str | None = None
    """How much attackers know, such as T25; the most if left out. A guess is then called by it."""


class Dataset(Part):
    """A data set that every team is dealt and has to release."""

    name: Name
    source: str
    """The generator of the data, such as households(n=200)."""
    small: str | None = None
    """A smaller source, for trying a contest out."""
    columns: tuple[str, ...] = ()
    """The columns of a table that are dealt; all of them if left out."""
    per_team: bool = False
    """Whether every team is dealt different data."""
    withheld: bool = False
    """Whether what attackers know is dealt in the attack phase only."""
    utility: tuple[str, ...] = ()
    safety: tuple[str, ...] = ()
    """Safety metrics that need no guess."""
    require: tuple[str, ...] = ()
    """Bounds that a valid release meets, such as closeness>=0.7."""
    flags: tuple[str, ...] = ()
    """Metrics that detect cheating; the operator rules on what they flag."""
    tasks: Annotated[tuple[Task, ...], Field(min_length=1)]


class Phase(Part):
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


class Scoring(Part):
    """The rules that turn scores into standings; `weights` belong to the rule `weighted`."""

    rule: str
    weights: dict[str, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    attack: str = "lowered"
    not_submitted: float | None = None
    """The total of a team without a valid release; without it such a team is not ranked."""
    feedback: Literal["none", "band", "exact"] = "none"
    """What is shown of guesses before the attack closes: nothing, scores rounded to tenths, or exact scores."""


class Round(Part):
    """A defence phase followed by an attack phase, or both at the same time."""

    name: Name
    weight: Annotated[float, Field(gt=0)] = 1.0
    defence: Phase
    attack: Phase
    freeze: Moment | None = None
    """When the public board stops changing."""
    together: bool = False
    """Whether releases are handed out as soon as they are valid, and may be replaced while they are under attack."""
    sets: tuple[Name, ...] = ()
    """The data sets of this round; all of them if left out."""
    scoring: Scoring | None = None
    """The rules of this round, if they are not those of the contest."""

    @model_validator(mode="after")
    def _in_order(self) -> Round:
        if self.attack.opens < self.defence.closes and not self.together:
            raise ValueError(
                "the attack opens before the defence closes: attackers would see releases that still change "
                "(together = true lets them)"
            )
        if self.together and not self.defence.opens <= self.attack.opens <= self.defence.closes <= self.attack.closes:
            raise ValueError("with together = true, the attack opens during the defence, and closes with it or later")
        if self.freeze is not None and not self.defence.opens < self.freeze <= self.attack.closes:
            raise ValueError("the freeze lies outside the round")
        return self


class Limits(Part):
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
    set_size: Annotated[int, Field(ge=1)] | None = 1_000
    """Values that a set in a cell may list; None in contests from before there was a bound."""
    set_values: Annotated[int, Field(ge=1)] | None = 500_000
    """Values that the distinct sets of a file may list together."""
    seconds: Annotated[float, Field(gt=0)] = 120.0
    """Processor time of a job."""
    memory_mb: Annotated[int, Field(ge=64)] = 4_000
    """Memory limit of a job."""


class Prize(Part):
    """Who wins something: by the totals, by one task, or by the operator's choice."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    of: Literal["defence", "attack", "choice"]
    task: str | None = None
    """TASK, in all data sets that have it, or SET.TASK; by the totals if left out."""


class Entry(Part):
    """A release of the committee: it is attacked as those of teams are, and not ranked."""

    name: str
    defend: tuple[str, ...] = ()
    """The anonymizers of its releases, in order; without any, people only lose their names."""
    sets: tuple[Name, ...] = ()
    """The data sets that it has a release of; all of them if left out."""


class Bot(Part):
    """A team that is played by the program, in rehearsals and shows."""

    name: str
    defend: tuple[str, ...]
    """The anonymizers of its release, in order."""
    attack: str


class Config(Part):
    """The configuration of a contest."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    kind: str
    game: str = "reidentification"
    format: str | None = None
    """The format of all files, such as pwscup2017; icefire's own if left out."""
    scoring: Scoring
    overall: Literal["totals", "ranks"] = "totals"
    """What rounds are put together by: their totals or their ranks, by the weights of the rounds."""
    sets: Annotated[tuple[Dataset, ...], Field(min_length=1)]
    rounds: Annotated[tuple[Round, ...], Field(min_length=1)]
    prizes: tuple[Prize, ...] = ()
    committee: tuple[Entry, ...] = ()
    limits: Limits = Limits()
    bots: tuple[Bot, ...] = ()

    def dataset(self, name: str) -> Dataset:
        return next(dataset for dataset in self.sets if dataset.name == name)

    def has_dataset(self, name: str) -> bool:
        return any(dataset.name == name for dataset in self.sets)

    def sets_of(self, round_index: int) -> tuple[Dataset, ...]:
        """The data sets of a round."""
        names = self.rounds[round_index].sets
        return tuple(dataset for dataset in self.sets if not names or dataset.name in names)

    def scoring_of(self, round_index: int) -> Scoring:
        """The rules of a round."""
        return self.rounds[round_index].scoring or self.scoring

    def entered_sets(self, round_index: int, entry: str | None = None) -> tuple[Dataset, ...]:
        """The data sets of a round that a team is dealt, or an entry of the committee by its name."""
        names = next((each.sets for each in self.committee if each.name == entry), ())
        return tuple(dataset for dataset in self.sets_of(round_index) if not names or dataset.name in names)

    def tried_out(self) -> Config:
        """The same contest with smaller data, where there are such."""
        sets = tuple(each.model_copy(update={"source": each.small or each.source}) for each in self.sets)
        return self.model_copy(update={"sets": sets})

    def as_dict(self) -> JsonObject:
        return self.model_dump(mode="json")
