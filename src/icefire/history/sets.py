"""Items that stand for several: a set `{a|b}`, or a beginning `22*`."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from icefire.history.data import Ints

_MEMBER = re.compile(r"((?:\\.|[^|\\])*)(?:\||$)")


def members(label: str) -> list[str] | None:
    """The members of a set, None where the label is none.

    >>> members("{a|b}"), members("a")
    (['a', 'b'], None)
    """
    if not (label.startswith("{") and label.endswith("}")):
        return None
    return [re.sub(r"\\(.)", r"\1", member) for member in _MEMBER.findall(label[1:-1])[:-1] or [""]]


def beginning(label: str) -> str | None:
    """What is known of an item of which only the beginning is known."""
    return label[:-1] if label.endswith("*") and not label.startswith("{") else None


def set_sizes(before: pl.Series, after: pl.Series, items: pl.Series) -> Ints:
    """How many items each published item may stand for; 0 where the original one is not among them."""
    texts = items.to_list()
    known = set(texts)
    spans: dict[str, int] = {}
    found = np.zeros(len(before), dtype=np.int64)
    for row, (own, label) in enumerate(zip(before, after, strict=True)):
        listed, start = members(label), beginning(label)
        if label in known or (listed is None and start is None):
            found[row] = int(own == label)
        elif listed is not None:
            found[row] = len(set(listed)) if own in listed else 0
        elif start is not None and own.startswith(start):
            if start not in spans:
                spans[start] = sum(text.startswith(start) for text in texts)
            found[row] = spans[start]
    return found
