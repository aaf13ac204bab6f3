"""Rehearsals: bots play a whole contest in fast time, through the same methods as people."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypedDict

from icefire.contest import bots
from icefire.contest.board import board
from icefire.contest.clock import ManualClock
from icefire.contest.closing import Closing
from icefire.contest.config import Bot, Config
from icefire.contest.documents import RoundDocument, StandingsDocument
from icefire.contest.engine import ALARMS, DATABASE, Contest
from icefire.contest.games import GAMES, Games
from icefire.contest.state import Place, Stage
from icefire.contest.workers import run_inline
from icefire.core.errors import DataError, Undefined
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.evaluation.runs import Progress, silent

OPERATOR = "operator"
WHY = "the end of the rehearsal"


class Outcome(TypedDict):
    """How a rehearsal has ended."""

    events: dict[str, int]
    alarms: list[str]
    name: str
    final: bool
    total: StandingsDocument
    rounds: list[dict[str, object]]


class Rehearsal(Closing):
    """A contest of bots. Everything random comes from the seed, so it always ends the same way."""

    def __init__(
        self,
        folder: Path,
        config: Config,
        seed: int = 0,
        database: str = DATABASE,
        registry: Registry | None = None,
        games: Games = GAMES,
        progress: Progress = silent,
    ) -> None:
        if not config.bots:
            raise DataError("a rehearsal needs bots: add [[bots]] with name, defend and attack to the contest's file")
        self.clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=10))
        seeds = tuple(generator(seed, "round", index).bytes(32).hex() for index in range(len(config.rounds)))
        self.contest = Contest.create(folder, config, database, self.clock, registry, games, seeds)
        self.config, self.seed, self.progress = config, seed, progress
        self.teams: dict[str, str] = {}

    def close(self) -> None:
        self.contest.close()

    def play(self) -> Outcome:
        """Play the whole contest; what the public sees in the end, and how much has happened."""
        self.teams = {bot.name: self.contest.teams.add(bot.name) for bot in self.config.bots}
        for index, plan in enumerate(self.config.rounds):
            self._phase(Stage(index, "defence"), self._defend, 0.5 if plan.together else 1.0)
            self._phase(Stage(index, "attack"), self._attack)
        if self.contest.state().frozen is not None:
            self.contest.schedule.thaw(OPERATOR, WHY)
        self.contest.desk.finalize(OPERATOR, WHY)
        return self.outcome()

    def outcome(self) -> Outcome:
        state = self.contest.state()
        seen = board(state, "public")
        return {
            "events": dict(sorted(Counter(entry.what for entry in self.contest.log()).items())),
            "alarms": [alarm.message for alarm in state.alarms.values()],
            "name": seen["name"],
            "final": seen["final"],
            "total": seen["total"],
            "rounds": [_with_bare_values(document) for document in seen["rounds"]],
        }

    def _phase(self, stage: Stage, act: Callable[[int, Bot], None], share: float = 1.0) -> None:
        """Let the bots act one after the other, spread over a phase, or over the first part of it."""
        opens, closes = self.contest.state().schedule[stage]
        opens = max(opens, self.clock.now())
        closes = opens + share * (closes - opens)
        self._reach(opens)
        step = (closes - opens) / (len(self.config.bots) + 2)
        for bot in self.config.bots:
            self.clock.advance(seconds=step.total_seconds())
            self.contest.schedule.tick()
            self.progress(f"{bot.name}: {stage.phase}")
            act(stage.round_index, bot)
            self._judge()
        self._reach(closes)

    def _defend(self, round_index: int, bot: Bot) -> None:
        for dataset in self.config.sets_of(round_index):
            rng = generator(self.seed, "bot", bot.name, round_index, dataset.name)
            bots.defend(self.contest, Place(round_index, self.teams[bot.name], dataset.name), bot.defend, rng)

    def _attack(self, round_index: int, bot: Bot) -> None:
        team = self.teams[bot.name]
        for target in sorted(self.contest.state().published):
            if target.round_index != round_index or target.team == team:
                continue
            rng = generator(self.seed, "bot", bot.name, round_index, target.team, target.dataset)
            # An attack that cannot be made on a release uploads nothing.
            with suppress(Undefined):
                bots.attack(self.contest, team, target, bot.attack, rng)
            self._judge()

    def _reach(self, moment: datetime) -> None:
        """Let time pass, and the judge do its work before and after."""
        self._judge()
        self.clock.reach(moment)
        while self.contest.schedule.tick():
            self._judge()

    def _judge(self) -> None:
        """Run all due jobs; DataError if one fails, since nobody is there to look into it."""
        run_inline(self.contest)
        for alarm in self.contest.state().alarms.values():
            detail = (self.contest.folder / ALARMS / f"{alarm.reference}.txt").read_text(encoding="utf-8")
            raise DataError(f"the judge failed in {detail.strip()}")


def _with_bare_values(document: RoundDocument) -> dict[str, object]:
    """A round of the board with values in place of scores."""
    releases = [
        {**release, "measures": {name: score["value"] for name, score in release["measures"].items()}}
        for release in document["releases"]
    ]
    cells = [
        {key: value for key, value in cell.items() if key != "score"}
        | {"value": cell["score"]["value"], "better": cell["score"]["better"]}
        for cell in document["cells"]
    ]
    return {**document, "releases": releases, "cells": cells}


def differences(found: object, expected: object, where: str = "") -> list[str]:
    """Where an outcome differs from the expected one; numbers may differ in their last digits."""
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        return [
            fault
            for key in sorted({*found, *expected})
            for fault in differences(found.get(key), expected.get(key), f"{where}.{key}".strip("."))
        ]
    if isinstance(found, list | tuple) and isinstance(expected, list | tuple) and len(found) == len(expected):
        pairs = enumerate(zip(found, expected, strict=True))
        return [fault for position, (a, b) in pairs for fault in differences(a, b, f"{where}[{position}]")]
    if isinstance(found, float | int) and isinstance(expected, float | int):
        same = math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-9)
    else:
        same = found == expected
    return [] if same else [f"{where}: expected {expected!r}, found {found!r}"]
