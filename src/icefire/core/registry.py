"""Finds every method: ours by scanning packages, outsiders' by entry point or by file.

A package of icefire with a `kind.py` is a kind of data; the modules of its `anonymize`, `attack`, `utility`,
`safety` and `formats` folders each hold one method. Packages outside declare an entry point in the group `icefire.methods`.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Literal, TypeVar, cast, overload

from icefire.core import parameters
from icefire.core.errors import FileError, InputError, UnknownName
from icefire.core.formats import AnyFormat, Format
from icefire.core.kinds import Kind
from icefire.core.roles import (
    Anonymizer,
    AnyAnonymizer,
    AnyAttack,
    AnyDataset,
    AnySafety,
    AnyUtility,
    Attack,
    Dataset,
    Method,
    Metric,
    Safety,
    Utility,
)

ENTRY_POINT_GROUP = "icefire.methods"
OWN_FORMAT = "ours"
Role = Literal["anonymize", "attack", "utility", "safety", "dataset", "format"]
ROLES: dict[Role, type[Method]] = {
    "anonymize": Anonymizer,
    "attack": Attack,
    "utility": Utility,
    "safety": Safety,
    "dataset": Dataset,
    "format": Format,
}
METRICS: tuple[Literal["utility"], Literal["safety"]] = ("utility", "safety")
NOUNS = {"anonymize": "anonymizer", "utility": "utility metric", "safety": "safety metric", "format": "file format"}
FOLDERS = ("anonymize", "attack", "utility", "safety", "formats")
T = TypeVar("T")


class Registry:
    """All methods by (kind, role, name)."""

    def __init__(self, package: str = "icefire") -> None:
        self._package = package
        self._plugins: list[type[Method]] = []

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        root = importlib.import_module(self._package)
        found = {}
        for module in pkgutil.iter_modules(root.__path__):
            path = f"{self._package}.{module.name}.kind"
            if module.ispkg and importlib.util.find_spec(path):
                kind = next(_defined(importlib.import_module(path), Kind))()  # type: ignore[type-abstract]
                found[kind.name] = kind
        return found

    @cached_property
    def _own(self) -> list[type[Method]]:
        folders = [f"{self._package}.{kind}.{folder}" for kind in self.kinds for folder in FOLDERS]
        folders.append(f"{self._package}.datasets")
        found: list[type[Method]] = []
        for folder in folders:
            if importlib.util.find_spec(folder):
                for module in pkgutil.iter_modules(importlib.import_module(folder).__path__):
                    if not module.name.startswith("_"):
                        found += _defined(importlib.import_module(f"{folder}.{module.name}"), Method)
        return found

    @cached_property
    def _outside(self) -> list[type[Method]]:
        found: list[type[Method]] = []
        for point in entry_points(group=ENTRY_POINT_GROUP):
            loaded = point.load()
            found += _defined(loaded, Method) if isinstance(loaded, ModuleType) else [loaded]
        return found

    def add_plugin(self, file: Path) -> list[type[Method]]:
        """Load the methods of one Python file."""
        if not file.is_file():
            raise FileError(f"no plugin file {file}: give the path of a Python file that holds a method")
        spec = importlib.util.spec_from_file_location(file.stem, file)
        if spec is None or spec.loader is None:
            raise FileError(f"{file} is not a Python file: a plugin's name ends in .py")
        module = importlib.util.module_from_spec(spec)
        # Dataclasses look their module up by name.
        sys.modules.setdefault(file.stem, module)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            # Any exception: the file is the user's, and so is the mistake.
            raise InputError(f"cannot load the plugin {file}: {type(error).__name__}: {error}") from error
        found = list(_defined(module, Method))
        if not found:
            raise InputError(
                f"{file} holds no method: derive a class from a role such as icefire.microdata.roles.Attack"
            )
        self._plugins += found
        return found

    def methods(self, kind: str | None = None, role: Role | None = None) -> list[type[Method]]:
        """Every method, or those of one kind or one role, by name."""
        if kind is not None:
            self.kind(kind)
        chosen = [
            method
            for method in [*self._own, *self._outside, *self._plugins]
            if kind in (None, method.kind) and role in (None, method.role)
        ]
        return sorted(chosen, key=lambda method: (method.kind, method.role, method.name))

    def kind(self, name: str) -> Kind:
        if name not in self.kinds:
            raise UnknownName.of("kind of data", name, self.kinds)
        return self.kinds[name]

    def knows(self, kind: str, role: Role, name: str) -> bool:
        """Whether `find` would find it."""
        return any(_answers_to(method, name) for method in self.methods(kind, role))

    def find(self, kind: str, role: Role, name: str) -> type[Method]:
        """A method by its name or one of its aliases, whatever their case."""
        candidates = self.methods(kind, role)
        for method in candidates:
            if _answers_to(method, name):
                return method
        raise UnknownName.of(
            f"{NOUNS.get(role, role)} for {kind}", name, [m.name for m in candidates], f"icefire list {kind}"
        )

    @overload
    def make(self, kind: str, role: Literal["anonymize"], step: str) -> AnyAnonymizer: ...
    @overload
    def make(self, kind: str, role: Literal["attack"], step: str) -> AnyAttack: ...
    @overload
    def make(self, kind: str, role: Literal["utility"], step: str) -> AnyUtility: ...
    @overload
    def make(self, kind: str, role: Literal["safety"], step: str) -> AnySafety: ...
    @overload
    def make(self, kind: str, role: Literal["dataset"], step: str) -> AnyDataset: ...
    @overload
    def make(self, kind: str, role: Literal["format"], step: str) -> AnyFormat: ...
    @overload
    def make(self, kind: str, role: Role, step: str) -> Method: ...
    def make(self, kind: str, role: Role, step: str) -> Method:
        """A method from text such as `mondrian(k=5)`."""
        name, values = parameters.parse_step(step)
        return parameters.build(self.find(kind, role, name), values)

    def format(self, kind: str, name: str | None = None) -> AnyFormat:
        """A file format of a kind by its name; icefire's own if none is given."""
        return self.make(kind, "format", name or OWN_FORMAT)

    def attacks(self, kind: str) -> list[type[AnyAttack]]:
        return cast(list[type[AnyAttack]], self.methods(kind, "attack"))

    def anonymizers(self, kind: str) -> list[type[AnyAnonymizer]]:
        return cast(list[type[AnyAnonymizer]], self.methods(kind, "anonymize"))

    def defaults(self, kind: str, role: Role) -> list[Method]:
        """One instance of every method that needs no parameters."""
        return [method() for method in self.methods(kind, role) if not method.needs_parameters()]

    def utility_metrics(self, kind: str) -> list[AnyUtility]:
        """Every utility metric that needs no parameters."""
        return cast(list[AnyUtility], self.defaults(kind, "utility"))

    def safety_metrics(self, kind: str) -> list[AnySafety]:
        """Every safety metric that needs no parameters."""
        return cast(list[AnySafety], self.defaults(kind, "safety"))


def _answers_to(method: type[Method], name: str) -> bool:
    return _folded(name) in {method.name, *map(_folded, method.aliases)}


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")


def _defined(module: ModuleType, base: type[T]) -> Iterator[type[T]]:
    """The public subclasses of a base that a module itself defines; InputError if one is not complete.

    An abstract class may stay as it is if others of the module derive from it.
    """
    own = [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, base)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]
    for found in own:
        if not inspect.isabstract(found):
            if issubclass(found, Metric) and not hasattr(found, "scale"):
                raise InputError(
                    f"{found.__name__} in {module.__file__} declares no scale: see icefire.core.values, for example "
                    "scale: ClassVar[Scale] = GOOD_SHARE"
                )
            yield found
        elif not any(found in other.__mro__[1:] for other in own):
            missing = ", ".join(sorted(getattr(found, "__abstractmethods__", ())))
            raise InputError(f"{found.__name__} in {module.__file__} does not define {missing}")
