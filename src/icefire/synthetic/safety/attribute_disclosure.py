r"""Hidden values that become certain by the release.

    disclosed(v) = (p_v - q_v) / (1 - q_v)
    p_v          = 1 / |M_v|  sum_{i in M_v} [i certain],    q_v the same for the control group

M_v are the members who have the value v, the holders. Somebody is certain if the attack names their value with a confidence of
at least 90%, rightly, and if at least 90% of the members of whom it says so as surely hold it: the confidence is checked, not
believed. An attack that states no confidence is as sure of everybody.

Score     the largest disclosed(v) over values and hidden columns
amounts   the holders of a value are those in the same tenth of the members' amounts
rare      values with fewer than 10 holders are pooled, or one lucky guess would count as 100%
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

from icefire.core.certainty import CERTAIN, surest
from icefire.core.documents import JsonObject
from icefire.core.errors import Undefined
from icefire.core.intervals import excess
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Interval, Scale, Score
from icefire.microdata.beliefs import tenth_edges
from icefire.microdata.hierarchy import value_text
from icefire.synthetic.data import Floats, Guess, Ints, Mask, Release, chance_columns
from icefire.synthetic.hits import TOLERANCE, inferred
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._excess import excess_of, floored
from icefire.synthetic.safety._rarest import of_rarest

HOLDERS = 10
"""Values with fewer holders are pooled."""
POOLED = "rare values"


@dataclass(frozen=True)
class AttributeDisclosure(Safety):
    """Share of the members with a value of whom it becomes certain, beyond the others with that value; the worst value.

    What becomes certain of people who are not in the data is knowledge about the population, which a release may give
    (baseline). `attribute_advantage` counts all guesses that are right, certain or not.

    Parameters:
        tolerance: how far a guessed number may be from the truth, relative to it.

    Example:
        Both ill members are known to be ill, and neither of the others.

        >>> from icefire.synthetic.data import People, Schema
        >>> members = pl.DataFrame({"a": range(12), "ill": ["yes"] * 10 + ["no"] * 2})
        >>> people = People(members, pl.DataFrame({"a": [20, 21], "ill": ["yes"] * 2}), Schema(hidden=["ill"]))
        >>> guess = Guess(values=people.candidates.select(ill=pl.when(pl.col("a") < 10).then(pl.lit("yes"))))
        >>> score = AttributeDisclosure().measure(Release(people, people.members), guess)
        >>> score.value, score.detail["value"], score.detail["certain"], score.detail["holders"]
        (1.0, 'yes', 10, 10)

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. 2023.
        Machanavajjhala et al.: l-diversity: privacy beyond k-anonymity. 2007, positive disclosure.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    tolerance: Annotated[float, AtLeast(0)] = TOLERANCE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        hidden = release.original.schema.hidden
        if not hidden:
            raise Undefined("no column is hidden: name one under hidden in schema.toml")
        statements = {name: _Statements.of(release, guess, name, self.tolerance) for name in hidden}
        number = sum(len(told.labels) for told in statements.values())
        found = [entry for told in statements.values() for entry in told.disclosures(0.05 / number)]
        worst = max(found, key=lambda entry: (entry.value, entry.holders))
        columns: JsonObject = {
            name: max(0.0, *(entry.value for entry in found if entry.column == name)) for name in hidden
        }
        sure, members = statements[worst.column].sure.astype(np.float64), release.original.membership
        detail: JsonObject = {
            "column": worst.column,
            "value": worst.label,
            "holders": worst.holders,
            "certain": worst.certain,
            "baseline": worst.baseline,
            "by column": columns,
        }
        detail |= of_rarest(release.original, lambda rare: excess_of(sure[rare], members[rare]))
        return floored(self, worst.value, worst.interval, float(worst.certain), detail)


@dataclass(frozen=True)
class _Disclosure:
    """What is disclosed of the members with a value."""

    column: str
    label: str
    holders: int
    certain: int
    baseline: float
    value: float
    interval: Interval


