"""The log of a contest: entries that each hold the hash of the entry before, so that no change goes unnoticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from icefire.core.documents import Json, JsonObject
from icefire.core.errors import DataError, FileError

FIRST = "0" * 64
"""The hash before the first entry."""


@dataclass(frozen=True)
class Entry:
    """Who did what when. Times are UTC with microseconds, so that they sort as texts."""

    seq: int
    at: str
    who: str
    what: str
    """The name of the event."""
    data: JsonObject
    previous: str
    hash: str

    @classmethod
    def after(cls, last: Entry | None, at: datetime, who: str, what: str, data: JsonObject) -> Entry:
        seq, previous = (1, FIRST) if last is None else (last.seq + 1, last.hash)
        moment = at.astimezone(UTC).isoformat(timespec="microseconds")
        return cls(seq, moment, who, what, data, previous, _hash(seq, moment, who, what, data, previous))

    def is_whole(self) -> bool:
        return self.hash == _hash(self.seq, self.at, self.who, self.what, self.data, self.previous)

    def as_dict(self) -> JsonObject:
        return asdict(self)


def canonical(value: Json) -> str:
    """The JSON text of a value, the same for equal values. NaN and infinity have none."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _hash(*parts: Json) -> str:
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def verified(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries as long as each follows from the one before; DataError at the first that does not."""
    seq, previous = 0, FIRST
    for entry in entries:
        if entry.seq != seq + 1:
            raise DataError(f"the log is broken at event {entry.seq}: expected number {seq + 1}, an event is missing")
        if entry.previous != previous:
            raise DataError(f"the log is broken at event {entry.seq}: it does not follow from event {seq}")
        if not entry.is_whole():
            raise DataError(f"the log is broken at event {entry.seq}: its content was changed after it was written")
        yield entry
        seq, previous = entry.seq, entry.hash


def dump(entries: Iterable[Entry]) -> str:
    """The log as text, a JSON document per line."""
    return "".join(canonical(entry.as_dict()) + "\n" for entry in entries)


def load(text: str) -> list[Entry]:
    """Read what `dump` wrote."""
    try:
        return [Entry(**json.loads(line)) for line in text.splitlines() if line.strip()]
    except (ValueError, TypeError) as error:
        raise FileError(f"this is not the log of a contest: {error}") from error
