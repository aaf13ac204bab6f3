"""The story of a contest for the public, item by item. Items are put into words in the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from icefire.contest.events.base import Item
from icefire.contest.events.registry import decode
from icefire.contest.events.uploads import MethodRemoved
from icefire.contest.fold import apply
from icefire.contest.log import Entry
from icefire.contest.results import shows_guesses
from icefire.contest.state import State


class Story:
    """Follows a log and keeps the items of the story, in the order in which the public may hear them.

    While the board is frozen, items are held back until the thaw, except for the freeze and the ceremony themselves. Items are
    numbered in the order of telling, so a reader who has heard up to a number misses nothing afterwards. Once the results of a
    round are open, guesses of which the public has heard less than there is are told in full, each in place of an item before.
    """

    def __init__(self) -> None:
        self.state = State()
        self._told: list[Item] = []
        # By the number of their event: what the freeze holds back, and what was told of guesses whose results are sealed.
        self._held: dict[int, Item] = {}
        self._numbers: dict[int, int] = {}
        self._sealed: dict[int, dict[int, Item]] = {}
        """By round and event, what there is to tell of a guess."""
        self.edition = 0
        """How often something that was told has changed: then it has to be told anew."""

    def follow(self, entries: Iterable[Entry]) -> None:
        """Take in more entries of the log."""
        for entry in entries:
            event = decode(entry.what, entry.data)
            before, self.state = self.state, apply(self.state, entry)
            if isinstance(event, MethodRemoved):
                self._unsay(event)
            item = event.tell(before, self.state)
            if item is None:
                continue
            if (full := event.tell_in_full(before, self.state)) is not None:
                index, more = full
                self._sealed.setdefault(index, {})[entry.seq] = {"at": entry.at, **more}
            self._held[entry.seq] = {"at": entry.at, **item}
            opened = self._unseal()
            if self.state.frozen is None:
                self._tell(self._held)
                self._tell(opened)
                self._held = {}
            elif event.public_when_frozen:
                self._tell({entry.seq: self._held.pop(entry.seq)})

    def __len__(self) -> int:
        """How many items were told."""
        return len(self._told)

    def public(self, after: int = 0) -> list[Item]:
        """The items from a number on."""
        return self._told[after:]

    def _unsay(self, removed: MethodRemoved) -> None:
        for items in (self._held, *self._sealed.values()):
            items.update({seq: _without_method(item, removed) for seq, item in items.items()})
        self._told = [_without_method(item, removed) for item in self._told]
        self.edition += 1

    def _unseal(self) -> dict[int, Item]:
        """What is to be told in place of earlier items, now that results are open; items that were held back are replaced
        before anybody hears them."""
        if self.state.frozen is not None:
            return {}
        opened: dict[int, Item] = {}
        for index in [index for index in self._sealed if shows_guesses(self.state, index, "public")]:
            for seq, item in self._sealed.pop(index).items():
                if seq in self._held:
                    self._held[seq] = item
                else:
                    opened[seq] = {**item, "replaces": self._numbers.pop(seq)}
        return opened

    def _tell(self, items: Mapping[int, Item]) -> None:
        for seq, item in items.items():
            number = len(self._told) + 1
            self._told.append({"id": number, **item})
            if any(seq in sealed for sealed in self._sealed.values()):
                self._numbers[seq] = number


def _without_method(item: Item, removed: MethodRemoved) -> Item:
    """The item without what a team said of its method, if it says that."""
    if (item.get("attacker", item.get("team")), item.get("method")) != (removed.team, removed.method):
        return item
    return {key: value for key, value in item.items() if key != "method"}
