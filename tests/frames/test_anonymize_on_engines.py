"""`anonymize` on DuckDB and Spark makes the same releases as in memory, up to the order of rows."""

from __future__ import annotations

import gzip
import json
import stat
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.core.attackers import EVERYTHING
from icefire.core.errors import FileError, InputError
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.frames import engines
from icefire.microdata import data as microdata
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.formats.ours import Ours

ENGINES = ["duckdb", "spark"]
SCHEMA = """
qi = ["age", "code", "born", "rank"]
sa = ["ill", "pay", "the pay"]
[columns.age]
hierarchy = { widths = [5, 20] }
[columns.code]
type = "categorical"
[columns.rank]
order = ["low", "mid", "high"]
"""
METRICS = ["k_anonymity", "distinct_diversity", "t_closeness", "information_loss", "loss"]
STEPS = [
    ["mondrian(k=3)"],
    ["mondrian(k=4, columns=[age, rank], sensitive=ill, diversity=entropy, l=2)"],
    ["mondrian(k=3, sensitive=pay, t=0.4)"],
    ["global_recode(k=3, suppression=0.2)"],
    ["global_recode(k=2, columns=[age, rank], sensitive=ill, diversity=distinct, l=2, suppression=0.5)"],
    ["drop_columns(columns=[born])", "generalize(columns=[age, 'the pay'], width=10)", "mondrian(k=5)"],
]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    pytest.importorskip("duckdb")
    if request.param == "spark":
        request.getfixturevalue("spark")
    return str(request.param)


# One on Spark, which takes seconds for anything.
CASES = [*(("duckdb", steps) for steps in STEPS), ("spark", STEPS[3])]


def people(seed: int, height: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 70, height),
            "code": [f"{code:03}" for code in rng.integers(0, 9, height)],
            "born": pl.Series(rng.integers(0, 12, height) * 1000).cast(pl.Int32).cast(pl.Date),
            "rank": rng.choice(["low", "mid", "high"], height),
            "ill": rng.choice(["flu", "cold", "none", "a|b"], height),
            "pay": rng.integers(4, 40, height) / 4,
            "the pay": rng.integers(4, 40, height),
        }
    )
    gaps = [
        pl.when(pl.Series(rng.random(height) > 0.1)).then(name).alias(name) for name in ("age", "code", "rank", "ill")
    ]
    return frame.with_columns(gaps)


