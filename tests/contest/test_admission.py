"""Who may upload what when, and what is refused at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from contest.contest_games import START, TOYS, toy_config
from contest.toy_contest import Toy, playing, release
from icefire.contest.engine import DATABASE, Contest
from icefire.contest.state import Place, Stage
from icefire.contest.uploads import pack
from icefire.core.errors import DataError, FileError


def test_limits_and_phases(toy: Toy) -> None:
    uploads, schedule = toy.contest.uploads, toy.contest.schedule
    with pytest.raises(DataError, match="during the defence phase, and that is not open now"):
        toy.release("ann", 0.2)
    toy.reach(1)
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: toy.release("eve", 0.2), "no team 'eve'"),
        (lambda: uploads.release("ann", "x", release(0.2)), "no set 'x'"),
        (lambda: toy.guess("ann", "bob", 0.2), "during the attack phase"),
        (lambda: uploads.release("ann", "s", b""), "the file is empty"),
        (lambda: uploads.release("ann", "s", b"x" * 21_000_000), "larger than 20 MB"),
    ]
    for attempt, message in attempts:
        with pytest.raises(DataError, match=message):
            attempt()
    for _ in range(5):
        toy.release("ann", 0.2)
    with pytest.raises(DataError, match="5 uploads of this team wait"):
        toy.release("ann", 0.2)
    toy.judge()
    schedule.pause("op", "a fire drill")
    with pytest.raises(DataError, match="paused"):
        toy.release("ann", 0.2)
    toy.clock.advance(minutes=30)
    schedule.resume("op", "it is over")
    assert toy.contest.state().schedule[Stage(0, "defence")][1] == START + timedelta(minutes=90)
    toy.release("bob", 0.3)
    toy.reach(96)
    with pytest.raises(DataError, match="its own release"):
        toy.guess("ann", "ann", 0.2)
    toy.guess("ann", "bob", 0.2)
    with pytest.raises(DataError, match="all 1 tries are used up for 'bob'"):
        toy.guess("ann", "bob", 0.3)


def test_what_was_allowed_early_may_be_refused_in_the_end(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The phase closes while a file comes in: the check inside the transaction decides."""
    toy.reach(1)
    receive = toy.contest.submissions.receive

    def slow(upload: str, content: bytes) -> str:
        toy.clock.reach(START + timedelta(minutes=61))
        return receive(upload, content)

    monkeypatch.setattr(toy.contest.submissions, "receive", slow)
    with pytest.raises(DataError, match="the defence phase has closed at"):
        toy.release("ann", 0.5)
    assert toy.contest.state().uploads == {}


def test_a_rejected_file_uses_no_try_and_says_why(toy: Toy) -> None:
    toy.reach(1)
    upload = toy.release("ann", "many")
    toy.judge()
    found = toy.contest.state().uploads[upload]
    assert found.status == "rejected"
    assert found.faults == ("release.csv, line 1: 'many' is not a number",)
    assert toy.contest.state().used("release", Place(0, "ann", "s")) == 0
    assert toy.board("team:ann")["own"]["releases_left"] == {"s": 20}
    toy.contest.uploads.release("bob", "s", b"0.5")
    for content, fault in (
        (pack({"other.csv": b"1"}), "'other.csv': it should hold release.csv and nothing else"),
        (pack({"../release.csv": b"1"}), "not the name of a plain file"),
        (pack({"release.csv": b"0" * 3_000_000}), "times as large when it is unpacked"),
        (b"PK\x03\x04broken", "cannot be read"),
    ):
        # What cannot even be unpacked is refused at once.
        with pytest.raises(DataError, match=fault):
            toy.contest.uploads.release("bob", "s", content)
    assert toy.contest.state().used("release", Place(0, "bob", "s")) == 1


def test_corrupt_zip_files_are_refused(toy: Toy) -> None:
    toy.reach(1)
    good = bytearray(pack({"release.csv": b"0.5" * 400}))
    good[45:60] = b"\xff" * 15
    with pytest.raises(DataError, match="cannot be read"):
        toy.contest.uploads.release("ann", "s", bytes(good))
    with pytest.raises(DataError):
        toy.contest.uploads.release("ann", "s", pack({"x" * 300 + ".csv": b"1"}))
    assert not list(toy.contest.folder.glob("inbox/*")), "what was refused is not kept"


