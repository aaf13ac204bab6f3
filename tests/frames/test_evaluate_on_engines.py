"""`evaluate` measures what is relational on the engine that reads the tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.frames import engines

METRICS = [
    "k_anonymity", "k_anonymity_mean", "unique_share", "distinct_diversity", "entropy_diversity", "t_closeness",
    "alpha_k_anonymity", "beta_likeness", "prosecutor_risk", "population_uniques(population=100000, model=zayatz)",
    "journalist_risk(population=100000, threshold=0.001)", "individual_risk(threshold=0.01)",
    "household_risk(threshold=0.02)",
    "mean_mae", "cross_count", "cross_mean", "correlation_mae", "loss", "entropy_loss", "information_loss", "rows_lost",
    "odds_ratio(exposure=age, exposed=[20, 30, 40], outcome=ill, cases=[flu])",
    "relative_risk(exposure=age, exposed=[20, 30, 40], outcome=ill, cases=[flu])",
]  # fmt: skip


def run(*arguments: object) -> str:
    result = CliRunner().invoke(icefire, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def tables_on(engine: str, request: pytest.FixtureRequest) -> None:
    if engine == "spark":
        request.getfixturevalue("spark")
    else:
        pytest.importorskip("duckdb")


def measured(
    folder: Path, metrics: list[str], engine: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What metrics say in memory, and on an engine where no whole table may be read into memory."""
    wanted = [word for name in metrics for word in ("--metrics", name)]
    arguments = ["evaluate", "microdata", "--in", folder, "--json", *wanted]
    expected = json.loads(run(*arguments))

    def refuse(_: object) -> pl.DataFrame:
        raise AssertionError("the whole table was read into memory")

    monkeypatch.setattr(engines, "polars", refuse)
    return expected, json.loads(run(*arguments, "--format", f"ours(engine={engine})"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "code": [f"{code:03}" for code in rng.integers(0, 20, 300)],
            "age": rng.integers(20, 60, 300),
            "ill": rng.choice(["flu", "cold", "none"], 300),
            "pay": rng.integers(100, 999, 300) / 4,
            "rent": rng.integers(100, 300, 300),
            "stands": rng.integers(1, 90, 300) / 2,
            "home": rng.integers(0, 140, 300),
        }
    )
    frame.with_columns(ill=pl.when(pl.col("ill") == "none").then(None).otherwise("ill")).write_csv(
        tmp_path / "original.csv"
    )
    roles = 'qi = ["code", "age"]\nsa = ["ill", "pay", "rent"]\nweight = "stands"\nhousehold = "home"\n'
    roles += '[columns.code]\ntype = "categorical"\n'
    (tmp_path / "schema.toml").write_text(roles)
    run("anonymize", "microdata", "mondrian(k=5)", "--in", tmp_path, "--out", tmp_path, "--seed", 1)
    return tmp_path


