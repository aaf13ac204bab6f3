"""The story of a contest for the public, item by item. Items are put into words in the browser."""

from __future__ import annotations

from collections.abc import Iterable

from icefire.contest.events.base import Item
from icefire.contest.events.registry import decode
from icefire.contest.fold import apply
from icefire.contest.log import Entry
from icefire.contest.state import State


class Story:
    """Follows a log and keeps the items of the story, in the order in which the public may hear them.

    While the board is frozen, items are held back until the thaw, except for the freeze and the ceremony themselves. Items are
    numbered in the order of telling, so a reader who has heard up to a number misses nothing afterwards.
    """

    def __init__(self) -> None:
        self.state = State()
        self._told: list[Item] = []
        self._held: list[Item] = []

    def follow(self, entries: Iterable[Entry]) -> None:
        """Take in more entries of the log."""
        for entry in entries:
            event = decode(entry.what, entry.data)
            before, self.state = self.state, apply(self.state, entry)
            item = event.tell(before, self.state)
            if item is None:
                continue
            item = {"at": entry.at, **item}
            if self.state.frozen is None:
                self._tell(*self._held, item)
                self._held = []
            elif event.public_when_frozen:
                self._tell(item)
            else:
                self._held.append(item)

    def public(self, after: int = 0) -> list[Item]:
        """The items from a number on."""
        return self._told[after:]

    def _tell(self, *items: Item) -> None:
        for item in items:
            self._told.append({"id": len(self._told) + 1, **item})
