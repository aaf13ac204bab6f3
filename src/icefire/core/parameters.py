"""Parameters of methods: declared as dataclass fields, checked on construction, parsed from text.

A field's type is one of int, float, bool, str, a Literal, a tuple of those, a mapping, or a union with None; a
range is added as `Annotated[int, AtLeast(2)]`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from icefire.core.errors import InputError, ParameterError, UnknownName

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


@dataclass(frozen=True)
class AtLeast:
    least: float

    def holds(self, value: float) -> bool:
        return value >= self.least

    def __str__(self) -> str:
        return f"of at least {self.least}"


@dataclass(frozen=True)
class Above:
    bound: float

    def holds(self, value: float) -> bool:
        return value > self.bound

    def __str__(self) -> str:
        return f"above {self.bound}"


@dataclass(frozen=True)
class Between:
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"between {self.low} and {self.high}"


Share = Annotated[float, Between(0, 1)]

_NOUNS: dict[object, str] = {
    int: "an integer",
    float: "a number",
    bool: "true or false",
    str: "a text",
    NoneType: "None",
}


def describe(hint: object) -> str:
    """A type hint in words, as it stands in error messages and in `icefire list`."""
    if get_origin(hint) is Annotated:
        base, *rules = get_args(hint)
        return " ".join([describe(base), *(str(rule) for rule in rules)])
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(repr(choice) for choice in get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(describe(part) for part in get_args(hint))
    if get_origin(hint) is tuple:
        return f"a list, each {describe(get_args(hint)[0])}"
    if get_origin(hint) in (dict, Mapping):
        return "a mapping"
    return _NOUNS.get(hint, getattr(hint, "__name__", str(hint)))


def accepts(hint: object, value: object) -> bool:
    """Whether a value fits a type hint, ranges included."""
    origin = get_origin(hint)
    if origin is Annotated:
        base, *rules = get_args(hint)
        return accepts(base, value) and all(rule.holds(value) for rule in rules)
    if origin is Literal:
        return value in get_args(hint)
    if origin in (Union, UnionType):
        return any(accepts(part, value) for part in get_args(hint))
    if origin is tuple:
        return isinstance(value, tuple) and all(accepts(get_args(hint)[0], item) for item in value)
    if origin in (dict, Mapping):
        return isinstance(value, Mapping)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(hint, type) and isinstance(value, hint)


def hints(owner: type) -> dict[str, object]:
    """The types of a method's parameters, ranges included."""
    return _hints(owner)


@cache
def _hints(owner: type) -> dict[str, object]:
    return get_type_hints(owner, include_extras=True)


def check(instance: DataclassInstance) -> None:
    """Turn lists into tuples, then raise ParameterError for the first field whose value does not fit."""
    owner = type(instance)
    for field in fields(instance):
        value = getattr(instance, field.name)
        if isinstance(value, list):
            value = tuple(value)
            object.__setattr__(instance, field.name, value)
        hint = hints(owner)[field.name]
        if not accepts(hint, value):
            raise ParameterError.of(owner.__name__, field.name, describe(hint), value)


def settings(instance: DataclassInstance) -> dict[str, object]:
    """The parameters that differ from their defaults: what it takes to make this instance again."""
    return {
        field.name: getattr(instance, field.name)
        for field in fields(instance)
        if field.default is MISSING or getattr(instance, field.name) != field.default
    }


def build(owner: type[T], values: Mapping[str, object]) -> T:
    """Make an instance, naming unknown and missing parameters."""
    known = {field.name: field for field in fields(owner)}
    for name in values:
        if name not in known:
            raise UnknownName.of(f"parameter of {owner.__name__}", name, known)
    for name, field in known.items():
        if name not in values and field.default is MISSING and field.default_factory is MISSING:
            raise ParameterError(
                f"The {name!r} parameter of {owner.__name__} must be given: {describe(hints(owner)[name])}."
            )
    return owner(**values)


def parse_step(text: str) -> tuple[str, dict[str, object]]:
    """A step as it is typed: `name` or `name(k=5, columns=[age, sex])`. Bare words are texts.

    >>> parse_step("mondrian(k=5, columns=[age, 'marital-status'])")
    ('mondrian', {'k': 5, 'columns': ['age', 'marital-status']})
    """
    name, bracket, _ = text.partition("(")
    name = name.strip().replace("-", "_")
    if not bracket:
        return name, {}
    try:
        call = ast.parse(name + text.strip()[text.strip().index("(") :], mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError("parameters are given by name")
        names = [keyword.arg for keyword in call.keywords]
        if None in names or len(set(names)) < len(names):
            raise ValueError("each parameter is given once, by name")
        return name, {str(keyword.arg): _literal(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError) as error:
        reason = "it is not a value" if "malformed" in str(error) else str(error).partition(" (<unknown>")[0]
        raise InputError(
            f"cannot read the step {text!r}: {reason}. Write name or name(parameter=value, columns=[a, b]), and put names "
            "with hyphens or spaces in quotes."
        ) from error


def _literal(node: ast.expr) -> object:
    match node:
        case ast.Name(id="true" | "false" as word):
            return word == "true"
        case ast.Name(id="none"):
            return None
        case ast.Name(id=word):
            return word
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {_literal(key): _literal(value) for key, value in zip(keys, values, strict=True) if key}
        case _:
            return ast.literal_eval(node)
