"""Who is more likely in the release than in the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.encoding import BINS, binned, copies
from icefire.synthetic.network import fit
from icefire.synthetic.roles import Attack

LEAST = 1e-300
"""What stands for 0 where a logarithm is taken."""


@dataclass(frozen=True)
class DensityRatio(Attack):
    """Name those who are more likely under the release than among all candidates (DOMIAS), both as trees of columns.

    If there is a reference sample, it counts as a part of the population, too. A row that was released as it is adds its share
    to how likely it is under the release.

    Parameters:
        bins: number of bins of a numeric column.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> people = People(pl.DataFrame({"a": ["x", "y"]}), pl.DataFrame({"a": ["z", "w"]}))
        >>> guess = DensityRatio().attack(people.members, people.knowledge, np.random.default_rng(0))
        >>> bool((guess.confidence[people.membership] > guess.confidence[~people.membership].max()).all())
        True

    Reference:
        van Breugel, Sun, Qian, van der Schaar: Membership inference attacks against synthetic data through overfitting
        detection. 2023; Chow, Liu: Approximating discrete probability distributions with dependence trees. 1968.
    """

    bins: Annotated[int, AtLeast(2)] = BINS

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        further = [] if knowledge.reference is None else [knowledge.reference]
        codes = binned([knowledge.table, published, *further], knowledge.names, self.bins)
        people, released = codes.tables[:2]
        usual = np.concatenate([people, *codes.tables[2:]])
        likely = [fit(table, codes.sizes).log_likelihood(people) for table in (released, usual)]
        same = copies(knowledge.table, published) / published.height
        return Guess(confidence=np.logaddexp(likely[0], np.log(np.maximum(same, LEAST))) - likely[1])
