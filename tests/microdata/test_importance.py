"""The importance of columns: read, kept, and used wherever a loss over columns is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import FileError, ParameterError
from icefire.core.pipeline import Pipeline
from icefire.microdata.anonymize.generalize import Generalize
from icefire.microdata.anonymize.local_suppression import LocalSuppression
from icefire.microdata.data import Microdata, Release, Schema
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
