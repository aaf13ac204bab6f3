"""Decisions of the operator about releases, failed jobs, the ceremony and the end."""

from __future__ import annotations

from icefire.contest.board import final_rows
from icefire.contest.decisions import decide
from icefire.contest.errors import NotFound, NotNow, refuse_if
from icefire.contest.events.alarms import AlarmResolved
from icefire.contest.events.base import Event
from icefire.contest.events.course import Finalized, Noted, Unveiled
from icefire.contest.events.uploads import Ruled
from icefire.contest.jobs.registry import due
from icefire.contest.state import Alarm, Place, State
from icefire.contest.store import Store


class OperatorDesk:
    """What the operator decides, beside the schedule."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def rule(self, place: Place, valid: bool, who: str, why: str) -> None:
        """Rule on a release, flagged or not."""

        def make(state: State) -> list[Event]:
            upload = state.releases.get(place)
            if upload is None:
                raise NotNow(f"{place.team!r} has no release of {place.dataset!r} in round {place.round_index + 1}")
            return [Ruled(**place._asdict(), upload=upload, decision="valid" if valid else "invalid", why=why)]

        decide(self._store, who, why, make)

    def retry(self, reference: str, who: str, why: str) -> None:
        """Let a failed job run again."""

        def make(state: State) -> list[Event]:
            _open_alarm(state, reference)
            return [AlarmResolved(reference=reference, why=why)]

        decide(self._store, who, why, make)

    def dismiss(self, reference: str, who: str, why: str) -> None:
        """Give a failed job up: its upload is rejected and uses no try, its baseline has no score, and a release that
        cannot be published is invalid."""

        def make(state: State) -> list[Event]:
            alarm = _open_alarm(state, reference)
            resolved = AlarmResolved(reference=reference, why=why)
            job = next((job for job in due(state) if job.key == alarm.job), None)
            return [resolved, *(job.give_up(state, reference, why) if job is not None else ())]

        decide(self._store, who, why, make)

    def unveil(self, who: str, why: str) -> None:
        """A step of the ceremony: the public sees one more place of the final standings, beginning with the last one."""

        def make(state: State) -> list[Event]:
            refuse_if(state.frozen is None, "the board is not frozen: there is nothing to unveil")
            _require_end(state)
            rows, shown = final_rows(state), len(state.unveiled)
            refuse_if(shown >= len(rows), "all places are unveiled: thaw the board")
            return [Unveiled(place=shown + 1, row=rows[-1 - shown], why=why)]

        decide(self._store, who, why, make)

    def finalize(self, who: str, why: str) -> None:
        """Make the results final."""

        def make(state: State) -> list[Event]:
            refuse_if(state.final, "the results are final already")
            _require_end(state)
            return [Finalized(why=why)]

        decide(self._store, who, why, make)

    def note(self, who: str, what: str) -> None:
        """Record something that changes nothing, such as an invitation."""
        self._store.append(lambda _: [(who, Noted(what=what))])


def _open_alarm(state: State, reference: str) -> Alarm:
    alarm = state.alarms.get(reference)
    if alarm is None:
        raise NotFound(f"there is no alarm {reference!r}")
    refuse_if(alarm.resolved, f"the alarm {reference!r} is resolved already")
    return alarm


def _require_end(state: State) -> None:
    refuse_if(not state.all_closed, "not all phases have closed")
    left = due(state)
    refuse_if(bool(left), f"the judge is not done: {len(left)} jobs are still to do")
