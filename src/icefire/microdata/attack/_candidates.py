"""Which original rows a published row can have been made from, going by its QI cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.frames.ragged import concatenated_ranges
from icefire.microdata.covering import covering
from icefire.microdata.data import Microdata

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Candidates:
    """Published rows fall into classes of equal cells; class i may be rows[starts[i]:starts[i + 1]] of the original."""

    class_of: Ints
    starts: Ints
    rows: Ints

    @property
    def counts(self) -> Ints:
        return np.diff(self.starts)


def candidates(published: Microdata, knowledge: Microdata) -> Candidates:
    """Original rows whose every QI value lies in the published row's cell."""
    if not any(name in published.schema.names for name in knowledge.qi):
        everyone = np.arange(knowledge.height)
        return Candidates(np.zeros(published.height, dtype=np.int64), np.array([0, everyone.size]), everyone)
    found = covering(published, knowledge, by_row=True)
    classes, groups = (np.concatenate(parts) for parts in zip(*found.pairs(), strict=True))
    order = np.lexsort((groups, classes))
    classes, groups = classes[order], groups[order]
    members = np.argsort(found.group_of, kind="stable")
    begins, many = np.cumsum(found.people) - found.people, found.people[groups]
    rows = members[concatenated_ranges(begins[groups], many)]
    counts = np.bincount(classes, many, found.sizes.size).astype(np.int64)
    return Candidates(found.class_of, np.concatenate([[0], np.cumsum(counts)]), rows)
