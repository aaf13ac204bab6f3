"""The course of a contest: phases, operator's decisions, ceremony and end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from contest.contest_games import START, TOYS, toy_config
from contest.toy_contest import Toy, playing
from icefire.contest.board import board
from icefire.contest.engine import Contest
from icefire.contest.rehearsal import Rehearsal
from icefire.contest.state import Place, Stage
from icefire.core.errors import DataError, FileError, InputError

DEFENCE, ATTACK = Stage(0, "defence"), Stage(0, "attack")


def test_a_whole_contest(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.2)
    toy.release("ann", 0.6)
    toy.release("bob", 0.9)
    toy.reach(66)
    toy.guess("bob", "ann", 0.7)
    toy.reach(126)
    seen = toy.board()["rounds"][0]
    # Ann: the latest release counts; 0.6 is 0.1 from the baseline's half and 0.1 from Bob's 0.7.
    assert seen["defenders"][0] == {
        "team": "bob",
        "total": pytest.approx(0.65),
        "rank": 1.0,
        "parts": {"measure.s.worth": 0.9, "worst.s.t": 0.4},
    }
    assert seen["defenders"][1]["total"] == pytest.approx(0.35)
    assert [row["team"] for row in seen["attackers"]] == ["bob", "ann"]
    assert toy.contest.state().seeds[0]
    toy.contest.schedule.thaw("op", "end")
    toy.contest.desk.finalize("op", "end")
    assert toy.board("public")["final"]


def test_a_team_sees_what_it_was_dealt_when_the_defence_opens(toy: Toy) -> None:
    toy.reach(-1)
    assert toy.contest.state().dealt
    assert toy.board("team:ann")["own"]["problems"] == []
    toy.reach(1)
    (problem,) = toy.board("team:ann")["own"]["problems"]
    assert (problem["round"], problem["set"], problem["summary"]) == (0, "s", {"numbers": 1})


def test_operator_decisions_have_an_author_and_a_reason(toy: Toy) -> None:
    schedule = toy.contest.schedule
    toy.reach(1)
    with pytest.raises(DataError, match="give a reason"):
        schedule.freeze("op", " ")
    schedule.extend(15, "op:mai", "the hall was locked")
    assert toy.contest.state().schedule[DEFENCE][1] == START + timedelta(minutes=75)
    assert toy.contest.state().schedule[ATTACK][0] == START + timedelta(minutes=80)
    schedule.delay(10, "op:mai", "lunch")
    assert toy.contest.state().schedule[DEFENCE][1] == START + timedelta(minutes=75)
    assert toy.contest.state().schedule[ATTACK][0] == START + timedelta(minutes=90)
    with pytest.raises(DataError, match="not all phases have closed"):
        toy.contest.desk.finalize("op", "hurry")


def test_the_log_names_author_and_reason_of_every_decision(toy: Toy) -> None:
    contest, why = toy.contest, "because of it"
    toy.reach(1)
    toy.release("ann", 0.6)
    toy.release("bob", 0.9)
    toy.judge()
    place = Place(0, "ann", "s")
    during: list[tuple[str, Callable[[str], None]]] = [
        ("paused", lambda who: contest.schedule.pause(who, why)),
        ("resumed", lambda who: contest.schedule.resume(who, why)),
        ("rescheduled", lambda who: contest.schedule.extend(1, who, why)),
        ("rescheduled", lambda who: contest.schedule.delay(1, who, why)),
        ("ruled", lambda who: contest.desk.rule(place, True, who, why)),
        ("frozen", lambda who: contest.schedule.freeze(who, why)),
    ]
    afterwards: list[tuple[str, Callable[[str], None]]] = [
        ("unveiled", lambda who: contest.desk.unveil(who, why)),
        ("thawed", lambda who: contest.schedule.thaw(who, why)),
        ("team_withdrawn", lambda who: contest.teams.withdraw("bob", who, why)),
        ("finalized", lambda who: contest.desk.finalize(who, why)),
    ]
    for minutes, decisions in (((), during), ((70, 140), afterwards)):
        for moment in minutes:
            toy.reach(moment)
        for number, (what, decide) in enumerate(decisions):
            decide(f"operator:{number}")
            entry = contest.log()[-1]
            assert (entry.what, entry.who, entry.data["why"]) == (what, f"operator:{number}", why)


def test_phases_open_and_close_now(toy: Toy) -> None:
    schedule = toy.contest.schedule
    toy.judge()
    schedule.open_now("operator:mai", "everybody is here")
    state = toy.contest.state()
    assert state.phase == Stage(0, "defence")
    assert [(entry.what, entry.who) for entry in toy.contest.log()[-2:]] == [
        ("rescheduled", "operator:mai"),
        ("phase_opened", "engine"),
    ]
    assert toy.contest.log()[-2].data["why"] == "everybody is here"
    opens, closes = state.schedule[Stage(0, "defence")]
    assert (opens, closes - opens) == (START - timedelta(minutes=5), timedelta(minutes=60)), "everything moves with it"
    with pytest.raises(DataError, match="a phase is open: close it first"):
        schedule.open_now("operator:mai", "again")
    toy.release("ann", 0.6)
    schedule.close_now("operator:mai", "all have sent in")
    assert toy.contest.state().phase is None
    assert toy.board("public")["schedule"][1]["closes"] == toy.clock.now().isoformat()
    schedule.open_now("operator:mai", "go on")
    assert toy.contest.state().phase is None, "the release is not published yet"
    toy.judge()
    schedule.tick()
    assert toy.contest.state().phase == Stage(0, "attack")
    toy.guess("bob", "ann", 0.5)
    toy.judge()
    schedule.close_now("operator:mai", "lunch")
    state = toy.contest.state()
    assert state.all_closed
    assert state.frozen is not None, "the freeze that was to come has come before the close"
    assert state.frozen.phase == Stage(0, "attack")
    with pytest.raises(DataError, match="no phase is open"):
        schedule.close_now("operator:mai", "again")
    with pytest.raises(DataError, match="there is no phase left to open"):
        schedule.open_now("operator:mai", "again")


def test_a_paused_contest_is_resumed_before_a_phase_opens_or_closes(toy: Toy) -> None:
    toy.contest.schedule.pause("op", "lunch")
    for act in (toy.contest.schedule.open_now, toy.contest.schedule.close_now):
        with pytest.raises(DataError, match="paused: resume it first"):
            act("op", "now")


def test_the_ceremony_unveils_from_the_last_place_on(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.6)
    toy.release("bob", 0.9)
    toy.reach(66)
    toy.reach(116)
    with pytest.raises(DataError, match="not all phases have closed"):
        toy.contest.desk.unveil("op", "now")
    toy.reach(126)

    def unveiled(of: Literal["defenders", "attackers"]) -> list[str]:
        return [row["team"] for row in toy.board("public")["ceremony"][of]]

    assert unveiled("defenders") == unveiled("attackers") == []
    toy.contest.desk.unveil("op", "now")
    assert unveiled("defenders") == ["ann"]
    toy.contest.desk.unveil("op", "now", of="attack")
    assert (len(unveiled("attackers")), unveiled("defenders")) == (1, ["ann"])
    toy.contest.desk.unveil("op", "now")
    assert unveiled("defenders") == ["bob", "ann"]
    with pytest.raises(DataError, match="all defenders are unveiled"):
        toy.contest.desk.unveil("op", "now")


def test_nothing_changes_when_the_results_are_final(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.6)
    toy.reach(66)
    toy.reach(126)
    toy.contest.desk.finalize("op", "end")
    changes: list[Callable[[], object]] = [
        lambda: toy.contest.desk.rule(Place(0, "ann", "s"), False, "op", "late"),
        lambda: toy.contest.teams.withdraw("ann", "op", "late"),
        lambda: toy.contest.teams.add("Cy"),
        lambda: toy.contest.schedule.pause("op", "late"),
    ]
    for change in changes:
        with pytest.raises(DataError, match="the results are final"):
            change()
    toy.contest.schedule.thaw("op", "the ceremony comes after")


def test_a_phase_that_opens_late_lasts_as_long(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.6)
    toy.clock.reach(START + timedelta(minutes=200))
    for _ in range(5):
        toy.contest.schedule.tick()
        toy.judge()
    state = toy.contest.state()
    assert state.phase == ATTACK
    assert state.schedule[ATTACK][1] == START + timedelta(minutes=260)
    assert state.freezes[0] == START + timedelta(minutes=250)


def test_a_database_holds_one_contest(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'single.db'}"
    with playing(tmp_path / "a", database=url):
        pass
    with pytest.raises(InputError, match="another contest than"):
        Contest.create(tmp_path / "b", toy_config(), url, games=TOYS)
    (tmp_path / "single.db").unlink()
    with Contest(tmp_path / "a", games=TOYS) as contest, pytest.raises(FileError, match="holds no contest"):
        contest.state()


def test_membership_contest(tmp_path: Path) -> None:
    """Releases of another length than the data, a test set for every attacker, and guesses with confidence."""
    bots = [{"name": n, "defend": [s], "attack": "near"} for n, s in (("Copy", "0"), ("Blur", "5"), ("Fog", "40"))]
    tasks = [{"name": "t", "metric": "auc"}]
    sets = [{"name": "s", "source": "", "utility": ["worth"], "tasks": tasks, "per_team": True}]
    config = toy_config(game="membership", bots=bots, sets=sets)
    with Rehearsal(tmp_path / "c", config, games=TOYS) as play:
        assert play.play()["alarms"] == []
        state = play.contest.state()
    rows = board(state, "public")["rounds"][0]["defenders"]
    left = {row["team"]: row["parts"]["worst.s.t"] or 0.0 for row in rows}
    assert left["copy"] < left["blur"] < left["fog"]
    assert left["copy"] < 0.1
    tests = state.published[Place(0, "copy", "s")].questions
    assert set(tests) == {"blur", "fog"}
    assert len(set(tests.values())) == 2


def test_a_contest_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileError, match="the database cannot be used"):
        Contest.create(tmp_path / "hall", toy_config(), "postgresql://nobody@127.0.0.1:1/none", games=TOYS)
    assert not (tmp_path / "hall").exists()
    (tmp_path / "there").mkdir()

    def broken(*_: object) -> None:
        raise FileError("no")

    monkeypatch.setattr(Contest, "_begin", broken)
    with pytest.raises(FileError, match="no"):
        Contest.create(tmp_path / "there", toy_config(), games=TOYS)
    assert list((tmp_path / "there").iterdir()) == []
