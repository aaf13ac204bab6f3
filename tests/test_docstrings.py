"""Every registered class explains itself: idea, parameters, runnable example, reference."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

import pytest

from icefire.core.registry import Registry
from icefire.core.roles import Method

# Formats have no parameters, and their examples are files.
METHODS = [method for method in Registry().methods() if method.role != "format"]
PARTS = ("Parameters:", "Example:", "Reference:")


def name_of(method: type[Method]) -> str:
    return f"{method.kind}-{method.role}-{method.name}"


def parts_of(text: str) -> dict[str, str]:
    """The text under each heading of a docstring."""
    pieces = re.split(rf"^({'|'.join(PARTS)})$", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def documented(text: str) -> set[str]:
    """The names explained under `Parameters:`; a line may explain several."""
    lines = re.findall(r"^ {4}(\w[\w, ]*):", parts_of(text).get("Parameters:", ""), flags=re.M)
    return {name for line in lines for name in line.split(", ")}


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_a_docstring_has_all_its_parts(method: type[Method]) -> None:
    text = inspect.cleandoc(method.__doc__ or "")
    parameters = {field.name for field in fields(method)}
    assert text.splitlines()[0].endswith("."), "the first line is a sentence"
    assert not text.splitlines()[1], "an empty line follows it"
    assert documented(text) == parameters
    assert ">>> " in parts_of(text).get("Example:", ""), "no runnable example"
    assert list(parts_of(text)) == [part for part in PARTS if part in parts_of(text)], (
        "idea, parameters, example, reference"
    )


def test_what_is_missing_is_noticed() -> None:
    text = "Idea.\n\nParameters:\n    k: how many.\n        l: no parameter.\n    c, t: bounds.\n\nExample:\n    >>> 1\n    1\n"
    assert documented(text) == {"k", "c", "t"}
    assert documented("Idea.") == set()
    assert parts_of(text)["Example:"] == "\n    >>> 1\n    1\n"
