"""An arena with a contest of the demonstration."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from icefire.contest.clock import ManualClock
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.web.serve import Address, Arena
from web.conftest_web import PASSWORD, Hall, free_port


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    config = load_config(Path("demo"))
    small = config.sets[0].model_copy(update={"source": "households(n=40)"})
    config = config.model_copy(update={"sets": (small,)})
    clock, port = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5)), free_port()
    with (
        Contest.create(tmp_path / "hall", config, clock=clock, seeds=("cd" * 32,)) as contest,
        Arena(contest, Address(port=port), workers=0) as arena,
    ):
        for name in ("Aoi", "Kaede"):
            contest.teams.add(name)
        arena.app.state.accounts.add_operator("boss", PASSWORD)
        arena.start()
        url = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                httpx.get(f"{url}/api/board", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        hall = Hall(contest, clock, arena, url)
        yield hall
        # A test may have put another arena in place of the first one.
        hall.arena.stop()
