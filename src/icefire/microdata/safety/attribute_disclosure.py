r"""Attribute disclosure by an inference attack.

    disclosed(v) = 1 / |H_v|  sum_{i in H_v} [i certain] news(b_i)
    news(b)      = 1 for b <= 1/2, 0 for b >= 2/3, linear between

H_v are the people whose value is v, the holders. A person is certain if the attack names the value with a confidence of at
least 90%, rightly, and if at least 90% of all people of whom it says so hold it: the confidence is checked, not believed.
b is the baseline, the probability of that value by what the release says of everybody else.

Score     the largest disclosed(v) over values and columns
columns   sensitive ones; one that says in other words what a known column says discloses nothing
amounts   the holders of a value are those in the same tenth of the amounts
rare      values with fewer than 10 holders are pooled, or one lucky guess would count as 100%
protect   values of the schema that count by themselves, with news = 1
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.certainty import CERTAIN, news, surest
from icefire.core.documents import JsonObject
from icefire.core.errors import DataError, Undefined
from icefire.core.intervals import wilson
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.beliefs import TENTHS, value_groups
from icefire.microdata.cells import as_text
from icefire.microdata.data import Microdata, Release
from icefire.microdata.hierarchy import value_text
from icefire.microdata.inferences import Inference
from icefire.microdata.roles import InferenceSafety
from icefire.microdata.schema import TOLERANCE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
HOLDERS = 10
"""Values with fewer holders are pooled."""
POOLED = "rare values"
GROUP = 0.1
"""Largest share of the people whom a published label may stand for to disclose the value of one of them."""


@dataclass(frozen=True)
class AttributeDisclosure(InferenceSafety):
    """Share of the holders of a value of whom it becomes certain by the release; the worst value of all hidden columns.

    What could be said of them without their rows is no harm done by the release and does not count (baseline).

    Example:
        Both ill men are known to be ill. Of the women, nobody is sure.

        >>> import polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = pl.DataFrame({"sex": list("ffffmm"), "ill": ["no", "yes", "no", "no", "yes", "yes"]})
        >>> table = Microdata(people, Schema(qi=["sex"], sa=["ill"]))
        >>> release = Release(table, table, np.arange(6))
        >>> guess = Inference({"ill": pl.Series([None] * 4 + ["yes"] * 2)}, {"ill": np.array([0.0] * 4 + [1.0] * 2)})
        >>> score = AttributeDisclosure().measure(release, guess)
        >>> round(score.value, 3), score.detail["column"], score.detail["certain"], score.detail["holders"]
        (0.333, 'ill', 2, 6)

    Reference:
        Machanavajjhala et al.: l-diversity (2007), positive disclosure. Giomi et al.: A unified framework for quantifying
        privacy risk in synthetic data (2023), for the difference from what is known of others.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    needs_guess: ClassVar[bool] = True
    judges: ClassVar[type] = Inference

    def measure(self, release: Release, guess: Inference | None = None) -> Score:
        if guess is None:
            raise DataError("attribute disclosure is measured on inferred values: give an inference")
        names = [name for name in guess.values if name in release.original.sa]
        if not names:
            raise Undefined("no sensitive column was published that the attacker does not know")
        disclosures = [found for name in names for found in _disclosures(release, guess, name)]
        if not disclosures:
            raise Undefined("nobody has a value in the hidden columns")
        worst = max(disclosures, key=lambda found: (found.share, found.holders))
        columns: JsonObject = {}
        for found in disclosures:
            before = columns.get(found.column, 0.0)
            assert isinstance(before, float)
            columns[found.column] = max(before, found.share)
        detail: JsonObject = {
            "column": worst.column,
            "value": worst.value,
            "holders": worst.holders,
            "certain": worst.certain,
            "baseline": worst.certain / worst.holders - worst.share,
            "by column": columns,
        }
        if guess.people is not None:
            detail["people sampled"] = int(guess.people.size)
        return self.score(worst.share, wilson(worst.share * worst.holders, worst.holders), float(worst.certain), detail)


@dataclass(frozen=True)
class _Disclosure:
    """What is disclosed of the holders of a value."""

    column: str
    value: str
    holders: int
    certain: int
    news: float

    @property
    def share(self) -> float:
        return self.news / self.holders


