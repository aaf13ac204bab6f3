"""Who may do what when, and what everybody sees of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from contest_games import START, TOYS, toy_config
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toy_contest import guess, playing, reach, release

from icefire.contest.archive import export, replay
from icefire.contest.backup import back_up, restore
from icefire.contest.board import board
from icefire.contest.clock import ManualClock
from icefire.contest.engine import Contest
from icefire.contest.events import verified
from icefire.contest.jobs import run_inline
from icefire.contest.rehearsal import Rehearsal
from icefire.contest.state import State, fold
from icefire.contest.uploads import pack
from icefire.core.errors import DataError, FileError, InputError


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[tuple[Contest, ManualClock]]:
    with playing(tmp_path / "toy") as pair:
        yield pair


def test_a_whole_contest(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.2))
    contest.upload_release("ann", "s", release(0.6))
    contest.upload_release("bob", "s", release(0.9))
    reach(contest, clock, 66)
    contest.upload_guess("bob", "ann", "s", guess(0.7))
    reach(contest, clock, 126)
    seen = board(contest.state(), "operator")["rounds"][0]
    # Ann: the latest release counts; 0.6 is 0.1 from the baseline's half and 0.1 from Bob's 0.7.
    assert seen["defenders"][0] == {
        "team": "bob",
        "total": pytest.approx(0.65),
        "rank": 1.0,
        "parts": {"measure.s.worth": 0.9, "worst.s.t": 0.4},
    }
    assert seen["defenders"][1]["total"] == pytest.approx(0.35)
    assert [row["team"] for row in seen["attackers"]] == ["bob", "ann"]
    assert contest.state().seeds[0]
    contest.thaw("op", "end")
    contest.finalize("op", "end")
    assert board(contest.state())["final"]


def test_limits_and_phases(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    with pytest.raises(DataError, match="during the defence phase, and that is not open now"):
        contest.upload_release("ann", "s", release(0.2))
    reach(contest, clock, 1)
    for attempt, message in (
        (lambda: contest.upload_release("eve", "s", release(0.2)), "no team 'eve'"),
        (lambda: contest.upload_release("ann", "x", release(0.2)), "no set 'x'"),
        (lambda: contest.upload_guess("ann", "bob", "s", guess(0.2)), "during the attack phase"),
        (lambda: contest.upload_release("ann", "s", b""), "the file is empty"),
        (lambda: contest.upload_release("ann", "s", b"x" * 21_000_000), "larger than 20 MB"),
    ):
        with pytest.raises(DataError, match=message):
            attempt()
    for _ in range(5):
        contest.upload_release("ann", "s", release(0.2))
    with pytest.raises(DataError, match="5 uploads of this team wait"):
        contest.upload_release("ann", "s", release(0.2))
    run_inline(contest)
    contest.pause("op", "a fire drill")
    with pytest.raises(DataError, match="paused"):
        contest.upload_release("ann", "s", release(0.2))
    clock.advance(minutes=30)
    contest.resume("op", "it is over")
    assert contest.state().schedule[0, "defence"][1] == START + timedelta(minutes=90)
    contest.upload_release("bob", "s", release(0.3))
    reach(contest, clock, 96)
    with pytest.raises(DataError, match="its own release"):
        contest.upload_guess("ann", "ann", "s", guess(0.2))
    contest.upload_guess("ann", "bob", "s", guess(0.2))
    with pytest.raises(DataError, match="all 1 tries are used up for 'bob'"):
        contest.upload_guess("ann", "bob", "s", guess(0.3))


def test_a_rejected_file_uses_up_no_try_and_says_why(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    upload = contest.upload_release("ann", "s", release("many"))
    run_inline(contest)
    one = contest.state().uploads[upload]
    assert one.status == "rejected"
    assert one.faults == ("release.csv, line 1: 'many' is not a number",)
    assert contest.state().used("release", "ann", 0, "s") == 0
    assert board(contest.state(), "team:ann")["own"]["left"] == {"s": 20}
    contest.upload_release("bob", "s", b"0.5")
    for content, fault in (
        (pack({"other.csv": b"1"}), "'other.csv': it should hold release.csv and nothing else"),
        (pack({"../release.csv": b"1"}), "not the name of a plain file"),
        (pack({"release.csv": b"0" * 3_000_000}), "times as large when it is unpacked"),
        (b"PK\x03\x04broken", "cannot be read"),
    ):
        # What cannot even be unpacked is refused at once.
        with pytest.raises(DataError, match=fault):
            contest.upload_release("bob", "s", content)
    assert contest.state().used("release", "bob", 0, "s") == 1


def test_a_crash_of_the_judge_is_an_alarm_and_never_a_score(toy: tuple[Contest, ManualClock], monkeypatch: Any) -> None:
    contest, clock = toy
    reach(contest, clock, 1)

    def crash(*_: object) -> None:
        raise ZeroDivisionError("the truth is 0.1234")

    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "measure", crash)
        upload = contest.upload_release("ann", "s", release(0.3))
        run_inline(contest)
    state = contest.state()
    (alarm,) = state.alarms.values()
    assert state.uploads[upload].status == "waiting"
    assert "0.1234" not in json.dumps([event.as_dict() for event in contest.events()])
    assert "0.1234" in (contest.folder / "alarms" / f"{alarm.reference}.txt").read_text()
    assert board(state, "team:ann")["own"]["uploads"][0]["reference"] == alarm.reference
    assert alarm.reference not in json.dumps(board(state, "public"))
    contest.retry(alarm.reference, "op", "mended")
    run_inline(contest)
    assert contest.state().uploads[upload].status == "accepted"


def test_team_names_are_unique_however_they_are_written(toy: tuple[Contest, ManualClock]) -> None:
    contest, _ = toy
    for name in ("ANN", " ann ", "ａｎｎ", "Ａnn", "Ann\ufe0f", "A\u034fnn"):
        with pytest.raises(DataError, match="already"):
            contest.add_team(name)
    assert contest.add_team("青い") == "team"
    assert contest.add_team("赤い") == "team-2"
    for name in ("", "x" * 41, "a\x00b", "a\u202eb", "\u3164", "\u2800", "!!"):
        with pytest.raises(DataError, match="1 to 40 characters"):
            contest.add_team(name)


def test_flags_and_rulings(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.13))
    contest.upload_release("bob", "s", release(0.9))
    reach(contest, clock, 66)
    (flag,) = board(contest.state(), "operator")["flags"]
    assert flag["evidence"] == {"odd": {"value": 0.13}}
    assert "flags" not in board(contest.state(), "public")
    contest.rule(0, "ann", "s", False, "op", "it was no release")
    seen = board(contest.state(), "operator")["rounds"][0]
    assert seen["invalid"] == [["ann", "s"]]
    assert [row["total"] for row in seen["defenders"]] == [pytest.approx(0.65), 0.0]
    with pytest.raises(DataError, match="no published release of 'ann'"):
        contest.upload_guess("bob", "ann", "s", guess(0.2))


@pytest.mark.parametrize(("feedback", "shown"), [("none", None), ("band", 0.1), ("exact", 0.14)])
def test_feedback_is_as_much_as_the_contest_allows(tmp_path: Path, feedback: str, shown: float | None) -> None:
    scoring = toy_config().scoring.model_copy(update={"feedback": feedback})
    with playing(tmp_path / "c", toy_config(scoring=scoring.model_dump())) as (contest, clock):
        reach(contest, clock, 1)
        contest.upload_release("ann", "s", release(0.9))
        reach(contest, clock, 66)
        contest.upload_guess("bob", "ann", "s", guess(0.76))
        run_inline(contest)

        def of_bob(viewer: str) -> list[float]:
            cells = board(contest.state(), viewer)["rounds"][0]["cells"]
            return [cell["score"]["value"] for cell in cells if cell["attacker"] == "bob"]

        expected = [] if shown is None else [pytest.approx(shown)]
        assert of_bob("public") == of_bob("team:bob") == of_bob("team:ann") == expected
        assert of_bob("operator") == [pytest.approx(0.14)]
        reach(contest, clock, 126)
        contest.thaw("op", "the end")
        assert of_bob("public") == [pytest.approx(0.14)]


def test_a_team_named_like_a_baseline_gains_nothing(tmp_path: Path) -> None:
    with playing(tmp_path / "c", teams=("Half", "Bob")) as (contest, clock):
        reach(contest, clock, 1)
        contest.upload_release("bob", "s", release(0.5))
        reach(contest, clock, 66)
        contest.upload_guess("half", "bob", "s", guess(1))
        reach(contest, clock, 126)
        seen = board(contest.state(), "operator")["rounds"][0]
    assert {(cell["attacker"], cell["score"]["value"]) for cell in seen["cells"]} == {("*half", 0.0), ("half", 0.5)}
    assert {row["team"]: row["total"] for row in seen["attackers"]} == {"half": 0.5, "bob": 0.0}


def test_what_fails_for_good_is_given_up_and_the_contest_goes_on(
    toy: tuple[Contest, ManualClock], monkeypatch: Any
) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.6))
    run_inline(contest)

    def crash(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "measure", crash)
        bad = contest.upload_release("ann", "s", release(0.9))
        run_inline(contest)
    reach(contest, clock, 66)
    assert contest.state().phase is None, "attacks wait until it is known which release counts"
    (alarm,) = contest.state().alarms.values()
    contest.dismiss(alarm.reference, "op", "no machine can read it")
    assert contest.state().uploads[bad].status == "rejected"
    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "baseline", crash)
        reach(contest, clock, 67)
    contest.tick()
    assert contest.state().phase == (0, "attack")
    alarm = next(one for one in contest.state().alarms.values() if not one.resolved)
    contest.dismiss(alarm.reference, "op", "so be it")
    assert contest.state().baselines[0, "ann", "s", "half"]["t"]["undefined"].startswith("it failed; reference")
    assert contest.due() == []
    assert replay(contest)[1] == []


def test_a_ruling_is_about_one_release(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.6))
    run_inline(contest)
    contest.rule(0, "ann", "s", True, "op", "it is fine")
    contest.upload_release("ann", "s", release(0.13))
    run_inline(contest)
    (flag,) = board(contest.state(), "operator")["flags"]
    assert flag["ruling"] is None
    contest.rule(0, "ann", "s", False, "op", "it is a cheat")
    contest.upload_release("ann", "s", release(0.7))
    run_inline(contest)
    seen = board(contest.state(), "operator")
    assert (seen["flags"], seen["rounds"][0]["invalid"]) == ([], [])


def test_nothing_changes_when_the_results_stand(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.6))
    reach(contest, clock, 66)
    reach(contest, clock, 126)
    contest.finalize("op", "end")
    for change in (
        lambda: contest.rule(0, "ann", "s", False, "op", "late"),
        lambda: contest.withdraw_team("ann", "op", "late"),
        lambda: contest.add_team("Cy"),
        lambda: contest.pause("op", "late"),
    ):
        with pytest.raises(DataError, match="the results stand"):
            change()


def test_the_ceremony_unveils_from_the_last_place_on(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.6))
    contest.upload_release("bob", "s", release(0.9))
    reach(contest, clock, 66)
    reach(contest, clock, 116)
    with pytest.raises(DataError, match="not all phases have closed"):
        contest.unveil("op", "now")
    reach(contest, clock, 126)
    assert board(contest.state())["ceremony"] == []
    contest.unveil("op", "now")
    assert [row["team"] for row in board(contest.state())["ceremony"]] == ["ann"]
    contest.unveil("op", "now")
    assert [row["team"] for row in board(contest.state())["ceremony"]] == ["bob", "ann"]
    with pytest.raises(DataError, match="all places are unveiled"):
        contest.unveil("op", "now")


def test_a_phase_that_opens_late_lasts_as_long(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.6))
    clock.reach(START + timedelta(minutes=200))
    for _ in range(5):
        contest.tick()
        run_inline(contest)
    state = contest.state()
    assert state.phase == (0, "attack")
    assert state.schedule[0, "attack"][1] == START + timedelta(minutes=260)
    assert state.freezes[0] == START + timedelta(minutes=250)


def test_a_database_holds_one_contest(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'one.db'}"
    with playing(tmp_path / "a", database=url):
        pass
    with pytest.raises(InputError, match="another contest than"):
        Contest.create(tmp_path / "b", toy_config(), url, games=TOYS)
    (tmp_path / "one.db").unlink()
    with Contest(tmp_path / "a", games=TOYS) as contest, pytest.raises(FileError, match="holds no contest"):
        contest.state()


def test_a_result_that_is_no_number_is_an_alarm(toy: tuple[Contest, ManualClock], monkeypatch: Any) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    nothing = ({"worth": {"value": float("nan"), "direction": "higher"}}, {})
    monkeypatch.setattr(TOYS["toy"], "measure", lambda *_: nothing)
    contest.upload_release("ann", "s", release(0.6))
    run_inline(contest)
    assert len(contest.state().alarms) == 1


def test_corrupt_zip_files_are_refused(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    good = bytearray(pack({"release.csv": b"0.5" * 400}))
    good[45:60] = b"\xff" * 15
    with pytest.raises(DataError, match="cannot be read"):
        contest.upload_release("ann", "s", bytes(good))
    with pytest.raises(DataError):
        contest.upload_release("ann", "s", pack({"x" * 300 + ".csv": b"1"}))
    kept = [path for path in contest.blobs.folder.rglob("*") if path.is_file()]
    named = {*contest.state().dealt.values()}
    assert {path.name for path in kept} == named, "what was refused is not kept"


def test_operator_actions_have_a_who_and_a_why(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    with pytest.raises(DataError, match="say why"):
        contest.freeze("op", " ")
    contest.extend(15, "op:mai", "the hall was locked")
    assert contest.state().schedule[0, "defence"][1] == START + timedelta(minutes=75)
    assert contest.state().schedule[0, "attack"][0] == START + timedelta(minutes=80)
    contest.delay(10, "op:mai", "lunch")
    assert contest.state().schedule[0, "defence"][1] == START + timedelta(minutes=75)
    assert contest.state().schedule[0, "attack"][0] == START + timedelta(minutes=90)
    event = contest.events()[-1]
    assert (event.who, event.data["why"]) == ("op:mai", "lunch")
    with pytest.raises(DataError, match="not all phases have closed"):
        contest.finalize("op", "hurry")


class Script:
    """A contest driven by numbers: what happens is drawn, and what is refused does not matter."""

    def __init__(self, contest: Contest, clock: ManualClock) -> None:
        self.contest, self.clock = contest, clock

    def step(self, what: int, one: int, two: int) -> None:
        contest, teams = self.contest, ("ann", "bob", "cy")
        team, other, value = teams[one % 3], teams[two % 3], (one * 7 + two) % 11 / 10
        actions = [
            lambda: self.clock.advance(minutes=two),
            lambda: self.clock.advance(minutes=two),
            lambda: contest.tick(),
            lambda: run_inline(contest),
            lambda: contest.upload_release(team, "s", release(value)),
            lambda: contest.upload_guess(team, other, "s", guess(value)),
            lambda: contest.freeze("op", "why not"),
            lambda: contest.pause("op", "why not"),
            lambda: contest.resume("op", "why not"),
            lambda: contest.extend(two, "op", "why not"),
            lambda: contest.rule(0, team, "s", bool(two % 2), "op", "why not"),
            lambda: contest.withdraw_team(team, "op", "why not") if two == 29 else None,
        ]
        with suppress(InputError):
            actions[what % len(actions)]()


steps = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 30), st.integers(0, 30)), min_size=5, max_size=40)
relaxed = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@contextmanager
def script() -> Iterator[Script]:
    config, teams = toy_config(rounds=2), ("Ann", "Bob", "Cy")
    with TemporaryDirectory() as name, playing(Path(name) / "c", config, teams=teams) as (contest, clock):
        yield Script(contest, clock)


@relaxed
@given(steps, steps)
def test_after_the_freeze_nothing_public_changes(before: list[Any], after: list[Any]) -> None:
    with script() as one:
        for step in before:
            one.step(*step)
        if one.contest.state().frozen is None:
            one.contest.freeze("op", "the last minutes")
        seen = json.dumps(board(one.contest.state(), "public"))
        for step in after:
            one.step(*step)
            assert json.dumps(board(one.contest.state(), "public")) == seen
            # A team sees the time as it is, and of others what the public sees.
            own, public = board(one.contest.state(), "team:ann"), json.loads(seen)
            for key in ("own", "phase", "paused", "schedule"):
                own.pop(key, None)
                public.pop(key, None)
            assert json.dumps(own) == json.dumps(public)


@relaxed
@given(steps)
def test_every_prefix_folds_and_replay_equals_live(taken: list[Any]) -> None:
    with script() as one:
        for step in taken:
            one.step(*step)
        events = one.contest.events()
        state = State()
        for count in range(len(events) + 1):
            state = fold(events[:count])
            if state.config is not None:
                assert json.dumps(board(state, "operator"))
        assert board(state, "operator") == board(one.contest.state(), "operator")
        again, faults = replay(one.contest)
        assert faults == []
        assert again == sum(event.who == "judge" for event in events)


@relaxed
@given(steps, st.integers(0, 10_000), st.sampled_from(["at", "who", "what", "data", "previous", "hash"]))
def test_a_tampered_log_is_found_at_the_event(taken: list[Any], place: int, column: str) -> None:
    with script() as one:
        for step in taken:
            one.step(*step)
        count = one.contest.store.verify()
        seq = place % count + 1
        with closing(sqlite3.connect(one.contest.folder / "contest.db")) as database, database:
            database.execute(f"UPDATE events SET {column} = '{{\"x\":1}}' WHERE seq = ?", (seq,))
        with pytest.raises(DataError, match=f"broken at event {seq}:"):
            one.contest.store.verify()
        with pytest.raises(DataError, match=f"broken at event ({seq}|{seq + 1}):"):
            Contest(one.contest.folder, games=TOYS)


def test_a_log_that_was_cut_or_reordered_is_found(toy: tuple[Contest, ManualClock]) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    events = contest.events()
    with pytest.raises(DataError, match="event 3: expected number 2"):
        list(verified([events[0], *events[2:]]))
    with closing(sqlite3.connect(contest.folder / "contest.db")) as database, database:
        database.execute("DELETE FROM events WHERE seq = ?", (len(events),))
    with pytest.raises(DataError, match=f"broken after event {len(events) - 1}"):
        contest.store.verify()


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_limits_hold_under_concurrent_uploads(place: str, tmp_path: Path, request: Any) -> None:
    url = "sqlite:///contest.db" if place == "sqlite" else request.getfixturevalue("database")
    config = toy_config(limits={"releases": 3, "waiting": 100})
    with ExitStack() as stack:
        contest, clock = stack.enter_context(playing(tmp_path / "c", config, url, ["Ann"]))
        reach(contest, clock, 1)
        others = [stack.enter_context(Contest(contest.folder, clock, games=TOYS)) for _ in range(4)]

        def attempt(number: int) -> str:
            try:
                others[number % 4].upload_release("ann", "s", release(0.5))
            except DataError as error:
                return str(error)
            return "taken"

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(attempt, range(24)))
        assert sorted(results) == ["all 3 tries are used up"] * 21 + ["taken"] * 3
        assert contest.state().used("release", "ann", 0, "s") == 3
        assert contest.store.verify()


def test_back_up_of_a_running_contest_goes_on_elsewhere(toy: tuple[Contest, ManualClock], tmp_path: Path) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    contest.upload_release("ann", "s", release(0.6))
    run_inline(contest)
    contest.upload_release("bob", "s", release(0.9))
    back_up(contest, tmp_path / "backup.tar.gz")
    with restore(tmp_path / "backup.tar.gz", tmp_path / "other", clock=clock, games=TOYS) as other:
        for one in (contest, other):
            reach(one, clock, 126)
        results = [
            [(row["team"], row["total"]) for row in board(one.state(), "operator")["rounds"][0]["defenders"]]
            for one in (contest, other)
        ]
        assert results[0] == results[1] == [("bob", pytest.approx(0.65)), ("ann", pytest.approx(0.35))]
        assert other.store.verify()
    with pytest.raises(FileError, match="not empty"):
        restore(tmp_path / "backup.tar.gz", tmp_path / "other")
    with pytest.raises(FileError, match="not a back-up"):
        restore(contest.folder / "settings.json", tmp_path / "third")


def test_export_is_safe_for_spreadsheets(tmp_path: Path) -> None:
    with playing(tmp_path / "c", teams=["=cmd()"]) as (contest, clock):
        reach(contest, clock, 1)
        _, standings, _ = export(contest, tmp_path / "out")
    assert "'=cmd()" in standings.read_text()
    assert ",=cmd" not in standings.read_text()


def test_a_full_disk_is_an_error_and_loses_nothing(toy: tuple[Contest, ManualClock], monkeypatch: Any) -> None:
    contest, clock = toy
    reach(contest, clock, 1)
    first = contest.upload_release("ann", "s", release(0.6))
    events = len(contest.events())

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(FileError, match=r"could not be stored .No space left on device.; nothing was accepted"):
            contest.upload_release("bob", "s", release(0.7))
    assert len(contest.events()) == events
    assert not list(contest.blobs.folder.glob(".writing-*"))
    run_inline(contest)
    assert contest.state().uploads[first].status == "accepted"
    contest.upload_release("bob", "s", release(0.7))


def test_membership_contest(tmp_path: Path) -> None:
    """Releases of another length than the data, a test set for every attacker, and answers with confidence."""
    bots = [{"name": n, "defend": [s], "attack": "near"} for n, s in (("Copy", "0"), ("Blur", "5"), ("Fog", "40"))]
    tasks = [{"name": "t", "metric": "auc"}]
    sets = [{"name": "s", "source": "", "utility": ["worth"], "tasks": tasks, "per_team": True}]
    config = toy_config(game="membership", bots=bots, sets=sets)
    with Rehearsal(tmp_path / "c", config, games=TOYS) as play:
        outcome = play.play()
        state = play.contest.state()
    assert outcome["alarms"] == []
    left = {row["team"]: row["parts"]["worst.s.t"] for row in outcome["rounds"][0]["defenders"]}
    assert left["copy"] < left["blur"] < left["fog"]
    assert left["copy"] < 0.1
    tests = state.published[0, "copy", "s"].questions
    assert set(tests) == {"blur", "fog"}
    assert len(set(tests.values())) == 2
