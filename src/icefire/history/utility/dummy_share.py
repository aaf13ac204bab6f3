"""Records that were never made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import ERROR, Scale, Score
from icefire.history.data import NONE, History, Release
from icefire.history.roles import Utility


@dataclass(frozen=True)
class DummyShare(Utility):
    """Dummy records added for every original record."""

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("dummies",)

    def measure(self, original: History, release: Release) -> Score:
        added = int(np.sum(release.rows == NONE))
        return self.score(added / original.height, detail={"dummies": added})
