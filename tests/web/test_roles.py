"""Every route and every role: who gets what."""

from __future__ import annotations

import asyncio
import re
import shlex
import ssl
import subprocess
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from fastapi import APIRouter
from starlette.routing import BaseRoute, Route

from icefire.cli.main import icefire
from icefire.contest.clock import ManualClock
from icefire.core.errors import DataError, InputError
from icefire.web.accounts import Accounts
from icefire.web.app import create_app
from icefire.web.guard import Guard
from icefire.web.serve import Address, Arena
from web.conftest_web import PASSWORD, Hall, free_port, good_guess, good_release

GOOD = {"why": "because"}
# Method and path: the status for a visitor who is not logged in, for a team, and for the operator.
TABLE: dict[tuple[str, str], tuple[int, int, int]] = {
    ("GET", "/"): (200, 200, 200),
    ("GET", "/screen"): (200, 200, 200),
    ("GET", "/team"): (303, 200, 200),
    ("GET", "/operator"): (303, 200, 200),
    ("GET", "/login"): (200, 200, 200),
    ("GET", "/join"): (200, 200, 200),
    ("GET", "/static/{folder}/{name}"): (200, 200, 200),
    ("GET", "/api/openapi.json"): (200, 200, 200),
    ("GET", "/api/board"): (200, 200, 200),
    ("GET", "/api/health"): (503, 503, 503),
    ("GET", "/api/story"): (200, 200, 200),
    ("GET", "/api/stream"): (200, 200, 200),
    ("GET", "/api/me"): (200, 200, 200),
    ("POST", "/api/login"): (401, 401, 401),
    ("POST", "/api/join"): (422, 422, 422),
    ("POST", "/api/tokens"): (401, 200, 200),
    ("GET", "/api/own"): (401, 200, 403),
    ("GET", "/api/rules"): (200, 200, 200),
    ("PUT", "/api/releases/{set}"): (401, 409, 403),
    ("PUT", "/api/guesses/{target}/{set}"): (401, 202, 403),
    ("GET", "/api/uploads/{upload}"): (401, 404, 403),
    ("GET", "/api/problems/{round}/{set}"): (401, 200, 403),
    ("GET", "/api/releases/{round}/{team}/{set}"): (401, 200, 403),
    ("POST", "/api/questions"): (401, 201, 403),
    ("POST", "/api/operator/announcements"): (401, 403, 201),
    ("POST", "/api/operator/questions/{question}/answer"): (401, 403, 404),
    ("GET", "/api/kit"): (401, 200, 403),
    ("GET", "/api/operator"): (401, 403, 200),
    ("GET", "/api/operator/log"): (401, 403, 200),
    ("POST", "/api/operator/teams"): (401, 403, 201),
    ("POST", "/api/operator/teams/{team}/invitation"): (401, 403, 201),
    ("POST", "/api/operator/teams/{team}/withdrawal"): (401, 403, 200),
    ("POST", "/api/operator/rulings"): (401, 403, 200),
    ("POST", "/api/operator/awards"): (401, 403, 404),
    ("POST", "/api/operator/methods/removal"): (401, 403, 404),
    ("POST", "/api/operator/alarms/{reference}"): (401, 403, 404),
    ("POST", "/api/operator/alarms/{reference}/dismissal"): (401, 403, 404),
    ("GET", "/api/operator/tables/{name}"): (401, 403, 200),
    ("POST", "/api/operator/actions/{action}"): (401, 403, 200),
    ("POST", "/api/logout"): (200, 200, 200),
}
NAMES = {
    "folder": "common",
    "set": "households",
    "target": "kaede",
    "upload": "0" * 16,
    "round": "0",
    "team": "kaede",
    "reference": "0" * 8,
    "question": "0" * 8,
}
BODIES: dict[str, Any] = {
    "/api/login": {"login": "x", "password": "x"},
    "/api/join": {"code": "x", "login": "x", "password": "x"},
    "/api/operator/teams": {"name": "Yuki"},
    "/api/questions": {"text": "May we?"},
    "/api/operator/announcements": {"text": "Lunch is at noon."},
    "/api/operator/questions/{question}/answer": {"text": "Yes."},
    "/api/operator/methods/removal": {"team": "kaede", "method": "rude words", "why": "house rules"},
    "/api/operator/awards": {"prize": "Best talk", "team": "kaede", "why": "fine"},
    "/api/operator/rulings": {"round": 0, "team": "kaede", "set": "households", "valid": True, "why": "fine"},
}


