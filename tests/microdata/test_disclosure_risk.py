"""Risk of records and population uniques against direct computations, simulations and the figures of other tools."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom, nbinom

from icefire.core.errors import DataError, Undefined, UnknownName
from icefire.frames import relational
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.covering import covering
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.examples import example
from icefire.microdata.population import (
    Model,
    Sample,
    _pitman_parameters,
    decided_uniques,
    pitman_uniques,
    population_uniques,
    snb_uniques,
)
from icefire.microdata.risk import Risks, individual_risk
from icefire.microdata.safety.household_risk import HouseholdRisk
from icefire.microdata.safety.individual_risk import IndividualRisk
from icefire.microdata.safety.journalist_risk import JournalistRisk
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.population_uniques import PopulationUniques
from icefire.microdata.safety.prosecutor_risk import ProsecutorRisk
from icefire.microdata.safety.unique_share import UniqueShare
from scores import number

PEOPLE_OF_ARX = 329_000_000
QI_OF_ARX = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]


def as_it_is(frame: pl.DataFrame, qi: list[str]) -> Release:
    table = Microdata(frame, Schema(qi=qi))
    return Release(table, table, np.arange(frame.height))


@pytest.fixture(scope="module")
def arx(shared: Path) -> Release:
    frame = pl.read_parquet(shared / "adult.parquet")
    return as_it_is(frame.filter(~pl.any_horizontal(pl.col(pl.String) == "?")), QI_OF_ARX)


def test_the_figures_of_arx(arx: Release) -> None:
    """ARX 3.9.2 on Adult without missing values, with the population of the USA."""
    assert arx.published.height == 30_162
    prosecutor = ProsecutorRisk().measure(arx)
    assert number(prosecutor, "maximum") == 1.0
    assert round(number(prosecutor, "mean"), 5) == 0.60039
    assert round(UniqueShare().measure(arx).value, 5) == 0.46486
    shares = {model: PopulationUniques(PEOPLE_OF_ARX, model).measure(arx).value for model in ("pitman", "zayatz")}
    assert {model: round(share, 5) for model, share in shares.items()} == {"pitman": 0.02934, "zayatz": 0.21616}
    decided = PopulationUniques(PEOPLE_OF_ARX).measure(arx)
    assert (decided.value, decided.detail["model"]) == (shares["pitman"], "pitman")


def test_where_arx_prints_0_for_snb(arx: Release) -> None:
    """ARX prints 0 for a model that it cannot solve.

    It subtracts 1 per size, not per class, in the estimate of the number of classes: it takes 26,546 for 55 million. With so
    few classes no parameters fit. The published formulas have a solution.
    """
    sample = Sample(*relational.class_sizes(arx.published.native, QI_OF_ARX), PEOPLE_OF_ARX)
    with pytest.raises(Undefined, match="no parameters"):
        snb_uniques(sample, 26_546.33)
    assert round(PopulationUniques(PEOPLE_OF_ARX, "snb").measure(arx).value, 5) == 0.16717


@pytest.mark.parametrize(("alpha", "beta", "fraction"), [(0.5, 0.05, 0.2), (2.0, 0.3, 0.3), (1.0, 0.1, 0.5)])
def test_snb_finds_the_uniques_of_a_population_that_it_made(alpha: float, beta: float, fraction: float) -> None:
    rng = np.random.default_rng(1)
    population = 1 + rng.negative_binomial(alpha, beta, 200_000)
    drawn = rng.binomial(population, fraction)
    sizes, classes = np.unique(drawn[drawn > 0], return_counts=True)
    found = snb_uniques(Sample(sizes, classes, int(population.sum())), population.size)
    assert found == pytest.approx((population == 1).sum(), rel=0.05)


def test_pitman_finds_the_uniques_of_a_population_that_it_made() -> None:
    """The Chinese restaurant process: a person joins a class of size s with weight s - alpha, or opens one."""
    rng = np.random.default_rng(2)
    theta, alpha, people = 30.0, 0.6, 20_000
    classes: list[int] = []
    owner = np.empty(people, dtype=np.int64)
    for person in range(people):
        if rng.random() * (person + theta) < theta + alpha * len(classes):
            owner[person] = len(classes)
            classes.append(1)
        else:
            # A member, or a person of a class that is taken with probability 1 - alpha / size.
            while rng.random() < alpha / classes[chosen := owner[rng.integers(person)]]:
                pass
            owner[person] = chosen
            classes[chosen] += 1
    drawn = owner[rng.choice(people, people // 10, replace=False)]
    sizes, numbers = np.unique(np.unique(drawn, return_counts=True)[1], return_counts=True)
    found = population_uniques(Sample(sizes, numbers, people), "pitman")
    assert found == pytest.approx((np.array(classes) == 1).sum(), rel=0.1)


@given(st.floats(-0.2, 1e9), st.floats(0.3, 0.99), st.integers(1, 3_000))
def test_expected_uniques_of_pitmans_model(theta: float, alpha: float, people: int) -> None:
    """The chance that nobody joins a person who came first is the same for everybody."""
    others = np.arange(1, people)
    expected = people * np.exp(np.log((theta + alpha + others - 1) / (theta + others)).sum())
    assert pitman_uniques(theta, alpha, people) == pytest.approx(expected, rel=1e-7)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=60))
def test_no_other_parameters_of_pitmans_model_are_likelier(drawn: list[int]) -> None:
    sizes, classes = np.unique(drawn, return_counts=True)
    sample = Sample(sizes, classes, 10**6)
    if max(drawn) == 1:
        return

    def likelihood(theta: float, alpha: float) -> float:
        """New classes, divided by all choices, and people who join a class."""
        new = np.log(theta + alpha * np.arange(1, len(drawn))).sum() - np.log(theta + np.arange(1, sum(drawn))).sum()
        return float(new + sum(np.log(np.arange(1, size) - alpha).sum() for size in drawn))

    best = likelihood(*_pitman_parameters(sample))
    for alpha in np.linspace(0.01, 0.99, 12):
        for theta in [-alpha / 2, *np.geomspace(0.01, 1e5, 20)]:
            assert likelihood(theta, alpha) <= best + 1e-4


def test_few_pairs_and_huge_classes() -> None:
    """Numbers that overflow or cancel out if they are computed as they stand in papers."""
    nearly_all = Sample(np.array([1, 2]), np.array([999_998, 1]), 10**8)
    assert population_uniques(nearly_all, "pitman") == pytest.approx(10**8, rel=1e-3)
    huge = Sample(np.array([1, 2, 10**6]), np.array([5, 5, 3]), 10**9)
    for model in ("pitman", "zayatz", "snb"):
        with contextlib.suppress(Undefined):
            assert 0 <= population_uniques(huge, model) < 10**7


@st.composite
def class_sizes(draw: st.DrawFn) -> Sample:
    sizes = np.array(draw(st.lists(st.integers(1, 12), min_size=1, max_size=60)))
    distinct, classes = np.unique(sizes, return_counts=True)
    return Sample(distinct, classes, int(sizes.sum() * draw(st.integers(1, 30))))


@given(class_sizes())
def test_zayatz_by_its_definition(sample: Sample) -> None:
    once = {int(size): hypergeom(sample.population, size, sample.records).pmf(1) for size in sample.sizes}
    total = sum(count * once[int(size)] for size, count in zip(sample.sizes, sample.classes, strict=True))
    uniques = sample.number(1)
    expected = uniques * uniques * once.get(1, 0.0) / total / sample.fraction if uniques else 0.0
    assert population_uniques(sample, "zayatz") == pytest.approx(expected)


@given(class_sizes())
def test_estimates_are_numbers_of_people(sample: Sample) -> None:
    models: list[Model] = ["pitman", "zayatz", "snb"]
    for model in models:
        with contextlib.suppress(Undefined):
            assert 0 <= population_uniques(sample, model) <= sample.population
    found, model = decided_uniques(sample)
    assert found == population_uniques(sample, model)
    if sample.number(1) == 0:
        assert found == 0
    if sample.fraction == 1.0:
        assert found == sample.number(1)


@given(st.integers(1, 40), st.floats(0.001, 1.0))
def test_individual_risk_is_the_expectation_of_1_over_the_population_class(size: int, share: float) -> None:
    people = np.arange(size, size + int(40 * (size + 20) / share))
    expected = (nbinom.pmf(people - size, size, share) / people).sum()
    assert individual_risk(np.array([size]), np.array([size / share]))[0] == pytest.approx(expected, rel=1e-9)


def test_individual_risk_in_closed_form() -> None:
    """The formulas of sdcMicro and mu-Argus for classes of 1, 2 and 3 rows, and the approximation for larger ones."""
    p = np.array([0.001, 0.02, 0.3, 0.9])
    odds, q = p / (1 - p), 1 - p
    closed = [
        odds * np.log(1 / p),
        odds - odds**2 * np.log(1 / p),
        p / (2 * q**3) * (q * (3 * q - 2) - 2 * p**2 * np.log(p)),
    ]
    for size, expected in enumerate(closed, start=1):
        assert individual_risk(np.full(4, size), size / p) == pytest.approx(expected, rel=1e-9)
    assert individual_risk(np.full(4, 500), 500 / p) == pytest.approx(p / (500 - q), rel=1e-5)
    assert individual_risk(np.array([3, 1, 90_000]), np.array([3, 0.5, 1e9])) == pytest.approx(
        [1 / 3, 1, 1e-9], rel=1e-4
    )


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.sampled_from([0.2, 0.25, 0.5, 1.0]))
def test_prosecutor_risk_by_hand(values: list[int], threshold: float) -> None:
    score = ProsecutorRisk(threshold).measure(as_it_is(pl.DataFrame({"a": values}), ["a"]))
    risks = [1 / values.count(value) for value in values]
    assert score.value == pytest.approx(sum(risk > threshold for risk in risks) / len(risks))
    assert number(score, "mean") == pytest.approx(sum(risks) / len(risks))
    assert number(score, "maximum") == max(risks)
    assert number(score, "expected re-identifications") == pytest.approx(len(set(values)))


def test_risks_of_no_record_do_not_count() -> None:
    assert Risks.of(np.array([1.0, 0.5]), np.array([0, 2]), 0.5) == Risks(2, 0, 1.0, 0.5)


@pytest.mark.parametrize("missing", [False, True])
def test_people_whom_a_class_covers_by_comparing_all(missing: bool) -> None:
    original, others = example(80, missing, seed=1), example(150, missing, seed=2)
    for release in (
        Mondrian(k=3).anonymize(original, np.random.default_rng(0)),
        Release(original, original, np.arange(80)),
    ):
        for people in (original, others):
            cells = {name: release.published.cells(name, people.domain(name)) for name in people.qi}
            fits = np.ones((80, people.height), dtype=bool)
            for name, column in cells.items():
                fits &= column.fits[column.codes][:, people.codes(name)]
            found = covering(release.published, people)
            assert found.people_by_class()[found.class_of].tolist() == fits.sum(axis=1).tolist()
            assert found.sizes[found.class_of].tolist() == np.bincount(found.class_of)[found.class_of].tolist()


def test_journalist_risk_against_a_file(tmp_path: Path) -> None:
    """Three towns of 4, 2 and 1 people; one person of each is published, and one of a town that the file lacks."""
    release = as_it_is(pl.DataFrame({"town": ["1", "2", "3", "9"], "age": [1, 1, 1, 1]}), ["town", "age"])
    file = tmp_path / "everybody.csv"
    pl.DataFrame({"town": ["1"] * 4 + ["2"] * 2 + ["3"], "age": [1] * 7, "name": ["x"] * 7}).write_csv(file)
    score = JournalistRisk(str(file), threshold=0.5).measure(release)
    assert (score.value, score.detail["maximum"]) == (0.5, 1.0)
    assert number(score, "mean") == (1 / 4 + 1 / 2 + 1 + 1) / 4
    pl.DataFrame({"town": ["1"]}).write_csv(file)
    with pytest.raises(UnknownName, match="age"):
        JournalistRisk(str(file)).measure(release)


def test_journalist_risk_is_prosecutor_risk_if_everybody_is_in_the_table() -> None:
    release = as_it_is(pl.DataFrame({"a": [1, 1, 2, 3, 3, 3]}), ["a"])
    assert JournalistRisk(6).measure(release) == ProsecutorRisk().measure(release)
    assert JournalistRisk(60).measure(release).value < ProsecutorRisk().measure(release).value


def test_what_has_to_be_given() -> None:
    release = as_it_is(pl.DataFrame({"a": [1, 1, 2]}), ["a"])
    with pytest.raises(Undefined, match=r"journalist_risk\(population="):
        JournalistRisk().measure(release)
    with pytest.raises(Undefined, match=r"population_uniques\(population="):
        PopulationUniques().measure(release)
    for metric in (JournalistRisk(2), PopulationUniques(2)):
        with pytest.raises(Undefined, match="smaller than the table of 3"):
            metric.measure(release)


@st.composite
def surveys(draw: st.DrawFn) -> pl.DataFrame:
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    rows = draw(st.integers(1, 40))
    return pl.DataFrame(
        {
            "sex": [("f", "m", None)[place] for place in rng.integers(0, 3, rows)],
            "town": rng.integers(0, draw(st.integers(1, 6)), rows),
            "weight": rng.uniform(0.5, 30, rows).round(1),
            "home": rng.integers(0, 12, rows),
        },
        schema_overrides={"sex": pl.String},
    )


@given(surveys(), st.booleans())
def test_individual_and_household_risk_by_hand(frame: pl.DataFrame, weighted: bool) -> None:
    table = Microdata(frame, Schema(qi=["sex", "town"], sa=["weight", "home"]))
    release = Release.shuffled(table, frame, np.arange(frame.height), np.random.default_rng(3))
    rows = frame.rows(named=True)
    risks = []
    for row in rows:
        mine = [other for other in rows if (other["sex"], other["town"]) == (row["sex"], row["town"])]
        people = sum(other["weight"] for other in mine)
        risks.append(individual_risk(np.array([len(mine)]), np.array([people]))[0] if weighted else 1 / len(mine))
    if weighted:
        score = IndividualRisk("weight", threshold=0.1).measure(release)
        assert score.value == pytest.approx(np.mean([risk > 0.1 for risk in risks]))
        assert number(score, "mean") == pytest.approx(np.mean(risks))
        assert number(score, "maximum") == pytest.approx(max(risks))
    found = []
    for row in rows:
        safe = [1 - risk for other, risk in zip(rows, risks, strict=True) if other["home"] == row["home"]]
        found.append(1 - np.prod(safe))
    score = HouseholdRisk("home", "weight" if weighted else None).measure(release)
    assert number(score, "expected re-identifications") == pytest.approx(sum(found))
    assert number(score, "maximum") == pytest.approx(max(found))


def test_individual_risk_of_the_example_of_sdcmicro() -> None:
    """`francdat` of sdcMicro: eight rows of Capobianchi, Polettini and Lucarelli."""
    keys = {
        "key1": [1, 1, 1, 3, 4, 4, 6, 1],
        "key2": [2, 2, 2, 3, 3, 3, 2, 2],
        "key3": [5, 1, 1, 1, 1, 1, 1, 5],
        "key4": [1, 1, 1, 5, 4, 1, 5, 1],
    }
    frame = pl.DataFrame({**keys, "weight": [18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0]})
    table = Microdata(frame, Schema(qi=list(keys), sa=["weight"]))
    score = IndividualRisk("weight", threshold=0.1).measure(Release(table, table, np.arange(8)))
    classes = frame.select(size=pl.len().over(*keys), weight=pl.col("weight").sum().over(*keys))
    found = individual_risk(classes["size"].to_numpy(), classes["weight"].to_numpy())
    expected = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426]
    assert found == pytest.approx(expected, abs=1e-8)
    assert score.value == 3 / 8
    assert number(score, "maximum") == pytest.approx(max(expected), abs=1e-8)
    assert number(score, "expected re-identifications") == pytest.approx(sum(expected), abs=1e-7)


def test_weights_and_households_that_are_none() -> None:
    frame = pl.DataFrame({"a": [1, 2], "weight": [0.0, 1.0], "home": [None, 1]})
    table = Microdata(frame, Schema(qi=["a"], sa=["weight", "home"]))
    release = Release(table, table, np.arange(2))
    with pytest.raises(DataError, match="positive number in every row"):
        IndividualRisk("weight").measure(release)
    with pytest.raises(UnknownName, match="'wight'; did you mean 'weight'"):
        IndividualRisk("wight").measure(release)
    with pytest.raises(Undefined, match="household of every row"):
        HouseholdRisk("home").measure(release)
    for metric in (IndividualRisk(), HouseholdRisk()):
        with pytest.raises(Undefined, match="name their column in the schema"):
            metric.measure(release)


def test_weights_and_households_of_the_schema() -> None:
    frame = pl.DataFrame({"town": ["a", "b", "b", "b"], "wt": [2, 100, 5, 5], "home": [1, 1, 2, 3]})
    table = Microdata(frame, Schema(qi=["town"], weight="wt", household="home"))
    named = Microdata(frame, Schema(qi=["town"], sa=["wt", "home"]))
    release, other = (Release(data, data.only(["town"]), np.arange(4)) for data in (table, named))
    assert IndividualRisk().measure(release) == IndividualRisk("wt").measure(other)
    assert HouseholdRisk().measure(release) == HouseholdRisk("home", "wt").measure(other)


def test_columns_that_tell_about_the_qi_count_in_every_risk() -> None:
    ages = [20, 21, 22, 23] * 20
    frame = pl.DataFrame({"age": ages, "label": [f"{age} years" for age in ages], "home": [i // 2 for i in range(80)]})
    people = Microdata(frame, Schema(qi=["age"], other=["label"], household="home"))
    rows = np.arange(80)
    coarse = frame.drop("home").with_columns(age=pl.lit("[20..23]"))
    release = Release(people, Microdata(coarse, Schema(qi=["age"], other=["label"]).generalized(["age"])), rows)
    assert KAnonymity().measure(release).value == 20
    assert ProsecutorRisk().measure(release).detail["maximum"] == 1 / 20
    household = HouseholdRisk().measure(release).detail["maximum"]
    assert household == pytest.approx(1 - (1 - 1 / 20) ** 2)


def test_a_population_is_read_in_whatever_form_it_has(tmp_path: Path) -> None:
    people = Microdata(pl.DataFrame({"town": ["東京", "大阪"] * 2}), Schema(qi=["town"]))
    release = Release(people, people, np.arange(4))
    lines = ["住民台帳;", "town;code", *["東京;001"] * 8, *["大阪;002"] * 5]
    (tmp_path / "town.csv").write_bytes("\n".join(lines).encode("cp932"))
    score = JournalistRisk(population=str(tmp_path / "town.csv")).measure(release)
    assert score.detail["maximum"] == 1 / 5
