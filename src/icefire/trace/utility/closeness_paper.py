"""s_U of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import Above
from icefire.core.values import GOOD_SHARE, Scale, Score
from icefire.trace.data import Release, Traces
from icefire.trace.roles import Utility
from icefire.trace.utility._closeness import mean_closeness


@dataclass(frozen=True)
class ClosenessPaper(Utility):
    """s_U as the contest's paper has it: for a set the averaged distance is capped, not each member's."""

    scale: ClassVar[Scale] = GOOD_SHARE
    radius: Annotated[float, Above(0)] = 2.0
    aliases: ClassVar[tuple[str, ...]] = ("s_U, paper",)

    def measure(self, original: Traces, release: Release) -> Score:
        return self.score(mean_closeness(original, release, self.radius, cap_each=False))
