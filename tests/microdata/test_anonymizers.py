"""What each anonymizer changes, and what it leaves alone."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import DataError, ParameterError, UnknownName
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.microdata.anonymize.resample import Resample
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.examples import example
from icefire.microdata.safety.k_anonymity import KAnonymity


@pytest.fixture(scope="module")
def people() -> Microdata:
    return Households(2000).generate(np.random.default_rng(0))


def release(people: Microdata, *steps: str) -> Release:
    pipeline = Pipeline(tuple(Registry().make("microdata", "anonymize", step) for step in steps))
    return pipeline.anonymize(people, np.random.default_rng(1))


def before_and_after(made: Release, name: str) -> tuple[pl.Series, pl.Series]:
    return made.original.frame[name][made.rows], made.published.frame[name]


@pytest.mark.parametrize("distribution", ["gaussian", "laplace", "uniform"])
def test_noise_has_the_scale_it_says(people: Microdata, distribution: str) -> None:
    before, after = before_and_after(release(people, f"noise(scale=0.5, distribution={distribution})"), "food")
    error = (after - before) / before.std()
    assert error.mean() == pytest.approx(0, abs=0.04)
    assert error.std() == pytest.approx(0.5, rel=0.05)
    assert after.dtype == pl.Int64
    before, after = before_and_after(
        release(people, f"noise(scale=100, unit=absolute, distribution={distribution})"), "food"
    )
    assert (after - before).std() == pytest.approx(100, rel=0.05)
    before, after = before_and_after(
        release(people, f"noise(scale=0.1, unit=factor, distribution={distribution})"), "food"
    )
    assert (after / before - 1).std() == pytest.approx(0.1, rel=0.05)


def test_swap_keeps_columns_and_moves_within_the_window(people: Microdata) -> None:
    made = release(people, "swap(window=0.1, columns=[food, income])")
    for name in ("food", "income"):
        before, after = before_and_after(made, name)
        assert sorted(after) == sorted(people.frame[name])
        ranks = before.rank("ordinal").cast(int) - after.rank("ordinal").cast(int)
        assert 0 < ranks.abs().max() <= 0.1 * people.height  # type: ignore[operator]
    before, after = before_and_after(made, "housing")
    assert before.equals(after)


def test_pram_keeps_frequencies_and_the_share_it_says(people: Microdata) -> None:
    before, after = before_and_after(release(people, "pram(keep=0.6, columns=[region])"), "region")
    chance = float(((before.value_counts()["count"] / before.len()) ** 2).sum())
    assert (before == after).mean() == pytest.approx(0.6 + 0.4 * chance, abs=0.03)
    shares = [column.value_counts().sort("region")["count"].to_numpy() / column.len() for column in (before, after)]
    assert np.abs(shares[0] - shares[1]).max() < 0.03


def test_microaggregation_keeps_means_and_makes_groups(people: Microdata) -> None:
    made = release(people, "microaggregate(k=7)")
    rows = made.published.frame.select(people.numeric_sa)
    assert rows.group_by(pl.all()).len()["len"].min() >= 7  # type: ignore[operator]
    for name in people.numeric_sa:
        assert rows[name].mean() == pytest.approx(people.frame[name].mean())


def test_rounding_and_coding(people: Microdata) -> None:
    assert (release(people, "round(base=500)").published.frame["food"] % 500 == 0).all()
    coded = release(people, "top_bottom_code(upper=0.95, lower=0.05, columns=[income])").published.frame["income"]
    assert coded.max() == people.frame["income"].quantile(0.95, "nearest")
    assert coded.min() == people.frame["income"].quantile(0.05, "nearest")
    with pytest.raises(ParameterError, match="lies above the upper one"):
        release(people, "top_bottom_code(at_least=10, at_most=5, columns=[income])")


def test_dropping(people: Microdata) -> None:
    made = release(people, "drop_columns(columns=[region, industry, occupation, built, company_size, city_size, age])")
    assert "region" not in made.published.qi
    rare = release(made.published, "drop_rows(smaller_than=3)")
    assert KAnonymity().measure(rare).value >= 3
    assert release(people, "drop_rows(outliers=0.1)").published.height == 1800
    with pytest.raises(DataError, match="would drop every row"):
        release(people, "drop_rows(smaller_than=1500)")
    with pytest.raises(ParameterError, match="must be told what to drop"):
        release(people, "drop_rows")
    with pytest.raises(UnknownName, match="did you mean 'region'"):
        release(people, "drop_columns(columns=[regio])")


def test_generalize_by_every_kind_of_rule(people: Microdata) -> None:
    def cells(step: str, name: str) -> set[str]:
        return set(release(people, step).published.frame[name].to_list())

    assert cells("generalize(columns=[age], width=20)", "age") <= {
        "[0..19]",
        "[20..39]",
        "[40..59]",
        "[60..79]",
        "[80..99]",
    }
    assert cells("generalize(columns=[region])", "region") == {"north", "east", "central", "west", "south"}
    assert cells("generalize(columns=[region], level=2)", "region") == {"*"}
    assert cells("generalize(columns=[sex], mapping={'1': any, '2': any})", "sex") == {"any"}
    assert len(cells("generalize(columns=[income], learned=2)", "income")) == 4
    with pytest.raises(ParameterError, match="must be at most 2 for column 'region'"):
        release(people, "generalize(columns=[region], level=3)")
    with pytest.raises(DataError, match="'sex' has no hierarchy"):
        release(people, "generalize(columns=[sex])")


def test_resampling(people: Microdata) -> None:
    made = release(people, "resample(share=0.5, replacement=false)")
    assert len(set(made.rows.tolist())) == made.published.height == 1000
    with pytest.raises(DataError, match="cannot draw 4000 of 2000"):
        release(people, "resample(share=2.0, replacement=false)")
    with pytest.raises(DataError, match="cannot draw 0 of 2000"):
        release(people, "resample(share=0.0001)")


def test_resampling_draws_as_many_rows_with_replacement_by_default(people: Microdata) -> None:
    made = release(people, "resample")
    assert made.published.height == people.height
    # A row is missed with probability 1/e.
    assert np.unique(made.rows).size / people.height == pytest.approx(1 - np.exp(-1), abs=0.03)
    before, after = before_and_after(made, "income")
    assert before.equals(after)
    assert release(people, "resample(share=1.5)").published.height == 3000


@pytest.mark.parametrize("model", ["diversity=distinct", "diversity=entropy", "diversity=recursive", "t=0.3"])
def test_k_member_refuses_what_it_does_not_promise(people: Microdata, model: str) -> None:
    with pytest.raises(ParameterError, match="KMember makes clusters by size alone: use mondrian"):
        release(people, f"k_member(k=5, sensitive=income, {model})")


@pytest.mark.parametrize("method", ["mondrian", "k_member", "global_recode"])
def test_a_sensitive_column_and_a_model_come_together(people: Microdata, method: str) -> None:
    with pytest.raises(ParameterError, match="needs 'diversity', 't'"):
        release(people, f"{method}(sensitive=income)")
    with pytest.raises(ParameterError, match="must name an SA column"):
        release(people, f"{method}(diversity=distinct)")
    with pytest.raises(ParameterError, match="must name an SA column"):
        release(people, f"{method}(t=0.2)")
    with pytest.raises(UnknownName, match="no column for"):
        release(people, f"{method}(t=0.2, sensitive=age)")
    with pytest.raises(ParameterError, match="at most the number of rows, 2000"):
        release(people, f"{method}(k=2001)")


def test_a_pipeline_chains_row_maps(people: Microdata) -> None:
    made = release(people, "resample", "drop_rows(outliers=0.2)", "mondrian(k=4)", "noise(scale=0.001, columns=[food])")
    before, after = before_and_after(made, "income")
    assert before.to_list() == after.to_list()
    assert made.published.height == 1600
    assert KAnonymity(copies=False).measure(made).value >= 4
    for name in people.qi:
        cells = made.cells(name)
        assert (cells.membership[cells.codes, people.codes(name)[made.rows]] > 0).all()


def test_secrets_are_not_printed(people: Microdata) -> None:
    made = release(people)
    assert "rows" not in repr(made)
    assert str(made.rows[0]) not in repr(made).replace("14 QI", "").replace("11 SA", "")


def test_tables_that_do_not_fit_their_schema() -> None:
    frame = pl.DataFrame({"a": [1], "b": [2]})
    with pytest.raises(DataError, match="'a' is both QI and SA"):
        Schema(["a"], ["a", "b"])
    with pytest.raises(DataError, match="'b' of the table has no role"):
        Microdata(frame.with_columns(c=3), Schema(["a"], ["c"]))
    with pytest.raises(UnknownName, match="no column in the table 'c'"):
        Microdata(frame, Schema(["c"], ["a", "b"]))
    with pytest.raises(DataError, match="0 rows: there is nobody"):
        Microdata(frame[:0], Schema(["a"], ["b"]))
    with pytest.raises(DataError, match="column 'a': nan is not an amount"):
        Microdata(frame.with_columns(a=float("nan")), Schema(["a"], ["b"]))
    table = Microdata(frame, Schema(["a"], ["b"]))
    with pytest.raises(DataError, match="too long: 2 numbers for 1"):
        Release(table, table, np.array([0, 0]))


def test_resampling_without_replacement_draws_at_most_everybody() -> None:
    people = example()
    release = Resample(share=1.0, replacement=False).anonymize(people, np.random.default_rng(0))
    assert sorted(release.rows) == list(range(people.height))
    with pytest.raises(DataError, match="cannot draw 66 of 60 rows"):
        Resample(share=1.1, replacement=False).anonymize(people, np.random.default_rng(0))
