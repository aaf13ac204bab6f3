"""Metrics of synthetic tables, by hand and against slow, obvious code."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from icefire.cli.main import icefire
from icefire.core.errors import Undefined
from icefire.core.intervals import difference, excess, wilson
from icefire.synthetic.data import Condition, Guess, People, Release, Schema
from icefire.synthetic.ranking import Roc, area
from icefire.synthetic.safety.attribute_advantage import AttributeAdvantage
from icefire.synthetic.safety.auc import Auc
from icefire.synthetic.safety.linkability import Linkability
from icefire.synthetic.safety.membership_advantage import MembershipAdvantage
from icefire.synthetic.safety.singling_out import SinglingOut
from icefire.synthetic.safety.true_positive_rate import TruePositiveRate


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=2, max_size=6))
def test_ties_count_with_their_expectation(candidates: list[tuple[int, bool]]) -> None:
    scores, members = np.array([score for score, _ in candidates], float), np.array([m for _, m in candidates])
    if members.all() or not members.any():
        return
    number, others = int(members.sum()), int((~members).sum())
    # Every order in which nobody comes before somebody more suspicious.
    orders = [o for o in permutations(range(members.size)) if all(scores[a] >= scores[b] for a, b in pairwise(o))]
    named = [sum(members[list(order[:number])]) for order in orders]
    expected = float(np.mean(named))
    curve = Roc.of(scores, members)
    assert curve.named()[0] == pytest.approx(expected)
    assert curve.advantage()[0] == pytest.approx(expected / number - (number - expected) / others)
    pairs = [(a > b) + (a == b) / 2 for a in scores[members] for b in scores[~members]]
    assert area(scores, members)[0] == pytest.approx(float(np.mean(pairs)))


def test_true_positives_at_a_share_of_false_ones_by_hand() -> None:
    # From the most suspicious: member, member, other, (member, other), other, other.
    scores = np.array([9.0, 8.0, 7.0, 6.0, 6.0, 5.0, 4.0])
    members = np.array([True, True, False, True, False, False, False])
    curve = Roc.of(scores, members)
    assert curve.at(0.0) == pytest.approx(2 / 3)
    assert curve.at(0.25) == pytest.approx(2 / 3)
    assert curve.at(0.375) == pytest.approx(5 / 6)
    assert curve.at(1.0) == 1.0


def test_delong_by_its_definition() -> None:
    rng = np.random.default_rng(1)
    members = np.arange(60) < 25
    scores = rng.normal(size=60) + members
    placed = [np.mean([(a > b) + (a == b) / 2 for b in scores[~members]]) for a in scores[members]]
    beaten = [np.mean([(a > b) + (a == b) / 2 for a in scores[members]]) for b in scores[~members]]
    error = np.sqrt(np.var(placed, ddof=1) / 25 + np.var(beaten, ddof=1) / 35)
    value, interval = area(scores, members)
    assert interval.high - value == pytest.approx(1.959964 * error)


@pytest.mark.parametrize(("p", "q"), [(0.3, 0.1), (0.1, 0.1), (0.9, 0.5)])
def test_intervals_cover_the_truth_as_often_as_they_say(p: float, q: float) -> None:
    rng = np.random.default_rng(0)
    inside = {"excess": 0, "difference": 0}
    for _ in range(2000):
        hits, others = rng.binomial(120, p), rng.binomial(80, q)
        found = excess(hits, 120, others, 80)[1]
        inside["excess"] += found.low <= (p - q) / (1 - q) <= found.high
        gap = difference(hits, 120, others, 80)
        inside["difference"] += gap.low <= p - q <= gap.high
    assert all(0.935 <= count / 2000 <= 0.975 for count in inside.values()), inside


def test_excess_at_the_ends() -> None:
    assert excess(10, 10, 0, 10)[0] == 1.0
    assert excess(5, 10, 10, 10) == (0.0, excess(10, 10, 10, 10)[1])
    value, interval = excess(0, 50, 0, 50)
    assert (value, interval.low < 0 < interval.high) == (0.0, True)
    # Without any doubt about the control group, it is Wilson's interval.
    assert excess(30, 100, 0, 10**9)[1].high == pytest.approx(wilson(30, 100).high, abs=1e-6)


PEOPLE = People(
    pl.DataFrame({"a": [1, 2, 3, 4], "b": ["x", "y", "x", "y"], "pay": [100, 200, 300, 0]}),
    pl.DataFrame({"a": [5, 6], "b": ["x", "x"], "pay": [100, 100]}),
    Schema(hidden=["b", "pay"]),
)
RELEASE = Release(PEOPLE, PEOPLE.members)


def _told(rows: dict[int, object]) -> list[object]:
    """Values by the column a, in the order of the candidates."""
    return [rows[a] for a in PEOPLE.candidates["a"]]


def test_attribute_advantage_by_hand() -> None:
    b = _told({1: "x", 2: "y", 3: "x", 4: "x", 5: "x", 6: "y"})
    # 104 is within 5% of 100, 220 is not of 200; nothing but 0 is within 5% of 0.
    pay = _told({1: 104.0, 2: 220.0, 3: 300.0, 4: 0.001, 5: 999.0, 6: 999.0})
    score = AttributeAdvantage().measure(RELEASE, Guess(values=pl.DataFrame({"b": b, "pay": pay})))
    assert score.by_column() == {"b": pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2)), "pay": pytest.approx(1 / 2)}
    assert (score.detail["members"], score.detail["others"]) in ((0.75, 0.5), (0.5, 0.0))
    with pytest.raises(Undefined, match="does not say what 'pay' is"):
        AttributeAdvantage().measure(RELEASE, Guess(values=pl.DataFrame({"b": b})))


def test_linkability_by_hand() -> None:
    left = np.array(_told({1: [0, 1], 2: [1, 2], 3: [2, 3], 4: [0, 1], 5: [0, 1], 6: [2, 3]}))
    right = np.array(_told({1: [1, 3], 2: [0, 3], 3: [3, 0], 4: [0, 2], 5: [3, 2], 6: [0, 2]}))
    score = Linkability().measure(RELEASE, Guess(links=(left, right)))
    assert (score.detail["members"], score.detail["others"]) == (3 / 4, 1 / 2)
    assert score.value == pytest.approx(1 / 2)


def test_singling_out_compares_as_many_members_as_others() -> None:
    alone = Guess(predicates=tuple((Condition("a", "=", float(a)),) for a in range(1, 7)))
    score = SinglingOut().measure(RELEASE, alone)
    # Two members are looked at, because there are two others.
    assert (score.detail["members"], score.detail["others"]) == (2 / 6, 2 / 6)
    assert score.detail.keys() <= {"members", "others", "rarest tenth", "interval of the rarest tenth"}
    everybody = Guess(predicates=((Condition("a", ">=", 0.0),),))
    detail = SinglingOut().measure(RELEASE, everybody).detail
    assert (detail["members"], detail["others"]) == (0.0, 0.0)
    with pytest.raises(Undefined, match="no predicate"):
        SinglingOut().measure(RELEASE, Guess(predicates=()))


def test_the_rarest_tenth_by_hand() -> None:
    """Twenty people, of whom two hold values that nobody else has: one is a member, one is not."""
    people = People(
        pl.DataFrame({"a": ["x"] * 9 + ["odd"], "b": ["u"] * 9 + ["strange"]}),
        pl.DataFrame({"a": ["x"] * 9 + ["rare"], "b": ["u"] * 9 + ["weird"]}),
    )
    release, rare = Release(people, people.members), people.candidates["a"].is_in(["odd", "rare"]).to_numpy()
    assert people.rare.tolist() == rare.tolist()
    named = np.where(rare & people.membership, 2.0, np.where(rare, 1.0, 0.0))
    for metric in (MembershipAdvantage(), TruePositiveRate(), Auc()):
        detail = metric.measure(release, Guess(confidence=named)).detail
        assert detail["rarest tenth"] == 1.0
        match detail["interval of the rarest tenth"]:
            case [float() as low, float() as high]:
                assert low < 1.0 <= high
            case other:
                raise AssertionError(other)
    # Of ten who are named, one odd member, one rare other, and eight of eighteen who look alike, half of them members.
    assert MembershipAdvantage().measure(release, Guess(confidence=named)).value == pytest.approx(0.0)
    hits = Guess(predicates=((Condition("a", "=", "odd"),), (Condition("a", "=", "x"),)))
    assert SinglingOut().measure(release, hits).detail["rarest tenth"] == 1.0
    both = Guess(predicates=((Condition("a", "=", "odd"),), (Condition("b", "=", "weird"),)))
    assert SinglingOut().measure(release, both).detail["rarest tenth"] == 0.0


def test_metrics_of_other_questions_are_undefined() -> None:
    nothing = Guess(confidence=np.zeros(6))
    for metric in (AttributeAdvantage(), Linkability(), SinglingOut()):
        with pytest.raises(Undefined):
            metric.measure(RELEASE, nothing)
    for other in (MembershipAdvantage(), TruePositiveRate()):
        with pytest.raises(Undefined, match="who is a member"):
            other.measure(RELEASE, Guess(predicates=()))


def test_the_usual_people_are_a_cohort(tmp_path: Path) -> None:
    result = CliRunner().invoke(icefire, ["data", "synthetic", "--n", "20", "--out", str(tmp_path / "data")])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("cohort(n=20)")
