"""The judge: scores, failures, flags, rulings, and what viewers see of them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from contest.contest_games import TOYS, toy_config
from contest.toy_contest import Toy, playing
from icefire.contest.jobs.registry import due
from icefire.contest.measures import NoScore
from icefire.contest.replay import replay
from icefire.contest.state import Place, Stage, Target
from icefire.core.errors import DataError
from icefire.core.values import GOOD_SHARE, Score

ANN = Place(0, "ann", "s")


def test_a_crash_of_the_judge_is_an_alarm_and_never_a_score(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = toy.contest
    toy.reach(1)

    def crash(*_: object) -> None:
        raise ZeroDivisionError("the truth is 0.1234")

    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "measure", crash)
        upload = toy.release("ann", 0.3)
        toy.judge()
    state = contest.state()
    (alarm,) = state.alarms.values()
    assert alarm.job == f"measure/{upload}"
    assert state.uploads[upload].status == "waiting"
    assert "0.1234" not in json.dumps([entry.as_dict() for entry in contest.log()])
    assert "0.1234" in (contest.folder / "alarms" / f"{alarm.reference}.txt").read_text()
    assert toy.board("team:ann")["own"]["uploads"][0]["reference"] == alarm.reference
    assert alarm.reference not in json.dumps(toy.board("public"))
    contest.desk.retry(alarm.reference, "op", "mended")
    toy.judge()
    assert contest.state().uploads[upload].status == "accepted"
    with pytest.raises(DataError, match="is resolved already"):
        contest.desk.retry(alarm.reference, "op", "again")


def test_what_fails_for_good_is_given_up_and_the_contest_goes_on(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = toy.contest
    toy.reach(1)
    toy.release("ann", 0.6)
    toy.judge()

    def crash(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "measure", crash)
        bad = toy.release("ann", 0.9)
        toy.judge()
    toy.reach(66)
    assert contest.state().phase == Stage(0, "attack"), "the others do not wait"
    assert ANN not in contest.state().published, "it is not known yet which release counts"
    (alarm,) = contest.state().alarms.values()
    contest.desk.dismiss(alarm.reference, "op", "no machine can read it")
    assert contest.state().uploads[bad].status == "rejected"
    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "baseline", crash)
        toy.reach(67)
    contest.schedule.tick()
    assert contest.state().phase == Stage(0, "attack")
    alarm = next(alarm for alarm in contest.state().alarms.values() if not alarm.resolved)
    contest.desk.dismiss(alarm.reference, "op", "so be it")
    cell = contest.state().baselines[Target(ANN, "half")]["t"]
    assert isinstance(cell, NoScore)
    assert cell.reason == f"it failed; reference {alarm.reference}"
    assert contest.docket.due() == []
    assert replay(contest)[1] == []


def test_a_release_that_cannot_be_published_is_given_up_as_invalid(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.reach(1)
    toy.release("ann", 0.6)
    toy.judge()

    def crash(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "publish", crash)
        toy.reach(66)
    (alarm,) = toy.contest.state().alarms.values()
    toy.contest.desk.dismiss(alarm.reference, "op", "so be it")
    assert toy.contest.state().invalid(ANN)
    toy.reach(67)
    assert toy.contest.state().phase == Stage(0, "attack")


def test_dealing_cannot_be_given_up(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "deal", crash)
        toy.judge()
    alarm = next(iter(toy.contest.state().alarms.values()))
    with pytest.raises(DataError, match="cannot be given up"):
        toy.contest.desk.dismiss(alarm.reference, "op", "no data, no problem")


def test_keys_of_jobs_are_stable(toy: Toy) -> None:
    """Alarms of old logs refer to them."""
    keys = []
    toy.reach(-1)
    assert [job.key for job in due(toy.contest.state())] == []
    toy.contest.teams.add("Cy")
    keys += [job.key for job in due(toy.contest.state())]
    toy.reach(1)
    upload = toy.release("ann", 0.6)
    keys += [job.key for job in due(toy.contest.state())]
    toy.reach(59)
    toy.clock.advance(minutes=2)
    toy.contest.schedule.tick()
    keys += [job.key for job in due(toy.contest.state())]
    (job,) = due(toy.contest.state())
    toy.contest.docket.record(job, job.run(toy.contest.judge(), toy.contest.state()))
    keys += [job.key for job in due(toy.contest.state())]
    toy.reach(66)
    sent = toy.guess("bob", "ann", 0.7)
    keys += [job.key for job in due(toy.contest.state())]
    toy.judge()
    toy.clock.advance(minutes=70)
    toy.contest.schedule.tick()
    keys += [job.key for job in due(toy.contest.state())]
    measure, score = f"measure/{upload}", f"judge/{sent}"
    publish, baseline = f"publish/0/ann/s/{upload}", f"baseline/0/ann/s/half/{upload}"
    assert keys == ["deal/0/cy/s", measure, publish, baseline, score, "reveal/0"]


def test_a_result_that_is_no_number_is_an_alarm(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.reach(1)
    monkeypatch.setattr(TOYS["toy"], "measure", lambda *_: ({"worth": Score(math.nan, GOOD_SHARE)}, {}))
    toy.release("ann", 0.6)
    toy.judge()
    assert len(toy.contest.state().alarms) == 1


def test_flags_and_rulings(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.13)
    toy.release("bob", 0.9)
    toy.reach(66)
    (flag,) = toy.board()["flags"]
    assert flag["evidence"] == {"odd": {"value": 0.13}}
    assert "flags" not in toy.board("public")
    toy.contest.desk.rule(ANN, False, "op", "it was no release")
    seen = toy.board()["rounds"][0]
    assert seen["invalid"] == [("ann", "s")]
    assert [row["total"] for row in seen["defenders"]] == [pytest.approx(0.65), 0.0]
    with pytest.raises(DataError, match="no published release of 'ann'"):
        toy.guess("bob", "ann", 0.2)


def test_a_ruling_is_about_one_release(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.6)
    toy.judge()
    toy.contest.desk.rule(ANN, True, "op", "it is fine")
    toy.release("ann", 0.13)
    toy.judge()
    (flag,) = toy.board()["flags"]
    assert flag["ruling"] is None
    toy.contest.desk.rule(ANN, False, "op", "it is a cheat")
    toy.release("ann", 0.7)
    toy.judge()
    seen = toy.board()
    assert (seen["flags"], seen["rounds"][0]["invalid"]) == ([], [])


@pytest.mark.parametrize(("feedback", "shown"), [("none", None), ("band", 0.1), ("exact", 0.14)])
def test_feedback_is_as_much_as_the_contest_allows(tmp_path: Path, feedback: str, shown: float | None) -> None:
    scoring = toy_config().scoring.model_copy(update={"feedback": feedback})
    with playing(tmp_path / "c", toy_config(scoring=scoring.model_dump())) as toy:
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.reach(66)
        toy.guess("bob", "ann", 0.76)
        toy.judge()

        def of_bob(viewer: str) -> list[object]:
            cells = toy.board(viewer)["rounds"][0]["cells"]
            return [cell["score"]["value"] for cell in cells if cell["attacker"] == "bob"]

        expected = [] if shown is None else [pytest.approx(shown)]
        assert of_bob("public") == of_bob("team:bob") == of_bob("team:ann") == expected
        answered = [] if feedback == "exact" else [("ann", "s", "bob")]
        assert toy.board("public")["rounds"][0]["answered"] == answered
        assert of_bob("operator") == [pytest.approx(0.14)]
        toy.reach(126)
        toy.contest.schedule.thaw("op", "the end")
        assert of_bob("public") == [pytest.approx(0.14)]


def test_the_strongest_of_several_guesses_counts(tmp_path: Path) -> None:
    with playing(tmp_path / "c", toy_config(limits={"guesses": 3})) as toy:
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.reach(66)
        for value in (0.5, 0.8, 0.3):
            toy.guess("bob", "ann", value)
        toy.judge()
        score = toy.contest.state().guesses[Target(ANN, "bob")]["t"]
    assert isinstance(score, Score)
    assert score.value == pytest.approx(0.1)


def test_a_team_named_like_a_baseline_gains_nothing(tmp_path: Path) -> None:
    with playing(tmp_path / "c", teams=("Half", "Bob")) as toy:
        toy.reach(1)
        toy.release("bob", 0.5)
        toy.reach(66)
        toy.guess("half", "bob", 1)
        toy.reach(126)
        seen = toy.board()["rounds"][0]
    assert {(cell["attacker"], cell["score"]["value"]) for cell in seen["cells"]} == {("*half", 0.0), ("half", 0.5)}
    assert {row["team"]: row["total"] for row in seen["attackers"]} == {"half": 0.5, "bob": 0.0}
