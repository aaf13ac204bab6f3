"""Record matching: sums over matchings compared with brute force, and what it finds where equal values are gone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import permutations
from math import erf, log, sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.history.anonymize.noise import Noise
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.attack import _records
from icefire.history.attack._amounts import Amounts
from icefire.history.attack._matchings import Pairs, matchings
from icefire.history.attack._records import DUMMIES, SPREAD, RecordFacets
from icefire.history.attack.evidence import Evidence
from icefire.history.attack.log_likelihood import LogLikelihood
from icefire.history.attack.posterior import Posterior
from icefire.history.attack.record_count import RecordCount
from icefire.history.attack.record_matching import RecordMatching
from icefire.history.attack.tf_idf import TfIdf
from icefire.history.data import NONE, History, Release
from icefire.history.examples import example, records
from icefire.history.roles import Attack
from icefire.history.safety.month_matching import MonthMatching
from icefire.history.schema import Schema

Rng = np.random.default_rng


def sum_over_matchings(odds: np.ndarray, spare: np.ndarray) -> float:
    """Over all ways to give each row a column of its own, or none."""
    height, width = odds.shape
    total = 0.0
    for chosen in set(permutations([*range(width), *[NONE] * height], height)):
        total += float(np.prod([spare[row] if at == NONE else odds[row, at] for row, at in enumerate(chosen)]))
    return total


def all_pairs(height: int, width: int, row_groups: Sequence[int], column_groups: Sequence[int]) -> Pairs:
    rows, columns = (side.ravel() for side in np.indices((height, width)))
    return Pairs(rows, columns, np.array(row_groups), np.array(column_groups))


@given(st.integers(0, 10_000))
def test_sums_over_matchings_agree_with_brute_force(seed: int) -> None:
    rng = Rng(seed)
    odds, spare = rng.exponential(1.0, (4, 5)), rng.exponential(0.3, 4)
    # Rows 0 and 1, and 2 and 3, belong together, and so do columns 0 to 2 and 3 to 4.
    pairs = all_pairs(4, 5, [0, 0, 1, 1], [0, 0, 0, 1, 1])
    sums, chance = matchings(pairs, np.log(odds).ravel(), np.log(spare), rounds=60)
    for i, rows in enumerate(([0, 1], [2, 3])):
        for j, columns in enumerate(([0, 1, 2], [3, 4])):
            exact = log(sum_over_matchings(odds[np.ix_(rows, columns)], spare[rows]))
            # Bethe's approximation is a lower bound, and off by a factor of at most sqrt(2) for each row.
            assert exact - log(2.0) / 2 * len(rows) - 1e-6 <= sums[i, j] <= exact + 1e-6
            assert chance.reshape(4, 5)[np.ix_(rows, columns)].sum(axis=1).max() <= 1 + 1e-9


def test_a_single_row_is_exact() -> None:
    odds = np.array([[2.0, 3.0, 4.0]])
    sums, chance = matchings(all_pairs(1, 3, [0], [0, 0, 0]), np.log(odds).ravel(), np.log([1.0]), rounds=2)
    assert np.exp(sums[0, 0]) == pytest.approx(10)
    assert chance.tolist() == pytest.approx([0.2, 0.3, 0.4])


def test_nothing_to_compare() -> None:
    empty = np.zeros(0, dtype=np.int64)
    sums, chance = matchings(
        Pairs(empty, empty, np.zeros(2, int), np.zeros(3, int)), np.zeros(0), np.log([0.5, 0.5]), 3
    )
    assert np.exp(sums).tolist() == [[pytest.approx(0.25)]]
    assert chance.size == 0


def test_pair_scores_agree_with_brute_force() -> None:
    """In the first round, with the beliefs to begin with: half of the records deleted, spread 0.5, few dummies."""
    bought = [("ann", 2.0, 1), ("ann", 8.0, 6), ("bob", 3.0, 2), ("bob", 5.0, 12)]
    shown = [("1", 2.5, 1), ("1", 6.0, 5)]
    known = records(*(f"{user} 2011-01-03 tea {price} {number}" for user, price, number in bought))
    published = records(*(f"{user} 2011-01-03 tea {price} {number}" for user, price, number in shown))
    facets = RecordFacets(published, known, drop_dummies=False, rounds=1, invoices=True, habits=False)
    _, _, scores = facets.scores[0]

    def normal(x: float) -> float:
        return (1 + erf(x / sqrt(2))) / 2

    def likelihood(cell: float, value: float, step: float) -> float:
        low = -np.inf if cell <= step else log(cell - step / 2)
        return normal((log(cell + step / 2) - log(value)) / SPREAD) - normal((low - log(value)) / SPREAD)

    cells = np.array([[likelihood(p, q, 0.1) * likelihood(n, m, 1) for _, q, m in bought] for _, p, n in shown])
    # Half of the records are kept: odds of 1. The dates of all are the same.
    odds = cells / cells.mean(axis=1, keepdims=True)
    spare = np.full(2, DUMMIES * 2)
    exact = [log(sum_over_matchings(odds[:, at], spare)) for at in ([0, 1], [2, 3])]
    # Each sum is approximated within a factor of 2 (see above); on these numbers within 10%.
    assert scores[0, 0] - scores[0, 1] == pytest.approx(exact[0] - exact[1], abs=0.1)


def test_records_of_an_invoice_stay_together() -> None:
    """Both customers have tea, cup, pen and ink; only ann has tea and cup on one invoice."""
    columns = ["user", "invoice", "date", "item"]
    rows = [("ann", "a", "tea"), ("ann", "a", "cup"), ("ann", "b", "pen"), ("ann", "b", "ink")]
    rows += [("bob", "c", "tea"), ("bob", "c", "pen"), ("bob", "d", "cup"), ("bob", "d", "ink")]
    day = date(2011, 1, 3)

    def history(rows: list[tuple[str, str, str]]) -> History:
        return History(pl.DataFrame([(u, v, day, i) for u, v, i in rows], schema=columns, orient="row"))

    published = history([("1", "x", "tea"), ("1", "x", "cup"), ("2", "y", "cup"), ("2", "y", "ink")])
    for seed in range(5):
        guess = RecordMatching().attack(published, history(rows), Rng(seed))
        assert guess.table.tolist() == [[0], [1]]


def released(original: History, *steps: str) -> Release:
    registry = Registry()
    made = Pipeline(tuple(registry.make("history", "anonymize", step) for step in steps))
    release: Release = made.anonymize(original, Rng(1))
    return release


def found(release: Release, attack: Attack) -> float:
    guess = attack.attack(release.published, release.original, Rng(2))
    return MonthMatching().measure(release, guess).value


DEFENCES = {
    "noise": (
        "delete_records(share=0.9)",
        "generalize(item=2, date=period, time=drop)",
        "noise(price=0.5, quantity=1)",
        "pseudonyms",
    ),
    "shift": (
        "delete_records(share=0.9)",
        "shift_dates(days=10)",
        "generalize(item=1, time=drop)",
        "noise(price=0.3, quantity=0.5)",
        "pseudonyms",
    ),
}


@pytest.mark.parametrize("name", DEFENCES)
def test_finds_far_more_than_attacks_by_equal_values(name: str) -> None:
    original = Registry().make("history", "dataset", "purchases(n=80)").generate(Rng(0))
    release = released(original, *DEFENCES[name])
    others = [Evidence(assign="assignment"), LogLikelihood(assign="assignment"), TfIdf(assign="assignment")]
    best = max(found(release, attack) for attack in (*others, Posterior(), RecordCount()))
    assert found(release, RecordMatching()) > max(0.45, best + 0.3)


def test_numbers_of_records_tell_people_apart_where_nothing_else_does() -> None:
    original = Registry().make("history", "dataset", "purchases(n=60)").generate(Rng(0))
    release = released(original, "generalize(item=1, date=period, time=drop, price=1, quantity=1)", "pseudonyms")
    assert found(release, RecordMatching()) > 0.8


def test_pseudonyms_of_several_periods_add_up_their_evidence() -> None:
    original = example(60, 12)
    steps = "delete_records(share=0.8)", "generalize(item=1, date=period)", "noise(price=0.5, quantity=1)"
    release = released(original, *steps)
    together, alone = (found(release, RecordMatching(link=link)) for link in (True, False))
    assert together > alone


def test_few_known_records_of_each_customer() -> None:
    original = example(60, 12)
    release = Pseudonyms(window=None).anonymize(original, Rng(1))
    for habits in (False, True):
        assert found(release, RecordMatching(records=3, habits=habits)) > 0.8


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    original = example(20, 3)
    monkeypatch.setattr(_records, "MOST", 10)
    with pytest.raises(Undefined, match="too many to compare"):
        RecordMatching().attack(original, original, Rng(0))


def test_periods_of_a_day_leave_no_room_for_shifts() -> None:
    schema = Schema(periods="day")
    known = History(records("ann 2011-01-03 tea", "bob 2011-01-03 cup", "bob 2011-01-04 tea").frame, schema)
    published = History(records("1 2011-01-03 cup", "2 2011-01-03 tea", "3 2011-01-04 tea").frame, schema)
    assert RecordMatching().attack(published, known, Rng(0)).table.tolist() == [[1, NONE], [0, 2]]


@pytest.mark.parametrize("spread", [0.001, 0.1, 0.5, 1.0])
def test_the_spread_of_noise_is_found(spread: float) -> None:
    known = records(*["ann 2011-01-03 tea 20 12", "ann 2011-01-03 tea 3 1"] * 300)
    published = Noise(price=spread, quantity=spread).anonymize(known, Rng(0))
    for name in ("price", "quantity"):
        amounts = Amounts.of(published.published, known, name)
        fitted = amounts.likeliest(amounts.published, amounts.known[published.rows], np.ones(known.height))
        assert fitted == spread or (spread < 0.01 and fitted < 0.01)


def test_nothing_but_pseudonyms() -> None:
    assert found(released(example(40, 6), "pseudonyms"), RecordMatching()) > 0.99


def test_portions_give_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    original = example(30, 12)
    release = released(original, "generalize(item=1)", "noise(price=0.3)")

    def scores() -> dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        return RecordFacets(
            release.published, original, drop_dummies=False, rounds=1, invoices=True, habits=False
        ).scores

    whole = scores()
    monkeypatch.setattr(_records, "PORTION", 50)
    for period, parts in scores().items():
        for one, other in zip(parts, whole[period], strict=True):
            assert np.allclose(one, other)