def walk(routes: Iterable[BaseRoute]) -> set[tuple[str, str]]:
    found = set()
    for route in routes:
        # Later versions of FastAPI keep included routers as they are.
        router: APIRouter | None = getattr(route, "original_router", None)
        if router is not None:
            found |= walk(router.routes)
        elif isinstance(route, Route):
            found |= {(method, route.path) for method in route.methods or () if method != "HEAD"}
    return found


def test_every_route_stands_in_the_table(hall: Hall) -> None:
    assert walk(hall.arena.app.routes) == set(TABLE)


def test_every_route_answers_every_role_as_expected(hall: Hall) -> None:
    hall.reach(1)
    for team in ("aoi", "kaede"):
        hall.contest.uploads.release(team, "households", good_release(hall, team))
    hall.reach(71)
    guess = good_guess(hall, "kaede")
    clients = [hall.client(), hall.client(hall.team_login("aoi")), hall.client("boss")]
    for (method, path), expected in TABLE.items():
        for client, status in zip(clients, expected, strict=True):
            names = {**NAMES, "name": "style.css" if path.startswith("/static") else "matrix", "action": "freeze"}
            url = path.format(**names)
            if path == "/api/stream":
                with client.stream("GET", url) as answer:
                    assert answer.status_code == status
                continue
            if method == "PUT":
                answer = client.put(url, content=guess)
            else:
                body = None if method == "GET" else BODIES.get(path, GOOD)
                answer = client.request(method, url, json=body)
            assert answer.status_code == status, (method, path, answer.status_code, answer.text)
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
            assert answer.headers["x-content-type-options"] == "nosniff"
    for client in clients:
        client.close()


def test_things_of_other_teams_are_not_there(hall: Hall) -> None:
    hall.reach(1)
    theirs = hall.contest.uploads.release("kaede", "households", good_release(hall, "kaede"))
    with hall.client(hall.team_login("aoi")) as client:
        assert client.get(f"/api/uploads/{theirs}").status_code == 404
        for path in (
            "/api/releases/0/kaede/households",
            "/api/releases/0/nobody/households",
            "/api/problems/1/households",
        ):
            assert client.get(path).status_code == 404, "nothing is handed out before the attack opens"
        assert "kaede" not in client.get("/api/own").text
    with hall.client(hall.team_login("kaede")) as client:
        assert client.get(f"/api/uploads/{theirs}").status_code == 200


def test_writing_from_other_sites_is_refused(hall: Hall) -> None:
    with hall.client("boss") as client:
        body = {"why": "an attack"}
        for headers in (
            {"x-icefire": ""},
            {"origin": "https://evil.example"},
            {"sec-fetch-site": "cross-site"},
        ):
            answer = client.post("/api/operator/actions/pause", json=body, headers=headers)
            assert answer.status_code == 403
        assert client.post("/api/operator/actions/pause", json=body, headers={"origin": hall.url}).status_code == 200
        assert client.post("/api/operator/teams", json={"name": "x" * 30_000}).status_code == 413


