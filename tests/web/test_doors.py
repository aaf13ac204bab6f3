"""The doors of the arena under pressure: guessed passwords, crowds, slow and stalled connections, false hosts."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import HTTPException

from icefire.web import guard
from icefire.web.accounts import Accounts
from icefire.web.guard import Guard
from icefire.web.listeners import Listeners
from icefire.web.prompt import prompt_protocol
from icefire.web.throttle import FORGOTTEN, FREE, LONGEST, MOST_PER_ADDRESS, Account, Throttle
from web.conftest_web import HEADERS, PASSWORD, Hall, free_port

BOSS = Account("boss", False)


class Watch:
    """A clock for throttles."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def refused(throttle: Throttle, account: Account = BOSS) -> int:
    """Seconds that an attempt has to wait; 0 if it may be made."""
    try:
        throttle.attempt(account)
    except HTTPException as error:
        return int((error.headers or {})["retry-after"])
    return 0


def test_the_delay_of_an_account_grows() -> None:
    clock = Watch()
    throttle = Throttle(clock)
    assert [refused(throttle) for _ in range(FREE + 1)] == [0] * (FREE + 1)
    waits = []
    for _ in range(8):
        waits.append(refused(throttle))
        clock.now += waits[-1]
        assert refused(throttle) == 0
    assert waits == [1, 2, 4, 8, 16, 32, LONGEST, LONGEST]
    assert refused(throttle, Account("mai", False)) == 0, "other accounts do not wait"
    assert refused(throttle, Account("boss", True)) == 0, "nor does a browser that has logged in before"
    clock.now += FORGOTTEN + 1
    assert [refused(throttle) for _ in range(FREE + 1)] == [0] * (FREE + 1)
    throttle.succeeded(BOSS)
    assert refused(throttle) == 0


def test_attempts_that_are_not_decided_count() -> None:
    """Otherwise 200 at the same moment would all be free."""
    throttle = Throttle(Watch())
    assert sum(refused(throttle) == 0 for _ in range(200)) == FREE + 1


def wrong(client: httpx.Client, login: str = "boss") -> httpx.Response:
    return client.post("/api/login", json={"login": login, "password": "wrong"})


