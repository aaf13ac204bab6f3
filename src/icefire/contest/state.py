"""The state of a contest: a pure fold of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from icefire.contest.config import Config
from icefire.contest.events import Event
from icefire.core.errors import DataError
from icefire.core.values import Score

Place = tuple[int, str, str]
"""A round, a team and a set: where a release stands."""
Cell = dict[str, dict[str, Any]]
"""By task: value and direction, or why there is none."""
PHASES = ("defence", "attack")


@dataclass(frozen=True)
class Team:
    id: str
    name: str
    withdrawn: bool = False


@dataclass(frozen=True)
class Upload:
    """A file that was acknowledged. It waits until the judge has looked at it."""

    id: str
    kind: Literal["release", "guess"]
    team: str
    round: int
    set: str
    target: str | None
    sha256: str
    bytes: int
    at: str
    seq: int
    status: Literal["waiting", "accepted", "rejected"] = "waiting"
    faults: tuple[str, ...] = ()
    measures: Mapping[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Published:
    """A release as it was handed out."""

    upload: str
    sha256: str
    questions: Mapping[str, str] = field(default_factory=dict)
    """For games that ask every attacker something else: the handout of each."""


@dataclass(frozen=True)
class Alarm:
    """A job that failed. Participants see its reference, the operator the rest."""

    reference: str
    job: str
    message: str
    at: str
    resolved: bool = False


@dataclass(frozen=True)
class State:
    """All that has happened, as far as it matters from here on."""

    seq: int = 0
    at: str = ""
    config: Config | None = None
    commitments: tuple[str, ...] = ()
    seeds: Mapping[int, str] = field(default_factory=dict)
    """Of rounds that are over."""
    teams: Mapping[str, Team] = field(default_factory=dict)
    schedule: Mapping[tuple[int, str], tuple[datetime, datetime]] = field(default_factory=dict)
    freezes: Mapping[int, datetime] = field(default_factory=dict)
    phase: tuple[int, str] | None = None
    """The round and the phase that are open."""
    opened: frozenset[tuple[int, str]] = frozenset()
    closed: frozenset[tuple[int, str]] = frozenset()
    paused: str | None = None
    """Since when."""
    dealt: Mapping[Place, str] = field(default_factory=dict)
    """The handout with the problem."""
    uploads: Mapping[str, Upload] = field(default_factory=dict)
    releases: Mapping[Place, str] = field(default_factory=dict)
    """The upload that counts."""
    published: Mapping[Place, Published] = field(default_factory=dict)
    cells: Mapping[tuple[int, str, str, str], Cell] = field(default_factory=dict)
    """By round, defender, set and attacker: what was left of the defender's safety."""
    baselines: Mapping[tuple[int, str, str, str], Cell] = field(default_factory=dict)
    flags: Mapping[Place, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    """The upload that looks like a cheat, and why."""
    rulings: Mapping[Place, tuple[str, str]] = field(default_factory=dict)
    """The upload that was ruled on, and how."""
    entrants: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The teams of a round, as they were when its defence closed."""
    alarms: Mapping[str, Alarm] = field(default_factory=dict)
    froze: frozenset[int] = frozenset()
    """Rounds whose freeze has come."""
    unveiled: tuple[dict[str, Any], ...] = ()
    """Lines of the final standings that the public has seen, the last ones first to come."""
    frozen: State | None = None
    """What the public sees since the freeze."""
    final: bool = False

    @property
    def contest(self) -> Config:
        assert self.config is not None, "a contest begins with its configuration"
        return self.config

    @property
    def active(self) -> list[Team]:
        return [team for team in self.teams.values() if not team.withdrawn]

    def ruling(self, place: Place) -> str | None:
        """How the release that counts was ruled on; a new release is a new matter."""
        upload, decision = self.rulings.get(place, (None, None))
        return decision if upload is not None and self.releases.get(place) == upload else None

    def invalid(self, place: Place) -> bool:
        return self.ruling(place) == "invalid"

    def waiting(self, team: str) -> int:
        return sum(one.team == team and one.status == "waiting" for one in self.uploads.values())

    def used(self, kind: str, team: str, round: int, set: str, target: str | None = None) -> int:
        """Tries that are gone. A file that was rejected has used up none."""
        return sum(
            (one.kind, one.team, one.round, one.set, one.target) == (kind, team, round, set, target)
            and one.status != "rejected"
            for one in self.uploads.values()
        )

    def attempt(self, job: str) -> int:
        """How often a job has failed and was let go again."""
        return sum(alarm.job == job and alarm.resolved for alarm in self.alarms.values())

    def stuck(self, job: str) -> bool:
        """Whether a job waits for the operator."""
        return any(alarm.job == job and not alarm.resolved for alarm in self.alarms.values())


def fold(events: Iterable[Event], state: State | None = None) -> State:
    """The state after some more events."""
    state = state or State()
    for event in events:
        state = apply(state, event)
    return state


def apply(state: State, event: Event) -> State:
    """The state after one more event."""
    if event.seq <= state.seq:
        raise DataError(f"event {event.seq} comes after event {state.seq}")
    change = CHANGES.get(event.what)
    if change is None:
        raise DataError(
            f"event {event.seq}: nobody knows what {event.what!r} means; was it written by a later version?"
        )
    return replace(change(state, event), seq=event.seq, at=event.at)


def _created(state: State, event: Event) -> State:
    config = Config.model_validate(event.data["config"])
    schedule = {
        (at, phase): (getattr(one, phase).opens, getattr(one, phase).closes)
        for at, one in enumerate(config.rounds)
        for phase in PHASES
    }
    freezes = {at: one.freeze for at, one in enumerate(config.rounds) if one.freeze is not None}
    return replace(
        state, config=config, commitments=tuple(event.data["commitments"]), schedule=schedule, freezes=freezes
    )


def _team_added(state: State, event: Event) -> State:
    team = Team(event.data["team"], event.data["name"])
    return replace(state, teams={**state.teams, team.id: team})


def _team_withdrawn(state: State, event: Event) -> State:
    team = replace(state.teams[event.data["team"]], withdrawn=True)
    return replace(state, teams={**state.teams, team.id: team})


def _phase_opened(state: State, event: Event) -> State:
    phase = event.data["round"], event.data["phase"]
    return replace(state, phase=phase, opened=state.opened | {phase})


def _phase_closed(state: State, event: Event) -> State:
    phase = event.data["round"], event.data["phase"]
    entrants = {**state.entrants}
    if phase[1] == "defence":
        entrants[phase[0]] = tuple(sorted(team.id for team in state.active))
    return replace(state, phase=None, closed=state.closed | {phase}, entrants=entrants)


def _paused(state: State, event: Event) -> State:
    return replace(state, paused=event.at)


def _resumed(state: State, event: Event) -> State:
    return replace(state, paused=None)


def _rescheduled(state: State, event: Event) -> State:
    schedule = dict(state.schedule)
    for one in event.data["phases"]:
        opens, closes = (datetime.fromisoformat(one[key]) for key in ("opens", "closes"))
        schedule[one["round"], one["phase"]] = opens, closes
    freezes = {int(at): datetime.fromisoformat(moment) for at, moment in event.data.get("freezes", {}).items()}
    return replace(state, schedule=schedule, freezes={**state.freezes, **freezes})


def _frozen(state: State, event: Event) -> State:
    froze = state.froze | {event.data["round"]} if "round" in event.data else state.froze
    return replace(state, froze=froze, frozen=state.frozen or replace(state, frozen=None))


def _unveiled(state: State, event: Event) -> State:
    return replace(state, unveiled=(event.data["row"], *state.unveiled))


def _thawed(state: State, event: Event) -> State:
    return replace(state, frozen=None, unveiled=())


def _dealt(state: State, event: Event) -> State:
    return replace(state, dealt={**state.dealt, _place(event): event.data["sha256"]})


def _uploaded(state: State, event: Event) -> State:
    one = event.data
    upload = Upload(
        one["upload"],
        one["kind"],
        one["team"],
        one["round"],
        one["set"],
        one["target"],
        one["sha256"],
        one["bytes"],
        event.at,
        event.seq,
    )
    return replace(state, uploads={**state.uploads, upload.id: upload})


def _rejected(state: State, event: Event) -> State:
    upload = replace(state.uploads[event.data["upload"]], status="rejected", faults=tuple(event.data["faults"]))
    return replace(state, uploads={**state.uploads, upload.id: upload})


def _accepted(state: State, event: Event) -> State:
    upload = replace(state.uploads[event.data["upload"]], status="accepted", measures=event.data["measures"])
    place = upload.round, upload.team, upload.set
    before = state.releases.get(place)
    # Jobs may end in another order than uploads came in: the latest upload counts.
    later = before is None or state.uploads[before].seq < upload.seq
    return replace(
        state,
        uploads={**state.uploads, upload.id: upload},
        releases={**state.releases, place: upload.id} if later else state.releases,
    )


def _flagged(state: State, event: Event) -> State:
    return replace(state, flags={**state.flags, _place(event): (event.data["upload"], event.data["evidence"])})


def _ruled(state: State, event: Event) -> State:
    return replace(state, rulings={**state.rulings, _place(event): (event.data["upload"], event.data["decision"])})


def _published(state: State, event: Event) -> State:
    made = Published(event.data["upload"], event.data["sha256"], event.data.get("questions", {}))
    return replace(state, published={**state.published, _place(event): made})


def _baseline_scored(state: State, event: Event) -> State:
    key = (*_place(event), event.data["attack"])
    return replace(state, baselines={**state.baselines, key: event.data["cell"]})


def _guess_scored(state: State, event: Event) -> State:
    upload = replace(state.uploads[event.data["upload"]], status="accepted")
    assert upload.target is not None, "a guess has a target"
    key = upload.round, upload.target, upload.set, upload.team
    best = _worse(state.cells.get(key), event.data["cell"])
    return replace(state, uploads={**state.uploads, upload.id: upload}, cells={**state.cells, key: best})


def _worse(before: Cell | None, now: Cell) -> Cell:
    """Of several answers to one target the strongest counts, task by task."""
    found = dict(before or {})
    for task, score in now.items():
        old = found.get(task)
        if old is None or "value" not in old:
            found[task] = score
        elif "value" in score:
            found[task] = score if Score.from_dict(score).worse_than(Score.from_dict(old)) else old
    return found


def _alarm(state: State, event: Event) -> State:
    alarm = Alarm(event.data["reference"], event.data["job"], event.data["message"], event.at)
    return replace(state, alarms={**state.alarms, alarm.reference: alarm})


def _alarm_resolved(state: State, event: Event) -> State:
    alarm = replace(state.alarms[event.data["reference"]], resolved=True)
    return replace(state, alarms={**state.alarms, alarm.reference: alarm})


def _seed_revealed(state: State, event: Event) -> State:
    return replace(state, seeds={**state.seeds, event.data["round"]: event.data["seed"]})


def _finalized(state: State, event: Event) -> State:
    return replace(state, final=True, phase=None)


def _noted(state: State, event: Event) -> State:
    return state


def _place(event: Event) -> Place:
    return event.data["round"], event.data["team"], event.data["set"]


CHANGES: dict[str, Callable[[State, Event], State]] = {
    "created": _created,
    "team_added": _team_added,
    "team_withdrawn": _team_withdrawn,
    "phase_opened": _phase_opened,
    "phase_closed": _phase_closed,
    "paused": _paused,
    "resumed": _resumed,
    "rescheduled": _rescheduled,
    "frozen": _frozen,
    "thawed": _thawed,
    "unveiled": _unveiled,
    "dealt": _dealt,
    "uploaded": _uploaded,
    "rejected": _rejected,
    "accepted": _accepted,
    "flagged": _flagged,
    "ruled": _ruled,
    "published": _published,
    "baseline_scored": _baseline_scored,
    "guess_scored": _guess_scored,
    "alarm": _alarm,
    "alarm_resolved": _alarm_resolved,
    "seed_revealed": _seed_revealed,
    "finalized": _finalized,
    "noted": _noted,
}
"""What each event does to the state."""
