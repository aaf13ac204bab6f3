"""One command, and there is something to watch."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from icefire.contest import show
from icefire.contest.board import board
from icefire.contest.clock import ManualClock
from icefire.contest.configfile import load_config
from icefire.contest.story import Story
from icefire.contest.workers import run_inline
from web.conftest_web import free_port


@pytest.mark.slow
def test_one_command_shows_bots_at_play() -> None:
    port = free_port()
    program = "from icefire.cli.main import main; main()"
    command = [sys.executable, "-c", program, "contest", "show", "--seconds", "20", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url, seen = f"http://127.0.0.1:{port}", set[str]()
    try:
        for _ in range(600):
            try:
                seen = {event["what"] for event in httpx.get(f"{url}/api/story", timeout=5).json()}
            except httpx.TransportError:
                seen = set()
            if {"joined", "phase_opened", "released"} <= seen:
                break
            time.sleep(0.1)
        assert "Ice" in httpx.get(f"{url}/api/board", timeout=5).json()["name"]
    finally:
        process.terminate()
        process.wait(20)
    assert {"joined", "phase_opened", "released"} <= seen


class Hurry:
    """In place of waiting, time passes at once and the judge does its work."""

    def __init__(self, pass_time: Callable[[], object]) -> None:
        self.pass_time = pass_time

    def wait(self, seconds: float) -> bool:
        self.pass_time()
        return False


def test_bots_play_to_the_end_of_the_ceremony(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = load_config(Path("demo"), small=True)
    small = small.model_copy(update={"bots": small.bots[-3:]})
    monkeypatch.setattr(show, "load_config", lambda _: small)
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    with show.show_contest(tmp_path / "show", 300, clock=clock) as contest:

        def pass_time() -> None:
            clock.advance(seconds=2)
            while contest.schedule.tick() or run_inline(contest):
                pass

        bots = show.Bots(contest)
        monkeypatch.setattr(bots, "_stop", Hurry(pass_time))
        monkeypatch.setattr(bots, "start", bots._play)
        bots.start()
        story = Story()
        story.follow(contest.log())
        rows = board(contest.state(), "public")["total"]["defenders"]
    told = [str(item["what"]) for item in story.public()]
    assert {"released", "lowered", "frozen", "unveiled", "thawed", "finalized"} <= set(told)
    assert told.count("released") == 3 + 3 + 1, "two of each bot, and the committee's"
    assert told.count("lowered") + told.count("held") >= 6, "everybody attacks everybody else"
    assert told.count("unveiled") == 6
    assert len(rows) == 3
    assert all((row["total"] or 0) > 0 for row in rows)
