"""What teams of the tests send in."""

from __future__ import annotations

import socket
from typing import Any

from icefire.contest.uploads import pack
from icefire.core.seeds import generator


def good_release(hall: Any, team: str, *steps: str) -> bytes:
    contest = hall.contest
    problem = contest.problem(0, team, "households")
    return pack(contest.game().bot_release(problem, list(steps) or ["noise(scale=0.5)"], generator(1, team)))


def good_guess(hall: Any, target: str, attack: str = "euclid") -> bytes:
    contest = hall.contest
    handout = contest.handout(0, target, "households", "")
    return pack(contest.game().bot_guess(handout, attack, generator(1, target)))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