def test_a_full_disk_is_an_error_and_loses_nothing(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.reach(1)
    first = toy.release("ann", 0.6)
    events = len(toy.contest.log())

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(FileError, match=r"could not be stored .No space left on device.; nothing was accepted"):
            toy.release("bob", 0.7)
    assert len(toy.contest.log()) == events
    assert not list(toy.contest.folder.rglob(".writing-*"))
    toy.judge()
    assert toy.contest.state().uploads[first].status == "accepted"
    toy.release("bob", 0.7)


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_limits_hold_under_concurrent_uploads(place: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = DATABASE if place == "sqlite" else request.getfixturevalue("database")
    config = toy_config(limits={"releases": 3, "waiting": 100})
    with ExitStack() as stack:
        toy = stack.enter_context(playing(tmp_path / "c", config, url, ["Ann"]))
        toy.reach(1)
        folder = toy.contest.folder
        others = [stack.enter_context(Contest(folder, toy.clock, games=TOYS)) for _ in range(4)]

        def attempt(number: int) -> str:
            try:
                others[number % 4].uploads.release("ann", "s", release(0.5))
            except DataError as error:
                return str(error)
            return "taken"

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(attempt, range(24)))
        assert sorted(results) == ["all 3 tries are used up"] * 21 + ["taken"] * 3
        assert toy.contest.state().used("release", Place(0, "ann", "s")) == 3
        assert toy.contest.store.verify()


def test_team_names_are_unique_however_they_are_written(toy: Toy) -> None:
    add = toy.contest.teams.add
    for name in ("ANN", " ann ", "ａｎｎ", "Ａnn", "Ann\ufe0f", "A\u034fnn"):
        with pytest.raises(DataError, match="already"):
            add(name)
    for name in ("", "x" * 41, "a\x00b", "a\u202eb", "\u3164", "\u2800", "!!", "a\u200db"):
        with pytest.raises(DataError, match="1 to 40 characters"):
            add(name)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Aoi", "Аоі"),  # Cyrillic
        ("BOX", "ВОХ"),
        ("KATE", "ΚΑΤΕ"),  # Greek
        ("Team 1", "Team l"),
        ("Team 1", "Team I"),
        ("Team O", "Team 0"),
        ("Tom", "Torn"),
        ("ロボ", "口ボ"),
        ("エース", "工ース"),
        ("カー", "力一"),
        ("へび", "ヘび"),
        ("O'Neill", "O’Neill"),
    ],
)
def test_names_that_look_alike_are_refused(toy: Toy, first: str, second: str) -> None:
    toy.contest.teams.add(first)
    with pytest.raises(DataError, match=r"looks like the team|mixes"):
        toy.contest.teams.add(second)


def test_a_word_is_in_one_script(toy: Toy) -> None:
    with pytest.raises(DataError, match="'Аoi' mixes Cyrillic and Latin letters, which look alike"):
        toy.contest.teams.add("Аoi")
    for name in ("Team Волга", "Team-α", "チームA", "βテスト", "王さん Team", "Zoë", "김 Team"):
        toy.contest.teams.add(name)


def test_emoji_families_are_names(toy: Toy) -> None:
    family = "👨‍👩‍👧"
    assert toy.contest.teams.add(f"{family} Sato") == "sato"
    assert toy.contest.teams.add("👩🏽‍💻❤️") == "team-4"
    assert [team.name for team in toy.contest.state().teams.values()][2] == f"{family} Sato"


def test_ids_can_be_read(toy: Toy) -> None:
    add = toy.contest.teams.add
    assert add("青い") == "team-3"
    assert add("赤い") == "team-4"
    assert add("チーム・あおい") == "chiimu-aoi"
    assert add("ﾌｧｲﾔｰ") == "faiyaa"
    assert add("東京", chosen="tokyo") == "tokyo"
    for chosen, told in (("tokyo", "id 'tokyo' already"), ("Tokyo!", "an id consists of")):
        with pytest.raises(DataError, match=told):
            add("京都", chosen=chosen)
