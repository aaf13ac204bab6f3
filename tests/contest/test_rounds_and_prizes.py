"""Rounds with rules of their own, phases that run together, prizes, and entries of the committee."""

from __future__ import annotations

import csv
import math
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from contest.contest_games import START, toy_config
from contest.made_contest import MadeContest
from contest.toy_contest import Toy, guess, playing, release
from icefire.contest import admission
from icefire.contest.board import board
from icefire.contest.config import Config
from icefire.contest.configfile import load_config
from icefire.contest.documents import BoardDocument
from icefire.contest.errors import NotFound, NotNow
from icefire.contest.rehearsal import Rehearsal
from icefire.contest.state import Place, State
from icefire.core.errors import FileError
from icefire.core.registry import Registry
from icefire.core.values import BAD_SHARE, GOOD_SHARE, Scale, Score

TEAMS = [f"team{number:03}" for number in range(1, 22)]
SHEETS = {"identity": "id_disclosure", "traces": "trace_inference"}
SUFFIXES = {"idp": "data01_IDP", "trp": "data02_TRP"}


def official(shared: Path, task: str) -> dict[str, dict[str, float]]:
    """By published file and attacker, what is left of its safety."""
    path = shared / f"pwscup2019_preliminary_{SHEETS[task]}.csv"
    with path.open(encoding="utf-8-sig") as file:
        return {
            row["pubtraces"]: {
                who: float(value)
                for who, value in row.items()
                if who not in ("pubtraces", "SecI", "SecT") and value not in ("-", "")
            }
            for row in csv.DictReader(file)
        }


def moved(team: str, by: int) -> str:
    """Another team, so many further; nobody else is."""
    return TEAMS[(TEAMS.index(team) + by) % len(TEAMS)] if team in TEAMS else team


def played(shared: Path, config: Config) -> State:
    """The contest of 2019 with the official scores of its preliminary. The final's are not in our data: in it, every
    team has the scores of the one before it."""
    made = MadeContest(config, *TEAMS, committee=("team000",))
    sheets = {task: official(shared, task) for task in SHEETS}
    for index in range(2):
        made.begin(index)
        for dataset, suffix in SUFFIXES.items():
            for team in ("team000", *TEAMS):
                file = f"pubtraces_{team}_{suffix}.csv"
                if file in sheets["identity"]:
                    here = moved(team, index)
                    release = made.release(index, here, dataset, {"closeness": Score(0.7, GOOD_SHARE)})
                    cells = {
                        task: {moved(who, index): value for who, value in sheet[file].items()}
                        for task, sheet in sheets.items()
                    }
                    _attack(made, index, here, dataset, release, cells)
        made.end(index)
    return made.finalize()


def _attack(
    made: MadeContest, index: int, team: str, dataset: str, release: str, sheets: dict[str, dict[str, float]]
) -> None:
    """All attacks on a release, given by task and attacker."""
    for who in dict.fromkeys(who for sheet in sheets.values() for who in sheet):
        cell = {task: Score(sheet[who], GOOD_SHARE) for task, sheet in sheets.items() if who in sheet}
        if who in TEAMS:
            made.guess(index, who, team, dataset, cell, release)
        else:
            made.baseline(index, team, dataset, who, cell)


def over_both(values: dict[str, float]) -> dict[str, float]:
    """A tenth of a team's own value and nine of that of the team before it."""
    return {team: 0.1 * values[team] + 0.9 * values[moved(team, -1)] for team in TEAMS}


