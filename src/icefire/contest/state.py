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


@dataclass(frozen=True)
class Upload:
    """A file that was acknowledged, and what the judge has found in it."""

    id: str
    kind: UploadKind
    place: Place
    """Where a release belongs; for a guess, the round, the attacking team and the data set."""
    target: str | None
    """The team whose release is attacked."""
    sha256: str
    bytes: int
    at: str
    seq: int
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
    phase: Stage | None = None
    """The phase that is open."""
    opened: frozenset[Stage] = frozenset()
    closed: frozenset[Stage] = frozenset()
    paused: str | None = None
    """When the contest was paused, if it is."""
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
    froze: frozenset[int] = frozenset()
    """Rounds whose scheduled freeze has happened."""
    unveiled: tuple[Row, ...] = ()
    """Rows of the final standings that the ceremony has shown so far, the best one first."""
    frozen: State | None = None
    """The state that the public sees, if the board is frozen."""
    final: bool = False

    @property
    def contest(self) -> Config:
        assert self.config is not None, "a contest begins with its configuration"
        return self.config

    @property
    def active(self) -> list[Team]:
        return [team for team in self.teams.values() if not team.withdrawn]

    @property
    def all_closed(self) -> bool:
        return len(self.closed) == len(self.schedule)

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
        return sum(
            (upload.kind, upload.place, upload.target) == (kind, place, target) and upload.status != "rejected"
            for upload in self.uploads.values()
        )

    def alarm_of(self, job: str) -> Alarm | None:
        """The open alarm of a job."""
        return next((alarm for alarm in self.alarms.values() if alarm.job == job and not alarm.resolved), None)
