"""Columns apart from each other, with differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from icefire.core.parameters import Above, AtLeast
from icefire.synthetic.data import People, Release
from icefire.synthetic.domain import Domain
from icefire.synthetic.encoding import BINS
from icefire.synthetic.privacy import laplace
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class NoisyMarginals(Anonymizer):
    """Draw every column by itself from counts with Laplace noise (differential privacy).

    The domain of each column comes from schema.toml, the number of rows is public, and the budget is shared evenly.

    Parameters:
        epsilon: the budget for tables that differ in one row.
        bins: number of bins of a numeric column.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.schema import Column, Schema
        >>> table, schema = pl.DataFrame({"a": ["x", "y"]}), Schema(columns={"a": Column(values=("x", "y"))})
        >>> release = NoisyMarginals(epsilon=5).anonymize(People(table, table, schema), np.random.default_rng(0))
        >>> release.published.shape
        (2, 1)

    Reference:
        Dwork, McSherry, Nissim, Smith: Calibrating noise to sensitivity in private data analysis. 2006.
    """

    epsilon: Annotated[float, Above(0)] = 1.0
    bins: Annotated[int, AtLeast(2)] = BINS

    @classmethod
    def variants(cls, original: People) -> list[NoisyMarginals]:
        return [cls(epsilon=epsilon) for epsilon in (0.5, 2.0, 8.0)]

    @property
    def budget(self) -> tuple[float, float]:
        return self.epsilon, 0.0

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        domain = Domain.of(original, self.bins)
        codes, drawn = domain.codes(original.members), []
        for place, size in enumerate(domain.sizes):
            counts = np.bincount(codes[:, place], minlength=size).astype(np.float64)
            noisy = np.maximum(laplace(counts, self.epsilon / len(domain.sizes), rng), 0.0)
            chances = noisy / noisy.sum() if noisy.sum() > 0 else np.full(size, 1.0 / size)
            drawn.append(rng.choice(size, original.people, p=chances))
        return Release.shuffled(original, domain.table(np.stack(drawn, axis=1).astype(np.int32), rng), rng)
