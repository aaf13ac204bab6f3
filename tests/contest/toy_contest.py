"""Contests of the toy game, and what teams upload."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from contest.contest_games import START, TOYS, toy_config
from icefire.contest.board import board
from icefire.contest.clock import ManualClock
from icefire.contest.config import Config
from icefire.contest.documents import BoardDocument
from icefire.contest.engine import DATABASE, Contest
from icefire.contest.uploads import pack
from icefire.contest.workers import run_inline


def release(value: object) -> bytes:
    return pack({"release.csv": str(value).encode()})


def guess(value: object) -> bytes:
    return pack({"guess.csv": str(value).encode()})


@dataclass
class Toy:
    """A contest of the toy game and its clock."""

    contest: Contest
    clock: ManualClock

    def reach(self, minutes: float) -> None:
        """Move on to so many minutes after the first defence has opened, and let everything happen that is due by then."""
        self.clock.reach(START + timedelta(minutes=minutes))
        while self.contest.schedule.tick():
            run_inline(self.contest)
        run_inline(self.contest)

    def judge(self) -> None:
        run_inline(self.contest)

    def release(self, team: str, value: object) -> str:
        return self.contest.uploads.release(team, "s", release(value))

    def guess(self, team: str, target: str, value: object) -> str:
        return self.contest.uploads.guess(team, target, "s", guess(value))

    def board(self, viewer: str = "operator") -> BoardDocument:
        return board(self.contest.state(), viewer)


@contextmanager
def playing(
    folder: Path, config: Config | None = None, database: str = DATABASE, teams: Sequence[str] = ("Ann", "Bob")
) -> Iterator[Toy]:
    """A new contest five minutes before its first defence."""
    clock = ManualClock(START - timedelta(minutes=5))
    with Contest.create(folder, config or toy_config(), database, clock, games=TOYS) as contest:
        for name in teams:
            contest.teams.add(name)
        yield Toy(contest, clock)
