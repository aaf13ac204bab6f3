"""The importance of columns: read, kept, and used wherever a loss over columns is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import FileError, ParameterError
from icefire.core.pipeline import Pipeline
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.anonymize.generalize import Generalize
from icefire.microdata.anonymize.k_member import KMember
from icefire.microdata.anonymize.local_suppression import LocalSuppression
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.concealing import rendered, space_of
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.roles import Anonymizer
from icefire.microdata.schema import Column, read_schema, schema_toml
from icefire.microdata.utility.entropy_loss import EntropyLoss
from icefire.microdata.utility.information_loss import InformationLoss
from icefire.microdata.utility.loss import Loss

SCHEMA = Schema(["age", "sex"], columns={"age": Column(importance=3)})
PEOPLE = Microdata(pl.DataFrame({"age": [20, 30, 40, 60], "sex": ["f", "f", "m", "m"]}), SCHEMA)


def test_read_and_written(tmp_path: Path) -> None:
    (tmp_path / "schema.toml").write_text(schema_toml(SCHEMA), encoding="utf-8")
    assert "importance = 3" in schema_toml(SCHEMA)
    assert read_schema(tmp_path / "schema.toml", ["age", "sex"]).column("age").importance == 3


@pytest.mark.parametrize("wrong", ["0", "-1", "inf", "true", "'much'"])
def test_not_a_number_above_0(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "schema.toml").write_text(f'qi = ["age"]\n[columns.age]\nimportance = {wrong}\n', encoding="utf-8")
    with pytest.raises(FileError, match="column 'age': expected importance: a number above 0"):
        read_schema(tmp_path / "schema.toml", ["age"])
    with pytest.raises(ParameterError, match="'importance' parameter of Column must be a number above 0"):
        Column(importance=0)


def test_metrics_are_weighted_means() -> None:
    """Ages lose 1 and sexes nothing, or the other way round: 3/4 and 1/4."""
    for name, share in ("age", 0.75), ("sex", 0.25):
        hidden = PEOPLE.frame.with_columns(pl.lit("*").alias(name))
        release = Release(PEOPLE, Microdata(hidden, SCHEMA.without_columns()), np.arange(4))
        assert Loss().measure(PEOPLE, release).value == pytest.approx(share)
        assert EntropyLoss().measure(PEOPLE, release).value == pytest.approx(share * {"age": 2, "sex": 1}[name])
        by_column = InformationLoss().measure(PEOPLE, release).detail["by column"]
        assert isinstance(by_column, dict)
        expected = share * float(str(by_column[name]))
        assert InformationLoss().measure(PEOPLE, release).value == pytest.approx(expected)


def test_kept_by_steps() -> None:
    """Ages in tens matter more than sexes in the next step, too."""
    steps = Generalize(columns=("age",), width=10), LocalSuppression(k=2)
    release = Pipeline(steps).anonymize(PEOPLE, np.random.default_rng(0))
    assert release.published.schema.column("age").importance == 3


@pytest.mark.parametrize(
    "step",
    [Mondrian(k=5), KMember(k=5), Conceal(k=5), Conceal(k=3, design="greedy"), LocalSuppression(k=5)],
    ids=lambda s: s.step(),
)
@pytest.mark.parametrize("missing", [False, True])
def test_important_columns_lose_less(step: Anonymizer, missing: bool) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"age": rng.integers(0, 60, 200), "sex": rng.choice(list("fmx"), 200), "pay": rng.integers(0, 60, 200)}
    )
    if missing:
        frame = frame.with_columns(
            pl.when(pl.Series(rng.random(200) < 0.1)).then(None).otherwise(name).alias(name) for name in frame.columns
        )
    lost = []
    for columns in {}, {"age": Column(importance=8)}:
        table = Microdata(frame, Schema(frame.columns, columns=columns))
        by_column = Loss().measure(table, step.anonymize(table, np.random.default_rng(1))).detail["by column"]
        assert isinstance(by_column, dict)
        lost.append(float(str(by_column["age"])))
    assert lost[1] < 0.8 * lost[0]


def test_the_loss_of_a_space_is_the_weighted_mean() -> None:
    """Beside LM of the cells that are written, with a hierarchy, missing values and a set."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 40, 60),
            "sex": rng.choice(["f", "m", "?"], 60),
            "zip": rng.integers(10, 30, 60).astype(str),
        }
    )
    frame = frame.with_columns(sex=pl.col("sex").replace("?", None))
    columns = {"age": Column(importance=3), "zip": Column(importance=0.5, hierarchy=Hierarchy(digits=(1,)))}
    table = Microdata(frame, Schema(frame.columns, columns=columns))
    space = space_of(table, table.qi)
    boxes = space.closure(np.stack([np.arange(60), rng.permutation(60)], axis=1))
    cells = Microdata(pl.DataFrame(rendered(table, table.qi, space, boxes)), table.schema.without_columns())
    measured = Loss().measure(table, Release(table, cells, np.arange(60))).value
    assert float(space.loss(boxes).mean()) == pytest.approx(measured)
