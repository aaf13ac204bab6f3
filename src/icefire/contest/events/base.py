"""Base of events: how they are written to the log, what they change, and what the public hears of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict

from icefire.contest.state import Place, State
from icefire.core.documents import JsonObject

KEYS = {"round_index": "round", "dataset": "set"}
"""Fields whose names in the log differ from those in the code."""
Item: TypeAlias = JsonObject
"""Something for the story, told by `what`; it is put into words in the browser."""


class Event(BaseModel):
    """Something that happened: the typed form of a log entry's data.

    Logs are kept for good, so a field that is added later needs a default, and the name of an event never changes.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, alias_generator=lambda name: KEYS.get(name, name)
    )
    log_name: ClassVar[str]
    """The name in the log."""
    public_when_frozen: ClassVar[bool] = False
    """Whether the story tells it at once, even if the board is frozen."""
    allowed_when_final: ClassVar[bool] = False
    """Whether the operator may still cause it when the results are final."""

    @abstractmethod
    def apply(self, state: State) -> State:
        """The state after the event; the `seq` and `at` of the given state are already those of the event."""

    def tell(self, before: State, after: State) -> Item | None:
        """What the public hears of it, if anything."""
        return None

    def tell_in_full(self, before: State, after: State) -> tuple[int, Item] | None:
        """What the public hears in place of it once the results of a round are open, and of which round; None if that is
        no more than it has heard."""
        return None

    def as_data(self) -> JsonObject:
        """The data of the log entry."""
        return self.model_dump(mode="json", by_alias=True)


class PlaceEvent(Event):
    """An event of one release."""

    round_index: int
    team: str
    dataset: str

    @property
    def place(self) -> Place:
        return Place(self.round_index, self.team, self.dataset)
