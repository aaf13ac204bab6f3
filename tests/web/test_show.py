"""One command, and there is something to watch."""

from __future__ import annotations

import subprocess
import sys
import time

import httpx
import pytest

from web.conftest_web import free_port


@pytest.mark.slow
def test_the_show_plays_by_itself() -> None:
    port = free_port()
    program = "from icefire.cli.main import main; main()"
    command = [sys.executable, "-c", program, "contest", "show", "--seconds", "30", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url, seen = f"http://127.0.0.1:{port}", set[str]()
    try:
        for _ in range(600):
            try:
                seen = {event["what"] for event in httpx.get(f"{url}/api/story", timeout=5).json()}
            except httpx.TransportError:
                seen = set()
            if {"joined", "phase_opened", "released", "finalized"} <= seen:
                break
            time.sleep(0.2)
        board = httpx.get(f"{url}/api/board", timeout=5).json()
    finally:
        process.terminate()
        process.wait(20)
    assert {"released", "lowered", "frozen", "unveiled", "thawed", "finalized"} <= seen
    assert len(board["total"]["defenders"]) == 4
    assert all(row["total"] > 0 for row in board["total"]["defenders"])
