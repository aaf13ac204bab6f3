"""The schedule of a contest: phases that open and close, pauses, delays and the freeze."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from icefire.contest.clock import Clock
from icefire.contest.decisions import decide
from icefire.contest.errors import NotNow, refuse_if
from icefire.contest.events.base import Event
from icefire.contest.events.course import (
    Frozen,
    NewTimes,
    Paused,
    PhaseClosed,
    PhaseOpened,
    Rescheduled,
    Resumed,
    Thawed,
)
from icefire.contest.jobs.registry import due
from icefire.contest.log import Entry
from icefire.contest.state import State
from icefire.contest.store import Store

ENGINE = "engine"
"""Who causes what the clock asks for."""
MOMENT = timedelta(microseconds=1)
LATE = timedelta(minutes=1)
"""How late a phase may open without being moved."""


class Schedule:
    """Changes of the schedule, by the clock and by the operator."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def tick(self) -> list[Entry]:
        """Open, close and freeze what is due by the clock."""
        return self._store.append(lambda state: [(ENGINE, event) for event in due_changes(state, self._clock.now())])

    def pause(self, who: str, why: str) -> None:
        def make(state: State) -> list[Event]:
            refuse_if(state.paused is not None, "the contest is paused already")
            return [Paused(why=why)]

        decide(self._store, who, why, make)

    def clock_was_set(self, machine: str, seconds: float) -> None:
        """Pause, before phases open or close by a clock that a person should look at first."""
        why = f"the clock of {machine} has jumped by {seconds:+.0f} s: check the time, then resume"

        def entries(state: State) -> list[tuple[str, Event]]:
            idle = state.config is None or state.paused is not None or state.final or state.all_closed
            return [] if idle else [(ENGINE, Paused(why=why, by_engine=True))]

        self._store.append(entries, urgent=True)

    def resume(self, who: str, why: str) -> None:
        """End a pause; everything that is still to come moves by its length."""

        def make(state: State) -> list[Event]:
            if state.paused is None:
                raise NotNow("the contest is not paused")
            # The clock may have been set back in between.
            pause = max(timedelta(), self._clock.now() - datetime.fromisoformat(state.paused))
            return [moved(state, pause, why), Resumed(why=why)]

        decide(self._store, who, why, make)

    def extend(self, minutes: float, who: str, why: str) -> None:
        """Let the open phase last longer; everything after it moves as far."""

        def make(state: State) -> list[Event]:
            refuse_if(not state.open, "no phase is open")
            refuse_if(not 0 < minutes < 1e6, "a phase can be extended by more than 0 minutes")
            return [moved(state, timedelta(minutes=minutes), why)]

        decide(self._store, who, why, make)

    def delay(self, minutes: float, who: str, why: str) -> None:
        """Move all phases that have not begun."""

        def make(state: State) -> list[Event]:
            refuse_if(not 0 < minutes < 1e6, "a contest can be delayed by more than 0 minutes")
            return [moved(state, timedelta(minutes=minutes), why, open_too=False)]

        decide(self._store, who, why, make)

    def open_now(self, who: str, why: str) -> None:
        """Let the next phase open now; everything after it moves as far. An attack opens as soon as all is published."""

        def make(state: State) -> list[Event]:
            refuse_if(state.paused is not None, "the contest is paused: resume it first")
            refuse_if(bool(state.open), "a phase is open: close it first")
            coming = [opens for stage, (opens, _) in state.schedule.items() if stage not in state.opened]
            if not coming:
                raise NotNow("there is no phase left to open")
            return [moved(state, self._clock.now() - min(coming), why, open_too=False)]

        decide(self._store, who, why, make)
        self.tick()

    def close_now(self, who: str, why: str) -> None:
        """Close what is open now; the other phases stay where they are. A freeze that was to come in it comes before."""

        def make(state: State) -> list[Event]:
            refuse_if(state.paused is not None, "the contest is paused: resume it first")
            refuse_if(not state.open, "no phase is open")
            now = self._clock.now()
            times = tuple(
                NewTimes(round_index=stage.round_index, phase=stage.phase, opens=state.schedule[stage][0], closes=now)
                for stage in state.open
            )
            still = {stage.round_index for stage in state.open if stage.phase == "attack"} - state.froze
            freezes = dict.fromkeys(still & state.freezes.keys(), now - MOMENT)
            return [Rescheduled(phases=times, freezes=freezes, why=why)]

        decide(self._store, who, why, make)
        self.tick()

    def freeze(self, who: str, why: str) -> None:
        """Stop the public board."""

        def make(state: State) -> list[Event]:
            refuse_if(state.frozen is not None, "the board is frozen already")
            return [Frozen(why=why)]

        decide(self._store, who, why, make)

    def thaw(self, who: str, why: str) -> None:
        """Show everything on the public board again."""

        def make(state: State) -> list[Event]:
            refuse_if(state.frozen is None, "the board is not frozen")
            return [Thawed(why=why)]

        decide(self._store, who, why, make)


@dataclass(frozen=True)
class _Moment:
    """A change that the clock asks for. At the same time, phases close before the freeze, and open after it."""

    at: datetime
    rank: int
    event: PhaseOpened | PhaseClosed | Frozen


def due_changes(state: State, now: datetime) -> list[Event]:
    """The events that the clock asks for by now, in the order of their times."""
    if state.config is None or state.paused or state.final:
        return []
    changes: list[Event] = []
    for moment in sorted(_moments(state), key=lambda moment: (moment.at, moment.rank)):
        if moment.at > now:
            break
        if isinstance(moment.event, PhaseOpened):
            if _may_open(state, moment.event, changes):
                late = now - moment.at
                # A phase that opens late is not shorter for that.
                changes += [moved(state, late, "the phase opened late")] if late > LATE else []
                changes.append(moment.event)
            break
        changes.append(moment.event)
    return changes


def _moments(state: State) -> Iterator[_Moment]:
    for stage, (opens, closes) in state.schedule.items():
        if stage not in state.opened:
            yield _Moment(opens, 2, PhaseOpened(round_index=stage.round_index, phase=stage.phase))
        if stage not in state.closed:
            yield _Moment(closes, 0, PhaseClosed(round_index=stage.round_index, phase=stage.phase))
    for index, at in state.freezes.items():
        if index not in state.froze:
            yield _Moment(at, 1, Frozen(round_index=index))


def _may_open(state: State, opening: PhaseOpened, changes: list[Event]) -> bool:
    """Whether the phase before has closed earlier and, for an attack, every release that counts was published.

    A job that has failed keeps nobody else waiting: its release is open to attack when the job is done after all.
    """
    if any(isinstance(event, PhaseClosed) for event in changes):
        return False
    return (
        opening.phase == "defence"
        or state.together(opening.round_index)
        or not any(job.delays_attack and state.alarm_of(job.key) is None for job in due(state))
    )


def moved(state: State, step: timedelta, why: str, open_too: bool = True) -> Rescheduled:
    """Everything that is still to come, later; the close of the open phase, too, unless told otherwise."""
    phases = []
    for stage, (opens, closes) in state.schedule.items():
        begun = stage in state.opened
        if stage in state.closed or (begun and not open_too):
            continue
        opens = opens if begun else opens + step
        phases.append(NewTimes(round_index=stage.round_index, phase=stage.phase, opens=opens, closes=closes + step))
    # A freeze moves together with its attack phase.
    moving = {phase.round_index for phase in phases if phase.phase == "attack"}
    freezes = {index: at + step for index, at in state.freezes.items() if index in moving - state.froze}
    return Rescheduled(phases=tuple(phases), freezes=freezes, why=why)
