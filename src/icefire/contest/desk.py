"""Decisions of the operator about releases, failed jobs, the ceremony and the end."""

from __future__ import annotations

from icefire.contest.decisions import decide
from icefire.contest.errors import NotFound, NotNow, refuse_if
from icefire.contest.events.alarms import AlarmResolved
from icefire.contest.events.base import Event
from icefire.contest.events.course import Awarded, Finalized, Noted, Unveiled
from icefire.contest.events.uploads import MethodRemoved, Ruled
from icefire.contest.jobs.registry import due
from icefire.contest.overall import final_rows
from icefire.contest.results import OPERATOR, results
from icefire.contest.state import Alarm, Place, Side, State
from icefire.contest.store import Store
from icefire.contest.teams import require_team


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

    def remove_method(self, team: str, method: str, who: str, why: str) -> None:
        """Take back what a team told the audience about its method."""

        def make(state: State) -> list[Event]:
            if not method or all((each.team, each.method) != (team, method) for each in state.uploads.values()):
                raise NotFound(f"{team!r} has not told this method")
            return [MethodRemoved(team=team, method=method, why=why)]

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

    def unveil(self, who: str, why: str, of: Side = "defence") -> None:
        """A step of the ceremony: the public sees one more place of the final standings, beginning with the last one."""

        def make(state: State) -> list[Event]:
            refuse_if(state.frozen is None, "the board is not frozen: there is nothing to unveil")
            _require_end(state)
            shown = len(state.unveiled if of == "defence" else state.unveiled_attackers)
            rows = final_rows(state, of)
            refuse_if(
                shown >= len(rows), "all defenders are unveiled" if of == "defence" else "all attackers are unveiled"
            )
            row = rows[-1 - shown]
            alike = sum(other.rank == row.rank for other in rows)
            return [Unveiled(of=of, place=shown + 1, row=row, alike=alike, why=why)]

        decide(self._store, who, why, make)

    def finalize(self, who: str, why: str) -> None:
        """Make the results final."""

        def make(state: State) -> list[Event]:
            refuse_if(state.final, "the results are final already")
            _require_end(state)
            _require_values(state)
            return [Finalized(why=why)]

        decide(self._store, who, why, make)

    def award(self, prize: str, team: str, who: str, why: str) -> None:
        """Give a team a prize that the operator chooses the winner of."""

        def make(state: State) -> list[Event]:
            choices = [each.name for each in state.contest.prizes if each.of == "choice"]
            if prize not in choices:
                raise NotFound(
                    f"there is no prize {prize!r} to be given away: {', '.join(choices) or 'there are none'}"
                )
            require_team(state, team)
            return [Awarded(prize=prize, team=team, why=why)]

        decide(self._store, who, why, make)

    def note(self, who: str, what: str) -> None:
        """Record something that changes nothing, such as an invitation."""
        self._store.append(lambda _: [(who, Noted(what=what))], urgent=who.startswith(OPERATOR))


def _open_alarm(state: State, reference: str) -> Alarm:
    alarm = state.alarms.get(reference)
    if alarm is None:
        raise NotFound(f"there is no alarm {reference!r}")
    refuse_if(alarm.resolved, f"the alarm {reference!r} is resolved already")
    return alarm


def _require_values(state: State) -> None:
    """Refuse results that rest on a metric without a value in any release."""
    for index in range(len(state.contest.rounds)):
        found = results(state, index, OPERATOR)
        for dataset in found.datasets:
            valid = [scores for (_, name), scores in found.releases.items() if name == dataset.name]
            empty = [step for step in dataset.utility if valid and all(step not in scores for scores in valid)]
            message = f"{', '.join(empty)} has no value in any release of {dataset.name!r}: the standings say nothing"
            refuse_if(bool(empty), message)


def _require_end(state: State) -> None:
    refuse_if(not state.all_closed, "not all phases have closed")
    left = due(state)
    refuse_if(bool(left), f"the judge is not done: {len(left)} jobs are still to do")
