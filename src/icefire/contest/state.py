"""The state of a contest: what its events have led to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from icefire.contest.config import Config, PhaseName
from icefire.contest.measures import Measures
from icefire.contest.rules import Row

UploadKind = Literal["release", "guess"]
Decision = Literal["valid", "invalid"]
Side = Literal["defence", "attack"]
Evidence = Mapping[str, Mapping[str, object]]
"""By metric: what makes a release look like a cheat."""


class Place(NamedTuple):
    """A team's entry in a round: its release of one data set."""

    round_index: int
    team: str
    dataset: str


class Stage(NamedTuple):
    """A phase of a round."""

    round_index: int
    phase: PhaseName


class Target(NamedTuple):
    """A release, and the team or the baseline that attacks it."""

    place: Place
    attacker: str


@dataclass(frozen=True)
class Team:
    id: str
    name: str
    withdrawn: bool = False
    committee: bool = False
    """Whether it is an entry of the committee, which is attacked and not ranked."""


@dataclass(frozen=True)
class Upload:
    """A file that was acknowledged, and what the judge has found in it."""

    id: str
    kind: UploadKind
    place: Place
    """Where a release belongs; for a guess, the round, the attacking team and the data set."""
    target: str | None
    """The team whose release is attacked."""
    against: str | None
    """The upload of the release that is attacked."""
    sha256: str
    bytes: int
    at: str
    seq: int
    method: str = ""
    """What the team tells the audience about its method."""
    status: Literal["waiting", "accepted", "rejected"] = "waiting"
    faults: tuple[str, ...] = ()
    measures: Measures = field(default_factory=dict)

    @property
    def team(self) -> str:
        return self.place.team

    @property
    def attacked(self) -> Place:
        """The release that a guess is about."""
        assert self.target is not None, "a guess has a target"
        return self.place._replace(team=self.target)


@dataclass(frozen=True)
class Problem:
    """The data that a team was dealt."""

    sha256: str
    summary: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Handout:
    """A release as it was handed out to attackers."""

    upload: str
    sha256: str
    questions: Mapping[str, str] = field(default_factory=dict)
    """By attacker, the SHA-256 of files that only this attacker gets, in games that have such."""


@dataclass(frozen=True)
class Alarm:
    """A job that failed. Participants see its reference, the operator the rest."""

    reference: str
    job: str
    """The key of the job."""
    message: str
    at: str
    resolved: bool = False


@dataclass(frozen=True)
class Announcement:
    """What everybody is told; with the question if it is an answer."""

    at: str
    text: str
    question: str | None = None


@dataclass(frozen=True)
class Question:
    """What a team asks, and the answer."""

    id: str
    team: str
    text: str
    at: str
    answer: str | None = None
    answered_at: str | None = None


