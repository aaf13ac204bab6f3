"""Rehearse the show with many seeds, in fast time, and list the most exciting ones first.

    python docs/show_seeds.py 0 30

The seed of `make show` (`SEED` in src/icefire/contest/show.py) is the first of the list of seeds 0 to 29: the leader at the
freeze is not the winner, the lead has changed often, and the winner is close to the second.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from icefire.contest.board import board
from icefire.contest.clock import ManualClock
from icefire.contest.engine import Contest
from icefire.contest.show import plan, show_contest
from icefire.contest.workers import run_inline

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SECONDS = 300.0


@dataclass(frozen=True, order=True)
class Course:
    """How a show goes; the larger, the more exciting."""

    open_end: bool
    """Whether the leader at the freeze does not win."""
    changes: int
    """How often the lead changes before the freeze, while releases are attacked."""
    leaders: int
    closeness: float
    """Minus the difference between the first and the second."""
    seed: int
    winner: str


def rehearsed(seed: int) -> Course:
    clock, public = ManualClock(BEGIN), list[str]()
    with tempfile.TemporaryDirectory() as folder, show_contest(Path(folder) / "c", SECONDS, seed, clock) as contest:
        for act in plan(contest, seed):
            _reach(contest, clock, act.at)
            act.do()
            run_inline(contest)
            state = contest.state()
            if state.phase is not None and state.phase.phase == "attack" and state.frozen is None:
                public.append(_leader(contest))
        _reach(contest, clock, max(closes for _, closes in contest.state().schedule.values()))
        rows = board(contest.state(), "operator")["total"]["defenders"]
    changes = sum(before != after for before, after in pairwise(public))
    first, second = (float(row["total"] or 0.0) for row in rows[:2])
    return Course(public[-1] != rows[0]["team"], changes, len(set(public)), second - first, seed, rows[0]["team"])


def _reach(contest: Contest, clock: ManualClock, moment: datetime) -> None:
    clock.reach(max(moment, clock.now()))
    while contest.schedule.tick() or run_inline(contest):
        pass


def _leader(contest: Contest) -> str:
    return board(contest.state(), "public")["total"]["defenders"][0]["team"]


def main() -> None:
    first, after = (int(text) for text in sys.argv[1:3])
    courses = []
    for seed in range(first, after):
        courses.append(rehearsed(seed))
        print(courses[-1], file=sys.stderr, flush=True)
    for course in sorted(courses, reverse=True):
        print(*astuple(course))


if __name__ == "__main__":
    main()
