"""The show: bots play the demonstration in real time, for an audience."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np

from icefire.contest import bots
from icefire.contest.clock import SystemClock
from icefire.contest.closing import Closing
from icefire.contest.config import Config, Phase
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.state import Place, Stage
from icefire.contest.workers import run_inline
from icefire.core.errors import IcefireError
from icefire.core.seeds import generator

OPERATOR = "operator:show"
CEREMONY = "the ceremony"
STEP = 3.0
"""Seconds between two steps of the ceremony."""


def show_config(seconds: float, name: str = "demo") -> Config:
    """A contest that begins now: a good third of the time for the defence, the rest for the attack."""
    config, now = load_config(Path(name)), SystemClock().now()

    def moment(share: float) -> datetime:
        return now + timedelta(seconds=share * seconds)

    plan = config.rounds[0].model_copy(
        update={
            "defence": Phase(opens=moment(0), closes=moment(0.35)),
            "attack": Phase(opens=moment(0.36), closes=moment(1.0)),
            "freeze": moment(0.85),
        }
    )
    return config.model_copy(update={"rounds": (plan,)})


def show_contest(folder: Path, seconds: float) -> Contest:
    """A new contest of the bots of the demonstration, with their data dealt."""
    contest = Contest.create(folder, show_config(seconds))
    for bot in contest.state().contest.bots:
        contest.teams.add(bot.name, OPERATOR)
    run_inline(contest)
    return contest


class Bots(Closing):
    """They do what teams would do, at random moments, and end with the ceremony."""

    def __init__(self, contest: Contest, seed: int = 0) -> None:
        self.contest, self.seed = contest, seed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _play(self) -> None:
        for moment, act in sorted(self._plan(generator(self.seed, "show")), key=lambda pair: pair[0]):
            while self.contest.clock.now() < moment:
                if self._stop.wait(0.1):
                    return
            try:
                act()
            except IcefireError as error:
                # Bots may be late or out of tries, as people are.
                logging.getLogger(__name__).info("a bot was refused: %s", error)
        self._end()

    def _plan(self, rng: np.random.Generator) -> Iterator[tuple[datetime, Callable[[], object]]]:
        state = self.contest.state()
        (begin, close), (opening, end) = state.schedule[Stage(0, "defence")], state.schedule[Stage(0, "attack")]
        teams = {team.name: team.id for team in state.teams.values()}
        for bot in state.contest.bots:
            team = teams[bot.name]
            for dataset in state.contest.sets:
                # First something simple, then the real thing.
                for number, (share, steps) in enumerate(((0.15, bot.defend[-1:]), (0.55, bot.defend))):
                    seeded = generator(self.seed, team, dataset.name, number)
                    act = partial(bots.defend, self.contest, Place(0, team, dataset.name), steps, seeded)
                    yield begin + (close - begin) * (share + 0.3 * rng.random()), act
                for other in teams.values():
                    if other != team:
                        seeded = generator(self.seed, team, other)
                        target = Place(0, other, dataset.name)
                        attack = partial(bots.attack, self.contest, team, target, bot.attack, seeded)
                        yield opening + (end - opening) * (0.06 + 0.9 * rng.random()), attack

    def _end(self) -> None:
        """The ceremony: place by place, beginning with the last one."""
        contest = self.contest
        while not (contest.state().all_closed and not contest.docket.due()):
            if self._stop.wait(1.0):
                return
        for _ in contest.state().contest.bots:
            if self._stop.wait(STEP):
                return
            contest.desk.unveil(OPERATOR, CEREMONY)
        if not self._stop.wait(STEP):
            contest.schedule.thaw(OPERATOR, CEREMONY)
            contest.desk.finalize(OPERATOR, CEREMONY)
