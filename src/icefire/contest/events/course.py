"""Events of the course of a contest: its creation, phases, pauses, freeze, ceremony and end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from pydantic import BaseModel, Field, field_validator

from icefire.contest.config import Config, PhaseName
from icefire.contest.events.base import Event, Item
from icefire.contest.events.standing import unveiled
from icefire.contest.rules import Row
from icefire.contest.state import Side, Stage, State


class Created(Event):
    """The contest begins: its configuration, and the hash of each round's secret seed."""

    log_name = "created"
    config: Config
    commitments: tuple[str, ...]

    @field_validator("config", mode="before")
    @classmethod
    def _unbounded_before(cls, config: object) -> object:
        """Contests that began before sets were bounded go on without a bound: what was accepted stays so."""
        if not isinstance(config, Mapping):
            return config
        return {**config, "limits": {"set_size": None, "set_values": None, **config.get("limits", {})}}

    def apply(self, state: State) -> State:
        schedule, freezes = {}, {}
        for index, plan in enumerate(self.config.rounds):
            schedule[Stage(index, "defence")] = plan.defence.opens, plan.defence.closes
            schedule[Stage(index, "attack")] = plan.attack.opens, plan.attack.closes
            if plan.freeze is not None:
                freezes[index] = plan.freeze
        return replace(state, config=self.config, commitments=self.commitments, schedule=schedule, freezes=freezes)


class _PhaseEvent(Event):
    # The freeze is about scores, not about time.
    public_when_frozen = True
    round_index: int
    phase: PhaseName

    @property
    def stage(self) -> Stage:
        return Stage(self.round_index, self.phase)

    def tell(self, before: State, after: State) -> Item:
        return {"what": self.log_name, "round": after.contest.rounds[self.round_index].name, "phase": self.phase}


class PhaseOpened(_PhaseEvent):
    log_name = "phase_opened"

    def apply(self, state: State) -> State:
        return replace(state, opened=state.opened | {self.stage})


class PhaseClosed(_PhaseEvent):
    log_name = "phase_closed"

    def apply(self, state: State) -> State:
        entrants = {**state.entrants}
        if self.phase == "defence":
            entrants[self.round_index] = tuple(sorted(team.id for team in state.active))
        return replace(state, closed=state.closed | {self.stage}, entrants=entrants)


class NewTimes(BaseModel):
    """New times of a phase."""

    model_config = Event.model_config
    round_index: int
    phase: PhaseName
    opens: datetime
    closes: datetime


class Rescheduled(Event):
    """Phases that are not over, and freezes to come, have new times."""

    log_name = "rescheduled"
    public_when_frozen = True
    phases: tuple[NewTimes, ...]
    freezes: Mapping[int, datetime] = Field(default_factory=dict)
    why: str

    def apply(self, state: State) -> State:
        times = {Stage(new.round_index, new.phase): (new.opens, new.closes) for new in self.phases}
        return replace(state, schedule={**state.schedule, **times}, freezes={**state.freezes, **self.freezes})

    def tell(self, before: State, after: State) -> Item:
        return {"what": self.log_name}


class _Announced(Event):
    """An event of which the public hears that it happened, and no more."""

    why: str

    def tell(self, before: State, after: State) -> Item | None:
        return {"what": self.log_name}


class Paused(_Announced):
    """Time stands still: by the operator, or by itself since a clock was set."""

    log_name = "paused"
    public_when_frozen = True
    by_engine: bool = False

    def apply(self, state: State) -> State:
        return replace(state, paused=state.at, pause_reason=self.why, paused_by_engine=self.by_engine)


class Resumed(_Announced):
    log_name = "resumed"
    public_when_frozen = True

    def apply(self, state: State) -> State:
        return replace(state, paused=None)


class Frozen(_Announced):
    """The public board stops changing: by the clock in a round, or by the operator, who says why."""

    log_name = "frozen"
    public_when_frozen = True
    why: str = ""
    round_index: int | None = None

    def apply(self, state: State) -> State:
        froze = state.froze if self.round_index is None else state.froze | {self.round_index}
        return replace(state, froze=froze, frozen=state.frozen or replace(state, frozen=None))

    def tell(self, before: State, after: State) -> Item | None:
        # The operator may have been earlier than the clock.
        return None if before.frozen is not None else super().tell(before, after)


class Thawed(_Announced):
    """The public board shows everything again."""

    log_name = "thawed"
    allowed_when_final = True

    def apply(self, state: State) -> State:
        return replace(state, frozen=None, unveiled=(), unveiled_attackers=())


class Unveiled(Event):
    """A step of the ceremony: the public sees one more row of the final standings, beginning with the last one."""

    log_name = "unveiled"
    public_when_frozen = True
    allowed_when_final = True
    of: Side = "defence"
    place: int
    row: Row
    alike: int = 1
    """How many teams share the rank."""
    why: str

    def apply(self, state: State) -> State:
        if self.of == "attack":
            return replace(state, unveiled_attackers=(self.row, *state.unveiled_attackers))
        return replace(state, unveiled=(self.row, *state.unveiled))

    def tell(self, before: State, after: State) -> Item:
        row = self.row
        item: Item = {"what": self.log_name, "of": self.of, "place": self.place, "alike": self.alike}
        item |= {"team": row.team, "rank": row.rank}
        return item | {"releases": [*unveiled(after, row.team)]} if self.of == "defence" else item


class Finalized(_Announced):
    """The results are final."""

    log_name = "finalized"

    def apply(self, state: State) -> State:
        return replace(state, final=True)


class Awarded(Event):
    """The operator has chosen who wins a prize."""

    log_name = "awarded"
    allowed_when_final = True
    prize: str
    team: str
    why: str

    def apply(self, state: State) -> State:
        return replace(state, awarded={**state.awarded, self.prize: self.team})

    def tell(self, before: State, after: State) -> Item:
        return {"what": self.log_name, "team": self.team, "prize": self.prize}


class SeedRevealed(Event):
    """The secret seed of a round that is over."""

    log_name = "seed_revealed"
    round_index: int
    seed: str

    def apply(self, state: State) -> State:
        return replace(state, seeds={**state.seeds, self.round_index: self.seed})


class Noted(Event):
    """Something that is recorded and changes nothing, such as an invitation."""

    log_name = "noted"
    what: str

    def apply(self, state: State) -> State:
        return state
