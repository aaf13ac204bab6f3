"""Measures of studies: by hand, and beside the programs that they stand for."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from icefire.contest.config import Dataset, Scoring
from icefire.contest.rules import Results, standings
from icefire.core.registry import Registry
from icefire.core.values import BAD_SHARE, CROWD, ERROR, Score
from icefire.datasets.households import Households
from icefire.datasets.transit_cards import TransitCards
from icefire.history.examples import records
from icefire.study.config import Data
from icefire.study.measure import Setting, Value, make_measure, measure_class, measures
from icefire.study.measures.contest2015 import SAFETY, UTILITY
from icefire.study.sources import MissingFile, Source
from icefire.trace.data import Traces
from icefire.trace.grid import Grid


def measured(name: str, data: Any = None, kind: str = "", **settings: Any) -> list[Value]:
    return list(make_measure(name, settings).measure(Setting(data, kind, 0, Registry())))


def values(found: list[Value]) -> dict[str, float | None]:
    return {value.quantity: value.value for value in found if not value.labels}


def test_every_measure_says_what_it_takes() -> None:
    kinds = {"microdata", "history", "trace", "synthetic", "table"}
    assert all(set(measure_class(name).kinds) <= kinds for name in measures())
    assert all((measure_class(name).__doc__ or "").strip() for name in measures())


def test_knowledge_of_the_slides() -> None:
    table = pl.DataFrame(
        {"who": ["Ito", "Ito", "Yamada", "Okamoto", "Okamoto"], "day": ["2/1", "2/1", "2/2", "2/2", "2/3"]}
    )
    found = {v.quantity: v.value for v in measured("knowledge", table, "table", columns=["day"], user="who")}
    assert found["probability"] == pytest.approx(4 / 5)
    assert found["cost"] == pytest.approx(3 / 5)
    assert found["cost error"] == pytest.approx(found["cost error by theorem"])


def test_sizes_of_data() -> None:
    table = pl.DataFrame({"who": ["a", "a", "b"], "day": [1, 2, 2]})
    assert values(measured("sizes", table, "table", user="who")) == {"rows": 3, "people": 2, "columns": 2}
    assert values(measured("sizes", table, "table"))["people"] == 3
    homes = Households(20).generate(np.random.default_rng(0))
    assert values(measured("sizes", homes, "microdata")) == {"rows": 20, "qi": 14, "sa": 11}
    walks = Traces(np.zeros((2, 3), int), np.ones((2, 4), int), Grid(2, 3, 0.5, 0.25), sensitive=np.arange(6) == 4)
    found = values(measured("sizes", walks, "trace"))
    assert found == {"people": 2, "times": 4, "regions": 6, "sensitive": 1, "height": 500, "width": 250}


def test_basic_figures_of_a_history() -> None:
    log = records("ann 2011-01-03 tea 2", "ann 2011-01-05 cup 6", "bob 2011-01-04 cup 6")
    found = values(measured("history", log, "history"))
    assert (found["customers"], found["records"], found["items"]) == (2, 3, 2)
    assert (found["items of a customer"], found["mean Jaccard"], found["days"]) == (1.5, 0.5, 3)


def test_the_score_of_2015_is_that_of_the_contest() -> None:
    table = Households(60).generate(np.random.default_rng(0))
    releases = {
        "nothing": "",
        "noise": "noise(scale=0.5)",
        "k": "mondrian(k=5)",
        "both": "mondrian(k=3) + noise(scale=1)",
    }
    found = measured("contest2015", table, "microdata", releases=releases, attacks=["sort", "id_rand"])
    data = Dataset.model_validate(
        {
            "name": "x",
            "source": "",
            "utility": list(UTILITY),
            "safety": [name.partition("(")[0] for name in SAFETY],
            "tasks": [{"name": "identity", "metric": "re_identification"}],
        }
    )
    scales = dict.fromkeys(UTILITY, ERROR) | {name.partition("(")[0]: CROWD for name in SAFETY}
    judged = {
        (team, "x"): {
            v.quantity: Score(v.value, scales[v.quantity])
            for v in found
            if v.labels["release"] == team and v.quantity in scales and v.value is not None
        }
        for team in releases
    }
    cells = {
        (str(v.labels["release"]), "x", str(v.labels["attack"]), "identity"): Score(v.value, BAD_SHARE)
        for v in found
        if v.quantity == "found" and v.value is not None
    }
    table_of = standings(Results(tuple(releases), (data,), judged, cells), Scoring(rule="pwscup2015"))
    ours = {v.labels["release"]: v.value for v in found if v.quantity == "score"}
    assert ours == {row.team: pytest.approx(row.total) for row in table_of.defenders}


def test_the_official_totals_of_2019(shared: Path) -> None:
    sheets = Data(
        name="sheets",
        kind="table",
        file="pwscup2019_preliminary_id_disclosure.csv",
        beside=("pwscup2019_preliminary_trace_inference.csv",),
    )
    found = measured("sheets2019", Source(sheets, (shared,), Registry()).value, "table")
    with (shared / "pwscup2019_preliminary_totals.csv").open(encoding="utf-8-sig") as file:
        official = {f"team{row['team no.']}": float(row["Total"]) for row in csv.DictReader(file)}
    totals = {v.labels["team"]: v.value for v in found if v.quantity == "total"}
    assert totals == {team: pytest.approx(official[str(team)], abs=1e-12) for team in totals}
    assert values(found)["correlation"] == pytest.approx(0.81, abs=0.005)


def test_eleven_hidden_months_and_one_open() -> None:
    found = [values(measured("hidden_months", hidden="all but last", window=months)) for months in (1, 2, 11, 12)]
    assert {round(each["extended_month_matching"] or 0, 3) for each in found} == {0.083}
    assert [round(each["window_matching"] or 0, 3) for each in found] == [1.0, 0.5, 0.091, 0.083]
    assert {each["user_matching"] for each in found} == {0.0}


def test_rides_and_purchases_of_the_cards() -> None:
    """As in the thesis: 28.4% by a ride, 88.1% by a ride and a purchase; the mean of some decks of cards."""
    means: list[list[float]] = []
    known: list[dict[str, int]] = [{}, {"ride": 1}, {"ride": 1, "shop": 1}]
    for seed in range(4):
        frame = TransitCards().generate(np.random.default_rng(seed)).frame
        settings = {"user": "user", "facts": ["item", "price"], "types": "item", "coarsen": {}}
        found = [values(measured("curve", frame, "table", known=each, **settings)) for each in known]
        means.append([each["probability"] or 0.0 for each in found])
    assert np.mean(means, axis=0) == pytest.approx([1 / 31, 0.284, 0.881], abs=0.03)


def test_rows_of_a_study_and_files_that_are_not_there(tmp_path: Path) -> None:
    counts = Data(name="x", kind="microdata", inline=(("1", "1", 8051), ("1", "V", 9)), qi=("sex", "working"))
    found = values(measured("release", Source(counts, (), Registry()).value, "microdata", safety=["k_anonymity"]))
    assert found["k_anonymity"] == 9
    with pytest.raises(MissingFile, match=r"no file a\.csv \(somewhere\)"):
        _ = Source(Data(name="y", kind="table", file="a.csv", origin="somewhere"), (tmp_path,), Registry()).value
