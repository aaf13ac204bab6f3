r"""What else is learned by somebody who knows some records.

    learned = 1 / |U|  sum_{u in U} 1 / |R_u|  sum_{r in R_u} [r certain] news(b_r)

U are the customers and R_u the original records of u that the attacker did not know. A record is certain if the attack names
its owner with a confidence of at least 90%, rightly, if at least 90% of all such claims are right, and if some of its published
cells hold the true value. b_r is the baseline: the share of the other customers who have such a record in the period, by the
cells that hold. That somebody bought what most others buy is no news.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.certainty import CERTAIN, news, surest
from icefire.core.documents import JsonObject
from icefire.core.errors import Undefined
from icefire.core.intervals import mean_of_sample
from icefire.core.values import BAD_SHARE, Interval, Scale, Score
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.facets import UNKNOWN, Facets
from icefire.history.roles import Safety

PORTION = 2_000
"""Published records whose holders are looked up at a time, where cells stand for several values."""


@dataclass(frozen=True)
class RecordsLearned(Safety):
    """Share of a customer's other records that become theirs with certainty, for somebody who knows some of their records.

    What most customers have bought in the same period is no news and does not count (baseline). Deleted records are not
    learned, and neither are records that say nothing any more.

    Example:
        Of ann's two other records one is claimed with confidence, and rightly.

        >>> from icefire.history.data import Claims
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "ann 2011-01-05 tent", "ann 2011-01-09 cup", "bob 2011-01-04 cup")
        >>> shown = records("1 2011-01-03 tea", "1 2011-01-05 tent", "1 2011-01-09 cup", "2 2011-01-04 cup")
        >>> release = Release(log, shown, [[0], [1]], range(4))
        >>> known = log.only(np.array([True, False, False, True]), complete=False)
        >>> claims = Claims(np.array([0, 0, 0, 1]), np.array([1.0, 0.95, 0.5, 1.0]), known)
        >>> guess = Guess(np.array([[NONE], [NONE]]), np.array([NONE, NONE]), claims=claims)
        >>> RecordsLearned().measure(release, guess).value
        0.5

    Reference:
        de Montjoye, Radaelli, Singh, Pentland: Unique in the shopping mall: on the reidentifiability of credit card metadata.
        2015, for the attacker. Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in
        synthetic data. 2023, for the baseline.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("records learned",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "this metric judges a guess"
        guess.check(release.published, release.original)
        claims, original = guess.claims, release.original
        if claims is None:
            raise Undefined("the guess names pseudonyms and not the owners of records")
        known = known_records(original, claims.knowledge)
        others = np.bincount(original.user_codes[~known], minlength=len(original.users))
        if not others.any():
            raise Undefined("every record is known already: there is nothing to learn")
        genuine = release.rows != NONE
        rows = np.where(genuine, release.rows, 0)
        owners = np.where(genuine, original.user_codes[rows], NONE)
        new = ~(genuine & known[rows])
        right = genuine & (claims.owners == owners)
        stated = new & (claims.owners != NONE) & (claims.confidence >= CERTAIN - 1e-9)
        certain = stated & right & surest(stated, right, np.zeros(right.size, dtype=np.int64), claims.confidence)
        baseline = _baseline(release)
        certain &= ~np.isnan(baseline)
        size = len(original.users)
        sure = np.bincount(owners[certain], minlength=size)
        learned = np.bincount(owners[certain], news(baseline[certain]), minlength=size)
        people = others > 0
        shares = learned[people] / others[people]
        value = float(shares.mean())
        detail: JsonObject = {
            "baseline": float((sure[people] / others[people]).mean()) - value,
            "certain": int(sure.sum()),
            "others": int(others.sum()),
            "customers": int((learned > 0).sum()),
        }
        return self.score(value, _interval(shares), float(learned.sum()), detail)


def _interval(shares: NDArray[np.float64]) -> Interval | None:
    if shares.size < 2:
        return None
    around = mean_of_sample(shares)
    return Interval(max(0.0, around.low), min(1.0, around.high))


def known_records(original: History, knowledge: History) -> NDArray[np.bool_]:
    """[original record]: whether it is among what somebody knows; of equal records, as many as they know."""
    known = np.zeros(original.height, dtype=np.bool_)
    if knowledge.places is not None:
        known[knowledge.places] = True
        return known
    if knowledge.complete:
        return ~known
    columns = [name for name in original.frame.columns if name in knowledge.frame.columns and name != "invoice"]
    number = pl.int_range(pl.len()).over(columns).alias("__number")
    sides = (side.select(columns).with_columns(number) for side in (original.frame, knowledge.frame))
    held = (
        next(sides).with_row_index("__row").join(next(sides), on=[*columns, "__number"], how="semi", nulls_equal=True)
    )
    known[held["__row"].to_numpy()] = True
    return known


def _baseline(release: Release) -> NDArray[np.float64]:
    """[published record]: the share of the other customers who have such a record in the period; NaN if no cell of it holds."""
    facets = Facets(release.published, release.original)
    genuine = np.flatnonzero(release.rows != NONE)
    names = facets.names
    holds = np.zeros((release.published.height, len(names)), dtype=np.bool_)
    for place, name in enumerate(names):
        side, codes = facets.tokens((name,))
        rows = release.rows[side.records]
        hit = (rows != NONE) & (side.codes != UNKNOWN) & (side.codes == codes[rows])
        holds[side.records[hit], place] = True
    found = np.full(release.published.height, np.nan)
    patterns, which = np.unique(holds[genuine], axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        if pattern.any():
            columns = tuple(name for name, held in zip(names, pattern, strict=True) if held)
            records = genuine[which.ravel() == number]
            for portion, share in _shares(facets, columns, records):
                found[portion] = share
    return found


def _shares(facets: Facets, columns: tuple[str, ...], records: Ints) -> Iterator[tuple[Ints, NDArray[np.float64]]]:
    """For portions of published records, the share of the customers but one who have a record that they may stand for."""
    side, codes = facets.tokens(columns)
    periods = len(facets.knowledge.periods)
    held = codes != UNKNOWN
    width = (1 + int(max(side.codes.max(initial=0), codes.max(initial=0)))) * periods
    pairs = np.unique(
        np.stack([codes * periods + facets.knowledge.period_codes, facets.knowledge.user_codes])[:, held], axis=1
    )
    size = len(facets.knowledge.users)
    owners = sparse.csr_array((np.ones(pairs.shape[1]), (pairs[0], pairs[1])), shape=(width, size))
    keys = side.codes * periods + facets.published.period_codes[side.records]
    told = side.codes != UNKNOWN
    shown = sparse.csr_array(
        (np.ones(int(told.sum())), (side.records[told], keys[told])), shape=(facets.published.height, width)
    )
    for begin in range(0, records.size, PORTION):
        portion = records[begin : begin + PORTION]
        have = np.diff(sparse.csr_array(shown[portion] @ owners).indptr)
        yield portion, (have - 1) / max(1, size - 1)
