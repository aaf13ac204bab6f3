"""A contest in the middle of its attack is backed up and goes on elsewhere: folder, user and kind of database."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from icefire.cli.main import icefire
from icefire.contest.backup import back_up, restore
from icefire.contest.clock import ManualClock
from icefire.contest.configfile import load_config
from icefire.contest.engine import DATABASE, Contest
from icefire.contest.jobs.uploads import ScoreGuess
from icefire.contest.workers import run_inline
from icefire.core.errors import DataError
from icefire.web.accounts import ACCOUNTS, Accounts
from icefire.web.serve import Address, Arena
from web.conftest_web import HEADERS, PASSWORD, Hall, free_port, good_guess, good_release

NOBODY = 65534
ROUTES = ["sqlite to sqlite", "sqlite to postgres", "postgres to sqlite"]


@dataclass
class Before:
    """What people hold when the contest moves."""

    session: str
    token: str
    invitation: str
    left: object
    pending: str
    story: list[object]


@contextmanager
def serving(contest: Contest, clock: ManualClock) -> Iterator[Hall]:
    port = free_port()
    with Arena(contest, Address(port=port), workers=0) as arena:
        arena.start()
        transport = httpx.HTTPTransport(retries=8)
        with httpx.Client(transport=transport) as client:
            client.get(f"http://127.0.0.1:{port}/api/board")
        yield Hall(contest, clock, arena, f"http://127.0.0.1:{port}")


def in_the_attack(hall: Hall) -> Before:
    """Both have released; Aoi's answer was judged, Kaede's waits."""
    for name in ("Aoi", "Kaede"):
        hall.contest.teams.add(name)
    hall.accounts.add_operator("boss", PASSWORD)
    hall.reach(1)
    for team in ("aoi", "kaede"):
        hall.contest.uploads.release(team, "households", good_release(hall, team))
    hall.reach(71)
    hall.contest.uploads.guess("aoi", "kaede", "households", good_guess(hall, "kaede"))
    run_inline(hall.contest)
    pending = hall.contest.uploads.guess("kaede", "aoi", "households", good_guess(hall, "aoi"))
    login = hall.team_login("aoi")
    with hall.client(login) as client:
        session = client.cookies["icefire_session"]
        left = client.get("/api/own").json()["guesses_left"]
        token = client.post("/api/tokens").json()["token"]
    hall.arena.app.state.live.look()
    with hall.client() as client:
        story = client.get("/api/story").json()
    return Before(session, token, hall.accounts.invite("kaede"), left, pending, story)


@pytest.fixture(params=ROUTES)
def moved(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Hall, Before]]:
    """The contest after its move, and what people held before."""
    places = [DATABASE if place == "sqlite" else "" for place in request.param.split(" to ")]
    source, target = (place or request.getfixturevalue("database") for place in places)
    config = load_config(Path("demo"))
    small = config.sets[0].model_copy(update={"source": "households(n=40)"})
    limits = config.limits.model_copy(update={"guesses": 1})
    config = config.model_copy(update={"sets": (small,), "limits": limits})
    clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5))
    with (
        Contest.create(tmp_path / "old", config, source, clock, seeds=("cd" * 32,)) as contest,
        serving(contest, clock) as hall,
    ):
        before = in_the_attack(hall)
        back_up(contest, tmp_path / "backup.tar.gz")
        log = contest.log()
    with (
        restore(tmp_path / "backup.tar.gz", tmp_path / "new" / "place", target, clock) as contest,
        serving(contest, clock) as hall,
    ):
        assert contest.log() == log
        assert [path.name for path in (tmp_path / "new").iterdir()] == ["place"]
        yield hall, before


def test_everything_goes_on(moved: tuple[Hall, Before]) -> None:
    hall, before = moved
    bearer = {"authorization": f"Bearer {before.token}"}
    # Logins: of the operator, of a team, a session that was open, and an invitation that was not used yet.
    with hall.client("boss") as client:
        assert client.get("/api/operator").status_code == 200
    with hall.client("member of aoi") as client:
        assert client.get("/api/own").status_code == 200
    with httpx.Client(base_url=hall.url, headers=HEADERS, cookies={"icefire_session": before.session}) as client:
        assert client.get("/api/me").json()["login"] == "member of aoi"
    body = {"code": before.invitation, "login": "late", "password": PASSWORD}
    with hall.client() as client:
        assert client.post("/api/join", json=body).json()["team"] == "kaede"
        assert client.post("/api/join", json={**body, "login": "later"}).status_code == 422
        # Tokens, and the tries that are left.
        own = client.get("/api/own", headers=bearer).json()
        assert own["guesses_left"] == before.left == {"households": {"kaede": 0, "pseudonyms-only": 1}}
        answer = client.put("/api/guesses/kaede/households", content=good_guess(hall, "kaede"), headers=bearer)
        assert (answer.status_code, answer.json()["faults"]) == (409, ["all 1 tries are used up for 'kaede'"])
        # The numbers of the story: who has heard everything hears nothing twice, and there is no reset.
        assert client.get("/api/story").json() == before.story
        with client.stream("GET", "/api/stream", headers={"last-event-id": str(len(before.story))}) as stream:
            lines = stream.iter_lines()
            first = next(line for line in lines if line.startswith("event"))
            assert first == "event: board"
    # The job that waited.
    (job,) = hall.contest.docket.due()
    assert isinstance(job, ScoreGuess)
    assert job.upload == before.pending
    hall.reach(500)
    assert hall.contest.state().uploads[before.pending].status == "accepted"
    hall.contest.schedule.thaw("operator:boss", "the end")
    hall.contest.desk.finalize("operator:boss", "the end")
    assert hall.contest.store.verify()


def test_nothing_is_left_in_a_database_that_is_in_use(tmp_path: Path, database: str) -> None:
    """The log, the accounts and the folder come together or not at all."""
    config = load_config(Path("demo"))
    with Contest.create(tmp_path / "a", config) as contest:
        Accounts(contest).add_operator("boss", PASSWORD)
        back_up(contest, tmp_path / "backup.tar.gz")
    with Contest.create(tmp_path / "b", config, database) as other:
        Accounts(other)
        log = other.log()
        with pytest.raises(DataError, match="holds a contest already"):
            restore(tmp_path / "backup.tar.gz", tmp_path / "c", database)
        assert other.log() == log
        with other.store.engine.connect() as connection:
            assert connection.execute(ACCOUNTS.select()).all() == []
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", "backup.tar.gz"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_another_user_restores() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        with Contest.create(folder / "a", load_config(Path("demo"))) as contest:
            Accounts(contest).add_operator("boss", PASSWORD)
            back_up(contest, folder / "backup.tar.gz")
        os.chown(folder / "backup.tar.gz", NOBODY, NOBODY)
        # A fork, since the other user may not be able to read this installation.
        child = os.fork()
        if child == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            try:
                restore(folder / "backup.tar.gz", folder / "b").close()
            finally:
                os._exit(0 if (folder / "b").is_dir() else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert {path.stat().st_uid for path in (folder / "b").rglob("*")} == {NOBODY}
        with Contest(folder / "b") as restored:
            assert Accounts(restored).login("boss", PASSWORD) is not None


def test_the_documented_move_to_postgres(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of docs/deployment.md, as they stand there."""
    text = (Path(__file__).parents[2] / "docs" / "deployment.md").read_text()
    block = text.partition("## Moving a running contest")[2].partition("```sh\n")[2].partition("```")[0]
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    monkeypatch.chdir(tmp_path)
    with Contest.create(Path("contest"), load_config(Path("demo"))) as contest:
        Accounts(contest).add_operator("boss", PASSWORD)
        log = contest.log()
    for program, *arguments in commands:
        if program == "icefire":
            chosen = [database if argument.startswith("postgresql://") else argument for argument in arguments]
            icefire(chosen, standalone_mode=False)
        elif program != "systemctl":
            subprocess.run([program, *arguments], check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["contest", "contest-before"]
    with Contest(tmp_path / "contest") as moved:
        assert moved.database == database
        assert moved.log() == log
        assert Accounts(moved).login("boss", PASSWORD) is not None