def _disclosures(release: Release, guess: Inference, name: str) -> Iterator[_Disclosure]:
    original = release.original
    people = np.arange(original.height) if guess.people is None else guess.people
    truth = original.codes(name)[people]
    domain = original.domain(name)
    strata, labels = _strata(release, name)
    right = _right(release, guess, name, people)
    stated = np.asarray(guess.confidence[name]) >= CERTAIN - 1e-9
    claimed = _claimed_strata(release, guess, name, strata, truth, right)
    certain = right & surest(stated, right, claimed, np.asarray(guess.confidence[name]))
    baseline = guess.baseline.get(name)
    if baseline is None:
        baseline = (domain.counts[truth] - 1) / max(1, original.height - 1)
    if any(_same_values(original, name, other) for other in guess.known if other in original.schema.names):
        baseline = np.ones(truth.size)
    new = news(baseline)
    protected = {domain.texts.index(text) for text in original.schema.column(name).protect if text in domain.texts}
    is_protected = np.isin(truth, list(protected))
    stratum = np.where(is_protected, len(labels) + truth, strata[truth])
    names = {**dict(enumerate(labels)), **{len(labels) + code: domain.texts[code] for code in protected}}
    new = np.where(is_protected, 1.0, new)
    holders = np.bincount(stratum, minlength=1)
    rare = (holders < HOLDERS) & (np.arange(holders.size) < len(labels))
    pooled = np.where(rare[stratum], -1, stratum)
    for value in np.unique(pooled).tolist():
        mine = pooled == value
        label = names[value] if value >= 0 else names[int(stratum[mine][0])] if _only_one(stratum[mine]) else POOLED
        sure = mine & certain
        yield _Disclosure(name, label, int(mine.sum()), int(sure.sum()), float(new[sure].sum()))


def _same_values(original: Microdata, name: str, other: str) -> bool:
    """Whether two columns say the same in other words, value by value, as an education and its number do."""
    codes, others = original.codes(name), original.codes(other)
    pairs = np.unique(codes * (int(others.max(initial=0)) + 1) + others).size
    return pairs == np.unique(codes).size == np.unique(others).size and pairs > 1


def _only_one(strata: Ints) -> bool:
    return bool((strata == strata[0]).all())


def _strata(release: Release, name: str) -> tuple[Ints, list[str]]:
    """[value]: whose holders are counted together, and what they are called; tenths of an amount."""
    domain = release.original.domain(name)
    if not release.original.is_numeric(name) or domain.positions.size <= TENTHS:
        texts = ["missing" if value is None else text for value, text in zip(domain.values, domain.texts, strict=True)]
        return np.arange(len(texts)), texts
    tenths = value_groups(domain, numeric=True)
    labels = []
    for tenth in range(int(tenths[: domain.positions.size].max()) + 1):
        inside = domain.positions[tenths[: domain.positions.size] == tenth]
        low, high = value_text(float(inside[0])), value_text(float(inside[-1]))
        labels.append(low if low == high else f"{low} – {high}")
    return tenths, [*labels, "missing"] if domain.missing else labels


def _right(release: Release, guess: Inference, name: str, people: Ints) -> Flags:
    """[person]: whether the guess holds."""
    original = release.original
    domain, truth = original.domain(name), original.codes(name)[people]
    values = guess.values[name]
    if original.is_numeric(name):
        amounts = np.append(domain.positions, np.nan)[truth]
        stated = values.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
        if name in guess.intervals:
            low, high = guess.intervals[name]
        else:
            tolerance = original.schema.column(name).tolerance or TOLERANCE
            ends = np.stack([stated / (1 + tolerance), stated / (1 - tolerance)])
            low, high = ends.min(axis=0), ends.max(axis=0)
        slack = 1e-9 * np.abs(amounts)
        within = (low - slack <= amounts) & (amounts <= high + slack)
        return np.asarray(within | (np.isnan(stated) & np.isnan(amounts) & values.is_null().to_numpy()))
    texts = as_text(values)
    cells = texts.unique()
    right = np.zeros(truth.size, dtype=np.bool_)
    for cell in cells.to_list():
        mine = (texts.is_null() if cell is None else texts == cell).fill_null(False).to_numpy()
        members = domain.members(cell)
        if members.size > 1 and domain.counts[members].sum() > GROUP * original.height:
            continue
        right[mine] = np.isin(truth[mine], members)
    return right


def _claimed_strata(release: Release, guess: Inference, name: str, strata: Ints, truth: Ints, right: Flags) -> Ints:
    """[person]: the group of values of which the guess is one; of a right guess, that of the truth."""
    domain = release.original.domain(name)
    values = guess.values[name]
    if release.original.is_numeric(name):
        stated = values.cast(pl.Float64, strict=False).fill_null(np.inf).to_numpy()
        place = np.searchsorted(domain.positions, stated).clip(0, max(0, len(domain.values) - 1))
    else:
        position = {text: code for code, text in enumerate(domain.texts)}
        place = np.array([position.get(text, 0) for text in as_text(values).fill_null("").to_list()], dtype=np.int64)
    return np.where(right, strata[truth], strata[place])
