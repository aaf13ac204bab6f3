"""An arena that really listens, and what teams of the tests upload."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from datetime import timedelta

import httpx

from icefire.contest.clock import ManualClock
from icefire.contest.engine import Contest
from icefire.contest.state import Place
from icefire.contest.uploads import pack
from icefire.contest.workers import run_inline
from icefire.core.seeds import generator
from icefire.web.accounts import Accounts
from icefire.web.serve import Arena

PASSWORD = "correct horse battery"
HEADERS = {"x-icefire": "1"}
SET = "households"


@dataclass
class Hall:
    """A contest, its clock and its address; the judge works in a thread of the test."""

    contest: Contest
    clock: ManualClock
    arena: Arena
    url: str

    @property
    def accounts(self) -> Accounts:
        accounts: Accounts = self.arena.app.state.accounts
        return accounts

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
        self.accounts.join(self.accounts.invite(team), f"member of {team}", PASSWORD)
        return f"member of {team}"

    def token(self, login: str) -> str:
        person = self.accounts.login(login, PASSWORD)
        assert person is not None
        return self.accounts.token(person)


def good_release(hall: Hall, team: str, *steps: str) -> bytes:
    problem = hall.contest.downloads.problem(Place(0, team, SET))
    return pack(hall.contest.game().bot_release(problem, list(steps) or ["noise(scale=0.5)"], generator(1, team)))


def good_guess(hall: Hall, target: str, attack: str = "euclid") -> bytes:
    handout = hall.contest.downloads.handout(Place(0, target, SET), "")
    return pack(hall.contest.game().bot_guess(handout, attack, generator(1, target)))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
