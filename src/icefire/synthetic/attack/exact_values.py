"""Whose exact values, alone and in pairs, stand in the release."""

# Let k of N candidates hold a value, and let R rows be released. Were the members half of the candidates, the number of
# released rows with the value would be negative binomial, for somebody who is a member (m = 1) or is not (m = 0) with
#
#     mean      b + c (m + (k - 1) / 2)          c = 2 a R / N
#     variance  mean + c^2 (k - 1) / 4           b = R (f k' + (1 - a - f) e)
#
# a is the share of the released cells that are copies of members' cells, f the share that was drawn afresh from the
# population, of which a share k' holds the value. The rest has it with the chance e: 0 for a single value, the product of both
# shares in the release for a pair. The evidence of a value is the logarithm of the ratio of both likelihoods, and the score of
# a candidate its sum over their values: a rare one that is in the release tells much, a frequent one nothing.
#
# Of cells drawn afresh, a share that is as large as the share of candidates whose value nobody else has is new (Good 1953).
# How many released cells are new therefore binds a and f to each other, and the likelihood chooses among what is left.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import gammaln

from icefire.core.parameters import Between
from icefire.synthetic.data import Floats, Guess, Ints, Knowledge
from icefire.synthetic.encoding import Codes, exact, joined
from icefire.synthetic.roles import Attack

PAIRS = 500
"""Most pairs of columns that are looked at; with more, random ones."""
SHARES = np.linspace(0.0, 1.0, 9)
"""Shares of cells drawn afresh that are tried."""
LEAST = 1e-3
"""Released rows with any value that nothing explains."""


@dataclass(frozen=True)
class ExactValues(Attack):
    """Name those whose rare values, exactly as they are, stand in the release: the sum of the log likelihood ratios.

    Numbers are compared on the grid on which they are published, so that rounding hides nobody whose rounded value is rare. How
    much a column tells depends on how many of its released values are copies. The whole row counts as one more value.

    Parameters:
        order: 1 for single values, 2 for pairs of values, too.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> people = People(pl.DataFrame({"pay": [812.40, 977.15]}), pl.DataFrame({"pay": [640.85, 903.20]}))
        >>> guess = ExactValues().attack(people.members, people.knowledge, np.random.default_rng(0))
        >>> bool((guess.confidence[people.membership] > guess.confidence[~people.membership].max()).all())
        True

    Reference:
        Sankararaman, Obozinski, Jordan, Halperin: Genomic privacy and limits of individual detection in a pool. 2009; Good:
        The population frequencies of species and the estimation of population parameters. 1953.
    """

    order: Annotated[int, Between(1, 2)] = 2

    @classmethod
    def variants(cls, published: pl.DataFrame, knowledge: Knowledge) -> list[ExactValues]:
        return [cls(order=order) for order in (1, 2) if order <= len(knowledge.names)]

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        further = [] if knowledge.reference is None else [knowledge.reference]
        tables = exact([knowledge.table, published, *further], knowledge.names).tables
        total = np.zeros(knowledge.table.height)
        for values in self._sets(tables, rng):
            total += values.evidence()
        return Guess(confidence=total)

    def _sets(self, tables: tuple[Codes, ...], rng: np.random.Generator) -> Iterator[_Values]:
        """Single values, pairs of them, and the whole row."""
        width = tables[0].shape[1]
        ones = [_Values.of([table[:, place] for table in tables]) for place in range(width)]
        yield from ones
        if self.order == 2:
            for first, second in _some(list(combinations(range(width), 2)), rng):
                both = joined([table[:, [first, second]] for table in tables])
                yield _Values.of(both, ones[first].shares * ones[second].shares)
        if width > self.order:
            yield _Values.of(joined(tables))


@dataclass(frozen=True)
class _Values:
    """What is counted of a value (or a pair of values), by candidate who holds it."""

    alike: Ints
    """[candidate]: how many candidates hold the value, this one included."""
    released: Ints
    """[candidate]: how many released rows hold it."""
    usual: Floats
    """[candidate]: the share of the population that holds it."""
    chance: Floats
    """[candidate]: the share of rows of other origin that hold it."""
    rows: int
    """How many rows are released."""
    copied: float
    """The share of the released rows whose value some candidate holds."""

    @classmethod
    def of(cls, codes: Sequence[NDArray[np.integer]], chance: Floats | None = None) -> _Values:
        """From the codes of candidates, released rows and, if there are any, people of the reference sample."""
        size = 1 + max(int(part.max(initial=0)) for part in codes)
        own, released, *further = (np.bincount(part, minlength=size) for part in codes)
        people, asked, rows = sum(further, start=own), codes[0], codes[1].size
        chance = np.zeros(asked.size) if chance is None else chance
        usual = people[asked] / people.sum()
        return cls(own[asked], released[asked], usual, chance, rows, float(released[own > 0].sum() / rows))

    @property
    def shares(self) -> Floats:
        """[candidate]: the share of released rows with the value."""
        return np.asarray(self.released / self.rows)

    def evidence(self) -> Floats:
        """[candidate]: the logarithm of how much more likely it is that a member holds the value than that another does."""
        best, found = -np.inf, np.zeros(self.alike.size)
        for copies, fresh in self._origins():
            inside, outside = (self._likelihood(member, copies, fresh) for member in (1, 0))
            # Each value counts once, whoever holds it.
            fit = float((np.logaddexp(inside, outside) / self.alike).sum())
            if fit > best:
                best, found = fit, inside - outside
        return found

    def _origins(self) -> Iterator[tuple[float, float]]:
        """Shares of cells that are copies, and that are drawn afresh, by which as many cells are new as there are."""
        known = 1.0 - float((self.alike == 1).mean())
        met = float((self.chance / self.alike).sum())
        for fresh in SHARES.tolist():
            copies = (self.copied - fresh * known - (1 - fresh) * met) / max(1 - met, 1e-9)
            if fresh == 0 or 0 <= copies <= 1 - fresh:
                yield min(max(copies, 0.0), 1 - fresh), fresh

    def _likelihood(self, member: int, copies: float, fresh: float) -> Floats:
        """[candidate]: the logarithm of how likely the released number is, but for what does not depend on the member."""
        each = 2 * copies * self.rows / self.alike.size
        others = (self.alike - 1) / 2
        origins = fresh * self.usual + (1 - copies - fresh) * self.chance
        mean = LEAST + self.rows * origins + each * (member + others)
        spread = np.maximum(each**2 * others / 2, 1e-7 * mean**2)
        size = mean**2 / spread
        found = -size * np.log1p(mean / size)
        there = self.released > 0
        number, size, mean = self.released[there], size[there], mean[there]
        found[there] += gammaln(number + size) - gammaln(size) + number * np.log(mean / (size + mean))
        return np.asarray(found)


def _some(pairs: list[tuple[int, int]], rng: np.random.Generator) -> list[tuple[int, int]]:
    if len(pairs) <= PAIRS:
        return pairs
    return [pairs[place] for place in np.sort(rng.permutation(len(pairs))[:PAIRS])]
