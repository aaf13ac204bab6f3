"""Are distributions of columns kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import People, Release
from icefire.synthetic.encoding import BINS
from icefire.synthetic.roles import Utility
from icefire.synthetic.utility._shares import apart, both


@dataclass(frozen=True)
class MarginalError(Utility):
    """Mean, over columns, of the total variation distance between the distributions of the members and the release.

    Parameters:
        bins: number of bins of a numeric column.

    Example:
        >>> import polars as pl
        >>> people = People(pl.DataFrame({"a": ["x", "x", "y", "y"]}), pl.DataFrame({"a": ["x"]}))
        >>> MarginalError().measure(people, Release(people, pl.DataFrame({"a": ["x", "x", "x", "y"]}))).value
        0.25
    """

    scale: ClassVar[Scale] = BAD_SHARE

    bins: Annotated[int, AtLeast(2)] = BINS

    def measure(self, original: People, release: Release) -> Score:
        table = both(original, release, self.bins)
        by = {name: apart(table, (place,)) for place, name in enumerate(original.names)}
        return self.score(sum(by.values()) / len(by), detail={"by column": dict(by)})
