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


class FreezeDocument(TypedDict):
    """When the board is to be frozen, or was."""

    round: int
    at: str


class TeamDocument(TypedDict):
    id: str
    name: str
    withdrawn: bool
    committee: bool
    """Whether it is an entry of the committee, which is not ranked."""


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


class PrizeDocument(TypedDict):
    """A prize, who is in for it, and who has won it."""

    name: str
    of: str
    """defence, attack, or choice of the operator."""
    task: str | None
    rows: list[RowDocument]
    winners: list[str]


class RoundDocument(StandingsDocument):
    name: str
    sets: list[str]
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


class AnnouncementDocument(TypedDict):
    """What everybody is told; with the question if it is an answer."""

    at: str
    text: str
    question: str | None


class QuestionDocument(TypedDict):
    id: str
    team: str
    text: str
    at: str
    answer: str | None
    answered_at: str | None


class ProblemDocument(TypedDict):
    round: int
    set: str
    sha256: str
    summary: Mapping[str, int]


class RuleDocument(TypedDict):
    """A rule in a sentence, and what it is about: a name, a bound or a number."""

    term: str
    rule: str


class RulesSectionDocument(TypedDict):
    heading: str
    rules: list[RuleDocument]


class RulesDocument(TypedDict):
    """The rules of a contest for its teams."""

    sections: list[RulesSectionDocument]


class OwnDocument(TypedDict):
    """What a team sees of itself."""

    uploads: list[UploadDocument]
    releases_left: Mapping[str, int]
    """By data set, while the defence is open."""
    guesses_left: Mapping[str, Mapping[str, int]]
    """By data set and target, while the attack is open."""
    problems: list[ProblemDocument]
    questions: list[QuestionDocument]


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


class MethodDocument(TypedDict):
    """What a team tells the audience about its method."""

    team: str
    method: str


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
    prizes: list[PrizeDocument]
    ceremony: StandingsDocument
    """What the ceremony has unveiled so far."""
    announcements: list[AnnouncementDocument]
    """Never held back by the freeze."""
    own: NotRequired[OwnDocument]
    """For a team."""
    flags: NotRequired[list[FlagDocument]]
    """For the operator, as the following."""
    alarms: NotRequired[list[AlarmDocument]]
    waiting: NotRequired[int]
    questions: NotRequired[list[QuestionDocument]]
    methods: NotRequired[list[MethodDocument]]
    freezes: NotRequired[list[FreezeDocument]]