@pytest.mark.parametrize("engine", ["polars", "duckdb", "spark"])
def test_same_scores_as_in_memory(
    folder: Path, engine: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    tables_on(engine, request)
    expected, found = measured(folder, METRICS, engine, monkeypatch)
    for role in ("utility", "safety"):
        assert found[role].keys() == expected[role].keys()
        for name, score in expected[role].items():
            assert found[role][name]["value"] == pytest.approx(score["value"], rel=1e-9), name
            for word, figure in score.get("detail", {}).items():
                if isinstance(figure, (int, float)):
                    assert found[role][name]["detail"][word] == pytest.approx(figure, rel=1e-9), (name, word)


def test_a_table_may_be_a_folder_of_files(folder: Path) -> None:
    pytest.importorskip("duckdb")
    expected = json.loads(run("evaluate", "microdata", "--in", folder, "--json", "--metrics", "k_anonymity"))
    for name in ("original", "published"):
        frame = pl.read_csv(folder / f"{name}.csv", schema_overrides={"code": pl.String})
        (folder / f"{name}.csv").unlink()
        (folder / f"{name}.parquet").mkdir()
        for part in (0, 1):
            frame[part::2].write_parquet(folder / f"{name}.parquet" / f"{part}.parquet")
    more = ("--metrics", "k_anonymity", "--format", "ours(engine=duckdb)")
    assert json.loads(run("evaluate", "microdata", "--in", folder, "--json", *more)) == expected


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_distances_of_rows_that_were_dropped_and_columns_that_are_hidden(folder: Path, engine: str) -> None:
    steps = ["drop_columns(columns=[rent])", "global_recode(k=12, suppression=0.3)"]
    run("anonymize", "microdata", *steps, "--in", folder, "--out", folder / "less", "--seed", 2)
    arguments = ["evaluate", "microdata", "--in", folder / "less", "--json", "--metrics", "information_loss"]
    in_memory, found = (json.loads(run(*arguments, *form)) for form in ([], ["--format", f"ours(engine={engine})"]))
    assert in_memory["utility"]["information_loss"]["detail"]["by column"]["rent"] > 0.2
    assert len((folder / "less" / "published.csv").read_text().split()) < 301
    assert found["utility"]["information_loss"]["value"] == pytest.approx(
        in_memory["utility"]["information_loss"]["value"], rel=1e-9
    )


def _near(detail: dict[str, object]) -> dict[str, object]:
    return {word: pytest.approx(figure) for word, figure in detail.items()}


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_people_of_a_population_and_uniques_are_counted_by_the_engine(
    folder: Path, engine: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    tables_on(engine, request)
    rng = np.random.default_rng(3)
    codes = [f"{code:03}" for code in rng.integers(0, 22, 2_000)]
    pl.DataFrame({"age": rng.integers(18, 62, 2_000), "code": codes}).write_csv(folder / "people.csv")
    names = [f"{name}(population='{folder}/people.csv')" for name in ("k_map", "delta_presence", "journalist_risk")]
    expected, found = measured(folder, [*names, "suda2"], engine, monkeypatch)
    assert expected["safety"]["k_map"]["value"] >= 5
    assert found["safety"] == {
        name: {**score, "detail": _near(score["detail"]), "value": pytest.approx(score["value"])}
        for name, score in expected["safety"].items()
    }


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ["polars", "duckdb", "spark"])
def test_columns_that_give_quasi_identifiers_away_count(
    tmp_path: Path, engine: str, form: str, request: pytest.FixtureRequest
) -> None:
    """A year of birth beside a generalized age makes classes smaller, whatever reads the tables."""
    tables_on(engine, request)
    rng = np.random.default_rng(0)
    age = rng.integers(20, 60, 400)
    columns = {"age": age, "town": rng.choice(["a", "b"], 400), "born": 2026 - age, "pay": rng.integers(1, 9, 400)}
    frame = pl.DataFrame(columns)
    frame.write_csv(tmp_path / "original.csv")
    (tmp_path / "schema.toml").write_text('qi = ["age", "town"]\nsa = ["born", "pay"]\n')
    run("anonymize", "microdata", "mondrian(k=20)", "--in", tmp_path, "--out", tmp_path, "--seed", 1)
    wanted = ["--metrics", "k_anonymity", "--metrics", "prosecutor_risk", "--metrics", "information_loss"]
    arguments = ["evaluate", "microdata", "--in", tmp_path, "--json", *wanted]
    expected = json.loads(run(*arguments))
    # Several files whose order is not that of their sizes.
    for name in ("original", "published"):
        table = pl.read_csv(tmp_path / f"{name}.csv")
        (tmp_path / f"{name}.csv").unlink()
        (tmp_path / f"{name}.{form}").mkdir()
        for part, rows in enumerate((table[:50], table[50:300], table[300:])):
            write = rows.write_csv if form == "csv" else rows.write_parquet
            write(tmp_path / f"{name}.{form}" / f"{part}.{form}")
    found = json.loads(run(*arguments, "--format", f"ours(engine={engine})"))
    assert expected["safety"]["k_anonymity"]["value"] < 20
    assert expected["safety"]["k_anonymity"]["detail"]["told by"] == ["born"]
    assert found["safety"]["k_anonymity"] == expected["safety"]["k_anonymity"]
    assert found["safety"]["prosecutor_risk"]["value"] == expected["safety"]["prosecutor_risk"]["value"]
    loss = expected["utility"]["information_loss"]["value"]
    assert found["utility"]["information_loss"]["value"] == pytest.approx(loss, rel=1e-9)