@dataclass(frozen=True)
class State:
    """Everything that matters for what may happen next, and for what is shown."""

    seq: int = 0
    at: str = ""
    config: Config | None = None
    commitments: tuple[str, ...] = ()
    seeds: Mapping[int, str] = field(default_factory=dict)
    """By round, after it has ended."""
    teams: Mapping[str, Team] = field(default_factory=dict)
    schedule: Mapping[Stage, tuple[datetime, datetime]] = field(default_factory=dict)
    """When each phase opens and closes."""
    freezes: Mapping[int, datetime] = field(default_factory=dict)
    """By round, the time at which the public board freezes."""
    opened: frozenset[Stage] = frozenset()
    closed: frozenset[Stage] = frozenset()
    paused: str | None = None
    """When the contest was paused, if it is."""
    pause_reason: str = ""
    paused_by_engine: bool = False
    """Whether it was paused by itself, since a clock was set."""
    dealt: Mapping[Place, Problem] = field(default_factory=dict)
    uploads: Mapping[str, Upload] = field(default_factory=dict)
    releases: Mapping[Place, str] = field(default_factory=dict)
    """The upload that counts."""
    published: Mapping[Place, Handout] = field(default_factory=dict)
    guesses: Mapping[Target, Measures] = field(default_factory=dict)
    """Scores of teams' guesses, by task."""
    baselines: Mapping[Target, Measures] = field(default_factory=dict)
    """Scores of the judge's attacks, by task."""
    flags: Mapping[Place, tuple[str, Evidence]] = field(default_factory=dict)
    """The upload that looks like a cheat, and why."""
    rulings: Mapping[Place, tuple[str, Decision]] = field(default_factory=dict)
    """The upload that the operator ruled on, and how."""
    entrants: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """By round, the teams when its defence closed."""
    alarms: Mapping[str, Alarm] = field(default_factory=dict)
    """By reference."""
    announcements: tuple[Announcement, ...] = ()
    questions: Mapping[str, Question] = field(default_factory=dict)
    """By id."""
    froze: frozenset[int] = frozenset()
    """Rounds whose scheduled freeze has happened."""
    awarded: Mapping[str, str] = field(default_factory=dict)
    """By prize, the team that the operator has chosen."""
    unveiled: tuple[Row, ...] = ()
    """Rows of the final standings of defenders that the ceremony has shown so far, the best one first."""
    unveiled_attackers: tuple[Row, ...] = ()
    frozen: State | None = None
    """The state that the public sees, if the board is frozen."""
    final: bool = False

    @property
    def contest(self) -> Config:
        assert self.config is not None, "a contest begins with its configuration"
        return self.config

    @property
    def active(self) -> list[Team]:
        """Teams that compete."""
        return [team for team in self.entered if not team.committee]

    @property
    def entered(self) -> list[Team]:
        """Teams that compete, and entries of the committee."""
        return [team for team in self.teams.values() if not team.withdrawn]

    @property
    def open(self) -> list[Stage]:
        """The phases that are open: one, or both of a round in which they run together, the attack first."""
        return [] if self.final else sorted(self.opened - self.closed)

    @property
    def phase(self) -> Stage | None:
        """The phase that is open; the attack where both are."""
        return self.open[0] if self.open else None

    def open_stage(self, phase: PhaseName) -> Stage | None:
        """The open phase of this name."""
        return next((stage for stage in self.open if stage.phase == phase), None)

    def together(self, round_index: int) -> bool:
        """Whether defence and attack of a round run at the same time."""
        return self.contest.rounds[round_index].together

    @property
    def all_closed(self) -> bool:
        return len(self.closed) == len(self.schedule)

    @property
    def files(self) -> set[str]:
        """The SHA-256 of every file that is handed out."""
        found = {problem.sha256 for problem in self.dealt.values()}
        for handout in self.published.values():
            found |= {handout.sha256, *handout.questions.values()}
        return found

    def withdrawn(self, team: str) -> bool:
        return team in self.teams and self.teams[team].withdrawn

    def ruling(self, place: Place) -> Decision | None:
        """The ruling on the release that counts; a later release is not covered by it."""
        upload, decision = self.rulings.get(place, (None, None))
        return decision if upload is not None and self.releases.get(place) == upload else None

    def invalid(self, place: Place) -> bool:
        return self.ruling(place) == "invalid"

    def open_to_attack(self, place: Place) -> bool:
        """Whether a release was handed out and still counts."""
        return place in self.published and not self.invalid(place) and not self.withdrawn(place.team)

    def waiting(self, team: str) -> int:
        return sum(upload.team == team and upload.status == "waiting" for upload in self.uploads.values())

    def used(self, kind: UploadKind, place: Place, target: str | None = None) -> int:
        """Tries that a team has used. A rejected file uses none."""
        against = None if target is None else self.published[place._replace(team=target)].upload
        return sum(
            (upload.kind, upload.place, upload.target) == (kind, place, target)
            and upload.status != "rejected"
            # A release that was replaced may be attacked anew.
            and upload.against in (None, against)
            for upload in self.uploads.values()
        )

    def alarm_of(self, job: str) -> Alarm | None:
        """The open alarm of a job."""
        return next((alarm for alarm in self.alarms.values() if alarm.job == job and not alarm.resolved), None)