def test_official_results_of_2019_through_the_contest_file(shared: Path) -> None:
    found = board(played(shared, load_config(Path("pwscup2019"))))
    with (shared / "pwscup2019_preliminary_totals.csv").open(encoding="utf-8-sig") as table:
        rows = {f"team{row['team no.']}": row for row in csv.DictReader(table)}
    totals = {team: float(row["Total"]) for team, row in rows.items()}
    for index, standings in enumerate(found["rounds"]):
        official_totals = {moved(team, index): total for team, total in totals.items()}
        assert {row["team"]: row["total"] for row in standings["defenders"]} == pytest.approx(
            official_totals, abs=1e-12
        )
        places = {row["rank"]: row["team"] for row in standings["defenders"]}
        for place, remark in enumerate(("1st", "2nd", "3rd"), start=1):
            (winner,) = (team for team, row in rows.items() if row["Remark"] == remark)
            assert places[place] == moved(winner, index)
    both = over_both(totals)
    assert {row["team"]: row["total"] for row in found["total"]["defenders"]} == pytest.approx(both, abs=1e-12)
    ranks = {row["team"]: row["rank"] for row in found["total"]["defenders"]}
    assert ranks == {
        team: sum(other > total + 1e-9 for other in both.values())
        + (1 + sum(abs(other - total) <= 1e-9 for other in both.values())) / 2
        for team, total in both.items()
    }
    prizes = {prize["name"]: prize for prize in found["prizes"]}
    assert prizes["Overall"]["winners"] == [max(both, key=lambda team: both[team])]
    for name, column in (("Defence against ID disclosure", "SecI"), ("Defence against trace inference", "SecT")):
        expected = over_both({team: float(row[column]) for team, row in rows.items()})
        assert {row["team"]: row["total"] for row in prizes[name]["rows"]} == pytest.approx(expected, abs=1e-12)
        assert prizes[name]["winners"] == [max(expected, key=lambda team: expected[team])]
    for name, task in (("Attack by ID disclosure", "identity"), ("Attack by trace inference", "traces")):
        # The official sums over all sets of both kinds, own ones left out.
        sums = over_both({team: official(shared, task)["SUM"][team] for team in TEAMS})
        assert {row["team"]: row["total"] for row in prizes[name]["rows"]} == pytest.approx(sums, abs=1e-9)
        assert prizes[name]["winners"] == [min(sums, key=lambda team: sums[team])]
    assert prizes["Presentation"]["winners"] == []
    assert "team000" not in ranks


def test_rounds_have_their_own_sets_and_rules(tmp_path: Path) -> None:
    body: dict[str, Any] = {**toy_config(rounds=2).as_dict()}
    final = {**body["sets"][0], "name": "f"}
    worth = {"rule": "weighted", "weights": {"measure.f.worth": 1.0}, "not_submitted": 0.0}
    rounds = [{**body["rounds"][0], "sets": ["s"]}, {**body["rounds"][1], "sets": ["f"], "scoring": worth}]
    config = Config.model_validate({**body, "sets": [body["sets"][0], final], "rounds": rounds, "overall": "ranks"})
    with playing(tmp_path / "c", config) as toy:
        toy.reach(1)
        with pytest.raises(NotFound, match="there is no set 'f': the sets are s"):
            toy.contest.uploads.release("ann", "f", release(0.5))
        toy.release("ann", 0.5)
        toy.release("bob", 0.9)
        for minutes in (61, 66, 126, 181):
            toy.reach(minutes)
        with pytest.raises(NotFound, match="the sets are f"):
            toy.release("ann", 0.5)
        toy.contest.uploads.release("ann", "f", release(0.8))
        toy.contest.uploads.release("bob", "f", release(0.7))
        for minutes in (241, 246, 306):
            toy.reach(minutes)
        found = toy.board()
    # Round 1: Ann has 0.5 worth and nothing left by the attack "half", Bob 0.9 and 0.4. Round 2: worth alone.
    assert _totals(found["rounds"][0]) == {"ann": 0.25, "bob": 0.65}
    assert _totals(found["rounds"][1]) == {"ann": 0.8, "bob": 0.7}
    assert found["rounds"][1]["sets"] == ["f"]
    # Places 2 and 1 make 1.5 for both.
    rows = found["total"]["defenders"]
    assert {row["team"]: (row["total"], row["rank"]) for row in rows} == {"ann": (1.5, 1.5), "bob": (1.5, 1.5)}
    assert rows[0]["parts"] == {"r0": 2.0, "r1": 1.0}


def test_rounds_have_their_own_columns(tmp_path: Path) -> None:
    body: dict[str, Any] = load_config(Path("demo"), small=True).as_dict()
    first, (plan,) = body["sets"][0], body["rounds"]
    final = {**first, "name": "few", "columns": ["age", "sex", "income", "food"], "require": []}
    later = {
        "defence": {"opens": "2026-01-02T09:00:00Z", "closes": "2026-01-02T10:00:00Z"},
        "attack": {"opens": "2026-01-02T10:00:00Z", "closes": "2026-01-02T11:00:00Z"},
        "scoring": {**body["scoring"], "weights": {"measure.few.information_loss": 0.5, "worst.few.identity": 0.5}},
    }
    plans = [{**plan, "sets": ["households"]}, {**plan, **later, "name": "next", "sets": ["few"], "freeze": None}]
    bots = [{"name": name, "defend": ["noise(scale=0.3)"], "attack": "euclid"} for name in ("Ice", "Fire")]
    config = Config.model_validate({**body, "sets": [first, final], "rounds": plans, "bots": bots})
    with Rehearsal(tmp_path / "c", config, seed=1) as play:
        found: Any = play.play()
        dealt = play.contest.downloads.problem(Place(1, "ice", "few"))["original.csv"]
    assert dealt.splitlines()[0] == b"sex,age,income,food", "in the order of the table"
    assert [each["sets"] for each in found["rounds"]] == [["households"], ["few"]]
    assert all(row["total"] for each in found["rounds"] for row in each["defenders"])
    assert found["alarms"] == []


