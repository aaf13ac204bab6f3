"""Events: who did what when, each holding the hash of the one before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from icefire.core.errors import DataError

FIRST = "0" * 64
"""What comes before the first event."""


@dataclass(frozen=True)
class Event:
    """One entry of the log. Times are UTC with microseconds, so that they sort as texts."""

    seq: int
    at: str
    who: str
    what: str
    data: dict[str, Any]
    previous: str
    hash: str

    @classmethod
    def after(cls, last: Event | None, at: datetime, who: str, what: str, data: dict[str, Any]) -> Event:
        seq, previous = (1, FIRST) if last is None else (last.seq + 1, last.hash)
        # What was not a JSON document would read back as something else.
        data = json.loads(canonical(data))
        moment = at.astimezone(UTC).isoformat(timespec="microseconds")
        return cls(seq, moment, who, what, data, previous, _hash(seq, moment, who, what, data, previous))

    def is_whole(self) -> bool:
        return self.hash == _hash(self.seq, self.at, self.who, self.what, self.data, self.previous)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def canonical(value: Any) -> str:
    """One text for one value: NaN and infinity have none."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _hash(*parts: Any) -> str:
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def verified(events: Iterable[Event]) -> Iterator[Event]:
    """The events, as long as each follows from the one before; DataError at the first that does not."""
    seq, previous = 0, FIRST
    for event in events:
        if event.seq != seq + 1:
            raise DataError(f"the log is broken at event {event.seq}: expected number {seq + 1}, an event is missing")
        if event.previous != previous:
            raise DataError(f"the log is broken at event {event.seq}: it does not follow from event {seq}")
        if not event.is_whole():
            raise DataError(f"the log is broken at event {event.seq}: its content was changed after it was written")
        yield event
        seq, previous = event.seq, event.hash
