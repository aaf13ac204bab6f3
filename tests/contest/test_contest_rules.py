"""Official results, and results that were worked out by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from icefire.contest.config import Dataset, Scoring
from icefire.contest.rules import Results, Totals, ranked, standings
from icefire.core.values import BAD_SHARE, GOOD_SHARE, Direction, Score

LOW, HIGH = Direction.LOWER_IS_BETTER, Direction.HIGHER_IS_BETTER


def measured(value: float, direction: Direction = HIGH, found: float | None = None) -> Score:
    return Score(value, BAD_SHARE if direction is LOW else GOOD_SHARE, found=found)


def matrix(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig") as file:
        return {row["pubtraces"]: row for row in csv.DictReader(file)}


def data(name: str, task: str, **more: object) -> Dataset:
    return Dataset.model_validate({"name": name, "source": "", "tasks": [{"name": task, "metric": task}], **more})


def test_official_totals_of_2019(shared: Path) -> None:
    sheets = {
        "identity": matrix(shared / "pwscup2019_preliminary_id_disclosure.csv"),
        "traces": matrix(shared / "pwscup2019_preliminary_trace_inference.csv"),
    }
    worth = {
        row["pubtraces"]: float(row["utility"])
        for row in matrix(shared / "pwscup2019_preliminary_utility.csv").values()
    }
    teams = tuple(f"team{number:03}" for number in range(1, 22))
    files = {"idp": ("data01_IDP", "identity"), "trp": ("data02_TRP", "traces")}
    releases, cells = {}, {}
    for team in teams:
        for name, (suffix, task) in files.items():
            file = f"pubtraces_{team}_{suffix}.csv"
            if file not in sheets[task]:
                continue
            releases[team, name] = {"closeness": measured(worth[file])}
            for attacker, value in sheets[task][file].items():
                if attacker not in ("pubtraces", "SecI", "SecT") and value not in ("-", ""):
                    cells[team, name, attacker, task] = measured(float(value))
    sets = (data("idp", "identity"), data("trp", "traces"))
    found = standings(Results(teams, sets, releases, cells), Scoring(rule="pwscup2019"))
    with (shared / "pwscup2019_preliminary_totals.csv").open(encoding="utf-8-sig") as table:
        official = {f"team{row['team no.']}": row for row in csv.DictReader(table)}
    for row in found.defenders:
        assert row.total == pytest.approx(float(official[row.team]["Total"]), abs=1e-12)
        assert row.parts["idp.identity"] == pytest.approx(float(official[row.team]["SecI"]), abs=1e-12)
        assert row.parts["trp.traces"] == pytest.approx(float(official[row.team]["SecT"]), abs=1e-12)
    assert [row.team for row in found.defenders[:3]] == [
        team for place in ("1st", "2nd", "3rd") for team, row in official.items() if row["Remark"] == place
    ]
    # Attackers: what they have lowered, summed over the sheets by hand.
    for row in found.attackers:
        by_hand = sum(
            1.0 - float(value)
            for task, sheet in sheets.items()
            for file, line in sheet.items()
            if any(file.endswith(f"{suffix}.csv") and what == task for suffix, what in files.values())
            and "team000" not in file
            for attacker, value in line.items()
            if attacker == row.team and value not in ("-", "")
        )
        assert row.total == pytest.approx(by_hand, abs=1e-9)
    assert sum(row.total or 0 for row in found.attackers) > 0


def test_ranks_of_2015_with_ties() -> None:
    """Three teams, two utility metrics, S1 and S2, and attacks; worked out by hand.

    U1 (lower is better) a .1, b .2, c .2: ranks 1, 2.5, 2.5. U2: a .3, b .1, c .2: 3, 1, 2. S1 (higher): a 5, b 5, c 1:
    1.5, 1.5, 3. S2: a 2, b 4, c 3: 3, 1, 2. Largest re-id: a .6 (of .5 and .6), b .2, c .2: 3, 1.5, 1.5.
    a: (1 + 3)/2 + (1.5 + 3)/4 + 3/2 = 4.625; b: (2.5 + 1)/2 + (1.5 + 1)/4 + 0.75 = 3.125; c: 2.25 + 1.25 + 0.75 = 4.25.
    """
    one = data("d", "id", utility=["u1", "u2"], safety=["s1", "s2"])
    numbers = {"a": (0.1, 0.3, 5, 2), "b": (0.2, 0.1, 5, 4), "c": (0.2, 0.2, 1, 3)}
    ways = {"u1": LOW, "u2": LOW, "s1": HIGH, "s2": HIGH}
    releases = {
        (team, "d"): {name: measured(value, way) for (name, way), value in zip(ways.items(), values, strict=True)}
        for team, values in numbers.items()
    }
    cells = {
        ("a", "d", "b", "id"): measured(0.5, LOW, 50),
        ("a", "d", "sort", "id"): measured(0.6, LOW, 60),
        ("b", "d", "a", "id"): measured(0.2, LOW, 20),
        ("c", "d", "a", "id"): measured(0.2, LOW, 20),
    }
    found = standings(
        Results(("a", "b", "c", "d"), (one,), releases, cells), Scoring(rule="pwscup2015", attack="found")
    )
    assert [(row.team, row.total, row.rank) for row in found.defenders] == [
        ("b", 3.125, 1.0),
        ("c", 4.25, 2.0),
        ("a", 4.625, 3.0),
        ("d", None, None),
    ]
    assert [(row.team, row.total, row.rank) for row in found.attackers[:2]] == [("b", 50.0, 1.0), ("a", 40.0, 2.0)]


def test_standings_of_2017_by_um_mm_and_emm() -> None:
    """The ten published teams: what UM calls safest is not what EMM does."""
    published = [
        (0.832, 0.942, 1.000), (0.022, 0.442, 0.468), (0.316, 0.466, 0.474), (0.002, 0.620, 0.633), (0.020, 0.307, 0.433),
        (0.008, 0.047, 0.053), (0.982, 0.994, 1.000), (0.226, 0.442, 0.516), (0.090, 0.319, 0.324), (0.082, 0.192, 0.247),
    ]  # fmt: skip
    orders = []
    for metric in range(3):
        totals: Totals = {str(team): (row[metric], {}) for team, row in enumerate(published, start=1)}
        orders.append([(row.team, row.rank) for row in ranked(totals, LOW)])
    assert [team for team, _ in orders[0]] == ["4", "6", "5", "2", "10", "9", "8", "3", "1", "7"]
    assert orders[1][:4] == [("6", 1.0), ("10", 2.0), ("5", 3.0), ("9", 4.0)]
    assert ("2", 5.5) in orders[1]
    assert ("8", 5.5) in orders[1]
    assert [team for team, _ in orders[2]] == ["6", "10", "9", "5", "2", "3", "8", "4", "1", "7"]
    assert orders[2][-2:] == [("1", 9.5), ("7", 9.5)]


def test_total_of_2017_is_the_mean_of_loss_and_risk() -> None:
    one = data("d", "users", utility=["utl"])
    releases = {("a", "d"): {"utl": measured(0.4, LOW)}, ("b", "d"): {"utl": measured(0.1, LOW)}}
    cells = {("a", "d", "s1", "users"): measured(0.2, LOW), ("a", "d", "b", "users"): measured(0.3, LOW)}
    found = standings(Results(("a", "b"), (one,), releases, cells), Scoring(rule="pwscup2017"))
    assert [(row.team, row.total) for row in found.defenders] == [("b", 0.05), ("a", 0.35)]


def test_sec_of_2017_is_over_tables() -> None:
    """Teams: the mean over the tables of the best. Samples: the best of the means, so no sample is best in every table."""
    tasks = [{"name": name, "metric": "user_matching"} for name in ("t25", "t100")]
    tasks.append({"name": "months", "metric": "month_matching"})
    one = Dataset.model_validate({"name": "d", "source": "s", "utility": ["utl"], "tasks": tasks})
    found = {
        ("b", "t25"): 0.1, ("b", "t100"): 0.3, ("c", "t25"): 0.2, ("c", "months"): 0.9,
        ("*s1", "t25"): 0.0, ("*s1", "t100"): 0.4, ("*s2", "t25"): 0.3, ("*s2", "t100"): 0.2,
    }  # fmt: skip
    # Teams: (0.2 + 0.3) / 2. Samples: s1 0.2, s2 0.25; the best of each table would be 0.35. Months do not count.
    for changed, risk in (({}, 0.25), ({("*s2", "t100"): 0.4}, 0.35), ({("c", "t25"): 0.6}, 0.45)):
        cells = {("a", "d", who, task): measured(value, LOW) for (who, task), value in (found | changed).items()}
        results = Results(("a", "b", "c"), (one,), {("a", "d"): {"utl": measured(0.5, LOW)}}, cells)
        row = standings(results, Scoring(rule="pwscup2017")).defenders[0]
        assert row.team == "a"
        assert row.parts["risk"] == pytest.approx(risk)
        assert row.total == pytest.approx((0.5 + risk) / 2)


def test_finding_what_others_find_too_pays_less() -> None:
    one = data("d", "t")
    cells = {
        ("a", "d", "b", "t"): measured(0.4),
        ("a", "d", "c", "t"): measured(0.4),
        ("b", "d", "c", "t"): measured(0.9),
    }
    results = Results(("a", "b", "c"), (one,), {("a", "d"): {}, ("b", "d"): {}}, cells)
    found = standings(results, Scoring(rule="pwscup2019", attack="shared"))
    assert {row.team: row.total for row in found.attackers} == pytest.approx({"a": 0.0, "b": 0.3, "c": 0.4})


def test_conventions_for_not_submitted_and_not_attacked() -> None:
    one = data("d", "t", utility=["u"])
    results = Results(("a", "b"), (one,), {("a", "d"): {"u": measured(0.8)}}, {})
    weights = {"measure.d.u": 0.5, "worst.d.t": 0.5}
    unranked = standings(results, Scoring(rule="weighted", weights=weights)).defenders
    assert [(row.team, row.total, row.rank) for row in unranked] == [("a", 0.9, 1.0), ("b", None, None)]
    counted = standings(results, Scoring(rule="weighted", weights=weights, not_submitted=0.0)).defenders
    assert [(row.team, row.total, row.rank) for row in counted] == [("a", 0.9, 1.0), ("b", 0.0, 2.0)]
