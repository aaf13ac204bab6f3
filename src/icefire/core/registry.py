"""Finds every method: ours by scanning packages, outsiders' by entry point or by file.

A package of icefire with a `kind.py` is a kind of data; the modules of its `anonymize`, `attack`, `utility`,
`safety` and `formats` folders each hold one method, of the module's name. A module is imported when it is asked for.
Packages outside declare an entry point in the group `icefire.methods`.
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
FOLDERS: dict[Role, str] = {
    "anonymize": "{kind}.anonymize",
    "attack": "{kind}.attack",
    "utility": "{kind}.utility",
    "safety": "{kind}.safety",
    "dataset": "datasets",
    "format": "{kind}.formats",
}
T = TypeVar("T")


class Registry:
    """All methods by (kind, role, name)."""

    def __init__(self, package: str = "icefire") -> None:
        self._package = package
        self._plugins: list[type[Method]] = []
        self.plugin_files: list[Path] = []
        self._kinds: dict[str, Kind] = {}

    @cached_property
    def kind_names(self) -> list[str]:
        roots = importlib.import_module(self._package).__path__
        return sorted(file.parent.name for root in roots for file in Path(root).glob("*/kind.py"))

    @property
    def kinds(self) -> dict[str, Kind]:
        return {name: self.kind(name) for name in self.kind_names}

    def _folder(self, kind: str, role: Role) -> str:
        return f"{self._package}.{FOLDERS[role].format(kind=kind)}"

    def _modules(self, kind: str, role: Role) -> list[str]:
        """The modules that may hold methods of a kind and a role; none of them is imported yet."""
        folder = self._folder(kind, role)
        if importlib.util.find_spec(folder) is None:
            return []
        found = pkgutil.iter_modules(importlib.import_module(folder).__path__)
        return [f"{folder}.{module.name}" for module in found if not module.name.startswith("_")]

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
        self.plugin_files.append(file)
        return found

    def methods(self, kind: str | None = None, role: Role | None = None) -> list[type[Method]]:
        """Every method, or those of one kind or one role, by name."""
        kinds = self.kind_names if kind is None else [self._checked(kind)]
        roles = ROLES if role is None else (role,)
        # Data sets of all kinds lie in one folder.
        modules = dict.fromkeys(module for k in kinds for r in roles for module in self._modules(k, r))
        own = [method for module in modules for method in _defined(importlib.import_module(module), Method)]
        chosen = [
            method
            for method in [*own, *self._outside, *self._plugins]
            if kind in (None, method.kind) and role in (None, method.role)
        ]
        return sorted(chosen, key=lambda method: (method.kind, method.role, method.name))

    def kind(self, name: str) -> Kind:
        if name not in self._kinds:
            module = importlib.import_module(f"{self._package}.{self._checked(name)}.kind")
            self._kinds[name] = next(_defined(module, Kind))()  # type: ignore[type-abstract]
        return self._kinds[name]

    def _checked(self, kind: str) -> str:
        if kind not in self.kind_names:
            raise UnknownName.of("kind of data", kind, self.kind_names)
        return kind

    def knows(self, kind: str, role: Role, name: str) -> bool:
        """Whether `find` would find it."""
        return self._named(kind, role, name) is not None

    def find(self, kind: str, role: Role, name: str) -> type[Method]:
        """A method by its name or one of its aliases, whatever their case."""
        found = self._named(kind, role, name)
        if found is None:
            names = [method.name for method in self.methods(kind, role)]
            raise UnknownName.of(f"{NOUNS.get(role, role)} for {kind}", name, names, f"icefire list {kind}")
        return found

    def _named(self, kind: str, role: Role, name: str) -> type[Method] | None:
        """The method of this name or alias. The file of its name, if there is one, is the only one to import."""
        file = f"{self._folder(self._checked(kind), role)}.{_folded(name)}"
        if file in self._modules(kind, role):
            for method in _defined(importlib.import_module(file), Method):
                if (method.kind, method.role) == (kind, role):
                    return method
        return next((method for method in self.methods(kind, role) if _answers_to(method, name)), None)

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
