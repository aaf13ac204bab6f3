"""`evaluate` measures what is relational on the engine that reads the tables."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.frames import engines

METRICS = [
    "k_anonymity", "k_anonymity_mean", "unique_share", "distinct_diversity", "entropy_diversity", "t_closeness",
    "alpha_k_anonymity", "beta_likeness", "prosecutor_risk", "population_uniques(population=100000, model=zayatz)",
    "journalist_risk(population=100000, threshold=0.001)",
    "mean_mae", "cross_count", "cross_mean", "correlation_mae", "loss", "entropy_loss", "information_loss", "rows_lost",
    "odds_ratio(exposure=age, exposed=[20, 30, 40], outcome=ill, cases=[flu])",
    "relative_risk(exposure=age, exposed=[20, 30, 40], outcome=ill, cases=[flu])",
]  # fmt: skip


def run(*arguments: object) -> str:
    result = CliRunner().invoke(icefire, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


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
        }
    )
    frame.with_columns(ill=pl.when(pl.col("ill") == "none").then(None).otherwise("ill")).write_csv(
        tmp_path / "original.csv"
    )
    roles = 'qi = ["code", "age"]\nsa = ["ill", "pay", "rent"]\n[columns.code]\ntype = "categorical"\n'
    (tmp_path / "schema.toml").write_text(roles)
    run("anonymize", "microdata", "mondrian(k=5)", "--in", tmp_path, "--out", tmp_path, "--seed", 1)
    return tmp_path


@pytest.mark.parametrize("engine", ["polars", "duckdb", "spark"])
def test_same_scores_as_in_memory(
    folder: Path, engine: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if engine == "spark":
        request.getfixturevalue("spark")
    pytest.importorskip("duckdb")
    wanted = [word for name in METRICS for word in ("--metrics", name)]
    arguments = ["evaluate", "microdata", "--in", folder, "--json", *wanted]
    expected = json.loads(run(*arguments))

    def refuse(_: object) -> pl.DataFrame:
        raise AssertionError("the whole table was read into memory")

    monkeypatch.setattr(engines, "polars", refuse)
    found = json.loads(run(*arguments, "--format", f"ours(engine={engine})"))
    for role in ("utility", "safety"):
        assert found[role].keys() == expected[role].keys()
        for name, score in expected[role].items():
            assert found[role][name]["value"] == pytest.approx(score["value"], rel=1e-9), name


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
