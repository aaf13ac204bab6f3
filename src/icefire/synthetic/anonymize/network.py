"""A tree of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import People, Release
from icefire.synthetic.donors import donors
from icefire.synthetic.encoding import BINS, binned
from icefire.synthetic.network import fit
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class Network(Anonymizer):
    """Draw rows from a Bayesian network in which each column depends on one other, the tree that tells most.

    A number is drawn from the members' numbers in its bin, as it is.

    Parameters:
        bins: number of bins of a numeric column.

    Example:
        >>> import numpy as np, polars as pl
        >>> table = pl.DataFrame({"a": ["x", "y"] * 20, "b": [1, 2] * 20})
        >>> release = Network().anonymize(People(table, table), np.random.default_rng(0))
        >>> bool(((release.published["a"] == "x") == (release.published["b"] == 1)).mean() > 0.9)
        True

    Reference:
        Chow, Liu: Approximating discrete probability distributions with dependence trees. 1968.
    """

    bins: Annotated[int, AtLeast(2)] = BINS

    @classmethod
    def variants(cls, original: People) -> list[Network]:
        return [cls(bins=bins) for bins in (5, 20)]

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        codes = binned([original.members], original.names, self.bins)
        drawn = fit(codes.tables[0], codes.sizes, pseudo=0.0).sample(original.people, rng)
        columns = [
            column.gather(donors(codes.tables[0][:, place], drawn[:, place], rng))
            for place, column in enumerate(original.members)
        ]
        return Release.shuffled(original, pl.DataFrame(columns), rng)