@dataclass(frozen=True)
class _Statements:
    """Of whom a hidden value is certain."""

    column: str
    members: Mask
    strata: Ints
    """[candidate]: whose holders are counted together."""
    labels: list[str]
    sure: Mask
    """[candidate]"""

    @classmethod
    def of(cls, release: Release, guess: Guess | None, name: str, tolerance: float) -> _Statements:
        told, confidence = _stated(release, guess, name)
        right = inferred(release, Guess(values=told.to_frame()), name, tolerance) > 0
        members = release.original.membership
        truth = release.original.candidates[name]
        strata, claimed, labels = _groups(truth, told, members)
        claimed = np.where(right, strata, claimed)
        stated = confidence >= CERTAIN - 1e-9
        chosen = surest(stated & members, right, claimed, confidence)
        # As sure as of the least sure of the members counts for the others, too.
        least = np.full(len(labels) + 1, np.inf)
        np.minimum.at(least, claimed[chosen], confidence[chosen])
        return cls(name, members, strata, labels, stated & right & (confidence >= least[claimed]))

    def disclosures(self, error: float) -> Iterator[_Disclosure]:
        """For each value; intervals err with this probability."""
        holders = np.bincount(self.strata[self.members], minlength=len(self.labels))
        rare = holders < HOLDERS
        pooled = np.where(rare[self.strata], -1, self.strata)
        for stratum in np.unique(pooled[self.members]).tolist():
            mine = pooled == stratum
            inside, outside = self.sure[mine & self.members], self.sure[mine & ~self.members]
            # Where nobody of the control group has the value, one who is not certain stands in for them.
            others, control = int(outside.sum()), max(1, outside.size)
            certain = int(inside.sum())
            value, interval = excess(certain, inside.size, others, control, 1 - error)
            alone = stratum < 0 and rare.sum() == 1
            label = self.labels[int(np.flatnonzero(rare)[0])] if alone else POOLED
            label = label if stratum < 0 else self.labels[stratum]
            yield _Disclosure(self.column, label, int(inside.size), certain, others / control, value, interval)


def _stated(release: Release, guess: Guess | None, name: str) -> tuple[pl.Series, Floats]:
    """[candidate]: the value that is said to be theirs, and how sure the attacker is."""
    number = release.original.membership.size
    if guess is not None and guess.values is not None:
        if name in guess.values.columns:
            return guess.values[name], np.ones(number)
        chances = chance_columns(guess.values, name)
        if chances:
            table = guess.values.select(pl.col(list(chances.values())).cast(pl.Float64)).to_numpy()
            texts = pl.Series(name, list(chances), dtype=pl.String)
            return texts.gather(table.argmax(axis=1)), table.max(axis=1)
    raise Undefined(f"the guess does not say what {name!r} is")


def _groups(truth: pl.Series, told: pl.Series, members: Mask) -> tuple[Ints, Ints, list[str]]:
    """[candidate]: the values that count together, of the truth and of what is said; and what they are called."""
    if truth.dtype.is_numeric():
        amounts, counts = np.unique(truth.filter(members).drop_nulls().cast(pl.Float64).to_numpy(), return_counts=True)
        edges = amounts[1:] if amounts.size <= HOLDERS else tenth_edges(amounts, counts)
        ends = np.searchsorted(edges, amounts, side="right")
        labels = [_range(amounts[ends == group]) for group in range(edges.size + 1)] + ["missing"]
        return _tenths(truth, edges), _tenths(told, edges), labels
    texts = pl.concat([truth, told.cast(pl.String)]).unique().drop_nulls().sort()
    codes = [
        side.cast(pl.Enum(texts)).to_physical().cast(pl.Int64).fill_null(len(texts)).to_numpy()
        for side in (truth, told.cast(pl.String))
    ]
    return codes[0], codes[1], [*texts.to_list(), "missing"]


def _tenths(column: pl.Series, edges: Floats) -> Ints:
    """[candidate]: between which edges the amount is; the last group is that of missing ones."""
    places = np.searchsorted(edges, column.cast(pl.Float64).fill_null(0.0).to_numpy(), side="right")
    return np.where(column.is_null().to_numpy(), edges.size + 1, places).astype(np.int64)


def _range(amounts: Floats) -> str:
    if not amounts.size:
        return "–"
    low, high = value_text(float(amounts[0])), value_text(float(amounts[-1]))
    return low if low == high else f"{low} – {high}"
