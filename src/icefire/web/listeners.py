"""Open streams: how many there may be, and who leaves when there are too many."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

MOST, MOST_PER_ADDRESS = 5_000, 2_000
"""Streams in all, and from one address, which may be a whole hall."""


class Listener:
    """One stream: woken when there is news, or when it has to end."""

    def __init__(self) -> None:
        self.wake, self.is_over = asyncio.Event(), False


class Listeners:
    """All streams of a process.

    When there are too many, a newcomer takes the place of the oldest stream of its own address, or of the most crowded one.
    Whoever holds many streams can neither shut others out nor keep them all; a browser that is cut off comes back.
    """

    def __init__(self, most: int = MOST, most_per_address: int = MOST_PER_ADDRESS) -> None:
        self._most, self._most_per_address = most, most_per_address
        # In the order in which they came.
        self._open: dict[str, dict[Listener, None]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    @contextmanager
    def enter(self, address: str) -> Iterator[Listener]:
        """A new stream, as long as it lasts."""
        if len(self._open.get(address, ())) >= self._most_per_address:
            self._end_oldest(address)
        elif len(self) >= self._most:
            self._end_oldest(max(self._open, key=lambda each: len(self._open[each])))
        listener = Listener()
        self._open.setdefault(address, {})[listener] = None
        try:
            yield listener
        finally:
            self._forget(address, listener)

    def wake(self) -> None:
        for listeners in self._open.values():
            for listener in listeners:
                listener.wake.set()

    def _end_oldest(self, address: str) -> None:
        oldest = next(iter(self._open[address]))
        oldest.is_over = True
        oldest.wake.set()
        self._forget(address, oldest)

    def _forget(self, address: str, listener: Listener) -> None:
        listeners = self._open.get(address, {})
        listeners.pop(listener, None)
        if not listeners:
            self._open.pop(address, None)
