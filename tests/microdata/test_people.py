"""Rows are people, or the command stops."""

from __future__ import annotations

import shlex
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import icefire
from icefire.cli.main import icefire as command
from icefire.core.errors import DataError, InputError, UnknownName
from icefire.microdata.inspection import Inspection
from icefire.microdata.repeated import find_repeated_key
from icefire.microdata.schema import Column, read_schema


def admissions(patients: int, each: int) -> pl.DataFrame:
    """Patients with several rows each, of whom everybody's diagnosis is always the same."""
    rng = np.random.default_rng(0)
    people = pl.DataFrame(
        {
            "patient": np.arange(1000, 1000 + patients),
            "age": rng.integers(20, 90, patients),
            "sex": rng.choice(["f", "m"], patients),
            "diagnosis": rng.choice(["flu", "asthma", "HIV"], patients),
        }
    )
    return pl.concat([people] * each).sample(fraction=1, shuffle=True, seed=1)


ROLES: dict[str, Any] = {"qi": ["age", "sex"], "sa": ["diagnosis"], "identifying": ["patient"]}


def test_twelve_rows_of_each_patient_stop_the_command(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    admissions(300, 12).write_csv(tmp_path / "data" / "original.csv")
    (tmp_path / "data" / "schema.toml").write_text(
        'qi = ["age", "sex"]\nsa = ["diagnosis"]\nidentifying = ["patient"]\n'
    )
    words = ["anonymize", "microdata", "mondrian(k=10)", "--in", str(tmp_path / "data")]
    result = CliRunner().invoke(command, [*words, "--out", str(tmp_path / "release")])
    assert isinstance(result.exception, DataError)
    assert "3,600 rows have 300 different values of 'patient'" in str(result.exception)
    assert "--one-row-per patient" in str(result.exception)
    assert not (tmp_path / "release" / "published.csv").exists()


def test_python_stops_as_well() -> None:
    with pytest.raises(DataError, match="some people have several rows"):
        icefire.table(admissions(300, 12), **ROLES)


def test_a_few_patients_with_two_rows_are_enough() -> None:
    once = admissions(100, 1)
    with pytest.raises(DataError, match="129 rows have 100 different values of 'patient'"):
        icefire.table(pl.concat([once, once.head(29)]), **ROLES)


@pytest.mark.parametrize("name", ["kunde", "who", "氏名"])
def test_whatever_the_column_is_called(name: str) -> None:
    frame = admissions(300, 12).rename({"patient": name})
    with pytest.raises(DataError, match=f"300 different values of '{name}'"):
        icefire.table(frame, qi=["age", "sex"], sa=["diagnosis"], identifying=[name])


def test_namesakes_and_columns_that_were_put_aside_do_not_stop_it() -> None:
    rng = np.random.default_rng(0)
    frame = admissions(3000, 1).with_columns(
        name=pl.Series(rng.choice([f"Ann {i}" for i in range(900)], 3000)),
        ward=pl.Series(rng.choice([f"ward {i}" for i in range(15)], 3000)),
        remark=pl.Series(np.where(rng.random(3000) < 0.8, "none", rng.choice(["late", "left"], 3000))),
    )
    asides = ["patient", "name", "ward", "remark"]
    data = icefire.table(frame, qi=["age", "sex"], sa=["diagnosis"], identifying=asides)
    assert data.original.people == 3000


def test_the_schema_may_say_why_rows_are_people_all_the_same(tmp_path: Path) -> None:
    said = {"patient": Column(accepted="the number of the ward's list, used again every month")}
    assert icefire.table(admissions(300, 12), **ROLES, columns=said).original.people == 3600


def test_one_row_per_person(tmp_path: Path) -> None:
    admissions(300, 12).write_csv(tmp_path / "visits.csv")
    words = ["init", str(tmp_path / "visits.csv"), "--out", str(tmp_path / "data"), "--yes"]
    result = CliRunner().invoke(command, [*words, "--one-row-per", "patient"])
    assert result.exit_code == 0, result.output
    assert icefire.folder(tmp_path / "data").original.people == 300
    words[words.index(str(tmp_path / "data"))] = str(tmp_path / "other")
    result = CliRunner().invoke(command, [*words, "--one-row-per", "patent"])
    assert isinstance(result.exception, UnknownName)
    assert "did you mean 'patient'?" in str(result.exception)


def visits() -> pl.DataFrame:
    """Forty patients, whose visits have a day and a drug."""
    rng = np.random.default_rng(0)
    who = rng.integers(0, 40, 400)
    return pl.DataFrame(
        {
            "patient": who + 1000,
            "sex": np.array(["f", "m"])[who % 2],
            "born": [1940 + int(i) for i in who],
            "day": [date(2024, 1, 1) + timedelta(int(i)) for i in rng.integers(0, 90, 400)],
            "drug": rng.choice(["a", "b", "c"], 400),
        }
    )


@pytest.mark.parametrize("name", ["patient", "kunde", "患者番号"])
def test_init_notices_people_with_several_rows(tmp_path: Path, name: str) -> None:
    visits().rename({"patient": name}).write_csv(tmp_path / "visits.csv")
    file = str(tmp_path / "visits.csv")
    result = CliRunner().invoke(command, ["init", file, "--yes", "--out", str(tmp_path / "data")])
    assert f"400 rows have 40 different values of '{name}'" in result.stdout
    offered = [shlex.split(line)[1:] for line in result.stdout.splitlines() if line.startswith("  icefire init")]
    assert offered == [
        ["init", file, "--records", "--out", "records"],
        ["init", file, "--one-row-per", name, "--out", "people"],
    ]
    schema = read_schema(tmp_path / "data" / "schema.toml", visits().rename({"patient": name}).columns)
    assert schema.identifying == (name,)
    out = ["--out", str(tmp_path / "records")]
    result = CliRunner().invoke(command, [*offered[0][:-2], *out], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    history = icefire.folder(tmp_path / "records", "history").original
    assert (history.people, history.height, history.schema.columns) == (
        40,
        400,
        {"user": name, "date": "day", "item": "drug"},
    )
    words = [
        "anonymize",
        "history",
        "pseudonyms",
        "--in",
        str(tmp_path / "records"),
        "--out",
        str(tmp_path / "release"),
    ]
    assert CliRunner().invoke(command, words, catch_exceptions=False).exit_code == 0


def test_records_say_what_was_done(tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    visits().with_columns(ward=pl.col("drug") + pl.col("day").dt.day().cast(pl.String)).write_csv(file)
    words = ["init", str(file), "--records", "--out", str(tmp_path / "records")]
    assert CliRunner().invoke(command, [*words, "--item", "ward", "--json"]).exit_code == 0
    assert icefire.folder(tmp_path / "records", "history").original.schema.columns["item"] == "ward"
    words[-1] = str(tmp_path / "other")
    assert isinstance(CliRunner().invoke(command, [*words, "--item", "wart"]).exception, UnknownName)
    admissions(300, 1).write_csv(file)
    assert isinstance(CliRunner().invoke(command, words).exception, InputError)


def test_households_are_no_people() -> None:
    rng = np.random.default_rng(0)
    home = np.repeat(np.arange(200), 3)
    frame = pl.DataFrame(
        {
            "home_id": home,
            "town": rng.integers(0, 20, 200)[home],
            "zip": rng.integers(1000, 9999, 200)[home],
            "age": rng.integers(0, 90, 600),
            "sex": rng.choice(["f", "m"], 600),
        }
    )
    key = find_repeated_key(frame)
    assert (key and (key.column, key.of)) == ("home_id", "household")
    looks = {look.name: look.role for look in Inspection.of(frame).looks}
    assert looks["home_id"] == "household"


def test_tables_of_people_and_codes_that_repeat_are_no_records() -> None:
    rng = np.random.default_rng(0)
    frame = admissions(3000, 1).with_columns(
        ward_id=pl.Series(rng.integers(0, 30, 3000)), product=pl.Series(rng.choice([f"P{i}" for i in range(300)], 3000))
    )
    assert find_repeated_key(frame) is None
