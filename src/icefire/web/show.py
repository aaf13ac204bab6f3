"""The show: bots play a contest in real time, for an audience."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

from icefire.contest import bots
from icefire.contest.clock import SystemClock
from icefire.contest.closing import Closing
from icefire.contest.config import Config
from icefire.contest.engine import Contest, load_config
from icefire.core.errors import IcefireError
from icefire.core.seeds import generator

OPERATOR = "operator:show"


def show_contest(folder: Path, seconds: float, name: str = "demo") -> Contest:
    """The demonstration, beginning now: a good third of the time for the defence, the rest for the attack."""
    body = load_config(Path(name)).as_dict()
    now = SystemClock().now()

    def moment(share: float) -> str:
        return (now + timedelta(seconds=share * seconds)).isoformat()

    body["rounds"] = [
        {
            **body["rounds"][0],
            "defence": {"opens": moment(0), "closes": moment(0.35)},
            "attack": {"opens": moment(0.36), "closes": moment(1.0)},
            "freeze": moment(0.85),
        }
    ]
    contest = Contest.create(folder, Config.model_validate(body))
    for bot in Config.model_validate(body).bots:
        contest.add_team(bot.name, OPERATOR)
    return contest


class Bots(Closing):
    """They do what teams would do, at moments of their own."""

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
        config = self.contest.state().contest
        rng = generator(self.seed, "show")
        plan = self._plan(rng)
        for moment, act in sorted(plan, key=lambda one: one[0]):
            while SystemClock().now() < moment:
                if self._stop.wait(0.1):
                    return
            try:
                act()
            except IcefireError:
                # Bots may be late or out of tries, as people are.
                continue
        self._end(len(config.bots))

    def _plan(self, rng: Any) -> list[tuple[Any, Any]]:
        state = self.contest.state()
        config = state.contest
        (begin, close), (open_, end) = state.schedule[0, "defence"], state.schedule[0, "attack"]
        teams = {team.name: team.id for team in state.teams.values()}
        plan: list[tuple[Any, Any]] = []

        def defend(team: str, steps: tuple[str, ...], data: str, number: int) -> None:
            while (0, team, data) not in self.contest.state().dealt and not self._stop.wait(0.2):
                pass
            bots.defend(self.contest, 0, team, data, steps, generator(self.seed, team, data, number))

        def attack(team: str, step: str, target: str, data: str) -> None:
            if (0, target, data) in self.contest.state().published:
                bots.attack(self.contest, 0, team, target, data, step, generator(self.seed, team, target))

        for bot in config.bots:
            team = teams[bot.name]
            for data in config.sets:
                # First something simple, then the real thing.
                for number, (share, steps) in enumerate(((0.15, bot.defend[-1:]), (0.55, bot.defend))):
                    when = begin + (close - begin) * (share + 0.3 * rng.random())
                    plan.append((when, lambda t=team, s=steps, d=data.name, n=number: defend(t, s, d, n)))
                for other in teams.values():
                    if other != team:
                        when = open_ + (end - open_) * (0.06 + 0.9 * rng.random())
                        plan.append((when, lambda t=team, s=bot.attack, o=other, d=data.name: attack(t, s, o, d)))
        return plan

    def _end(self, places: int) -> None:
        """The ceremony: place by place, from the last one on."""
        contest = self.contest
        while not self._stop.wait(1.0):
            state = contest.state()
            if len(state.closed) == len(state.schedule) and not contest.due():
                break
        for _ in range(places):
            if self._stop.wait(3.0):
                return
            contest.unveil(OPERATOR, "the ceremony")
        if not self._stop.wait(3.0):
            contest.thaw(OPERATOR, "the ceremony")
            contest.finalize(OPERATOR, "the ceremony")
