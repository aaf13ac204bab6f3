"""The roles of methods: anonymizer, attack, utility and safety metric, data set, file format.

A method is a frozen dataclass of its parameters with one verb. It takes its name from its file (`attack/sort.py`
holds the attack `sort`) and its kind from the role it derives from, so writing the file is all it takes to add it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from icefire.core import parameters
from icefire.core.data import Original, Release
from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.values import Interval, Scale, Score

if TYPE_CHECKING:
    import numpy as np

OriginalT = TypeVar("OriginalT", bound=Original)
PublishedT = TypeVar("PublishedT")
KnowledgeT = TypeVar("KnowledgeT")
ReleaseT = TypeVar("ReleaseT", bound=Release)
GuessT = TypeVar("GuessT")


class Method:
    """Base of everything in the registry."""

    role: ClassVar[str]
    kind: ClassVar[str]
    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names it answers to; the first one is how papers write it."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls, kind: str | None = None, **rest: object) -> None:
        super().__init_subclass__(**rest)
        if kind is not None:
            cls.kind = kind
        cls.name = cls.__module__.rpartition(".")[2]

    def __post_init__(self) -> None:
        parameters.check(self)

    def settings(self) -> dict[str, object]:
        """The parameters that differ from their defaults."""
        return parameters.settings(self)

    def step(self, full: bool = False) -> str:
        """This method as it is typed on the command line; in full it stays the same whatever later defaults are.

        >>> from icefire.microdata.anonymize.round import Round
        >>> Round(base=100).step(), Round(base=100).step(full=True)
        ('round(base=100)', 'round(base=100, columns=[])')
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)} if full else self.settings()
        inside = ", ".join(f"{key}={list(v) if isinstance(v, tuple) else v!r}" for key, v in values.items())
        return f"{self.name}({inside})" if inside else self.name

    @classmethod
    def needs_parameters(cls) -> bool:
        """Whether some parameter has no default."""
        return any(field.default is MISSING and field.default_factory is MISSING for field in fields(cls))

    @classmethod
    def title(cls) -> str:
        """The display name: the paper's if there is one."""
        return cls.aliases[0] if cls.aliases else cls.name

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return (cls.__doc__ or "").strip().partition("\n")[0]


class Anonymizer(Method, ABC, Generic[OriginalT, ReleaseT]):
    """Ice: makes a release, and with it the secret that links it back."""

    role: ClassVar[str] = "anonymize"
    deterministic: ClassVar[bool] = False
    """Whether it always makes the same of the same data, up to order and names. Whoever knows the data can repeat it."""
    earlier: ClassVar[Mapping[str, object]] = {}
    """What parameters that were added later stood at before, for the recipes of that time."""

    @classmethod
    def variants(cls, original: OriginalT) -> list[Self]:
        """The settings worth trying on this data when none are given."""
        return [] if cls.needs_parameters() else [cls()]

    def unused(self) -> Collection[str]:
        """The parameters that have no effect in this setting, which a search need not vary."""
        return ()

    def minutes(self, people: int) -> float:
        """Processor time of a release of so many people, roughly; 0 where it takes no more than passes over the data."""
        return 0.0

    @abstractmethod
    def anonymize(self, original: OriginalT, rng: np.random.Generator) -> ReleaseT: ...


class Attack(Method, ABC, Generic[PublishedT, KnowledgeT, GuessT]):
    """Fire: guesses the secret from what is published and what the attacker knows. It never sees the secret."""

    role: ClassVar[str] = "attack"
    baseline: ClassVar[bool] = False
    """Whether it is a baseline for comparison, which need not find more than chance does."""
    blind: ClassVar[bool] = False
    """Whether it names people without looking at the release, so that hits are pure chance."""
    knows_method: ClassVar[bool] = False
    """Whether it needs to know the steps that made the release."""
    made_for: ClassVar[Anonymizer[Any, Any] | None] = None
    """The anonymizer that it attacks, if it can attack one only; the conformance suite tries it on a release of that."""

    @classmethod
    def variants(cls, published: PublishedT, knowledge: KnowledgeT) -> list[Self]:
        """The settings worth trying on a release when none are given."""
        return [cls()]

    @classmethod
    def uses(cls, knowledge: KnowledgeT) -> bool:
        """Whether it is made for attackers who know this."""
        return True

    @abstractmethod
    def attack(self, published: PublishedT, knowledge: KnowledgeT, rng: np.random.Generator) -> GuessT: ...


class InformedAttack(Attack[PublishedT, KnowledgeT, GuessT]):
    """An attack by somebody who knows the steps that made a release and their parameters, but not the seed."""

    knows_method: ClassVar[bool] = True
    steps: ClassVar[tuple[Anonymizer[Any, Any], ...] | None] = None
    """The steps of the release at hand; None until `knowing` says."""
    estimates: ClassVar[bool] = False
    """Whether it learns by simulation what others are told: where they apply, it finds about the same in more time."""

    def knowing(self, steps: Sequence[Anonymizer[Any, Any]]) -> Self:
        """The same attack on releases that these steps have made."""
        told = copy(self)
        object.__setattr__(told, "steps", tuple(steps))
        return told

    @property
    def known_steps(self) -> tuple[Anonymizer[Any, Any], ...]:
        if self.steps is None:
            raise Undefined("the steps that made the release are not known: give them with --method")
        return self.steps


class Metric(Method):
    """Base of utility and safety metrics."""

    scale: ClassVar[Scale]
    """The best and the worst value, and with them the direction."""

    def score(
        self,
        value: float,
        interval: Interval | None = None,
        found: float | None = None,
        detail: Mapping[str, Json] | None = None,
    ) -> Score:
        """A value on this metric's scale."""
        return Score(value, self.scale, interval, found, detail or {})


class Utility(Metric, ABC, Generic[OriginalT, ReleaseT]):
    """Measures what a release is still worth."""

    role: ClassVar[str] = "utility"

    @abstractmethod
    def measure(self, original: OriginalT, release: ReleaseT) -> Score: ...


class Safety(Metric, ABC, Generic[ReleaseT, GuessT]):
    """Measures what a release gives away, by itself or to a guess."""

    role: ClassVar[str] = "safety"
    needs_guess: ClassVar[bool] = False
    judges: ClassVar[type] = object
    """The type of guesses that it measures, where attacks of a kind make several."""

    @abstractmethod
    def measure(self, release: ReleaseT, guess: GuessT | None = None) -> Score: ...


class Dataset(Method, ABC, Generic[OriginalT]):
    """A seeded source of original data."""

    role: ClassVar[str] = "dataset"
    paths: ClassVar[tuple[str, ...]] = ()
    """Parameters that name files or folders."""

    @property
    def fixed(self) -> bool:
        """Whether the data are the same whatever the seed."""
        return bool(self.paths)

    @abstractmethod
    def generate(self, rng: np.random.Generator) -> OriginalT: ...


# Methods of a kind that is known at run time only.
AnyAnonymizer: TypeAlias = Anonymizer[Any, Any]
AnyAttack: TypeAlias = Attack[Any, Any, Any]
AnyUtility: TypeAlias = Utility[Any, Any]
AnySafety: TypeAlias = Safety[Any, Any]
AnyDataset: TypeAlias = Dataset[Any]
