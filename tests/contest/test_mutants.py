"""Uploads that are nearly right are taken or refused with a reason: nothing that teams send makes our programs fail.

`ICEFIRE_MUTANTS=20000` looks at so many of each contest, from the seed `ICEFIRE_MUTANTS_SEED` on.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from contest.mutants import Files, mutant
from icefire.contest.configfile import load_config
from icefire.contest.game import Game
from icefire.contest.games import GAMES
from icefire.contest.judge import FaultyUpload, unpacked
from icefire.contest.state import UploadKind
from icefire.core.registry import Registry
from icefire.core.seeds import generator

NUMBER = int(os.environ.get("ICEFIRE_MUTANTS", "20"))
FIRST = int(os.environ.get("ICEFIRE_MUTANTS_SEED", "0"))
JUDGED = 10
"""Of so many uploads that look right, the judge measures one."""
LONGEST = 60.0
"""Seconds: more is a hang."""
CONTESTS = ["demo", "pwscup2017", "pwscup2018", "pwscup2019", "pwscup2025"]


@dataclass
class Played:
    """A contest in which one release was sent, published and attacked."""

    game: Game
    problem: Path
    truth: Path
    dealt: Files
    handout: Files
    release: Files
    guess: Files

    def faults(self, kind: UploadKind, content: bytes, judged: bool) -> tuple[str, ...]:
        """What the arena says is wrong with an upload."""
        try:
            self._send(kind, content, judged)
        except FaultyUpload as error:
            return error.faults
        return ()

    def _send(self, kind: UploadKind, content: bytes, judged: bool) -> None:
        game, dataset = self.game, self.game.config.sets[0]
        check = (
            partial(game.check_release, self.dealt) if kind == "release" else partial(game.check_guess, self.handout)
        )
        with unpacked(content, kind, game) as folder:
            check(folder)
        if not judged:
            return
        with unpacked(content, kind, game) as folder:
            if kind == "release":
                game.measure(dataset, self.problem, folder)
            else:
                game.judge(dataset, self.truth, "b", folder)


@pytest.fixture(scope="module", params=[*CONTESTS])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    registry, config = Registry(), load_config(Path(request.param), small=True)
    game, folder = GAMES[config.game](registry, config), tmp_path_factory.mktemp(request.param)
    dataset, rng, bot = config.sets[0], generator(1), config.bots[0]
    problem, truth, sent = (folder / name for name in ("problem", "truth", "sent"))
    for each in (problem, truth, sent):
        each.mkdir()
    dealt = game.deal(dataset, problem, rng).files
    release = dict(game.bot_release(dealt, bot.defend, rng))
    for name, content in release.items():
        (sent / name).write_bytes(content)
    handout = game.publish(dataset, problem, sent, truth, ["b"], rng)
    held = {**handout.public, **handout.questions.get("b", {})}
    return Played(game, problem, truth, dealt, held, release, dict(game.bot_guess(held, bot.attack, rng)))


@pytest.mark.filterwarnings("ignore::icefire.core.errors.InputWarning")
@pytest.mark.parametrize("kind", ["release", "guess"])
def test_mutants(played: Played, kind: UploadKind) -> None:
    good, refusals = played.release if kind == "release" else played.guess, 0
    for seed in range(FIRST, FIRST + NUMBER):
        begin = time.process_time()
        try:
            faults = played.faults(kind, mutant(good, random.Random(f"{kind}/{seed}")), seed % JUDGED == 0)
        except Exception as error:
            raise AssertionError(f"the mutant {kind}/{seed} was not refused: {type(error).__name__}") from error
        assert time.process_time() - begin < LONGEST, f"the mutant {kind}/{seed} takes too long"
        assert all(fault.strip() for fault in faults), (seed, faults)
        assert all(len(fault) < 600 for fault in faults), (seed, faults)
        assert "/tmp" not in "".join(faults), (seed, faults)
        refusals += bool(faults)
    assert 0 < refusals < NUMBER
