"""Rows of random digits: a public part and a secret one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import People, Schema
from icefire.synthetic.roles import Dataset
from icefire.synthetic.schema import Column


@dataclass(frozen=True)
class Digits(Dataset):
    """Rows of random digits, of which the first columns are public and the last ones secret.

    Parameters:
        n: number of rows.
        public: number of public columns.
        secret: number of secret columns.

    Example:
        >>> import numpy as np
        >>> Digits(n=20).generate(np.random.default_rng(0))
        People(20 members, 1 others, 16 columns)

    Reference:
        The shape of the data of PWSCUP 2023.
    """

    n: Annotated[int, AtLeast(1)] = 1000
    public: Annotated[int, AtLeast(1)] = 6
    secret: Annotated[int, AtLeast(1)] = 10

    def generate(self, rng: np.random.Generator) -> People:
        names = [f"p{place}" for place in range(1, self.public + 1)] + [
            f"r{place}" for place in range(1, self.secret + 1)
        ]
        cells = rng.integers(0, 10, (self.n + 1, len(names)))
        table = pl.DataFrame({name: cells[:, place] for place, name in enumerate(names)})
        schema = Schema(tuple(names[self.public :]), {name: Column(low=0, high=9) for name in names})
        return People(table[: self.n], table[self.n :], schema)
