"""The worked examples of the source documents, and answers computed by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import DataError, Undefined
from icefire.microdata.attack.id_rand import IdRand
from icefire.microdata.attack.id_sa import IdSa
from icefire.microdata.attack.sa21 import Sa21
from icefire.microdata.attack.sort import Sort
from icefire.microdata.data import Guess, Microdata, Release, Schema
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.k_anonymity_mean import KAnonymityMean
from icefire.microdata.safety.re_identification import ReIdentification
from icefire.microdata.safety.yamaoka import Yamaoka
from icefire.microdata.utility.correlation_mae import CorrelationMae
from icefire.microdata.utility.cross_count import CrossCount
from icefire.microdata.utility.cross_mean import CrossMean
from icefire.microdata.utility.information_loss import InformationLoss
from icefire.microdata.utility.mean_mae import MeanMae
from icefire.microdata.utility.odds_ratio import OddsRatio
from icefire.microdata.utility.relative_risk import RelativeRisk
from icefire.microdata.utility.rows_lost import RowsLost
from scores import number

RNG = np.random.default_rng(0)
SCHEMA = Schema(qi=["sex"], sa=["pay"])


def table(sex: Sequence[str | None], pay: Sequence[float]) -> Microdata:
    return Microdata(pl.DataFrame({"sex": sex, "pay": pay}, schema_overrides={"sex": pl.String}), SCHEMA)


def test_k_anonymity_of_table_2() -> None:
    """PWSCUP 2015, table 2: sex x working with 8051, 27, 9 / 127, 101, 18 rows."""
    cells = {("1", "1"): 8051, ("1", "2"): 27, ("1", "V"): 9, ("2", "1"): 127, ("2", "2"): 101, ("2", "V"): 18}
    sex = [key[0] for key, count in cells.items() for _ in range(count)]
    working = [key[1] for key, count in cells.items() for _ in range(count)]
    people = Microdata(pl.DataFrame({"sex": sex, "working": working}), Schema(qi=["sex", "working"]))
    release = Release(people, people, np.arange(8333))
    assert KAnonymity().measure(release).value == 9
    assert KAnonymityMean().measure(release).value == pytest.approx(1388.8, abs=0.05)
    assert KAnonymityMean().measure(release).value == 8333 / 6


def test_re_identification_of_figure_2() -> None:
    """Three rows made from four people; the first guess is wrong."""
    people = table(["f", "m", "f", "m"], [1, 2, 3, 4])
    release = Release(people, people.take([1, 3, 0]), np.array([1, 3, 0]))
    assert ReIdentification().measure(release, Guess(np.array([2, 3, 0]))).value == 2 / 3
    assert ReIdentification().measure(release, Guess(release.rows)).value == 1.0
    with pytest.raises(DataError, match="too short: 2 numbers for 3"):
        ReIdentification().measure(release, Guess(np.array([2, 3])))
    with pytest.raises(DataError, match=r"row 1: 5 is not in 1\.\.4"):
        ReIdentification().measure(release, Guess(np.array([4, 3, 0])))


def test_id_rand_succeeds_once_in_a_class() -> None:
    """Its expected rate is (number of classes) / (number of rows)."""
    people = table(["f"] * 4 + ["m"] * 6, list(range(10)))
    release = Release(people, people, np.arange(10))
    rates = [
        ReIdentification().measure(release, IdRand().attack(people, people, np.random.default_rng(seed))).value
        for seed in range(2000)
    ]
    assert np.mean(rates) == pytest.approx(2 / 10, abs=0.01)


def test_sort_by_hand() -> None:
    original = Microdata(
        pl.DataFrame({"sex": ["f"] * 4, "a": [1, 5, 2, 9], "b": [1, 0, 2, 0]}), Schema(qi=["sex"], sa=["a", "b"])
    )
    # Sums 2, 5, 4, 9: ranks 0, 2, 1, 3. Published sums 10, 3, 4: ranks 2, 0, 1.
    published = Microdata(pl.DataFrame({"sex": ["f"] * 3, "a": [8, 2, 3], "b": [2, 1, 1]}), original.schema)
    assert Sort().attack(published, original, RNG).rows.tolist() == [1, 0, 2]


def test_sa21_stretches_ranks() -> None:
    """floor(r (n-1)/(n'-1)) with n = 7, n' = 4: ranks 0, 1, 2, 3 become 0, 2, 4, 6."""
    original, published = table(["f"] * 7, [0, 1, 2, 3, 4, 5, 6]), table(["f"] * 4, [30, 10, 40, 20])
    assert Sa21().attack(published, original, RNG).rows.tolist() == [4, 0, 6, 2]
    assert Sa21().attack(table(["f"], [3]), original, RNG).rows.tolist() == [0]
    with pytest.raises(Undefined, match="was not published"):
        Sa21("age").attack(published, original, RNG)


def test_id_sa_ties_go_to_the_lowest_row() -> None:
    original = table(["f", "f", "f", "m"], [10, 20, 20, 15])
    published = table(["f", "f", "m", "x"], [15, 20, 99, 19])
    # 15 lies between 10 (row 0) and 20 (rows 1, 2); 20 is rows 1 and 2; nobody is x, so the nearest of all.
    assert IdSa().attack(published, original, RNG).rows.tolist() == [0, 1, 3, 1]


def test_missing_values_are_a_group_like_any_other() -> None:
    original, published = table(["f", None, None], [1, 2, 3]), table([None, None], [2, 7])
    release = Release(original, published, np.array([1, 2]))
    assert CrossCount().measure(original, release).value == (1 + 0) / 2
    assert CrossMean().measure(original, release).value == (1 + 2) / 2
    assert KAnonymity().measure(Release(original, original, np.arange(3))).value == 1
    guess = IdRand().attack(published, original, RNG)
    assert set(guess.rows.tolist()) <= {1, 2}


def test_utility_by_hand() -> None:
    original = Microdata(
        pl.DataFrame(
            {"sex": ["f", "f", "m", "m"], "job": ["a", "b", "a", "b"], "x": [0, 10, 20, 30], "y": [1, 1, 1, 5]}
        ),
        Schema(qi=["sex", "job"], sa=["x", "y"]),
    )
    published = Microdata(
        pl.DataFrame({"sex": ["f", "m", "m"], "job": ["a", "a", "a"], "x": [0, 26, 30], "y": [1, 1, 3]}),
        original.schema,
    )
    release = Release(original, published, np.array([0, 2, 3]))
    assert MeanMae().measure(original, release).value == pytest.approx((abs(15 - 56 / 3) + abs(2 - 5 / 3)) / 2)
    # Groups f-a 0/0, f-b 10/none, m-a 20/28, m-b 30/none.
    assert CrossMean(by=("sex", "job"), of="x").measure(original, release).value == (0 + 10 + 8 + 30) / 4
    assert CrossCount(by=("sex", "job")).measure(original, release).value == (0 + 1 + 1 + 1) / 4
    # sex 0; job 0, 0, 1; x 0, 6/30, 0; y 0, 0, 2/4.
    assert InformationLoss().measure(original, release).value == pytest.approx((0 + 1 / 3 + 0.2 / 3 + 0.5 / 3) / 4)
    assert RowsLost().measure(original, release).value == 1
    before, after = np.corrcoef([0, 10, 20, 30], [1, 1, 1, 5]), np.corrcoef([0, 26, 30], [1, 1, 3])
    assert CorrelationMae().measure(original, release).value == pytest.approx(np.abs(before - after).mean())


def test_generalized_cells_count_at_midpoints_and_averages() -> None:
    original = Microdata(pl.DataFrame({"age": [20, 30, 40], "job": ["a", "b", "c"]}), Schema(qi=["age"], sa=["job"]))
    published = Microdata(
        pl.DataFrame({"age": ["[20..30]", "{20|40}", "*"], "job": ["{a|b}", "{a|c}", "*"]}), original.schema
    )
    release = Release(original, published, np.arange(3))
    # age: |20-25|, mean of |30-20| and |30-40|, |40-30|, each / 20; job: 1 - 1/2, 1, 1 - 1/3.
    expected = ((5 + 10 + 10) / 20 / 3 + (0.5 + 1 + 2 / 3) / 3) / 2
    assert InformationLoss().measure(original, release).value == pytest.approx(expected)


def test_relative_risk_and_odds_ratio_by_hand() -> None:
    """20 of 100 exposed and 10 of 200 others fall ill: RR = 4, OR = (20/80)/(10/190)."""
    smokes = ["y"] * 100 + ["n"] * 200
    ill = ["y"] * 20 + ["n"] * 80 + ["y"] * 10 + ["n"] * 190
    people = Microdata(pl.DataFrame({"smokes": smokes, "ill": ill}), Schema(qi=["smokes"], sa=["ill"]))
    settings = {"exposure": "smokes", "exposed": ("y",), "outcome": "ill", "cases": ("y",)}
    half = Release(people, people.take(np.arange(10, 300)), np.arange(10, 300))
    score = RelativeRisk(**settings).measure(people, half)  # type: ignore[arg-type]
    assert number(score, "before", "ratio") == pytest.approx(4.0)
    assert number(score, "after", "ratio") == pytest.approx((10 / 90) / (10 / 200))
    assert score.value == pytest.approx((4 - 20 / 9) / 4)
    # Katz: exp(log 4 -+ 1.96 sqrt(1/20 - 1/100 + 1/10 - 1/200)) = 1.9467 .. 8.2189
    assert number(score, "before", "low") == pytest.approx(1.9467, abs=1e-4)
    assert number(score, "before", "high") == pytest.approx(8.2189, abs=1e-4)
    odds = number(OddsRatio(**settings).measure(people, half), "before", "ratio")  # type: ignore[arg-type]
    assert odds == pytest.approx((20 / 80) / (10 / 190))
    with pytest.raises(Undefined, match="is empty"):
        RelativeRisk(**settings).measure(people, Release(people, people.take([0]), [0]))  # type: ignore[arg-type]


def test_the_papers_yamaoka_attack() -> None:
    """y_1 = x_n, y_i = x_(i-1), declared as 1..n: every attack scores 0 and the utility is perfect."""
    rng = np.random.default_rng(1)
    people = Microdata(pl.DataFrame({"sex": rng.choice(["f", "m"], 500), "pay": rng.normal(size=500)}), SCHEMA)
    release = Release(people, people.take(np.roll(np.arange(500), 1)), np.arange(500))
    guess = IdSa().attack(release.published, people, RNG)
    assert ReIdentification().measure(release, guess).value == 0
    assert MeanMae().measure(people, release).value == pytest.approx(0, abs=1e-12)
    assert InformationLoss().measure(people, release).value > 0.2
    assert Yamaoka().measure(release).detail["flagged"]
