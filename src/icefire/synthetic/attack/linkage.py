"""Links two data sets through the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.encoding import points
from icefire.synthetic.nearest import nearest
from icefire.synthetic.roles import LinkageAttack


@dataclass(frozen=True)
class Linkage(LinkageAttack):
    """Link rows of two data sets, each with one half of the columns, if they are nearest to the same released row.

    Parameters:
        k: number of nearest rows of each half that are compared.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> from icefire.synthetic.hits import linked
        >>> people = People(pl.DataFrame({"a": [1, 9], "b": [5, 3]}), pl.DataFrame({"a": [2, 8], "b": [3, 5]}))
        >>> guess = Linkage().attack(people.members, people.known("halves"), np.random.default_rng(0))
        >>> bool((linked(guess) == people.membership).all())
        True

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. 2022.
    """

    k: Annotated[int, AtLeast(1)] = 1

    @classmethod
    def variants(cls, published: pl.DataFrame, knowledge: Knowledge) -> list[Linkage]:
        return [cls(k=k) for k in (1, 10) if k <= published.height]

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        left, right = knowledge.halves
        if not right:
            raise Undefined("there is one column alone, which cannot lie in two data sets")
        rows = [nearest(points([knowledge.table, published], names), self.k)[1] for names in (left, right)]
        return Guess(links=(rows[0], rows[1]))
