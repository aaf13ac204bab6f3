"""Are cross tables kept?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, ClassVar

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import People, Release
from icefire.synthetic.roles import Utility
from icefire.synthetic.utility._shares import apart, both


@dataclass(frozen=True)
class PairError(Utility):
    """Mean, over pairs of columns, of the total variation distance between the cross tables of the members and the release.

    Parameters:
        bins: number of bins of a numeric column.

    Example:
        >>> import polars as pl
        >>> people = People(pl.DataFrame({"a": ["x", "y"], "b": ["p", "q"]}), pl.DataFrame({"a": ["x"], "b": ["p"]}))
        >>> PairError().measure(people, Release(people, pl.DataFrame({"a": ["x", "y"], "b": ["q", "p"]}))).value
        1.0
    """

    scale: ClassVar[Scale] = BAD_SHARE

    bins: Annotated[int, AtLeast(2)] = 5

    def measure(self, original: People, release: Release) -> Score:
        table = both(original, release, self.bins)
        pairs = list(combinations(range(len(original.names)), 2))
        if not pairs:
            raise Undefined("there is one column alone, and no pair of columns")
        errors = [apart(table, pair) for pair in pairs]
        worst = pairs[max(range(len(pairs)), key=errors.__getitem__)]
        return self.score(sum(errors) / len(errors), detail={"worst pair": [original.names[place] for place in worst]})
