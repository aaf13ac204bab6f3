"""Generalized items and pseudonyms: a set `{a|b}`, or a prefix `22*`."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.frames.notation import parse_set


def set_labels(groups: NDArray[np.int64], names: pl.Series) -> pl.Series:
    """The label of each group 0, 1, ...: its name, or the set of its names, sorted so that their order gives nothing away.

    >>> set_labels(np.array([0, 1, 1, 1]), pl.Series(["c", "b", "a|x", "b"])).to_list()
    ['c', '{a\\\\|x|b}']
    """
    listed = pl.DataFrame({"group": groups, "name": names}).group_by("group").agg(pl.col("name").unique().sort())
    escaped = pl.col("name").list.eval(pl.element().str.replace_all(r"([\\|])", r"\$1")).list.join("|")
    label = pl.when(pl.col("name").list.len() == 1).then(pl.col("name").list.first()).otherwise("{" + escaped + "}")
    return listed.sort("group").select(label).to_series()


def beginning(label: str) -> str | None:
    """The prefix that a label such as `22*` stands for; None if the label is not a prefix."""
    return label[:-1] if label.endswith("*") and not label.startswith("{") else None


def label_sizes(labels: pl.Series, items: pl.Series) -> NDArray[np.int64]:
    """The number of items that each label lists, whatever it stands for; 1 for a single item.

    >>> label_sizes(pl.Series(["tea", "{cup|tea|pen}", "t*"]), pl.Series(["tea", "tin", "cup"])).tolist()
    [1, 3, 2]
    """
    names = items.to_list()
    known = set(names)
    sizes = np.ones(len(labels), dtype=np.int64)
    for row, label in enumerate(labels):
        members, prefix = parse_set(label), beginning(label)
        if label not in known and members is not None:
            sizes[row] = len(members)
        elif label not in known and prefix is not None:
            sizes[row] = sum(name.startswith(prefix) for name in names)
    return sizes


def set_sizes(before: pl.Series, after: pl.Series, items: pl.Series) -> NDArray[np.int64]:
    """The number of items that each published item may stand for; 0 if the original item is not among them."""
    names = items.to_list()
    known = set(names)
    with_prefix: dict[str, int] = {}
    sizes = np.zeros(len(before), dtype=np.int64)
    for row, (item, label) in enumerate(zip(before, after, strict=True)):
        members, prefix = parse_set(label), beginning(label)
        if label in known or (members is None and prefix is None):
            sizes[row] = int(item == label)
        elif members is not None:
            sizes[row] = len(set(members)) if item in members else 0
        elif prefix is not None and item.startswith(prefix):
            if prefix not in with_prefix:
                with_prefix[prefix] = sum(name.startswith(prefix) for name in names)
            sizes[row] = with_prefix[prefix]
    return sizes
