from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from icefire.cli.main import icefire
from icefire.core.errors import DataError, ParameterError
from icefire.frames import relational
from icefire.knowledge import dangerous_values, exposed_users, identification, identification_of_sets

RETAIL, DIABETES = ("retail400_transactions.parquet", "customer_id"), ("diabetes.parquet", "patient_nbr")
ADULT, LOANS = ("adult.parquet", None), ("loans.parquet", None)

PUBLISHED = [
    # file and user, column, R and least cost as the thesis prints them
    (RETAIL, "time", "0.3217", "0.0145"),
    (RETAIL, "date", "0.1860", "0.0076"),
    (RETAIL, "stock_code", "0.0965", "0.0730"),
    (RETAIL, "unit_price", "0.0121", "0.0048"),
    (RETAIL, "quantity", "0.0080", "0.0025"),
    (DIABETES, "time_in_hospital", "1.45e-04", "1.38e-04"),
    (DIABETES, "age", "1.33e-04", "9.83e-05"),
    (DIABETES, "race", "7.73e-05", "5.90e-05"),
    (DIABETES, "gender", "3.78e-05", "2.95e-05"),
    (ADULT, "age", "2.24e-03", "2.24e-03"),
    (ADULT, "occupation", "4.61e-04", "4.61e-04"),
    (ADULT, "marital-status", "2.15e-04", "2.15e-04"),
    (ADULT, "race", "1.54e-04", "1.54e-04"),
    (LOANS, "annual_inc", "0.1316", "0.1316"),
    (LOANS, "loan_amnt", "0.0211", "0.0211"),
    (LOANS, "grade", "0.0002", "0.0002"),
    (LOANS, "emp_title", "0.6858", "0.6858"),
]


def as_printed(value: float, pattern: str) -> str:
    return f"{value:.2e}" if "e" in pattern else f"{value:.4f}"


@pytest.mark.parametrize(("source", "column", "probability", "cost"), PUBLISHED, ids=lambda value: str(value))
def test_published_figures(
    shared: Path, source: tuple[str, str | None], column: str, probability: str, cost: str
) -> None:
    file, user = source
    arguments = ["knowledge", str(shared / file), "--columns", column, "--json", *(["--user", user] if user else [])]
    result = CliRunner().invoke(icefire, arguments)
    found = json.loads(result.stdout)["columns"][column]
    assert as_printed(found["probability"], probability) == probability
    assert as_printed(found["cost_model"], cost) == cost
    assert found["probability"] == pytest.approx(
        found["values"] * found["mean_records"] / json.loads(result.stdout)["records"]
    )


def test_worked_example() -> None:
    records = pl.DataFrame(
        {"who": ["Ito", "Ito", "Yamada", "Okamoto", "Okamoto"], "day": ["2/1", "2/1", "2/2", "2/2", "2/3"]}
    )
    found = identification(records, "day", "who")
    assert found.probability == 4 / 5
    assert (found.values, found.mean_records, found.cost_model) == (3, 4 / 3, 3 / 5)
    assert identification(records, "day", "who", "mean").probability == pytest.approx(4 / 5)
    assert identification(records, "day", "who", "cost").probability == 3 / 5
    assert dangerous_values(records, "day", "who").rows() == [
        ("2/1", 2, 1, 1.0, 0.4),
        ("2/2", 2, 2, 0.5, 0.2),
        ("2/3", 1, 1, 1.0, 0.2),
    ]
    assert exposed_users(records, "day", "who").rows() == [("Ito", 2, 1.0), ("Okamoto", 2, 0.75), ("Yamada", 1, 0.5)]


@st.composite
def histories(draw: st.DrawFn) -> pl.DataFrame:
    rows = draw(st.integers(1, 40))
    cell = st.sampled_from(["a", "b", "c", "d", None])
    return pl.DataFrame(
        {
            "user": draw(st.lists(st.integers(0, 6), min_size=rows, max_size=rows)),
            "x": draw(st.lists(cell, min_size=rows, max_size=rows)),
            "y": draw(st.lists(cell, min_size=rows, max_size=rows)),
        },
        schema={"user": pl.Int64, "x": pl.String, "y": pl.String},
    )