def write(folder: Path, frame: pl.DataFrame) -> Path:
    """A working folder whose original is in several files, the largest one in the middle."""
    (folder / "original.parquet").mkdir(parents=True)
    for part, (begin, end) in enumerate(pairwise([0, frame.height // 10, frame.height // 10 * 8, frame.height])):
        frame[begin:end].write_parquet(folder / "original.parquet" / f"part {part}.parquet")
    (folder / "schema.toml").write_text(SCHEMA)
    return folder


def run(*arguments: object) -> str:
    return CliRunner().invoke(icefire, [str(argument) for argument in arguments], catch_exceptions=False).stdout


def anonymize(folder: Path, engine: str, steps: Sequence[str], target: Path | None = None, seed: int = 1) -> None:
    form = ("--format", f"ours(engine={engine})", "--seed", seed)
    run("anonymize", "microdata", *steps, "--in", folder, "--out", target or folder, "--replace", *form)


def published(folder: Path) -> pl.DataFrame:
    path = folder / "published.parquet"
    return pl.concat(map(pl.read_parquet, sorted(path.glob("*.parquet")) if path.is_dir() else [path]))


def in_memory(frame: pl.DataFrame, steps: Sequence[str], folder: Path) -> microdata.Release:
    original = Registry().format("microdata", "ours(engine=polars)").read_original(folder)
    table = Microdata(frame, original.schema)
    made = Registry().make
    return Pipeline(tuple(made("microdata", "anonymize", step) for step in steps)).anonymize(
        table, np.random.default_rng(0)
    )


@pytest.mark.parametrize(("engine", "steps"), CASES, ids=str, indirect=["engine"])
def test_same_rows_as_in_memory(tmp_path: Path, engine: str, steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(6 if engine == "duckdb" else 1):
        frame = people(seed)
        folder = write(tmp_path / str(seed), frame)
        expected = in_memory(frame, steps, folder)
        with monkeypatch.context() as patch:
            patch.setattr(engines, "polars", _refuse)
            anonymize(folder, engine, steps)
        found = published(folder)
        assert found.columns == expected.published.frame.columns
        assert Counter(found.rows()) == Counter(expected.published.frame.rows())
        # The row map links each published row to what it was made from.
        rows = np.loadtxt(folder / "secret.csv", dtype=np.int64, ndmin=1) - 1
        links = dict(zip(expected.rows.tolist(), expected.published.frame.rows(), strict=True))
        assert found.rows() == [links[row] for row in rows.tolist()]
        assert sorted(rows.tolist()) == sorted(expected.rows.tolist())
        for name in ("secret.csv", "secret-recipe.toml"):
            assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
        assert not list(folder.glob(".writing*"))
        assert (folder / "schema.toml").read_text() == SCHEMA


def _refuse(data: object) -> pl.DataFrame:
    # Distinct rows are in memory already.
    assert isinstance(data, pl.DataFrame), "the whole table was read into memory"
    return data


def test_files_are_read_in_the_order_of_their_names(tmp_path: Path, engine: str) -> None:
    """Spark begins with the largest file, and row maps count by the names."""
    folder = write(tmp_path / "in", people(0))
    assert Registry().format("microdata", f"ours(engine={engine})").read_original(folder).frame.equals(people(0))


def test_order_tells_nothing(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    folder = write(tmp_path / "in", people(0, 400))
    orders = []
    for seed in (1, 1, 2):
        anonymize(folder, "duckdb", ["mondrian(k=3)"], seed=seed)
        orders.append(np.loadtxt(folder / "secret.csv", dtype=np.int64))
    assert (orders[0] == orders[1]).all()
    assert (orders[0] != orders[2]).mean() > 0.9
    assert abs(np.corrcoef(np.arange(400), orders[0])[0, 1]) < 0.2


def test_metrics_and_attacks_read_the_release(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    folder, form = write(tmp_path / "in", people(3)), ("--format", "ours(engine=duckdb)")
    target = tmp_path / "out"
    for _ in range(2):
        anonymize(folder, "duckdb", ["mondrian(k=4)"], target)
    metrics = [word for name in METRICS for word in ("--metrics", name)]
    found = json.loads(run("evaluate", "microdata", "--in", target, "--json", *metrics, *form))
    release = in_memory(people(3), ["mondrian(k=4)"], folder)
    memory = tmp_path / "memory"
    Registry().format("microdata", None).write_release(release, memory, {}, ".parquet")
    expected = json.loads(run("evaluate", "microdata", "--in", memory, "--json", *metrics))
    for role in ("utility", "safety"):
        for name, score in expected[role].items():
            assert found[role][name]["value"] == pytest.approx(score["value"], rel=1e-9), name
    run("attack", "microdata", "euclid", "shadow", "--in", target, "--out", target, "--method", "mondrian(k=4)", *form)
    known = (
        Registry().kind("microdata").known(Registry().format("microdata", form[1]).read_original(target), EVERYTHING)
    )
    assert isinstance(known, Microdata)
    assert isinstance(known.native, pl.DataFrame)
    other = write(tmp_path / "other", people(4))
    with pytest.raises(FileError, match="another original"):
        anonymize(other, "duckdb", ["mondrian(k=4)"], target)


def test_csv(tmp_path: Path, engine: str) -> None:
    frame = people(5).drop("born")
    (tmp_path / "schema.toml").write_text(SCHEMA.replace(', "born"', ""))
    frame.write_csv(tmp_path / "plain.csv")
    text = (tmp_path / "plain.csv").read_text().replace("\n", "\n,,,,,\n", 2)
    (tmp_path / "original.csv.gz").write_bytes(gzip.compress(text.encode()))
    expected = in_memory(frame, ["mondrian(k=3)"], tmp_path)
    anonymize(tmp_path, engine, ["mondrian(k=3)"])
    rows = np.loadtxt(tmp_path / "secret.csv", dtype=np.int64) - 1
    links = dict(zip(expected.rows.tolist(), expected.published.frame.rows(), strict=True))
    assert published(tmp_path).rows() == [links[row] for row in rows.tolist()]


def relation(frame: pl.DataFrame) -> Any:
    """A table on a connection of its own."""
    return pytest.importorskip("duckdb").connect().from_arrow(frame.to_arrow())


def begun(frame: pl.DataFrame) -> Microdata:
    release, _ = Microdata(relation(frame), Schema(qi=["age"], sa=["pay"])).begin(np.random.default_rng(0))
    return release.working


NEEDED = {
    "drop_columns": "(columns=[age])",
    "drop_rows": "(smaller_than=2)",
    "generalize": "(columns=[age], width=2)",
    "round": "(base=10)",
}


def test_steps_without_a_form_on_engines_are_refused(registry: Registry) -> None:
    frame = pl.DataFrame({"age": range(10), "pay": np.arange(10) / 2})
    able, messages = [], set()
    for method in registry.methods("microdata", "anonymize"):
        step = registry.make("microdata", "anonymize", method.name + NEEDED.get(method.name, ""))
        try:
            step.anonymize(begun(frame), np.random.default_rng(0))
        except InputError as error:
            messages.add(str(error))
        else:
            able.append(method.name)
    assert len(messages) == 1, messages
    message = messages.pop()
    assert f"{', '.join(able[:-1])} and {able[-1]} can" in message
    assert message.endswith("leave the engine out to compute in memory")


def test_too_many_distinct_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(pl.DataFrame({"age": range(30), "pay": range(30)}))
    monkeypatch.setattr(microdata, "DISTINCT", 29)
    with pytest.raises(InputError, match=r"more than 29 distinct rows.*name fewer columns"):
        Mondrian(k=2).anonymize(table, np.random.default_rng(0))
    monkeypatch.setattr(microdata, "DISTINCT", 30)
    Mondrian(k=2).anonymize(table, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        (pl.DataFrame({"age": [1, 2], "pay": [1.0, float("nan")]}), "NaN or infinite"),
        (pl.DataFrame({"age": [1, 2], "pay": [[1], [2]]}), "give numbers, texts or dates"),
        (pl.DataFrame({"age": [], "pay": []}, schema={"age": pl.Int64, "pay": pl.Int64}), "0 rows"),
    ],
)
def test_tables_that_are_refused(frame: pl.DataFrame, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        begun(frame)


def test_identifying_columns_and_households_stay(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    folder, out = tmp_path / "data", tmp_path / "out"
    folder.mkdir()
    rows = {"name": [f"p{i}" for i in range(60)], "age": [20 + i % 9 for i in range(60)], "pay": range(60)}
    pl.DataFrame(rows).with_columns(house=pl.int_range(60) // 2).write_parquet(folder / "original.parquet")
    roles = 'qi = ["age"]\nsa = ["pay"]\nidentifying = ["name"]\nhousehold = "house"\n'
    (folder / "schema.toml").write_text(roles)
    files = Ours(engine="duckdb")
    release = Pipeline((Mondrian(k=5),)).anonymize(files.read_original(folder), np.random.default_rng(1))
    files.write_release(release, out, {})
    assert set(pl.read_parquet(out / "published.parquet").columns) == {"age", "pay"}
    again = Ours().read_release(out)
    assert again.original.schema.identifying == ("name",)
    assert "name" not in again.original.frame.columns
