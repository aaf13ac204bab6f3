"""Every cell by itself, with local differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from icefire.core.parameters import Above, AtLeast
from icefire.synthetic.data import People, Release
from icefire.synthetic.domain import Domain
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class RandomizedResponse(Anonymizer):
    """Keep each cell with a probability, else take any other value of its domain (local differential privacy).

    The domain of each column comes from schema.toml, and the budget is shared evenly: of k values, the own one is e^(epsilon /
    columns) times as likely as each other.

    Parameters:
        epsilon: the budget of a person.
        bins: number of bins of a numeric column.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.schema import Column, Schema
        >>> table, schema = pl.DataFrame({"a": ["x", "y"]}), Schema(columns={"a": Column(values=("x", "y"))})
        >>> release = RandomizedResponse(epsilon=50).anonymize(People(table, table, schema), np.random.default_rng(0))
        >>> sorted(release.published["a"])
        ['x', 'y']

    Reference:
        Kairouz, Oh, Viswanath: Extremal mechanisms for local differential privacy. 2016.
    """

    epsilon: Annotated[float, Above(0)] = 1.0
    bins: Annotated[int, AtLeast(2)] = 10

    @classmethod
    def variants(cls, original: People) -> list[RandomizedResponse]:
        return [cls(epsilon=epsilon) for epsilon in (2.0, 8.0, 32.0)]

    @property
    def budget(self) -> tuple[float, float]:
        return self.epsilon, 0.0

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        domain = Domain.of(original, self.bins)
        codes = domain.codes(original.members)
        odds = np.exp(min(self.epsilon / len(domain.sizes), 700.0))
        for place, size in enumerate(domain.sizes):
            if size == 1:
                continue
            drawn = rng.integers(0, size - 1, codes.shape[0])
            others = drawn + (drawn >= codes[:, place])
            keep = rng.random(codes.shape[0]) < odds / (odds + size - 1)
            codes[:, place] = np.where(keep, codes[:, place], others)
        return Release.shuffled(original, domain.table(codes, rng), rng)
