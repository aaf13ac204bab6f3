"""What the operator's page is told when something is wrong, within 15 seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from contest.test_health import SetClock
from icefire.contest.clock import Clock
from icefire.contest.config import Phase
from icefire.contest.configfile import load_config
from icefire.contest.engine import DATABASE, Contest
from icefire.web.serve import Address, Arena
from web.conftest_web import HEADERS, PASSWORD, free_port


@contextmanager
def arena(
    folder: Path, database: str = DATABASE, workers: int = 1, clock: Clock | None = None
) -> Iterator[tuple[Contest, httpx.Client]]:
    """A contest in real time, in the middle of its defence, and the operator's client."""
    config, now = load_config(Path("demo")), datetime.now(UTC)
    times = [now + timedelta(minutes=minutes) for minutes in (-1, 60, 61, 120)]
    defence, attack = Phase(opens=times[0], closes=times[1]), Phase(opens=times[2], closes=times[3])
    plan = config.rounds[0].model_copy(update={"defence": defence, "attack": attack, "freeze": None})
    small = config.sets[0].model_copy(update={"source": "households(n=40)"})
    config, port = config.model_copy(update={"rounds": (plan,), "sets": (small,)}), free_port()
    with (
        Contest.create(folder, config, database, clock) as contest,
        Arena(contest, Address(port=port), workers) as served,
    ):
        served.app.state.accounts.add_operator("boss", PASSWORD)
        served.start()
        url, transport = f"http://127.0.0.1:{port}", httpx.HTTPTransport(retries=8)
        with httpx.Client(base_url=url, headers=HEADERS, transport=transport, timeout=30) as client:
            client.post("/api/login", json={"login": "boss", "password": PASSWORD}).raise_for_status()
            yield contest, client


def within(seconds: float, until: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, f"it was not told within {seconds:g} s"
        time.sleep(0.2)


def kinds(client: httpx.Client) -> set[str]:
    return {trouble["kind"] for trouble in client.get("/api/operator").json()["troubles"]}


def test_workers_files_and_the_language(tmp_path: Path) -> None:
    with arena(tmp_path / "c") as (contest, client):
        contest.teams.add("Ann")
        within(60, lambda: len(contest.state().dealt) > 1)  # the committee has an entry
        within(15, lambda: not kinds(client))
        assert client.get("/api/health").json() == {"well": True}
        problem = next(iter(contest.state().dealt.values()))
        contest.blobs.path(problem.sha256).write_bytes(b"changed")
        within(15, lambda: kinds(client) == {"file"})
        (told,) = client.get("/api/operator", headers={"accept-language": "ja"}).json()["troubles"]
        assert told["message"].startswith("保存されたファイル")
    with arena(tmp_path / "d", workers=0) as (_, client):
        within(15, lambda: kinds(client) == {"workers"})
        assert client.get("/api/health").status_code == 503


def test_a_database_that_is_away(postgres: Any, database: str, tmp_path: Path) -> None:
    with arena(tmp_path / "c", database) as (_, client):
        within(20, lambda: not kinds(client))
        postgres.stop()
        try:
            begin = time.monotonic()
            answer = client.get("/api/operator")
            assert answer.status_code == 503
            assert answer.json()["faults"] == ["the database is away: nothing is lost, try again in a moment"]
            assert client.get("/api/board").status_code == 200, "the audience goes on"
            within(15, lambda: client.get("/api/health").status_code == 503)
            assert time.monotonic() - begin < 15
        finally:
            postgres.start()
        within(30, lambda: client.get("/api/operator").status_code == 200 and not kinds(client))


def test_a_clock_that_jumps(tmp_path: Path) -> None:
    clock = SetClock(datetime.now(UTC))
    with arena(tmp_path / "c", clock=clock) as (contest, client):
        within(60, lambda: bool(contest.state().dealt) and not kinds(client))
        clock.advance(hours=1)
        within(15, lambda: "clock" in kinds(client) and contest.state().paused is not None)
        assert client.get("/api/board").json()["phase"]["name"] == "defence", "no phase closes by a wrong time"


@pytest.mark.parametrize("viewer", ["operator", "public"])
def test_status_by_command(tmp_path: Path, viewer: str, capsys: pytest.CaptureFixture[str]) -> None:
    from icefire.cli.main import icefire

    with Contest.create(tmp_path / "c", load_config(Path("demo"))):
        pass
    icefire(["contest", "status", str(tmp_path / "c"), "--as", viewer], standalone_mode=False)
    assert ("no worker is alive" in capsys.readouterr().err) == (viewer == "operator")
