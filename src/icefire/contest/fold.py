"""From the log to the state: a pure fold of its entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from icefire.contest.events.registry import decode
from icefire.contest.log import Entry
from icefire.contest.state import State
from icefire.core.errors import DataError


def apply(state: State, entry: Entry) -> State:
    """The state after the next entry."""
    if entry.seq != state.seq + 1:
        raise DataError(f"event {entry.seq} cannot follow event {state.seq}")
    return decode(entry.what, entry.data).apply(replace(state, seq=entry.seq, at=entry.at))


def fold(entries: Iterable[Entry], state: State | None = None) -> State:
    """The state after some more entries."""
    state = state or State()
    for entry in entries:
        state = apply(state, entry)
    return state
