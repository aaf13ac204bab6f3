"""Regressions and survival curves against textbook values, brute force and scikit-learn."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize

from icefire.core.errors import FileError, Undefined, UnknownName
from icefire.core.seeds import generator
from icefire.datasets.cohort import Cohort
from icefire.synthetic.data import Floats, Mask, People, Release
from icefire.synthetic.regression import Coefficients, Terms, cox, linear, logistic
from icefire.synthetic.schema import Schema, Survival, read_schema, schema_toml
from icefire.synthetic.survival import Curve
from icefire.synthetic.utility.hazard_error import HazardError
from icefire.synthetic.utility.odds_ratio_error import OddsRatioError
from icefire.synthetic.utility.regression_error import RegressionError
from icefire.synthetic.utility.survival_error import SurvivalError

# Remission of leukaemia in weeks (Freireich et al. 1963); negative if the patient was lost from view.
DRUG = [6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35]
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]


def remission(weeks: list[int]) -> tuple[Floats, Mask]:
    return np.abs(np.array(weeks, dtype=float)), np.array(weeks) > 0


def test_survival_curve_of_the_textbook() -> None:
    curve = Curve.of(*remission(DRUG))
    assert curve.times.tolist() == [6, 7, 10, 13, 16, 22, 23]
    assert curve.shares.round(3).tolist() == [0.857, 0.807, 0.753, 0.69, 0.627, 0.538, 0.448]
    assert curve.at(np.array([0.0, 5.9, 6.0, 40.0])).round(3).tolist() == [1.0, 1.0, 0.857, 0.448]
    assert (curve.median, Curve.of(*remission(PLACEBO)).median) == (23.0, 8.0)
    assert Curve.of(np.array([1.0, 2.0, 3.0]), np.array([True, False, False])).median is None
    with pytest.raises(Undefined, match="no event"):
        Curve.of(np.array([1.0]), np.array([False]))


def test_hazard_ratio_of_the_textbook() -> None:
    """Kleinbaum and Klein, Survival analysis: a coefficient of 1.509 with a standard error of 0.410, by Breslow's method."""
    times, events = remission(DRUG + PLACEBO)
    found = cox(np.repeat([0.0, 1.0], 21)[:, None], times, events)
    assert found.values[0] == pytest.approx(1.509, abs=5e-4)
    assert found.errors[0] == pytest.approx(0.410, abs=5e-4)


def test_hazards_maximize_the_partial_likelihood() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 2))
    times = rng.integers(1, 15, 60).astype(float)
    events = rng.random(60) < 0.6

    def loss(weights: Floats) -> float:
        risks = x @ weights
        return -sum(
            float(risks[i]) - math.log(np.exp(risks[times >= times[i]]).sum()) for i in np.flatnonzero(events)
        )  # every event by itself, among all who were still there

    best = minimize(loss, np.zeros(2), method="BFGS", options={"gtol": 1e-8})
    found = cox(x, times, events)
    assert found.values == pytest.approx(best.x, abs=1e-4)
    # The errors are those of the curvature, here by differences.
    step, unit = 1e-3, np.eye(2)
    bend = [
        [
            (
                loss(found.values + step * (unit[a] + unit[b]))
                - loss(found.values + step * (unit[a] - unit[b]))
                - loss(found.values - step * (unit[a] - unit[b]))
                + loss(found.values - step * (unit[a] + unit[b]))
            )
            / (4 * step**2)
            for b in range(2)
        ]
        for a in range(2)
    ]
    assert found.errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(bend))), rel=1e-3)


def test_hazards_are_estimated_where_a_few_people_differ_from_all() -> None:
    """Full steps of Newton's method lead astray here."""
    members = Cohort(n=400, outliers=10, follow_up=True).generate(generator(0)).members
    x = Terms.of(members, members.columns[:-2]).matrix(members)
    times, events = members["years"].to_numpy(), (members["died"] == "yes").to_numpy()
    found = cox(x, times, events)
    assert found.errors.max() < 5
    # At the maximum, the covariates of those who die are what those at risk would be expected to have.
    risks = np.exp(x @ found.values)
    expected = [(risks[times >= t] @ x[times >= t]) / risks[times >= t].sum() for t in times[events]]
    assert (x[events] - np.array(expected)).sum(axis=0) == pytest.approx(0.0, abs=1e-6)


def test_logistic_regression_of_two_columns_is_the_odds_ratio() -> None:
    # 30 of 40 exposed are ill, 20 of 60 others: an odds ratio of 6, with Woolf's error.
    exposed = np.repeat([1.0, 1.0, 0.0, 0.0], [30, 10, 20, 40])[:, None]
    ill = np.repeat([1.0, 0.0, 1.0, 0.0], [30, 10, 20, 40])
    found = logistic(exposed, ill)
    assert found.values[0] == pytest.approx(math.log(6))
    assert found.errors[0] == pytest.approx(math.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 40))


