"""The participant's client, against a real arena."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from icefire.cli.main import icefire
from icefire.contest.state import Place, Target
from icefire.contest.uploads import files_of
from icefire.contest.workers import run_inline
from icefire.core.errors import InputError
from icefire.core.values import Score
from web.conftest_web import Hall


@pytest.fixture
def judged(hall: Hall) -> Iterator[Hall]:
    """A hall whose judge works by itself."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.1):
            run_inline(hall.contest)

    thread = threading.Thread(target=work)
    thread.start()
    yield hall
    stop.set()
    thread.join()


def test_from_the_problem_to_a_guess(judged: Hall, tmp_path: Path) -> None:
    hall = judged
    hall.reach(1)
    tokens = {team: hall.token(hall.team_login(team)) for team in ("aoi", "kaede")}

    def submit(team: str, *arguments: object) -> Result:
        environment = {"ICEFIRE_SERVER": hall.url, "ICEFIRE_TOKEN": tokens[team]}
        return CliRunner().invoke(icefire, ["submit", *map(str, arguments)], env=environment)

    def unpacked(file: Path, folder: Path) -> Path:
        folder.mkdir()
        for name, content in files_of(file.read_bytes()).items():
            (folder / name).write_bytes(content)
        return folder

    def run(*arguments: object) -> None:
        done = CliRunner().invoke(icefire, list(map(str, arguments)))
        assert done.exit_code == 0, done.output + str(done.exception)

    for team in tokens:
        assert submit(team, "problem", "--file", tmp_path / f"{team}.zip").exit_code == 0
        source = unpacked(tmp_path / f"{team}.zip", tmp_path / team)
        run(
            "anonymize",
            "microdata",
            "noise(scale=0.5)",
            "--in",
            source,
            "--out",
            tmp_path / f"{team}-release",
            "--seed",
            1,
        )
        told = submit(team, "release", "--file", tmp_path / f"{team}-release")
        assert told.exit_code == 0, told.output + str(told.exception)
        assert "accepted" in told.output
        assert "information_loss" in told.output
    hall.reach(71)
    told = submit("aoi", "status")
    assert told.output.startswith("Aoi: attack\n"), told.output
    assert "Guesses left, households, Kaede (kaede): 2\n" in told.output
    assert submit("aoi", "target", "--target", "ＫＡＥＤＥ", "--file", tmp_path / "target.zip").exit_code == 0
    target = unpacked(tmp_path / "target.zip", tmp_path / "target")
    assert not list(target.glob("secret*"))
    run("attack", "microdata", "euclid", "--in", target, "--out", tmp_path / "guesses")
    told = submit("aoi", "guess", "--target", "kaede", "--file", tmp_path / "guesses")
    assert told.exit_code == 0, told.output + str(told.exception)
    status = json.loads(submit("aoi", "status", "--json").output)
    assert [upload["status"] for upload in status["uploads"]] == ["accepted", "accepted"]
    assert isinstance(
        score := hall.contest.state().guesses[Target(Place(0, "kaede", "households"), "aoi")]["identity"], Score
    )
    assert score.value > 0

    for arguments, complaint in (
        (("guess", "--target", "aoi", "--file", tmp_path / "guesses"), "its own release"),
        (("guess", "--file", tmp_path / "guesses"), "say which team: --target TEAM"),
        (("release", "--file", tmp_path / "aoi-release"), "not open now"),
        (
            ("target", "--target", "none", "--file", tmp_path / "x"),
            "there is no team 'none', only",
        ),
        (("target", "--target", "Kaede", "--file", tmp_path / "x", "--ca", tmp_path / "x"), "holds no certificates"),
        (("guess", "--target", "kaede", "--file", tmp_path / "none"), "no file"),
    ):
        failed = submit("aoi", *arguments)
        assert isinstance(failed.exception, InputError), failed.output
        assert complaint in str(failed.exception)
    wrong = CliRunner().invoke(icefire, ["submit", "status", "--server", hall.url, "--token", "wrong"])
    assert "this token is unknown" in str(wrong.exception)
    nowhere = CliRunner().invoke(icefire, ["submit", "status", "--server", "http://127.0.0.1:9", "--token", "x"])
    assert "cannot be reached" in str(nowhere.exception)
