"""Classes of a kind by name, imported when they are asked for: `icefire.microdata.Mondrian`."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

ROLES = ("anonymize", "attack", "safety", "utility")


def classes_of(package: str) -> Callable[[str], Any]:
    """A `__getattr__` for the package of a kind.

    >>> classes_of("icefire.microdata")("Mondrian")
    <class 'icefire.microdata.anonymize.mondrian.Mondrian'>
    """

    def find(name: str) -> Any:
        if name[:1].isupper():
            module = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
            for role in ROLES:
                if find_spec(f"{package}.{role}.{module}") is not None:
                    return getattr(import_module(f"{package}.{role}.{module}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