def test_a_refused_file_takes_nothing_away(hall: Hall) -> None:
    """What was handed out cannot be lost by sending it back."""
    with hall.client(hall.team_login("aoi")) as client:
        assert client.get("/api/problems/0/households").status_code == 404, "the defence is not open yet"
        hall.reach(1)
        problem = client.get("/api/problems/0/households").content
        assert client.put("/api/releases/households", content=problem).status_code == 422
        assert client.get("/api/problems/0/households").content == problem
        for team in ("aoi", "kaede"):
            hall.contest.uploads.release(team, "households", good_release(hall, team))
        hall.reach(71)
        handout = client.get("/api/releases/0/kaede/households").content
        assert client.put("/api/guesses/kaede/households", content=handout).status_code == 422
        assert client.get("/api/releases/0/kaede/households").content == handout
        hall.contest.teams.withdraw("kaede", "operator:boss", "they had to leave")
        assert client.get("/api/releases/0/kaede/households").status_code == 404


@pytest.mark.parametrize(("days", "works"), [(13.9, True), (14.1, False)])
def test_an_invitation_lives_for_two_weeks(hall: Hall, days: float, works: bool) -> None:
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    accounts = Accounts(hall.contest, clock)
    code = accounts.invite("aoi")
    clock.advance(days=days)
    if works:
        assert accounts.join(code, "Aya", "long enough for us").team == "aoi"
    else:
        with pytest.raises(DataError, match="unknown, used or too old"):
            accounts.join(code, "Aya", "long enough for us")


def test_sessions_and_tokens_expire(hall: Hall) -> None:
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    accounts = Accounts(hall.contest, clock)
    person = accounts.login("boss", PASSWORD)
    assert person is not None
    session, token = accounts.session(person), accounts.token(person)
    clock.advance(hours=11.9)
    assert accounts.person("session", session) == person
    assert accounts.person("token", session) is None, "a key opens what it was made for"
    clock.advance(hours=0.2)
    assert accounts.person("session", session) is None
    clock.advance(days=29)
    assert accounts.person("token", token) == person
    clock.advance(days=1)
    assert accounts.person("token", token) is None


def test_an_invitation_works_once(hall: Hall) -> None:
    code = hall.accounts.invite("aoi")

    def join(number: int) -> int:
        with hall.client() as client:
            body = {"code": code, "login": f"person {number}", "password": "long enough for us"}
            return client.post("/api/join", json=body).status_code

    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(join, range(4)))
    assert answers == [200, 422, 422, 422]


def test_tokens_make_no_tokens_and_end_with_the_next(hall: Hall) -> None:
    with hall.client(hall.team_login("aoi")) as client:
        first = client.post("/api/tokens").json()["token"]
        second = client.post("/api/tokens").json()["token"]
    with hall.client() as client:
        replayed = client.get("/api/own", headers={"authorization": f"Bearer {first}"})
        assert replayed.status_code == 401
        assert "replaced by a newer one: make a new one on your page" in replayed.text
        bearer = {"authorization": f"Bearer {second}"}
        assert client.get("/api/own", headers=bearer).status_code == 200
        assert client.post("/api/tokens", headers=bearer).status_code == 403
        hall.contest.teams.withdraw("aoi", "operator:boss", "they had to leave")
        assert client.get("/api/own", headers=bearer).status_code == 403
    noted = [event.data["what"] for event in hall.contest.log() if event.what == "noted"]
    assert noted == ["member of aoi has made a token"] * 2