def _totals(standings: Any) -> dict[str, Any]:
    return {row["team"]: pytest.approx(row["total"]) for row in standings["defenders"]}


def low(value: float, found: float | None = None) -> Score:
    return Score(value, BAD_SHARE, found=found)


def test_two_rounds_of_2015_by_hand() -> None:
    """By hand, for a, b and c. Utility: a is best in all six, b is second in three and third in three, c the other way
    round: mean ranks 1, 2.5, 2.5. S1 has the ranks 3, 1.5, 1.5 and S2 3, 1, 2: a quarter of the sums is 1.5, .625, .875.

    Largest re-identification in the preliminary .9, .2, .1, ranks 3, 2, 1: totals 4, 4.125, 3.875, places 2, 3, 1. In the
    final .05, .2, .1, ranks 1, 3, 2: totals 3, 4.625, 4.375, places 1, 3, 2. Overall 1.5, 3, 1.5: a and c share the first
    place.
    """
    config = load_config(Path("pwscup2015"))
    (dataset,) = config.sets
    values = {"a": [0.1] * 6, "b": [0.2, 0.2, 0.2, 0.3, 0.3, 0.3], "c": [0.3, 0.3, 0.3, 0.2, 0.2, 0.2]}
    safety = {"a": (1, 2.0), "b": (5, 8.0), "c": (5, 6.0)}
    risks = [{"a": 0.9, "b": 0.2, "c": 0.1}, {"a": 0.05, "b": 0.2, "c": 0.1}]
    made = MadeContest(config, "a", "b", "c")
    for index, risk in enumerate(risks):
        made.begin(index)
        for team in values:
            measures = {step: low(value) for step, value in zip(dataset.utility, values[team], strict=True)}
            safe = zip(dataset.safety, safety[team], strict=True)
            measures |= {step: Score(value, Scale(math.inf, 1.0)) for step, value in safe}
            release = made.release(index, team, dataset.name, measures)
            made.baseline(index, team, dataset.name, "sort", {"identity": low(risk[team] / 2, 10)})
            attacker = {"a": "b", "b": "c", "c": "b"}[team]
            made.guess(index, attacker, team, dataset.name, {"identity": low(risk[team], 100 * risk[team])}, release)
        made.end(index)
    found = board(made.finalize())
    assert [_totals(each) for each in found["rounds"]] == [
        {"a": 4.0, "b": 4.125, "c": 3.875},
        {"a": 3.0, "b": 4.625, "c": 4.375},
    ]
    rows = {row["team"]: (row["total"], row["rank"]) for row in found["total"]["defenders"]}
    assert rows == {"a": (1.5, 1.5), "b": (3.0, 3.0), "c": (1.5, 1.5)}
    # Rows found over all releases: b has 100 (a and c) in the preliminary and 15 in the final, c 20 (b) in each. In the final c
    # comes first, b second: places 1, 2 for b and 2, 1 for c.
    found_rows = [{row["team"]: row["total"] for row in each["attackers"]} for each in found["rounds"]]
    assert found_rows == [pytest.approx({"a": 0, "b": 100, "c": 20}), pytest.approx({"a": 0, "b": 15, "c": 20})]
    attackers = {row["team"]: (row["total"], row["rank"]) for row in found["total"]["attackers"]}
    assert attackers == {"a": (3.0, 3.0), "b": (1.5, 1.5), "c": (1.5, 1.5)}
    ice, fire = found["prizes"]
    assert (ice["winners"], fire["winners"]) == (["a", "c"], ["b", "c"])


