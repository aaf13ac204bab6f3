"""The four roles every kind of data has, and the two things a kind itself must offer.

A method is a frozen dataclass of its parameters with one verb. It takes its name from its file (`attack/sort.py`
holds the attack `sort`) and its kind from the role it derives from, so writing the file is all it takes to add it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from icefire.core import parameters
from icefire.core.errors import InputError, UnknownName
from icefire.core.values import Score

OriginalT = TypeVar("OriginalT")
PublishedT = TypeVar("PublishedT")
KnowledgeT = TypeVar("KnowledgeT")
ReleaseT = TypeVar("ReleaseT")
GuessT = TypeVar("GuessT")


class Method:
    """Base of everything in the registry."""

    role: ClassVar[str]
    kind: ClassVar[str]
    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names it answers to; the first one is how papers write it."""

    def __init_subclass__(cls, kind: str | None = None, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if kind is not None:
            cls.kind = kind
        cls.name = cls.__module__.rpartition(".")[2]

    def __post_init__(self) -> None:
        parameters.check(self)

    def settings(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        return parameters.settings(self)

    def step(self, full: bool = False) -> str:
        """This method as it is typed on the command line; in full it stays the same whatever later defaults are.

        >>> from icefire.microdata.anonymize.round import Round
        >>> Round(base=100).step(), Round(base=100).step(full=True)
        ('round(base=100)', 'round(base=100, columns=[])')
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)} if full else self.settings()  # type: ignore[arg-type]
        inside = ", ".join(f"{key}={list(v) if isinstance(v, tuple) else v!r}" for key, v in values.items())
        return f"{self.name}({inside})" if inside else self.name

    @classmethod
    def title(cls) -> str:
        """How people read its name: the paper's if there is one."""
        return cls.aliases[0] if cls.aliases else cls.name

    @classmethod
    def summary(cls) -> str:
        """The first line of its docstring."""
        return (cls.__doc__ or "").strip().partition("\n")[0]


class Anonymizer(Method, ABC, Generic[OriginalT, ReleaseT]):
    """Ice: makes a release, and with it the secret that links it back."""

    role: ClassVar[str] = "anonymize"

    @classmethod
    def variants(cls, original: OriginalT) -> list[Self]:
        """The settings worth trying on this data when nobody names any."""
        return [cls()] if all(field.default is not MISSING for field in fields(cls)) else []  # type: ignore[arg-type]

    @abstractmethod
    def anonymize(self, original: OriginalT, rng: np.random.Generator) -> ReleaseT: ...


class Attack(Method, ABC, Generic[PublishedT, KnowledgeT, GuessT]):
    """Fire: guesses the secret from what is published and what the attacker knows. It never sees the secret."""

    role: ClassVar[str] = "attack"
    baseline: ClassVar[bool] = False
    """Whether it is there to be beaten: it need not find more than chance does."""
    blind: ClassVar[bool] = False
    """Whether it names people without looking at the release, so that whom it finds is mere chance."""

    @classmethod
    def variants(cls, published: PublishedT, knowledge: KnowledgeT) -> list[Self]:
        """The settings worth trying on a release when nobody names any."""
        return [cls()]

    @abstractmethod
    def attack(self, published: PublishedT, knowledge: KnowledgeT, rng: np.random.Generator) -> GuessT: ...


class Utility(Method, ABC, Generic[OriginalT, ReleaseT]):
    """What the release is still worth."""

    role: ClassVar[str] = "utility"

    @abstractmethod
    def measure(self, original: OriginalT, release: ReleaseT) -> Score: ...


class Safety(Method, ABC, Generic[ReleaseT, GuessT]):
    """What the release gives away, by itself or to a guess."""

    role: ClassVar[str] = "safety"
    needs_guess: ClassVar[bool] = False

    @abstractmethod
    def measure(self, release: ReleaseT, guess: GuessT | None = None) -> Score: ...


class Dataset(Method, ABC, Generic[OriginalT]):
    """A seeded source of original data."""

    role: ClassVar[str] = "dataset"

    @abstractmethod
    def generate(self, rng: np.random.Generator) -> OriginalT: ...


class Kind(ABC, Generic[OriginalT, PublishedT, KnowledgeT, ReleaseT, GuessT]):
    """A kind of data: how it lies in a working folder, and what an attacker of it holds."""

    name: ClassVar[str]
    handed_out: ClassVar[str] = "published.*"
    """The files of a folder that may leave the house."""
    sent_in: ClassVar[tuple[str, ...]] = ("published.*", "secret.csv")
    """The files of a release that a judge needs from its maker, who shares the original with them."""
    known: ClassVar[tuple[str, ...]] = ("original.*", "schema.toml")
    """The files of a folder that an attacker may have beside what is handed out."""
    answered: ClassVar[tuple[str, ...]] = ("guess-*.csv",)
    """The files of a guess; the first one is the one that is read."""
    headline_utility: ClassVar[str]
    """The utility metric that stands for all in pictures."""
    headline_safety: ClassVar[str]
    """The metric of guesses that stands for all in pictures."""

    def in_format(self, name: str | None) -> Kind[Any, Any, Any, Any, Any]:
        """This kind, with its files lying in a folder in another way."""
        return pick_format(self, name, {})

    @abstractmethod
    def read_original(self, folder: Path) -> OriginalT: ...

    @abstractmethod
    def write_original(self, original: OriginalT, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        """Write the original; the seed is for formats that draw something of their own."""

    @abstractmethod
    def read_published(self, folder: Path) -> PublishedT:
        """What was handed out; does not touch the secret."""

    @abstractmethod
    def read_release(self, folder: Path) -> ReleaseT:
        """What was handed out together with its secret: for the judge and the defender."""

    @abstractmethod
    def write_release(self, release: ReleaseT, folder: Path, recipe: dict[str, Any], extension: str = ".csv") -> None:
        """Write what is published and, apart from it, the secret; the recipe goes with the secret. The original comes
        along where the folder has none."""

    @abstractmethod
    def original_of(self, release: ReleaseT) -> OriginalT: ...

    @abstractmethod
    def people(self, original: OriginalT) -> int:
        """How many people there are."""

    @abstractmethod
    def sample(self, original: OriginalT, people: int, rng: np.random.Generator) -> OriginalT:
        """All that is there of so many people, or of all if there are no more."""

    @abstractmethod
    def published_of(self, release: ReleaseT) -> PublishedT: ...

    @abstractmethod
    def knowledge_of(self, original: OriginalT) -> KnowledgeT:
        """What the maximum-knowledge attacker holds."""

    def read_known(self, folder: Path) -> KnowledgeT:
        """The same from a folder that may hold nothing but what an attacker may have."""
        return self.knowledge_of(self.read_original(folder))

    @abstractmethod
    def shuffled(self, release: ReleaseT, rng: np.random.Generator) -> ReleaseT:
        """The same release, with nothing left of the order, the names and the numbers that its maker has chosen."""

    @abstractmethod
    def read_guess(self, path: Path, published: PublishedT, knowledge: KnowledgeT) -> GuessT: ...

    @abstractmethod
    def write_guess(self, guess: GuessT, path: Path, published: PublishedT, knowledge: KnowledgeT) -> None: ...

    def read_knowledge(self, path: Path, original: OriginalT) -> KnowledgeT:
        """What an attacker with less than maximum knowledge holds, from a file."""
        raise InputError(f"what attackers of {self.name} know lies in the working folder: leave --knowledge out")

    @abstractmethod
    def pipeline(self, steps: list[Any]) -> Any:
        """Several anonymizers in a row, as one."""


def pick_format(
    kind: Kind[Any, Any, Any, Any, Any], name: str | None, formats: Mapping[str, type[Kind[Any, Any, Any, Any, Any]]]
) -> Kind[Any, Any, Any, Any, Any]:
    """The kind itself, or its form in the named format."""
    if name is None:
        return kind
    if name not in formats:
        raise UnknownName.of(f"file format for {kind.name}", name, formats)
    return formats[name]()


ROLES: dict[str, type[Method]] = {role.role: role for role in (Anonymizer, Attack, Utility, Safety, Dataset)}