def test_a_forgotten_password_is_set_anew(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    from icefire.cli.main import icefire

    with hall.client("boss") as client:
        token = client.post("/api/tokens").json()["token"]
        monkeypatch.setenv("ICEFIRE_PASSWORD", "another long password")
        icefire(["contest", "password", str(hall.contest.folder), "boss"], standalone_mode=False)
        assert client.get("/api/operator").status_code == 401, "sessions end"
        bearer = {"authorization": f"Bearer {token}"}
        assert client.get("/api/operator", headers=bearer).status_code == 401, "so do tokens"
        body = {"login": "boss", "password": PASSWORD}
        assert client.post("/api/login", json=body).status_code == 401
        assert client.post("/api/login", json={**body, "password": "another long password"}).status_code == 200
    with pytest.raises(InputError, match="no login 'bos'; did you mean 'boss'"):
        icefire(["contest", "password", str(hall.contest.folder), "bos"], standalone_mode=False)
    assert hall.contest.log()[-1].data["what"] == "boss has a new password"


def test_serving_a_second_time_just_works(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    from icefire.cli.main import icefire

    monkeypatch.setattr(Arena, "run", lambda _: None)
    command = ["contest", "serve", str(hall.contest.folder), "--operator", "mai", "--workers", "0"]
    monkeypatch.setenv("ICEFIRE_PASSWORD", "a long password")
    icefire(command, standalone_mode=False)
    monkeypatch.delenv("ICEFIRE_PASSWORD")
    icefire(command, standalone_mode=False)
    assert hall.accounts.login("mai", "a long password") is not None


def test_odd_requests(hall: Hall) -> None:
    with hall.client() as client:
        answer = client.post("/api/logout", headers={"origin": "http://[x"})
        assert answer.status_code == 403
        assert answer.headers["content-security-policy"]
        assert client.head("/").status_code == 200
        with client.stream("GET", "/api/stream", headers={"last-event-id": "999999999"}) as stream:
            text = next(chunk for chunk in stream.iter_text() if "event" in chunk)
        assert "event: reset" in text


def test_cookies_and_invitations(hall: Hall) -> None:
    code = hall.accounts.invite("aoi")
    with hall.client() as client:
        body = {"code": code, "login": "Aya", "password": "short"}
        assert "10 to 200 characters" in client.post("/api/join", json=body).text
        answer = client.post("/api/join", json={**body, "password": "long enough for us"})
        assert answer.json() == {"login": "Aya", "role": "team", "team": "aoi"}
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert client.get("/api/me").json()["team"] == "aoi"
        again = client.post("/api/join", json={**body, "login": "Eve", "password": "long enough for us"})
        assert "unknown, used or too old" in again.text
        token = client.post("/api/tokens").json()["token"]
        client.post("/api/logout")
        assert client.get("/api/me").json() == {}
    with hall.client() as client:
        assert client.get("/api/me", headers={"authorization": f"Bearer {token}"}).json()["login"] == "Aya"
        assert client.get("/api/me", headers={"authorization": "Bearer wrong"}).json() == {}


@pytest.mark.parametrize("secure", [False, True])
def test_behind_tls_cookies_are_secure(hall: Hall, secure: bool) -> None:
    app = Guard(create_app(hall.contest, secure=secure), secure)

    async def login() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://arena") as client:
            body = {"login": "boss", "password": "correct horse battery"}
            return await client.post("/api/login", json=body, headers={"x-icefire": "1"})

    answer = asyncio.run(login())
    assert ("Secure" in answer.headers["set-cookie"]) == secure
    assert ("strict-transport-security" in answer.headers) == secure


def test_tls_directly(hall: Hall, program: Callable[[str], str], tmp_path: Path) -> None:
    """With the certificate that the documentation tells to make."""
    key, certificate = tmp_path / "arena.key", tmp_path / "arena.pem"
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text()
    told = re.search(r"^openssl (req (?:.*\\\n)*.*)$", page, re.MULTILINE)
    assert told is not None
    command = [program("openssl"), *shlex.split(told[1].replace("\\\n", "").replace("192.0.2.7", "127.0.0.1"))]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    address = Address(port=free_port(), certificate=certificate, key=key)
    with Arena(hall.contest, address, workers=0) as arena:
        arena.start()
        context = ssl.create_default_context(cafile=str(certificate))
        for _ in range(50):
            try:
                answer = httpx.get(f"{address.url}api/board", verify=context, timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        token = hall.token(hall.team_login("aoi"))
        status = ["submit", "status", "--server", address.url, "--token", token]
        trusted = CliRunner().invoke(icefire, [*status, "--ca", str(certificate)])
        assert trusted.output.startswith("Aoi: no phase is open"), trusted.output + str(trusted.exception)
        refused = CliRunner().invoke(icefire, status)
        assert "not trusted" in str(refused.exception)
        assert "--ca FILE" in str(refused.exception)
    assert answer.status_code == 200
    assert "strict-transport-security" in answer.headers
