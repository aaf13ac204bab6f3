"""Base of jobs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Self

from icefire.contest.errors import NotNow
from icefire.contest.events.base import Event
from icefire.contest.judge import Judge
from icefire.contest.state import State


class Job(ABC):
    """Something that the judge has to do."""

    label: ClassVar[str]
    delays_attack: ClassVar[bool] = False
    """Whether the attack phase opens only after all such jobs are done."""

    @property
    def key(self) -> str:
        """Identifies the job in alarms and leases."""
        return "/".join([self.label, *self._key()])

    @property
    @abstractmethod
    def team(self) -> str:
        """The team that waits for it; jobs are shared out fairly between teams."""

    @abstractmethod
    def _key(self) -> tuple[str, ...]: ...

    @classmethod
    @abstractmethod
    def due(cls, state: State) -> Iterator[Self]:
        """All jobs of this class that a state asks for."""

    @abstractmethod
    def done(self, state: State) -> bool:
        """Whether the log has the result already, or has no use for it any more."""

    @abstractmethod
    def gives(self, event: Event) -> bool:
        """Whether an event is the first of this job's result."""

    @abstractmethod
    def run(self, judge: Judge, state: State) -> list[Event]:
        """The result."""

    def give_up(self, state: State, reference: str, why: str) -> list[Event]:
        """The events that end a job which fails again and again."""
        raise NotNow("this job cannot be given up: try it again")
