"""The JSON documents that viewers of a contest get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypeAlias

from typing_extensions import TypedDict

from icefire.contest.config import PhaseName

ScoreDocument: TypeAlias = Mapping[str, object]
"""The JSON form of a score, or {"undefined": reason}."""


class PhaseDocument(TypedDict):
    round: int
    name: PhaseName


class TimesDocument(TypedDict):
    round: int
    phase: PhaseName
    opens: str
    closes: str


class TeamDocument(TypedDict):
    id: str
    name: str
    withdrawn: bool


class SetDocument(TypedDict):
    name: str
    utility: list[str]
    tasks: list[str]


class RowDocument(TypedDict):
    """A row of the standings."""

    team: str
    total: float | None
    rank: float | None
    parts: Mapping[str, float | None]


class StandingsDocument(TypedDict):
    defenders: list[RowDocument]
    attackers: list[RowDocument]


class ReleaseDocument(TypedDict):
    team: str
    set: str
    published: bool
    measures: Mapping[str, ScoreDocument]


class CellDocument(TypedDict):
    """The score of an attack on a release by a task."""

    team: str
    set: str
    attacker: str
    task: str
    score: ScoreDocument


class RoundDocument(StandingsDocument):
    name: str
    releases: list[ReleaseDocument]
    invalid: list[tuple[str, str]]
    cells: list[CellDocument]
    answered: list[tuple[str, str, str]]


class UploadDocument(TypedDict):
    """A team's own upload."""

    upload: str
    kind: str
    round: int
    set: str
    target: str | None
    at: str
    bytes: int
    status: str
    faults: list[str]
    measures: Mapping[str, ScoreDocument]
    counts: bool
    reference: str | None


class ProblemDocument(TypedDict):
    round: int
    set: str
    sha256: str
    summary: Mapping[str, int]


class OwnDocument(TypedDict):
    """What a team sees of itself."""

    uploads: list[UploadDocument]
    left: Mapping[str, int | Mapping[str, int]]
    problems: list[ProblemDocument]


class FlagDocument(TypedDict):
    round: int
    team: str
    set: str
    evidence: Mapping[str, Mapping[str, object]]
    ruling: str | None


class AlarmDocument(TypedDict):
    reference: str
    job: str
    message: str
    at: str
    resolved: bool


class BoardDocument(TypedDict):
    """The board as a viewer sees it."""

    name: str
    seq: int
    at: str
    phase: PhaseDocument | None
    """The phase that is open."""
    paused: bool
    schedule: list[TimesDocument]
    frozen: bool
    final: bool
    commitments: list[str]
    seeds: Mapping[str, str]
    sets: list[SetDocument]
    teams: list[TeamDocument]
    rounds: list[RoundDocument]
    total: StandingsDocument
    ceremony: list[RowDocument]
    own: NotRequired[OwnDocument]
    """For a team."""
    flags: NotRequired[list[FlagDocument]]
    """For the operator, as the following."""
    alarms: NotRequired[list[AlarmDocument]]
    waiting: NotRequired[int]