def test_logistic_regression_is_that_of_scikit_learn() -> None:
    model = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 3))
    y = rng.random(200) < 1 / (1 + np.exp(-(x @ [1.0, -0.5, 0.0])))
    theirs = model.LogisticRegression(C=1e9, tol=1e-10).fit(x, y)
    assert logistic(x, y.astype(float)).values == pytest.approx(theirs.coef_[0], abs=1e-4)


def test_terms_that_never_vary_are_not_estimated() -> None:
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.normal(size=50), np.zeros(50)])
    assert linear(x, x[:, 0] + rng.normal(size=50)).estimated.tolist() == [True, False]
    assert logistic(x, (x[:, 0] + rng.normal(size=50) > 0).astype(float)).estimated.tolist() == [True, False]
    assert cox(x, rng.exponential(size=50), np.ones(50, dtype=bool)).estimated.tolist() == [True, False]
    # Told apart perfectly: no estimate, and no overflow.
    assert not logistic(x[:, :1], (x[:, 0] > 0).astype(float)).estimated.any()


def test_overlap_by_hand() -> None:
    one = Coefficients(np.array([0.0, 0.0, 0.0, 0.0]), np.array([1.0, 1.0, 1.0, 1.0]))
    two = Coefficients(np.array([0.0, 10.0, 0.0, 0.0]), np.array([1.0, 1.0, 2.0, np.inf]))
    # The same; apart; all of the narrower and half of the wider one; no estimate.
    assert one.overlap(two).tolist() == [1.0, 0.0, 0.75, 0.0]


def test_terms_are_those_of_the_members() -> None:
    members = pl.DataFrame({"a": [1.0, 3.0] * 10, "b": ["x"] * 11 + ["y"] * 6 + ["z"] * 3, "c": [7] * 20})
    terms = Terms.of(members, ["a", "b", "c"])
    assert terms.names == ("a", "b=y")
    other = pl.DataFrame({"a": [2.0, 4.0, None], "b": ["y", None, "new"], "c": [1, 2, 3]})
    expected = [[0.0, 1.0], [2.0, np.nan], [np.nan, 0.0]]
    assert np.array_equal(terms.matrix(other), np.array(expected), equal_nan=True)


def test_estimates_of_a_cohort_are_kept_by_itself_and_lost_by_shuffled_columns() -> None:
    people = Cohort(n=500, follow_up=True).generate(generator(1))
    rng = generator(2)
    shuffled = pl.DataFrame([column.gather(rng.permutation(people.people)) for column in people.members])
    other = Cohort(n=500, follow_up=True).generate(generator(3)).members
    for metric in (RegressionError(), OddsRatioError(), SurvivalError(), HazardError()):
        same, fresh, lost = (
            metric.measure(people, Release(people, table)).value for table in (people.members, other, shuffled)
        )
        assert same == pytest.approx(0.0, abs=1e-9)
        assert 0 < fresh < 0.5
        # Shuffled apart, event times lose their events, and terms their effects.
        assert lost > fresh or metric.name == "odds_ratio_error"


def test_a_release_without_events_and_without_columns_of_times() -> None:
    people = Cohort(n=100, follow_up=True).generate(generator(1))
    calm = Release(people, people.members.with_columns(died=pl.lit("no")))
    assert HazardError().measure(people, calm).value == 1.0
    curve = Curve.of(people.members["years"].to_numpy(), (people.members["died"] == "yes").to_numpy())
    steps = np.append(0.0, curve.times)
    expected = ((1 - np.append(1.0, curve.shares))[:-1] * np.diff(steps)).sum() / steps[-1]
    assert SurvivalError().measure(people, calm).value == pytest.approx(expected)
    untimed = Cohort(n=50).generate(generator(1))
    for metric in (SurvivalError(), HazardError()):
        with pytest.raises(Undefined, match="under \\[survival\\]"):
            metric.measure(untimed, Release(untimed, untimed.members))


def test_event_times_in_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    schema = Schema(["a"], survival=Survival("t", "e", ("1", "yes")))
    path.write_text(schema_toml(schema))
    assert read_schema(path) == schema
    table = pl.DataFrame({"a": [1, 2, 3, 4, 5], "t": [1, 2, 3, 4, 5]})
    with pytest.raises(UnknownName, match="'e'"):
        People(table, table, schema)
    for wrong in ("survival = 3", '[survival]\ntime = "t"', '[survival]\ntime = "t"\nevent = "e"\ncases = "yes"'):
        path.write_text(wrong)
        with pytest.raises(FileError, match="survival"):
            read_schema(path)
