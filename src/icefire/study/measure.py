"""What a run measures: one class in each file of `measures`, which a study names by the file."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from icefire.core import parameters
from icefire.core.errors import UnknownName
from icefire.core.registry import Registry
from icefire.study.config import Label

PACKAGE = "icefire.study.measures"


@dataclass(frozen=True)
class Value:
    """A figure of a run: a quantity, where it was measured, and its value or the reason why it has none."""

    quantity: str
    value: float | None
    labels: Mapping[str, Label] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Setting:
    """What a measure gets: the data, the seed of a repetition, and all methods."""

    data: Any
    kind: str
    seed: int
    registry: Registry


class Measure(ABC):
    """A dataclass of the settings of a run."""

    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of data that it takes; none if it is computed from its settings alone."""

    def __post_init__(self) -> None:
        parameters.check(self)  # type: ignore[arg-type]

    def check(self, registry: Registry, kind: str) -> None:
        """Raise InputError for a method that does not exist. It is called before anything runs."""
        return

    @abstractmethod
    def measure(self, setting: Setting) -> Iterator[Value]: ...


def measures() -> list[str]:
    """The names of all measures."""
    found = pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def measure_class(name: str) -> type[Measure]:
    """The measure of a name."""
    if name not in measures():
        raise UnknownName.of("measure", name, measures())
    module = importlib.import_module(f"{PACKAGE}.{name}")
    return next(
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Measure) and each.__module__ == module.__name__
    )


def make_measure(name: str, settings: Mapping[str, Any]) -> Measure:
    made: Measure = parameters.build(measure_class(name), dict(settings))  # type: ignore[type-var]
    return made
