"""The exceptions of icefire, and one grammar for their messages.

    IcefireError
    ├── InputError             the caller can fix it (exit code 2)
    │   ├── ParameterError     a parameter of a method is out of its range
    │   ├── DataError          a table, a map or a guess does not fit
    │   ├── FileError          a file is missing, unreadable or malformed
    │   └── UnknownName        no such method, column, kind or file format
    ├── MissingExtra           an optional library is not installed
    └── Undefined              a metric has no value on this release, or an attack does not apply to it
        └── NotFinished        an attack applies, but was not made to its end
            ├── OutOfBudget    it would take longer than its budget
            └── TooLarge       it does not take data of this size

    InputWarning               input that is accepted, but probably not what was meant
    FaultWarning               a method of ours failed by a fault of its own; the others go on

A message says what is wrong, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import Any


class IcefireError(Exception):
    """Base of all exceptions that icefire raises on purpose."""


class InputError(IcefireError):
    """The input is wrong, and the caller can fix it."""


class InputWarning(UserWarning):
    """Input that is accepted, but probably not what was meant."""


class FaultWarning(UserWarning):
    """A method of ours failed by a fault of its own: the others go on, and whoever looks must see it."""


class ParameterError(InputError):
    """A parameter of a method has a value it cannot take."""

    @classmethod
    def of(cls, owner: str, parameter: str, expected: str, got: object) -> ParameterError:
        """
        >>> print(ParameterError.of("Mondrian", "k", "an integer of at least 2", 0))
        The 'k' parameter of Mondrian must be an integer of at least 2. Got 0 instead.
        """
        return cls(f"The {parameter!r} parameter of {owner} must be {expected}. Got {got!r} instead.")


class DataError(InputError):
    """A table, a row map or a guess does not fit the rest."""


class FileError(InputError):
    """A file is missing, unreadable or malformed."""


class UnknownName(InputError):
    """A name that is not in the list of valid ones."""

    @classmethod
    def of(cls, what: str, got: object, choices: Iterable[str], hint: str = "") -> UnknownName:
        """
        >>> print(UnknownName.of("attack for microdata", "sotr", ["sort", "euclid"]))
        no attack for microdata 'sotr'; did you mean 'sort'? Valid: euclid, sort
        """
        valid, got = sorted(choices), str(got)
        near = [name for name in valid if name.lower() == got.lower()] or get_close_matches(got, valid, n=1)
        guess = f"; did you mean {near[0]!r}?" if near else "."
        listed = f" Valid: {', '.join(valid[:30])}{', ...' if len(valid) > 30 else ''}" if valid else ""
        return cls(f"no {what} {got!r}{guess}{listed}{f' ({hint})' if hint else ''}")


class MissingExtra(IcefireError):
    """An optional library is not installed."""

    @classmethod
    def of(cls, module: str, extra: str) -> MissingExtra:
        """
        >>> print(MissingExtra.of("numba", "fast"))
        this needs 'numba', which is not installed: pip install 'icefire[fast]'
        """
        return cls(f"this needs {module!r}, which is not installed: pip install 'icefire[{extra}]'")


class Undefined(IcefireError):
    """A metric has no value on this release, or an attack does not apply to it; the message says why."""


class NotFinished(Undefined):
    """An attack applies to this release, but was not made to its end: it might re-identify people.

    Never a reason to call a release safe.
    """


class OutOfBudget(NotFinished):
    """An attack was not made, since it takes longer than its budget and cannot be made for a sample."""


class TooLarge(NotFinished):
    """An attack was not made, since there are more people or records than it can compare."""


class OutOfMemory(IcefireError):
    """More memory would be needed than is allowed."""


def need(module: str, extra: str) -> Any:
    """Import an optional library, or raise MissingExtra with the extra that brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra.of(module, extra) from error


def require(module: str, extra: str) -> None:
    """Raise MissingExtra unless an optional library is installed. It is not imported."""
    if find_spec(module) is None:
        raise MissingExtra.of(module, extra)
