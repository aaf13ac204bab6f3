"""What columns look like: identifying ones are found, copies are found, and what happens by chance is not."""

from __future__ import annotations

import json
import tomllib
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import icefire
from icefire.cli.main import icefire as command
from icefire.core.errors import DataError
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.inspection import Inspection, copies_among, told_by
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.schema import read_schema
from own_data import people


def test_roles_with_reasons() -> None:
    looks = {look.name: look for look in Inspection.of(people()).looks}
    roles = {name: look.role for name, look in looks.items()}
    assert roles == {
        "氏名": "identifying",
        "contact": "identifying",
        "number": "identifying",
        "birth_date": "identifying",
        "age": "qi",
        "label": "qi",
        "file": "identifying",
        "prefecture": "qi",
        "sex": "qi",
        "disease": "sa",
        "cost": "sa",
    }
    assert looks["contact"].reasons == ("looks like e-mail addresses",)
    assert looks["number"].reasons == ("looks like My Numbers (個人番号)",)
    assert looks["file"].reasons == ("looks like numbers of people or cases",)
    assert "one tells the other: age" in looks["label"].reasons
    assert "one tells the other: age" in looks["birth_date"].reasons
    assert looks["prefecture"].hierarchy is not None
    assert looks["prefecture"].hierarchy.table is not None
    assert looks["prefecture"].hierarchy.table["東京都"] == ("関東地方",)


