"""What the conformance suite has to know about a kind of data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import UnionType
from typing import Any, ClassVar, Generic, TypeAlias

from icefire.core.roles import GuessT, Method, OriginalT, PublishedT, ReleaseT
from icefire.core.seeds import generator


class Examples(ABC, Generic[OriginalT, PublishedT, ReleaseT, GuessT]):
    """Small data of one kind, and how to compare it."""

    original_type: ClassVar[type]
    release_type: ClassVar[type]
    guess_type: ClassVar[type | UnionType]
    last_step: ClassVar[str]
    """The call by which an anonymizer ends, so that order says nothing."""

    @abstractmethod
    def originals(self) -> Mapping[str, OriginalT]:
        """Data by name. Every method has to accept the one named plain, and may refuse others with a reason."""

    @abstractmethod
    def large(self) -> OriginalT:
        """A few hundred people: enough to tell an attack from chance."""

    @abstractmethod
    def honest_release(self, original: OriginalT) -> ReleaseT:
        """A release in which nothing but order and names has changed."""

    @abstractmethod
    def truth(self, release: ReleaseT, judged: type = object) -> GuessT:
        """The guess that is right everywhere, of the type that a metric judges."""

    @abstractmethod
    def content(self, data: OriginalT | PublishedT) -> object:
        """A value to compare data by."""

    @abstractmethod
    def release_content(self, release: ReleaseT) -> object: ...

    @abstractmethod
    def guess_content(self, guess: GuessT) -> object: ...

    @abstractmethod
    def check_release(self, method: Method, original: OriginalT, release: ReleaseT) -> None: ...

    def nameless_content(self, release: ReleaseT) -> object:
        """A value to compare releases by that differ in order and names only."""
        return self.release_content(release.reshuffled(generator(3, "reshuffled")))

    def check_likelihood(self, method: Method) -> None:
        """AssertionError if an anonymizer does something else than it states to attackers who know the method."""

    @abstractmethod
    def check_guess(self, method: Method, release: ReleaseT, guess: GuessT) -> None: ...

    @abstractmethod
    def order(self, release: ReleaseT) -> float:
        """How far the order of a release follows that of the original, 0 to 1."""

    @abstractmethod
    def hits(self, release: ReleaseT, guess: GuessT) -> float:
        """Share of people whom a guess finds."""


AnyExamples: TypeAlias = Examples[Any, Any, Any, Any]
"""Examples of a kind that is known at run time only."""
