"""Cells that stand for several items or people: a set `{a|b}`, or a beginning `22*`."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
from numpy.typing import NDArray

_MEMBER = re.compile(r"((?:\\.|[^|\\])*)(?:\||$)")


def members(label: str) -> list[str] | None:
    """The members of a set, None where the label is none.

    >>> members("{a|b}"), members("a")
    (['a', 'b'], None)
    """
    if not (label.startswith("{") and label.endswith("}")):
        return None
    return [re.sub(r"\\(.)", r"\1", member) for member in _MEMBER.findall(label[1:-1])[:-1] or [""]]


def set_labels(groups: NDArray[np.int64], names: pl.Series) -> pl.Series:
    """One label for each group 0, 1, ...: its name, or the set of its names in an order that says nothing.

    >>> set_labels(np.array([0, 1, 1, 1]), pl.Series(["c", "b", "a|x", "b"])).to_list()
    ['c', '{a\\\\|x|b}']
    """
    listed = pl.DataFrame({"group": groups, "name": names}).group_by("group").agg(pl.col("name").unique().sort())
    escaped = pl.col("name").list.eval(pl.element().str.replace_all(r"([\\|])", r"\$1")).list.join("|")
    label = pl.when(pl.col("name").list.len() == 1).then(pl.col("name").list.first()).otherwise("{" + escaped + "}")
    return listed.sort("group").select(label).to_series()


def beginning(label: str) -> str | None:
    """What is known of an item of which only the beginning is known."""
    return label[:-1] if label.endswith("*") and not label.startswith("{") else None


def set_sizes(before: pl.Series, after: pl.Series, items: pl.Series) -> NDArray[np.int64]:
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