@pytest.mark.parametrize(
    ("column", "role"),
    [
        (pl.Series("phone", [f"03-1234-{i:04d}" for i in range(50)]), "identifying"),
        (pl.Series("x", [f"090{i:08d}" for i in range(50)]), "identifying"),
        (pl.Series("x", range(100, 150)), "identifying"),
        (pl.Series("wt", np.linspace(1, 3, 50)), "weight"),
        (pl.Series("世帯番号", [i // 2 for i in range(50)]), "household"),
        (pl.Series("年収", np.random.default_rng(1).integers(1_000, 9_000_000, 50)), "sa"),
        (pl.Series("comment", [f"said {'something long ' * 4}{i}" for i in range(50)]), "identifying"),
        (pl.Series("colour", ["red", "blue"] * 25), "qi"),
        (pl.Series("Alter", np.random.default_rng(1).integers(18, 90, 50)), "qi"),
        (pl.Series("dep", np.random.default_rng(1).normal(0, 1, 50)), "qi"),
        (pl.Series("income", np.random.default_rng(1).lognormal(8, 1, 50)), "sa"),
        (pl.Series("seen", [date(2024, 1, 1) + timedelta(i) for i in range(50)]), "qi"),
        (pl.Series("seen", [datetime(2024, 1, 1, 9, 30) + timedelta(i) for i in range(50)]), "qi"),
        (pl.Series("born", [int(f"{date(1980, 1, 1) + timedelta(97 * i):%Y%m%d}") for i in range(50)]), "qi"),
        (pl.Series("w", [f"昭和{i + 1}年{i % 12 + 1}月{i % 28 + 1}日" for i in range(50)]), "identifying"),
    ],
)
def test_single_columns(column: pl.Series, role: str) -> None:
    assert Inspection.of(column.to_frame()).looks[0].role == role


def test_the_schema_that_is_suggested_can_be_read(tmp_path: Path) -> None:
    frame = people()
    text = Inspection.of(frame).schema_toml('a "file"\n.csv')
    (tmp_path / "schema.toml").write_text(text, encoding="utf-8")
    schema = read_schema(tmp_path / "schema.toml", frame.columns)
    assert not schema.unnamed
    assert set(schema.identifying) == {"氏名", "contact", "number", "birth_date", "file"}
    assert tomllib.loads(text)["sa"] == ["disease", "cost"]
    table = Microdata(frame, schema)
    assert not set(table.frame.columns) & set(schema.identifying)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(2, 30), st.integers(40, 400))
def test_independent_columns_are_no_copies(seed: int, left: int, right: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    table = pl.DataFrame({"a": rng.integers(0, left, rows), "b": rng.integers(0, right, rows).astype(str)})
    assert copies_among(table, [("a", "b")]) == {}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(6, 60), st.integers(2, 5), st.floats(0, 0.02))
def test_a_coarser_column_is_a_copy_up_to_a_few_exceptions(seed: int, values: int, width: int, wrong: float) -> None:
    rng = np.random.default_rng(seed)
    fine = rng.integers(0, values, 2000)
    coarse = np.where(rng.random(2000) < wrong, rng.integers(0, values // width + 1, 2000), fine // width)
    table = pl.DataFrame({"fine": fine.astype(str), "coarse": coarse.astype(str)})
    assert copies_among(table, [("fine", "coarse")]) == {"fine": ["coarse"], "coarse": ["fine"]}


def test_nearly_constant_columns_are_no_copies() -> None:
    rng = np.random.default_rng(1)
    table = pl.DataFrame({"a": rng.integers(0, 5, 1000), "b": (rng.random(1000) < 0.02).astype(str)})
    assert copies_among(table, [("a", "b")]) == {}
    assert told_by(table.select("a"), table.select("b")) == {}


def test_k_is_counted_over_copies() -> None:
    frame = people().select("age", "label", "sex", "cost")
    table = Microdata(frame, Schema(qi=["age", "sex"], sa=["label", "cost"]))
    release = Mondrian(k=20).anonymize(table, np.random.default_rng(1))
    assert KAnonymity(copies=False).measure(release).value >= 20
    told = KAnonymity().measure(release)
    direct = release.published.frame.group_by("age", "sex", "label").len()["len"].min()
    assert told.value == direct
    assert told.detail["told by"] == ["label"]


def test_what_follows_from_a_finer_column_counts() -> None:
    frame = people().select("age", "birth_date", "sex", "cost")
    table = Microdata(frame, Schema(qi=["age", "sex"], sa=["birth_date", "cost"]))
    release = Mondrian(k=20).anonymize(table, np.random.default_rng(1))
    # The age follows from the day of birth, whatever became of the age.
    ages = frame["age"][release.rows]
    direct = release.published.frame.with_columns(was=ages).group_by("age", "sex", "was").len()["len"].min()
    assert KAnonymity().measure(release).value == direct


def test_changed_copies_no_longer_tell() -> None:
    frame = people().select("age", "label", "cost")
    table = Microdata(frame, Schema(qi=["age"], sa=["label", "cost"]))
    shown = frame.with_columns(age=pl.lit("*"), label=pl.col("label").shuffle(seed=3))
    release = Release(table, Microdata(shown, table.schema.generalized(["age"])), np.arange(400))
    assert KAnonymity().measure(release).value == 400


def test_roles_exclude_each_other() -> None:
    with pytest.raises(DataError, match="'a' is both QI and identifying"):
        Schema(["a"], ["b"], identifying=["a"])
    with pytest.raises(DataError, match="'w' is both other and weight"):
        Schema(["a"], ["b"], other=["w"], weight="w")


def test_households_and_identifying_columns_are_not_published() -> None:
    frame = people().select("氏名", "age", "cost").with_columns(house=pl.int_range(400) // 2, wt=pl.lit(2.0))
    schema = Schema(qi=["age"], sa=["cost"], identifying=["氏名"], household="house", weight="wt")
    release = Mondrian(k=5).anonymize(Microdata(frame, schema), np.random.default_rng(1))
    assert set(release.published.frame.columns) == {"age", "cost", "wt"}
    assert release.original.frame["house"].n_unique() == 200


@pytest.mark.parametrize("heading", ["Name", "Full name", "Patient name", "氏名", "患者名", "お名前"])
def test_names_identify_people_however_often_they_repeat(heading: str) -> None:
    names = [
        f"{given} {family}"
        for given in ("Anna", "Ruth", "Mary", "Jane", "Eve")
        for family in ("Clark", "Hall", "Young", "Bell", "Cole")
    ]
    looks = Inspection.of(pl.DataFrame({heading: names * 240, "age": [20 + i % 50 for i in range(6000)]})).looks
    assert looks[0].role == "identifying"


def test_names_of_other_things_empty_columns_and_constants() -> None:
    rows = 3000
    frame = pl.DataFrame(
        {
            "country name": [f"country {i % 40}" for i in range(rows)],
            "郵便番号": [f"{100 + i % 700}-{i % 9000:04}" for i in range(rows)],
            "remark": pl.Series([None] * rows, dtype=pl.String),
            "land": ["jp"] * rows,
            "wght": [1.0 + i % 7 for i in range(rows)],
            "kids": [i % 6 for i in range(rows)],
        }
    )
    found = {look.name: look for look in Inspection.of(frame).looks}
    roles = {name: look.role for name, look in found.items()}
    assert roles == {
        "country name": "qi",
        "郵便番号": "qi",
        "remark": "identifying",
        "land": "other",
        "wght": "weight",
        "kids": "qi",
    }
    assert found["kids"].hierarchy == Hierarchy(widths=(2, 4, 8))


def test_numbers_of_which_nothing_is_known_say_so() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"Alter": rng.integers(18, 90, 500), "dep": rng.normal(40, 9, 500), "pay": rng.lognormal(8, 1, 500)}
    )
    looks = {look.name: look for look in Inspection.of(frame).looks}
    for name in ("Alter", "dep"):
        assert looks[name].reasons == ("nothing says what it is: on the safe side, others may know it",)
        assert looks[name].hierarchy is not None
    assert looks["pay"].role == "sa"


def test_coordinates_are_identifying_as_a_pair() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"x": 35.6 + rng.normal(0, 0.1, 500).round(5), "y": 139.7 + rng.normal(0, 0.1, 500).round(5), "k": [1, 2] * 250}
    )
    looks = {look.name: look for look in Inspection.of(frame).looks}
    assert [looks[name].role for name in frame.columns] == ["identifying", "identifying", "qi"]
    assert looks["x"].reasons[0].startswith("look like degrees of latitude and longitude together")


@pytest.mark.parametrize("step", ["mondrian(k=10)", "global_recode(k=10)", "k_member(k=5)", "local_suppression(k=5)"])
@pytest.mark.parametrize("kind", ["dates", "stamps", "texts", "clock"])
def test_dates_are_never_published_as_sets(step: str, kind: str) -> None:
    """Without a word in the schema, they become months, years, decades, or `*`."""
    rng = np.random.default_rng(0)
    days = [date(1960, 1, 1) + timedelta(int(i)) for i in rng.integers(0, 9000, 200)]
    stamps = [datetime(2023, 1, 1) + timedelta(seconds=int(i)) for i in rng.integers(0, 40_000_000, 200)]
    cells = {"dates": days, "stamps": stamps, "texts": list(map(str, days)), "clock": [f"{s:%H:%M:%S}" for s in stamps]}
    frame = pl.DataFrame({"when": cells[kind], "sex": rng.choice(["f", "m"], 200), "ill": rng.choice(["a", "b"], 200)})
    data = icefire.table(frame, qi=["when", "sex"], sa=["ill"])
    shown = data.anonymize(step, seed=1).secret.published.frame["when"].cast(pl.String)
    assert not shown.str.starts_with("{").any()
    assert shown.str.contains(r"^\d*[-:]?\d*\*+$|^\d{4}-\d{2}\*+$").all(), shown.unique()[:5].to_list()


def test_the_way_from_init_to_redteam_with_numbers_that_nobody_named(tmp_path: Path) -> None:
    """The suggested schema is enough: numbers and dates are made coarser, and the release is judged."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "Alter": rng.integers(18, 90, 300),
            "dep": rng.integers(0, 4000, 300),
            "ratio": rng.normal(1, 0.2, 300).round(3),
            "seen": [date(2024, 1, 1) + timedelta(int(i)) for i in rng.integers(0, 300, 300)],
            "income": rng.lognormal(8, 1, 300).round(),
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    for words in (
        ["init", str(tmp_path / "people.csv"), "--yes", "--out", str(tmp_path / "work")],
        ["anonymize", "microdata", "mondrian(k=5)", "--in", str(tmp_path / "work"), "--out", str(tmp_path / "release")],
    ):
        result = CliRunner().invoke(command, words, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    schema = read_schema(tmp_path / "work" / "schema.toml", frame.columns)
    assert set(schema.qi) == {"Alter", "dep", "ratio", "seen"}
    published = pl.read_csv(tmp_path / "release" / "published.csv", infer_schema=False)
    assert published.select(schema.qi).group_by(pl.all()).len()["len"].min() >= 5  # type: ignore[operator]
    words = [
        "redteam",
        "microdata",
        "--in",
        str(tmp_path / "release"),
        "--attacker",
        "qi",
        "--budget",
        "0.01",
        "--json",
    ]
    judged = CliRunner().invoke(command, [*words, "--max-risk", "0.5", "--max-disclosure", "1"], catch_exceptions=False)
    answer = json.loads(judged.stdout)["answer"]
    (cells,) = (finding for finding in answer["findings"] if finding["question"] == "identifying cells")
    assert "columns" not in cells
