"""Decisions of people: they have an author and a reason, and there are hardly any once the results are final."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from icefire.contest.errors import refuse_if
from icefire.contest.events.base import Event
from icefire.contest.state import State
from icefire.contest.store import Store
from icefire.core.errors import DataError

FINAL = "the results are final"


def decide(store: Store, who: str, why: str, make: Callable[[State], Sequence[Event]]) -> None:
    """Write the events that a decision leads to in the present state; NotNow if it is not possible."""
    if not why.strip():
        raise DataError("give a reason: it goes into the log")

    def entries(state: State) -> list[tuple[str, Event]]:
        events = make(state)
        refuse_if(state.final and not all(event.allowed_when_final for event in events), FINAL)
        return [(who, event) for event in events]

    store.append(entries, urgent=True)
