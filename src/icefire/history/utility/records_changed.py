"""Records that were added, deleted or rewritten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import ERROR, Scale, Score
from icefire.history.data import NONE, History, Release
from icefire.history.roles import Utility
from icefire.history.utility._rows import kept_rows


@dataclass(frozen=True)
class RecordsChanged(Utility):
    """Number of records that were added, deleted or given another item, divided by the number of original records.

    Compares ways to make customers alike: adding, deleting and rewriting records are counted alike.

    Example:
        One record was deleted, one has another item, and one was added.

        >>> from icefire.history.data import NONE, Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "ann 2011-01-03 cup", "bob 2011-01-04 cup")
        >>> after = records("1 2011-01-03 tea", "2 2011-01-04 tea", "2 2011-01-04 pen")
        >>> RecordsChanged().measure(before, Release(before, after, [[0], [1]], [0, 2, NONE])).detail
        {'added': 1, 'deleted': 1, 'rewritten': 1}
    """

    scale: ClassVar[Scale] = ERROR

    def measure(self, original: History, release: Release) -> Score:
        published, before = kept_rows(release)
        items = release.published.frame["item"][published], original.frame["item"][before]
        detail = {
            "added": int(np.sum(release.rows == NONE)),
            "deleted": original.height - before.size,
            "rewritten": int((items[0] != items[1]).sum()),
        }
        return self.score(sum(detail.values()) / original.height, detail=detail)
