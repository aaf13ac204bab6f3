"""What the conformance suite has to know about a kind of data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from icefire.core.roles import Method


class Examples(ABC):
    """Small data of one kind, and how to compare it."""

    original_type: ClassVar[type[Any]]
    release_type: ClassVar[type[Any]]
    guess_type: ClassVar[type[Any]]
    last_step: ClassVar[str]
    """What an anonymizer ends with so that order says nothing."""

    @abstractmethod
    def originals(self) -> dict[str, Any]:
        """Data by name; the one named plain has to be accepted by everybody."""

    @abstractmethod
    def large(self) -> Any:
        """A few hundred people: enough to tell an attack from chance."""

    @abstractmethod
    def honest_release(self, original: Any) -> Any:
        """A release in which nothing but order and names has changed."""

    @abstractmethod
    def truth(self, release: Any) -> Any:
        """The guess that is right everywhere."""

    @abstractmethod
    def content(self, data: Any) -> Any:
        """Something to compare data by."""

    def published(self, release: Any) -> Any:
        return release.published

    def knowledge(self, original: Any) -> Any:
        """What the strongest attacker holds."""
        return original

    @abstractmethod
    def release_content(self, release: Any) -> Any: ...

    @abstractmethod
    def guess_content(self, guess: Any) -> Any: ...

    @abstractmethod
    def check_release(self, method: Method, original: Any, release: Any) -> None: ...

    @abstractmethod
    def check_guess(self, method: Method, release: Any, guess: Any) -> None: ...

    @abstractmethod
    def order(self, release: Any) -> float:
        """How far the order of a release follows that of the original, 0 to 1."""

    @abstractmethod
    def hits(self, release: Any, guess: Any) -> float:
        """Share of people whom a guess finds."""
