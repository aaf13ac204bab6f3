"""The show: bots play the demonstration in real time, for an audience."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np

from icefire.contest import bots
from icefire.contest.board import board
from icefire.contest.clock import Clock, SystemClock
from icefire.contest.closing import Closing
from icefire.contest.config import Bot, Config, Phase
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.state import Place, Side, Stage
from icefire.contest.workers import run_inline
from icefire.core.errors import IcefireError
from icefire.core.seeds import generator

SEED = 6
"""The seed whose show is the most exciting of those that docs/show_seeds.py has rehearsed."""
OPERATOR = "operator:show"
CEREMONY = "the ceremony"
EASIEST = 0.5
"""How often a bot attacks the easiest target that it has left: great ones fall late, so the end stays open."""
STEP = 1 / 60
"""How long a step of the ceremony lasts, as a share of the show."""


def show_config(seconds: float, begin: datetime, name: str = "demo") -> Config:
    """The demonstration from a moment on: the defence, the attack that is frozen near its end, and time for the ceremony."""
    config = load_config(Path(name))

    def moment(share: float) -> datetime:
        return begin + timedelta(seconds=share * seconds)

    plan = config.rounds[0].model_copy(
        update={
            "defence": Phase(opens=moment(0.01), closes=moment(0.27)),
            "attack": Phase(opens=moment(0.28), closes=moment(0.78)),
            "freeze": moment(0.61),
        }
    )
    return config.model_copy(update={"rounds": (plan,)})


def show_contest(folder: Path, seconds: float, seed: int = SEED, clock: Clock | None = None) -> Contest:
    """A new contest of the bots of the demonstration, with their data dealt. Everything random comes from the seed."""
    clock = clock or SystemClock()
    secret = generator(seed, "show", "secret").bytes(32).hex()
    contest = Contest.create(folder, show_config(seconds, clock.now()), clock=clock, seeds=(secret,))
    for bot in contest.state().contest.bots:
        contest.teams.add(bot.name, OPERATOR)
    run_inline(contest)
    return contest


@dataclass(frozen=True)
class Act:
    """What a bot does at a moment."""

    at: datetime
    do: Callable[[], object]


def plan(contest: Contest, seed: int) -> list[Act]:
    """What the bots do, in the order of time: two releases each, and an attack on everybody else."""
    teams = {team.name: team.id for team in contest.state().active}
    acts = [act for bot in contest.state().contest.bots for act in _plan_of(contest, bot, teams, seed)]
    return sorted(acts, key=lambda act: act.at)


def _plan_of(contest: Contest, bot: Bot, teams: dict[str, str], seed: int) -> Iterator[Act]:
    state = contest.state()
    (begin, close), (opening, end) = state.schedule[Stage(0, "defence")], state.schedule[Stage(0, "attack")]
    team, moments = teams[bot.name], generator(seed, "show", bot.name)
    for dataset in state.contest.sets:
        # First something simple, then the real thing.
        for number, (share, steps) in enumerate(((0.0, bot.defend[:1]), (0.5, bot.defend))):
            rng = generator(seed, team, dataset.name, number)
            act: Callable[[], object] = partial(bots.defend, contest, Place(0, team, dataset.name), steps, rng)
            yield Act(begin + (close - begin) * (share + 0.4 * moments.random()), act)
        for number in range(len(teams) - 1):
            act = partial(
                _attack_next, contest, bot, Place(0, team, dataset.name), generator(seed, team, "attack", number)
            )
            yield Act(opening + (end - opening) * (0.03 + 0.9 * moments.random()), act)


def _attack_next(contest: Contest, bot: Bot, place: Place, rng: np.random.Generator) -> None:
    """Attack a release that is left: by turns of chance the easiest one by the public board, or any."""
    state = contest.state()
    done = {upload.attacked for upload in state.uploads.values() if upload.kind == "guess" and upload.place == place}
    rows = board(state, "public")["total"]["defenders"]
    targets = [place._replace(team=row["team"]) for row in reversed(rows) if row["team"] != place.team]
    left = [target for target in targets if target in state.published and target not in done]
    if left:
        target = left[0] if rng.random() < EASIEST else left[rng.integers(len(left))]
        bots.attack(contest, place.team, target, bot.attack, rng)


class Bots(Closing):
    """They do what teams would do, and end with the ceremony."""

    def __init__(self, contest: Contest, seed: int = SEED, seconds: float = 300.0) -> None:
        self.contest, self.seed, self.step = contest, seed, STEP * seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _play(self) -> None:
        for act in plan(self.contest, self.seed):
            while self.contest.clock.now() < act.at:
                if self._stop.wait(0.1):
                    return
            try:
                act.do()
            except IcefireError as error:
                # Bots may be late or out of tries, as people are.
                logging.getLogger(__name__).info("a bot was refused: %s", error)
        self._end()

    def _end(self) -> None:
        """The ceremony: attackers and then defenders, place by place, beginning with the last one."""
        contest = self.contest
        while not (contest.state().all_closed and not contest.docket.due()):
            if self._stop.wait(0.5):
                return
        sides: tuple[Side, Side] = ("attack", "defence")
        for side in sides:
            for _ in contest.state().contest.bots:
                if self._stop.wait(self.step):
                    return
                contest.desk.unveil(OPERATOR, CEREMONY, side)
        if not self._stop.wait(2 * self.step):
            contest.schedule.thaw(OPERATOR, CEREMONY)
            contest.desk.finalize(OPERATOR, CEREMONY)
