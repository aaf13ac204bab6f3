"""Contests of the toy game, and what teams send in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from contest_games import START, TOYS, toy_config

from icefire.contest.clock import ManualClock
from icefire.contest.config import Config
from icefire.contest.engine import Contest
from icefire.contest.jobs import run_inline
from icefire.contest.uploads import pack


def release(value: object) -> bytes:
    return pack({"release.csv": str(value).encode()})


def guess(value: object) -> bytes:
    return pack({"guess.csv": str(value).encode()})


@contextmanager
def playing(
    folder: Path,
    config: Config | None = None,
    database: str = "sqlite:///contest.db",
    teams: Sequence[str] = ("Ann", "Bob"),
) -> Iterator[tuple[Contest, ManualClock]]:
    """A new contest five minutes before its first defence, and its clock."""
    clock = ManualClock(START - timedelta(minutes=5))
    with Contest.create(folder, config or toy_config(), database, clock, games=TOYS) as contest:
        for name in teams:
            contest.add_team(name)
        yield contest, clock


def reach(contest: Contest, clock: ManualClock, minutes: float) -> None:
    """Move on to so many minutes after the first defence has opened, and let everything happen that is due by then."""
    clock.reach(START + timedelta(minutes=minutes))
    while contest.tick():
        run_inline(contest)
    run_inline(contest)