def test_a_contest_of_2017_over_its_four_tables_by_hand() -> None:
    """UM from T25, T50, T75, T100. Against x: y has .1 .2 .3 .4 and z .2 .1 .1 .1, the best of each table .2 .2 .3 .4, mean
    .275; a sample attack has .3 everywhere, so SEC = .3 and the total (.2 + .3) / 2. Against y: x answers T100 alone, .8,
    mean .2, and the sample attack has .1: (.4 + .2) / 2. Nobody attacks z: .3 / 2.
    """
    config = load_config(Path("pwscup2017"))
    tables = ("t25", "t50", "t75", "t100")
    made = MadeContest(config, "x", "y", "z")
    made.begin(0)
    of = {
        team: made.release(0, team, "purchases", {"utility_2017": low(loss)})
        for team, loss in (("x", 0.2), ("y", 0.4), ("z", 0.3))
    }

    def cell(*values: float) -> dict[str, Score]:
        # Months and series are shown, and do not count.
        return {task: low(v, 500 * v) for task, v in zip(tables, values, strict=True)} | {"months": low(0.9)}

    made.baseline(0, "x", "purchases", "key_match(key=S5)", cell(0.3, 0.3, 0.3, 0.3))
    made.baseline(0, "y", "purchases", "key_match(key=S5)", cell(0.1, 0.1, 0.1, 0.1))
    made.guess(0, "y", "x", "purchases", cell(0.1, 0.2, 0.3, 0.4), of["x"])
    made.guess(0, "z", "x", "purchases", cell(0.2, 0.1, 0.1, 0.1), of["x"])
    made.guess(0, "x", "y", "purchases", {"t100": low(0.8, 400)}, of["y"])
    made.end(0)
    found = board(made.finalize())
    assert _totals(found["rounds"][0]) == {"x": 0.25, "y": 0.3, "z": 0.15}
    parts = {row["team"]: row["parts"] for row in found["rounds"][0]["defenders"]}
    assert parts["x"] == pytest.approx({"utility": 0.2, "risk": 0.3})
    assert parts["y"] == pytest.approx({"utility": 0.4, "risk": 0.2})
    assert [row["team"] for row in found["total"]["defenders"]] == ["z", "x", "y"]
    # Customers found: y 50 + 100 + 150 + 200, x 400, z 100 + 50 + 50 + 50.
    assert {row["team"]: row["total"] for row in found["total"]["attackers"]} == pytest.approx(
        {"y": 500, "x": 400, "z": 250}
    )
    assert [prize["winners"] for prize in found["prizes"]] == [["z"], ["y"]]


def together() -> Config:
    body: dict[str, Any] = {**toy_config(limits={"releases": 3}).as_dict()}
    end = START + timedelta(minutes=60)
    plan = {**body["rounds"][0], "together": True, "freeze": None}
    plan |= {phase: {"opens": START, "closes": end} for phase in ("defence", "attack")}
    return Config.model_validate({**body, "rounds": [plan]})


@pytest.fixture
def both(tmp_path: Path) -> Any:
    with playing(tmp_path / "c", together(), teams=("Ann", "Bob", "Cy")) as toy:
        toy.reach(1)
        yield toy


def test_a_release_is_open_to_attack_as_soon_as_it_is_valid(both: Toy) -> None:
    both.release("ann", 0.9)
    both.judge()
    own = both.board("team:bob")["own"]
    assert own["releases_left"] == {"s": 3}
    assert own["guesses_left"] == {"s": {"ann": 1}}
    both.guess("bob", "ann", 0.8)
    both.judge()
    assert both.board()["rounds"][0]["cells"][-1]["score"]["value"] == pytest.approx(0.1)


def test_a_replaced_release_starts_anew(both: Toy) -> None:
    first = both.release("ann", 0.9)
    both.judge()
    both.guess("bob", "ann", 0.9)
    both.judge()
    assert _left(both.board()) == {"*half": 0.4, "bob": 0.0}
    second = both.release("ann", 0.3)
    both.judge()
    assert _left(both.board()) == {"*half": 0.2}, "answers count against the release that they were made for"
    assert both.board("team:bob")["own"]["guesses_left"] == {"s": {"ann": 1}}
    # Cy answers the release that is gone, and says so: it is scored, and changes nothing.
    late = both.contest.uploads.upload(admission.Request("guess", "cy", "s", "ann", first), guess(0.9))
    both.judge()
    assert both.contest.state().uploads[late].status == "accepted"
    assert _left(both.board()) == {"*half": 0.2}
    both.contest.uploads.upload(admission.Request("guess", "cy", "s", "ann", second), guess(0.4))
    both.judge()
    assert _left(both.board()) == {"*half": 0.2, "cy": 0.1}
    with pytest.raises(NotFound, match="there is no release 'ffffffffffffffff' of 'ann'"):
        both.contest.uploads.upload(admission.Request("guess", "cy", "s", "ann", "f" * 16), guess(0.4))