@given(histories(), st.sampled_from([["x"], ["x", "y"]]))
def test_against_the_definition(records: pl.DataFrame, known: list[str]) -> None:
    rows = records.select("user", *known).rows()
    facts = {row[1:] for row in rows}
    alpha = {f: sum(r[1:] == f for r in rows) / len({r[0] for r in rows if r[1:] == f}) for f in facts}
    found = identification(records, known, "user")
    assert found.probability == pytest.approx(sum(alpha.values()) / len(rows))
    assert found.values == len(facts)
    # Theorem 3.3.1: the relative error of the least-cost model is exactly 1 - 1/mean(alpha).
    assert 1 - found.cost_model / found.probability == pytest.approx(1 - 1 / found.mean_records)
    assert identification(records, known).probability == pytest.approx(len(facts) / len(rows))
    top = dangerous_values(records, known, "user", most=100)
    assert top["contribution"].sum() == pytest.approx(found.probability)
    exposure = exposed_users(records, known, "user", most=100)
    assert (exposure["exposure"] * exposure["records"]).sum() / len(rows) == pytest.approx(
        sum(1 / len({r[0] for r in rows if r[1:] == row[1:]}) for row in rows) / len(rows)
    )


@given(histories())
def test_sampling_every_value_is_exact(records: pl.DataFrame) -> None:
    exact = identification(records, ["x", "y"], "user")
    drawn = identification(records, ["x", "y"], "user", "sampling", sample=100)
    assert drawn.probability == pytest.approx(exact.probability)
    assert drawn.sampled == exact.values


def test_sampling_is_unbiased_and_its_interval_covers(shared: Path) -> None:
    records = pl.read_parquet(shared / "retail400_transactions.parquet")
    exact = identification(records, "date", "customer_id").probability
    drawn = [identification(records, "date", "customer_id", "sampling", 10, seed) for seed in range(300)]
    assert np.mean([result.probability for result in drawn]) == pytest.approx(exact, rel=0.03)
    covered = np.mean([result.interval.low <= exact <= result.interval.high for result in drawn if result.interval])
    # Ten values of a skewed distribution: a little under the nominal 90%.
    assert 0.8 <= covered <= 0.95


def test_same_seed_gives_the_same_sample() -> None:
    records = pl.DataFrame({"user": range(100), "x": [i // 3 for i in range(100)]})
    first = identification(records, "x", "user", "sampling", 5, seed=1)
    assert first == identification(records.lazy(), "x", "user", "sampling", 5, seed=1)
    assert first != identification(records.with_columns(x=pl.col("x") ** 2 % 17), "x", "user", "sampling", 5, seed=1)


def test_ranking_of_pairs() -> None:
    records = pl.DataFrame({"user": [1, 2, 3, 4], "a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "c": [1, 1, 1, 1]})
    pairs = identification_of_sets(records, user="user", size=2)
    assert [pair.columns for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs[0].probability == 1.0


def test_invalid_arguments_raise() -> None:
    with pytest.raises(DataError, match="0 rows"):
        identification(pl.DataFrame({"x": []}), "x")
    with pytest.raises(ParameterError, match="at least 2"):
        identification(pl.DataFrame({"x": [1]}), "x", model="sampling", sample=1)
    with pytest.raises(ParameterError, match="at least one column"):
        identification(pl.DataFrame({"x": [1]}), [])


@pytest.mark.parametrize("known", ["x", ["x", "y"]])
def test_large_files_are_counted_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: str | list[str]
) -> None:
    rng = np.random.default_rng(0)
    rows = {"user": rng.integers(0, 50, 1000), "x": rng.choice(list("abcd"), 1000), "y": rng.integers(0, 9, 1000)}
    frame = pl.DataFrame(rows).with_columns(pl.col("x").replace("d", None))
    frame.write_parquet(tmp_path / "records.parquet")
    whole = identification(frame, known, "user")
    monkeypatch.setattr(relational, "AT_ONCE", 300)
    scanned = pl.scan_parquet(tmp_path / "records.parquet")
    assert len(relational.parts_by_value(scanned, ["x"])) == 4
    assert identification(scanned, known, "user") == whole
