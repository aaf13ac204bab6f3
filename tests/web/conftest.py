"""An arena that really listens, with a contest of the demonstration."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from conftest_web import free_port

from icefire.contest.clock import ManualClock
from icefire.contest.config import Config
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.workers import run_inline
from icefire.web.serve import Address, Arena

PASSWORD = "correct horse battery"
HEADERS = {"x-icefire": "1"}


@dataclass
class Hall:
    """A contest, its clock and its address; the judge works in a thread of the test."""

    contest: Contest
    clock: ManualClock
    arena: Arena
    url: str

    def client(self, login: str | None = None) -> httpx.Client:
        cookies = httpx.Cookies()
        if login is not None:
            body = {"login": login, "password": PASSWORD}
            answer = httpx.post(f"{self.url}/api/login", json=body, headers=HEADERS, timeout=30)
            assert answer.status_code == 200, answer.text
            cookies = answer.cookies
        return httpx.Client(base_url=self.url, headers=HEADERS, timeout=30, cookies=cookies)

    def reach(self, minutes: float) -> None:
        """Move the clock to so many minutes after the defence has opened, and let everything due happen."""
        self.clock.reach(self.contest.state().contest.rounds[0].defence.opens + timedelta(minutes=minutes))
        for _ in range(20):
            ticked = self.contest.schedule.tick()
            if not run_inline(self.contest) and not ticked:
                break
        self.arena.app.state.live.look()

    def team_login(self, team: str) -> str:
        accounts = self.arena.app.state.accounts
        accounts.join(accounts.invite(team), f"member of {team}", PASSWORD)
        return f"member of {team}"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    body = load_config(Path("demo")).as_dict()
    body["sets"][0]["source"] = "households(n=40)"
    config = Config.model_validate(body)
    clock, port = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5)), free_port()
    with (
        Contest.create(tmp_path / "hall", config, clock=clock, seeds=("cd" * 32,)) as contest,
        Arena(contest, Address(port=port), workers=0) as arena,
    ):
        for name in ("Aoi", "Kaede"):
            contest.teams.add(name)
        arena.app.state.accounts.add_operator("boss", PASSWORD)
        arena.start()
        url = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                httpx.get(f"{url}/api/board", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        found = Hall(contest, clock, arena, url)
        yield found
        # A test may have started another one.
        found.arena.stop()
