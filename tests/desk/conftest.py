"""A desk that really listens, with its sessions in a folder of the test."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from icefire.desk.door import KEY
from icefire.desk.serve import Desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    page = Desk(tmp_path_factory.mktemp("desk") / "sessions", largest=2_000_000)
    page.start()
    yield page
    page.stop()


@pytest.fixture
def folder(desk: Desk) -> Path:
    """Where the sessions are."""
    found: Path = desk.app.state.sessions.folder
    return found


@pytest.fixture
def outside(desk: Desk) -> Iterator[httpx.Client]:
    """Somebody without the token."""
    with httpx.Client(base_url=f"http://127.0.0.1:{desk.port}", timeout=30) as client:
        yield client


@pytest.fixture
def inside(desk: Desk, outside: httpx.Client) -> httpx.Client:
    """Somebody who has opened the address with the token, and whose page sends the headers of our scripts."""
    return let_in(desk, outside)


def let_in(desk: Desk, client: httpx.Client) -> httpx.Client:
    """Do what the browser and our scripts do with the address that has the token."""
    answer = client.get(desk.url)
    assert answer.status_code == 303
    client.headers.update({"x-icefire": "1", KEY: answer.headers["location"].partition("#key=")[2]})
    return client


Waiting = Callable[[str, int], dict[str, Any]]


@pytest.fixture
def ended(inside: httpx.Client) -> Waiting:
    """Waits for the end of a job, and returns what the page would know of it."""

    def wait(session: str, job: int) -> dict[str, Any]:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            found: dict[str, Any] = inside.get(f"/api/sessions/{session}/jobs/{job}").json()
            if found["state"] != "running":
                return found
            time.sleep(0.1)
        raise AssertionError("the job does not end")

    return wait
