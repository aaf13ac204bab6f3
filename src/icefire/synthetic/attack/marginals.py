"""Whose combinations of values are more frequent in the release than in the population."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import Between
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.encoding import BINS, Codes, binned, copies, joined
from icefire.synthetic.roles import Attack

SETS = 500
"""Most sets of columns that are counted; with more, random ones."""


@dataclass(frozen=True)
class Marginals(Attack):
    """Name those whose values, in sets of a few columns, are over-represented in the release: the sum of the log ratios.

    The whole row, as it is, counts as much as all those sets together.

    Parameters:
        order: number of columns of a set.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> people = People(pl.DataFrame({"a": ["x", "y"]}), pl.DataFrame({"a": ["z", "w"]}))
        >>> guess = Marginals(order=1).attack(people.members, people.knowledge, np.random.default_rng(0))
        >>> bool((guess.confidence[people.membership] > guess.confidence[~people.membership].max()).all())
        True

    Reference:
        Houssiau et al.: TAPAS, a toolbox for adversarial privacy auditing of synthetic data. 2022 (targeted queries).
    """

    order: Annotated[int, Between(1, 4)] = 2

    @classmethod
    def variants(cls, published: pl.DataFrame, knowledge: Knowledge) -> list[Marginals]:
        return [cls(order=order) for order in (1, 2, 3) if order <= len(knowledge.names)]

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        codes = binned([knowledge.table, published], knowledge.names, BINS)
        people, released = codes.tables
        sets = list(combinations(range(len(knowledge.names)), min(self.order, len(knowledge.names))))
        if len(sets) > SETS:
            sets = [sets[place] for place in np.sort(rng.permutation(len(sets))[:SETS])]
        total = np.zeros(people.shape[0])
        for columns in sets:
            total += log_ratio(people, released, columns)
        counts = [copies(knowledge.table, table) + 0.5 for table in (published, knowledge.table)]
        return Guess(confidence=total / len(sets) + np.log(counts[0] / counts[1]))


def log_ratio(people: Codes, released: Codes, columns: tuple[int, ...]) -> np.ndarray:
    """[candidate]: how much more frequent a combination is in the release than among the candidates, as a logarithm."""
    own, cells = joined([people[:, columns], released[:, columns]])
    counts = [np.bincount(part, minlength=1 + int(max(own.max(), cells.max()))) for part in (cells, own)]
    shares = [(count[own] + 0.5) / (count.sum() + 0.5) for count in counts]
    return np.asarray(np.log(shares[0] / shares[1]))