def test_guessing_locks_nobody_out_but_the_guessed_account(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.web.throttle.FIRST", 50.0)
    member = hall.team_login("aoi")
    with hall.client("boss") as known, hall.client() as stranger:
        # A browser that has logged in before; the session is over.
        known.post("/api/logout")
        answers = [wrong(stranger) for _ in range(FREE + 2)]
        assert {answer.status_code for answer in answers[:FREE]} == {401}
        assert answers[-1].status_code == 429
        assert answers[-1].json() == {"detail": "too many attempts for this login: wait 50 s"}
        assert answers[-1].headers["retry-after"] == "50"
        right = {"login": "boss", "password": PASSWORD}
        assert stranger.post("/api/login", json=right).status_code == 429
        assert known.post("/api/login", json=right).status_code == 200
        assert stranger.post("/api/login", json={**right, "login": member}).status_code == 200
        # The cookie of a browser helps its own login alone, and a new password ends it.
        assert wrong(stranger).status_code == 429
        hall.accounts.set_password("boss", PASSWORD)
        assert known.post("/api/login", json=right).status_code == 429


def test_password_checks_keep_no_other_request_waiting(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def slow(*_: object) -> None:
        go_on.wait(20)

    with hall.client("boss") as operator, hall.client() as client, ThreadPoolExecutor(70) as crowd:
        monkeypatch.setattr(Accounts, "login", slow)
        tries = [crowd.submit(wrong, client, f"login {number}") for number in range(70)]
        try:
            begin = time.monotonic()
            assert operator.get("/api/operator").status_code == 200
            assert client.get("/api/board").status_code == 200
            assert time.monotonic() - begin < 5
        finally:
            go_on.set()
        statuses = [each.result().status_code for each in tries]
    assert statuses.count(401) == MOST_PER_ADDRESS
    assert statuses.count(503) == 70 - MOST_PER_ADDRESS


def test_while_the_database_is_away_requests_do_not_wait_for_it(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    with hall.client("boss") as client:
        silent = [{"kind": "database", "message": "the database is away: it does not answer"}]
        monkeypatch.setattr(hall.arena.app.state.watch, "troubles", lambda: silent)
        monkeypatch.setattr(Accounts, "person", lambda *_: time.sleep(60))
        answer = client.get("/api/operator", timeout=5)
        assert answer.status_code == 503
        assert answer.json()["faults"] == ["the database is away: nothing is lost, try again in a moment"]
        assert client.get("/api/board").status_code == client.get("/api/story").status_code == 200


def test_a_newcomer_takes_the_place_of_the_oldest_stream_of_a_crowded_address() -> None:
    listeners = Listeners(most=5, most_per_address=3)
    with (
        listeners.enter("hall") as first,
        listeners.enter("hall") as second,
        listeners.enter("hall"),
        listeners.enter("hall") as fourth,
    ):
        assert first.is_over
        assert first.wake.is_set()
        assert not second.is_over
        assert len(listeners) == 3
        with listeners.enter("home"), listeners.enter("home"), listeners.enter("phone") as phone:
            assert second.is_over, "of the most crowded address"
            assert not fourth.is_over
            assert not phone.is_over
            assert len(listeners) == 5
    assert len(listeners) == 0


def test_a_stream_that_lost_its_place_ends(hall: Hall) -> None:
    hall.arena.app.state.live.listeners._most_per_address = 1
    with hall.client() as client, client.stream("GET", "/api/stream") as first:
        lines = first.iter_lines()
        assert next(lines) == "retry: 1000"
        with client.stream("GET", "/api/stream") as second:
            assert next(second.iter_lines()) == "retry: 1000"
            assert all("alive" not in line for line in lines), "the first one has ended"


async def hello(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


@contextmanager
def prompt_server() -> Iterator[int]:
    port = free_port()
    config = uvicorn.Config(hello, port=port, http=prompt_protocol(0.5), lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join()


def answered(connection: socket.socket) -> bytes:
    """Everything up to the end of an answer, or of the connection."""
    found = b""
    while not found.endswith(b"hello") and (part := connection.recv(1000)):
        found += part
    return found


def test_slow_heads_are_cut() -> None:
    request = b"GET / HTTP/1.1\r\nhost: arena\r\n\r\n"
    with prompt_server() as port:
        for beginning in (b"", request[:10], request + request[:20]):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                connection.sendall(beginning)
                if beginning.startswith(request):
                    assert answered(connection).endswith(b"hello")
                begin = time.monotonic()
                assert connection.recv(1000) == b"", "the server has closed it"
                assert time.monotonic() - begin < 3
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            for part in (request[:10], request[10:]):
                connection.sendall(part)
                time.sleep(0.2)
            assert answered(connection).endswith(b"hello"), "slow, but in time"


def test_a_reader_who_takes_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "STALLED", 0.05)

    async def stalled(message: Any) -> None:
        if message["type"] == "http.response.body":
            await asyncio.sleep(60)

    scope = {"type": "http", "method": "GET", "headers": []}
    asyncio.run(asyncio.wait_for(Guard(hello)(scope, None, stalled), 5))  # type: ignore[arg-type]


def test_no_answer_names_the_host_of_the_request(hall: Hall) -> None:
    with httpx.Client(base_url=hall.url, headers={**HEADERS, "host": "evil.example"}) as client:
        for path in ("/team/", "/operator/", "/api/board/", "/api/login/", "//evil.example/%2f..", "/static/common/"):
            answer = client.get(path)
            assert answer.status_code in (404, 405), path
            assert "location" not in answer.headers
            assert "evil" not in answer.text + str(answer.headers)
