"""Rehearsals: bots play a whole contest in fast time, through the same doors as people."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from icefire.contest import bots
from icefire.contest.board import board
from icefire.contest.clock import ManualClock
from icefire.contest.closing import Closing
from icefire.contest.config import Config
from icefire.contest.engine import Contest, Games
from icefire.contest.game import GAMES
from icefire.contest.jobs import run_inline
from icefire.core.errors import DataError, Undefined
from icefire.core.registry import Registry
from icefire.core.seeds import generator

OPERATOR = "operator"
Progress = Callable[[str], None]


class Rehearsal(Closing):
    """A contest of bots. Everything random comes from the seed, so it always ends the same way."""

    def __init__(
        self,
        folder: Path,
        config: Config,
        seed: int = 0,
        database: str = "sqlite:///contest.db",
        registry: Registry | None = None,
        games: Games = GAMES,
        progress: Progress = lambda _: None,
    ) -> None:
        if not config.bots:
            raise DataError("a rehearsal needs bots: add [[bots]] with name, defend and attack to the contest's file")
        self.clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=10))
        seeds = tuple(generator(seed, "round", at).bytes(32).hex() for at in range(len(config.rounds)))
        self.contest = Contest.create(folder, config, database, self.clock, registry, games, seeds)
        self.config, self.seed, self.progress = config, seed, progress
        self.teams: dict[str, str] = {}

    def close(self) -> None:
        self.contest.close()

    def play(self) -> dict[str, Any]:
        """The whole contest; what the public sees in the end, and how much has happened."""
        contest = self.contest
        self.teams = {bot.name: contest.add_team(bot.name) for bot in self.config.bots}
        for at in range(len(self.config.rounds)):
            self._round(at)
        if contest.state().frozen is not None:
            contest.thaw(OPERATOR, "the end of the rehearsal")
        contest.finalize(OPERATOR, "the end of the rehearsal")
        return self.outcome()

    def outcome(self) -> dict[str, Any]:
        state = self.contest.state()
        counts: dict[str, int] = {}
        for event in self.contest.events():
            counts[event.what] = counts.get(event.what, 0) + 1
        seen = board(state, "public")
        return {
            "events": dict(sorted(counts.items())),
            "alarms": [alarm.message for alarm in state.alarms.values()],
            **{key: seen[key] for key in ("name", "final", "total")},
            "rounds": [_plain(round) for round in seen["rounds"]],
        }

    def _round(self, at: int) -> None:
        opens, closes = self.contest.state().schedule[at, "defence"]
        self._reach(opens)
        step = (closes - opens) / (len(self.config.bots) + 2)
        for bot in self.config.bots:
            self.clock.advance(seconds=step.total_seconds())
            self.progress(f"{bot.name} defends")
            for data in self.config.sets:
                rng = generator(self.seed, "bot", bot.name, at, data.name)
                bots.defend(self.contest, at, self.teams[bot.name], data.name, bot.defend, rng)
            self._work()
        self._reach(closes)
        opens, closes = self.contest.state().schedule[at, "attack"]
        self._reach(opens)
        step = (closes - opens) / (len(self.config.bots) + 2)
        for bot in self.config.bots:
            self.clock.advance(seconds=step.total_seconds())
            self.contest.tick()
            self.progress(f"{bot.name} attacks")
            self._attack(at, bot.name, bot.attack)
            self._work()
        self._reach(closes)

    def _attack(self, at: int, name: str, step: str) -> None:
        team = self.teams[name]
        for round, target, data in sorted(self.contest.state().published):
            if round != at or target == team:
                continue
            rng = generator(self.seed, "bot", name, at, target, data)
            # An attack that has nothing to say of a release makes no answer.
            with suppress(Undefined):
                bots.attack(self.contest, at, team, target, data, step, rng)
            self._work()

    def _reach(self, moment: Any) -> None:
        """Let time pass, and the judge do its work before and after."""
        self._work()
        self.clock.reach(moment)
        while self.contest.tick():
            self._work()

    def _work(self) -> None:
        run_inline(self.contest)


def _plain(round: dict[str, Any]) -> dict[str, Any]:
    """A round of the board with bare values in place of scores."""
    releases = [
        {**release, "measures": {name: score["value"] for name, score in release["measures"].items()}}
        for release in round["releases"]
    ]
    cells = [
        {key: value for key, value in cell.items() if key != "score"}
        | {"value": cell["score"]["value"], "better": cell["score"]["better"]}
        for cell in round["cells"]
    ]
    return {**round, "releases": releases, "cells": cells}


def differences(found: Any, expected: Any, where: str = "") -> list[str]:
    """Where an outcome differs from the expected one; numbers may differ in their last digits."""
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = sorted({*found, *expected})
        return [
            one for key in keys for one in differences(found.get(key), expected.get(key), f"{where}.{key}".strip("."))
        ]
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = enumerate(zip(found, expected, strict=True))
        return [one for at, (left, right) in pairs for one in differences(left, right, f"{where}[{at}]")]
    if (
        isinstance(found, float | int)
        and isinstance(expected, float | int)
        and math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-9)
    ):
        return []
    return [] if found == expected else [f"{where}: expected {expected!r}, found {found!r}"]
