"""Singles people out by one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Floats, Guess, Ints, Knowledge
from icefire.synthetic.predicates import COMPARISONS, Cells, Conditions
from icefire.synthetic.roles import SinglingOutAttack


@dataclass(frozen=True)
class Univariate(SinglingOutAttack):
    """Predicates of one column that one released row fulfils: a value that occurs once, the least, the greatest, a gap.

    Parameters:
        predicates: how many; all if there are fewer.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> people = People(pl.DataFrame({"a": ["x", "y", "y"], "b": [1, 1, 2]}), pl.DataFrame({"a": ["y"], "b": [1]}))
        >>> guess = Univariate().attack(people.members, people.known("release"), np.random.default_rng(0))
        >>> sorted(f"{only.column} {only.comparison} {only.value}" for (only,) in guess.predicates)
        ['a = x', 'b = 2.0', 'b >= 2.0']

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. 2022.
    """

    predicates: Annotated[int, AtLeast(1)] = 500

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        cells = Cells(published.unique(maintain_order=True))
        parts = [_conditions(cells.numbers[place], name in cells.texts) for place, name in enumerate(published.columns)]
        columns = np.repeat(np.arange(len(parts)), [values.size for _, values in parts])
        comparisons, values = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
        chosen = rng.permutation(columns.size)[: self.predicates, None]
        conditions = Conditions.together(columns[chosen], comparisons[chosen], values[chosen])
        return Guess(predicates=cells.written(conditions))


def _conditions(numbers: Floats, texts: bool) -> tuple[Ints, Floats]:
    """Comparisons that one row alone fulfils, as numbers, and the values to compare with."""
    there = np.sort(numbers[~np.isnan(numbers)])
    first = np.append(True, there[1:] != there[:-1])[: there.size]
    once = there[first & np.append(first[1:], True)[: there.size]]
    ends = [("<=", there[0]), (">=", there[-1])] if once.size and not texts else []
    # The least number is met alone if it occurs once, and so is the greatest.
    more = [(comparison, value) for comparison, value in ends if value in (once[0], once[-1])]
    more += [("missing", 0.0)] if numbers.size - there.size == 1 else []
    ways = [COMPARISONS.index(comparison) for comparison, _ in more]
    equal = np.full(once.size, COMPARISONS.index("="))
    return np.append(equal, np.array(ways, dtype=np.int64)), np.append(once, [value for _, value in more])