def _left(found: BoardDocument) -> dict[str, Any]:
    return {cell["attacker"]: pytest.approx(cell["score"]["value"]) for cell in found["rounds"][0]["cells"]}


def test_both_phases_close_together(both: Toy) -> None:
    both.contest.schedule.close_now("op", "enough")
    assert both.contest.state().phase is None
    with pytest.raises(NotNow):
        both.release("ann", 0.9)


def test_the_operator_gives_away_a_prize(tmp_path: Path) -> None:
    prizes = [{"name": "Show", "of": "choice"}, {"name": "Ice", "of": "defence"}]
    with playing(tmp_path / "c", toy_config(prizes=prizes)) as toy:
        with pytest.raises(NotFound, match="there is no prize 'Ice' to be given away: Show"):
            toy.contest.desk.award("Ice", "ann", "op", "nice")
        toy.contest.desk.award("Show", "ann", "op", "nice")
        show, ice = toy.board()["prizes"]
    assert (show["of"], show["winners"], ice["winners"]) == ("choice", ["ann"], [])


def test_an_entry_of_the_committee_is_attacked_and_not_ranked(tmp_path: Path) -> None:
    config = toy_config(committee=[{"name": "Plain", "defend": ["0.8"]}])
    with playing(tmp_path / "c", config) as toy:
        toy.reach(1)
        toy.release("ann", 0.5)
        with pytest.raises(NotNow, match="'plain' is an entry of the committee, which nobody plays"):
            toy.release("plain", 0.5)
        toy.reach(61)
        toy.reach(66)
        toy.guess("bob", "plain", 0.7)
        toy.reach(126)
        found = toy.board()
    (cell,) = (cell for cell in found["rounds"][0]["cells"] if cell["attacker"] == "bob")
    assert (cell["team"], cell["score"]["value"]) == ("plain", pytest.approx(0.1))
    assert [row["team"] for row in found["total"]["defenders"]] == ["ann", "bob"]
    assert {team["id"]: team["committee"] for team in found["teams"]} == {"plain": True, "ann": False, "bob": False}


def test_reference_traces_are_withheld_until_the_attack(tmp_path: Path) -> None:
    import numpy as np

    from icefire.contest.bots import attack, defend
    from icefire.contest.clock import ManualClock
    from icefire.contest.engine import Contest
    from icefire.contest.workers import run_inline

    config = load_config(Path("pwscup2019"), small=True)
    clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5))
    with Contest.create(tmp_path / "c", config, clock=clock) as contest:
        teams = [contest.teams.add(name) for name in ("Ann", "Bob")]
        clock.reach(config.rounds[0].defence.opens)
        contest.schedule.tick()
        run_inline(contest)
        place = Place(0, "ann", "idp")
        assert not [name for name in contest.downloads.problem(place) if name.startswith("reftraces")]
        defend(contest, place, ["krr(epsilon=8)"], np.random.default_rng(0))
        run_inline(contest)
        for moment in (config.rounds[0].defence.closes, config.rounds[0].attack.opens):
            clock.reach(moment)
            while contest.schedule.tick():
                run_inline(contest)
        handout = contest.downloads.handout(place, "bob")
        assert [name for name in handout if name.startswith("reftraces")]
        assert not [name for name in handout if name.startswith("orgtraces")]
        attack(contest, "bob", place, "visit_prob", np.random.default_rng(0))
        attack(contest, "ann", Place(0, "team000", "idp"), "visit_prob", np.random.default_rng(0))
        run_inline(contest)
        cells = board(contest.state(), "operator")["rounds"][0]["cells"]
    assert {(cell["team"], cell["task"]) for cell in cells if cell["attacker"] in teams} >= {
        ("ann", "identity"),
        ("team000", "identity"),
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('of = "defence"\ntask = "idp.identity"', "task: no task 'idp.x'"),
        ('sets = ["idp"]', "sets: no set 'x'"),
        ("withheld = true", None),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, change: str, message: str | None) -> None:
    text = (Path(__file__).parents[2] / "contests" / "pwscup2019.toml").read_text(encoding="utf-8")
    assert change in text
    wrong = change.replace("idp.identity", "idp.x").replace('"idp"', '"x"')
    file = tmp_path / "c.toml"
    file.write_text(text.replace(change, wrong, 1), encoding="utf-8")
    if message is None:
        assert load_config(file).sets[0].withheld
        return
    with pytest.raises(FileError, match=message) as raised:
        load_config(file, Registry())
    assert "line " in str(raised.value)
