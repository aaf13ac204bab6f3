"""The whole job from Python: frames of every kind go in, and the same kind comes back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import icefire
from icefire.core.errors import DataError, InputError
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.microdata import Mondrian
from own_data import people

ROLES: dict[str, Any] = {
    "qi": ["age", "sex", "prefecture"],
    "sa": ["disease", "cost"],
    "identifying": ["氏名", "contact", "number", "birth_date", "file", "label"],
}


def test_the_lines_of_the_documentation_with_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    data = icefire.table(people().to_pandas(), **ROLES)
    release = data.anonymize("mondrian(k=5)", seed=7)
    risk = release.attack(attacker="qi").risk
    assert 0 < risk.value < 0.4
    assert risk.interval is not None
    answer = release.attack("posterior", attacker="qi").answer(max_risk=0.01)
    assert answer.startswith("Do not release. Somebody who knows age, ")
    assert (
        release.report(tmp_path / "report.html", findings=release.attack("euclid")).read_text().startswith("<!doctype")
    )
    published = release.published.to_pandas()  # type: ignore[union-attr]
    assert isinstance(release.published.to_native(), pandas.DataFrame)
    assert list(published.columns) == ["age", "prefecture", "sex", "disease", "cost"]


def test_polars_and_duckdb_give_the_same() -> None:
    duckdb = pytest.importorskip("duckdb")
    held = people()
    made = icefire.table(held, **ROLES).anonymize(Mondrian(k=5), seed=7)
    relation = duckdb.from_arrow(held.to_arrow())
    there = icefire.table(relation, **ROLES).anonymize("mondrian(k=5)", seed=7)
    assert isinstance(made.published.to_native(), pl.DataFrame)
    assert isinstance(there.published.to_native(), duckdb.DuckDBPyRelation)
    assert there.published.to_native().pl().equals(made.published.to_native())


def test_what_would_give_people_away_is_asked_for() -> None:
    with pytest.raises(DataError, match="say what these columns are") as error:
        icefire.table(people(), qi=["age", "sex"], identifying=["氏名"])
    for name in ("contact", "number", "birth_date", "file", "label"):
        assert f"\n  {name}: " in str(error.value)
    assert "disease" not in str(error.value)
    assert icefire.table(people().select("age", "disease"), qi=["age"]).original.sa == ("disease",)


def test_saving_for_the_command_line(tmp_path: Path) -> None:
    release = icefire.table(people(), **ROLES).anonymize("mondrian(k=5)", seed=7)
    release.save(tmp_path / "out")
    again = Registry().format("microdata", None).read_release(tmp_path / "out")
    assert again.rows.tolist() == release.secret.rows.tolist()
    with pytest.raises(InputError, match="whose secret would be lost"):
        release.save(tmp_path / "out")


def test_histories_and_traces() -> None:
    registry = Registry()
    bought = registry.make("history", "dataset", "purchases(n=20)").generate(generator(1)).frame
    log = icefire.records(bought, price="price", quantity="quantity")
    release = log.anonymize("pseudonyms", seed=1)
    assert release.attack("jaccard", attacker="all").risk.value > 0.5
    assert "user" in release.published.columns
    walks = registry.make("trace", "dataset", "walks(n=12,days=2)").generate(generator(1))
    grid = {"rows": walks.grid.rows, "columns": walks.grid.columns, "day": walks.day}
    frames = [
        pl.DataFrame(
            {
                "user": [str(u) for u in range(12) for _ in times],
                "time": [int(t) for _ in range(12) for t in times],
                "region": (cells + 1).ravel(),
            }
        )
        for cells, times in zip((walks.reference, walks.original), walks.times, strict=True)
    ]
    hidden = icefire.traces(*frames, **grid).anonymize("planar_laplace(level=1)", seed=1)
    assert hidden.published.columns == ["pseudonym", "time", "region"]
    assert 0 <= hidden.attack("home_prob").risk.value <= 1
    with pytest.raises(DataError, match="one each is needed"):
        icefire.traces(frames[0][:-1], frames[1], **grid)


def test_members_and_a_table_made_elsewhere(tmp_path: Path) -> None:
    people = Registry().make("synthetic", "dataset", "cohort(n=80)").generate(generator(1))
    data = icefire.members(people.members, others=people.control, hidden=["diagnosis"], columns=people.schema.columns)
    release = data.anonymize("sequential_trees", seed=1)
    assert release.published.columns == list(people.names)
    assert release.attack("nearest_record", attacker="all").risk.value < 1
    assert {"pair_error", "regression_error"} <= release.utility.keys()
    # The original itself, as a tool of somebody else may have made it.
    given = data.released(people.members.to_pandas())
    found = given.attack(attacker="all")
    assert found.risk.value == 1.0
    assert not any(run.attack.knows_method for run in found.runs)
    assert repr(given) == "Release(synthetic: made elsewhere)"
    assert "released(...)" in given.report(tmp_path / "report.html", findings=found).read_text()
    given.save(tmp_path / "out")
    again = Registry().format("synthetic", None).read_release(tmp_path / "out")
    assert again.published.equals(given.secret.published)
    with pytest.raises(InputError, match=r"icefire\.members"):
        icefire.table(people.members, qi=["age"]).released(people.members)


def test_displays() -> None:
    data = icefire.table(people(), **ROLES)
    release = data.anonymize("mondrian(k=5)", seed=7)
    findings = release.attack("euclid", attacker="qi")
    assert repr(data) == "Data(microdata: 400 people)"
    assert repr(release) == "Release(microdata: mondrian)"
    assert repr(findings).startswith("Findings(1 attacks: re_identification 0.")
    for shown in (data, release, findings):
        assert "<table" in shown._repr_html_()
    assert findings.table["attack"].to_list() == ["euclid"]


def test_what_it_offers() -> None:
    for name in icefire.__all__:
        assert getattr(icefire, name)
    assert set(icefire.__all__) >= {"table", "records", "traces", "members"}
    with pytest.raises(AttributeError, match="no attribute 'tabel'"):
        _ = icefire.tabel


def test_importing_loads_nothing_heavy() -> None:
    heavy = "numpy polars scipy altair pandas narwhals"
    code = f"import sys, icefire; print([m for m in '{heavy}'.split() if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
