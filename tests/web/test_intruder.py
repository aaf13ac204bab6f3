"""What an intruder tries: each attempt is refused, without a failure of ours and without harm to others."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile

import httpx
import pytest

from icefire.web.pages import STATIC
from web.conftest_web import HEADERS, PASSWORD, Hall, good_guess, good_release

JSON = {**HEADERS, "content-type": "application/json"}


def test_a_session_cannot_be_planted(hall: Hall) -> None:
    planted = {"icefire_session": "planted-by-an-attacker"}
    with httpx.Client(base_url=hall.url, headers=HEADERS, cookies=planted, timeout=30) as client:
        answer = client.post("/api/login", json={"login": "boss", "password": PASSWORD})
        assert answer.status_code == 200
        assert answer.cookies["icefire_session"] != "planted-by-an-attacker"
    with httpx.Client(base_url=hall.url, cookies=planted) as client:
        assert client.get("/api/me").json() == {}


def test_a_token_opens_nothing_as_a_cookie_and_a_device_nothing_at_all(hall: Hall) -> None:
    token = hall.token(hall.team_login("aoi"))
    with hall.client("member of aoi") as client:
        device, session = client.cookies["icefire_device"], client.cookies["icefire_session"]
    for key in (token, device):
        with httpx.Client(base_url=hall.url, cookies={"icefire_session": key}) as client:
            assert client.get("/api/me").json() == {}
    for key in (session, device, "x"):
        assert httpx.get(f"{hall.url}/api/me", headers={"authorization": f"Bearer {key}"}).json() == {}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_odd_bodies_are_refused_quickly(hall: Hall, language: str) -> None:
    bodies = [
        b"[" * 19_000,
        json.dumps({"x" * 19_000: 1}).encode(),
        json.dumps({"the round {} 'a' " * 1_000: 1}).encode(),
        b'{"login": "\\ud800", "password": "x"}',
        b'{"login": "a\\u0000b", "password": "x"}',
        b'{"login": "x", "password": "\\udfff"}',
        b"\xff\xfe\x00",
        b'{"login": 1e999, "password": NaN}',
        b"",
    ]
    with httpx.Client(base_url=hall.url, headers={**JSON, "accept-language": language}, timeout=30) as client:
        for body in bodies:
            begin = time.process_time()
            answer = client.post("/api/login", content=body)
            assert answer.status_code in (400, 401, 422), (body[:40], answer.status_code, answer.text[:200])
            assert time.process_time() - begin < 2, body[:40]
            assert len(answer.content) < 5_000


def test_odd_texts_are_refused_or_kept_as_they_are(hall: Hall) -> None:
    with hall.client(hall.team_login("aoi")) as team, hall.client("boss") as boss:
        for body in (b'{"text": "\\ud800"}', b'{"text": "\\u0000"}', b'{"text": "  \\n "}'):
            answer = team.post("/api/questions", content=body, headers=JSON)
            assert answer.status_code == 422, (body, answer.text)
            answer = boss.post("/api/operator/announcements", content=body, headers=JSON)
            assert answer.status_code == 422, (body, answer.text)
        for name in (
            "a\u202eb",
            "a\u0000",
            "\ud800".encode("utf-8", "surrogatepass").decode("latin-1") + "\u200b",
            " ",
        ):
            assert boss.post("/api/operator/teams", json={"name": name}).status_code == 422, name
        evil = "<img src=x onerror=alert(1)>\r\nset-cookie: a=b"
        assert team.post("/api/questions", json={"text": evil}).status_code == 201
        (question,) = boss.get("/api/operator").json()["questions"]
        assert question["text"] == evil
        assert boss.get("/api/operator").headers["content-type"] == "application/json"


def test_paths_lead_nowhere(hall: Hall) -> None:
    with hall.client(hall.team_login("aoi")) as client:
        for path in (
            "/static/../app.py",
            "/static/common/..%2f..%2fapp.py",
            "/static/%2e%2e/accounts.py",
            "/static/common/%00",
            "/api/uploads/..%2f..%2fvault",
            "/api/problems/0/..%2f..%2fvault%2fseeds.json",
            "/api/releases/0/..%2f/households",
            "/api/releases/0/kaede%0d%0aset-cookie:%20a=b/households",
            "/api/problems/999999999999999999999/households",
            "/api/problems/-1/households",
            "/api/operator/tables/..%2fvault",
            "/api/story?after=-1",
            "/api/story?after=1e9",
        ):
            answer = client.get(path)
            assert answer.status_code in (400, 403, 404, 422), (path, answer.status_code)
            assert "a=b" not in answer.headers.get("set-cookie", "")


def test_a_zip_with_half_a_million_entries_is_refused_quickly(hall: Hall) -> None:
    """Its directory alone would take hundreds of megabytes in memory."""
    hall.reach(1)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("published.csv", b"x")
    content = made.getvalue()
    at, end = content.index(b"PK\x01\x02"), content.index(b"PK\x05\x06")
    record, count = content[at:end], 200_000
    tail = bytearray(content[end:])
    tail[12:16] = (len(record) * count).to_bytes(4, "little")
    bomb = content[:at] + record * count + bytes(tail)
    with hall.client(hall.team_login("aoi")) as client:
        begin = time.process_time()
        answer = client.put("/api/releases/households", content=bomb)
        assert answer.status_code == 422
        assert "files: it should hold" in answer.text
        assert time.process_time() - begin < 1


def test_a_body_without_a_length_is_bounded(hall: Hall) -> None:
    hall.reach(1)
    with hall.client(hall.team_login("aoi")) as client:
        answer = client.put("/api/releases/households", content=(b"x" * 1_000_000 for _ in range(60)))
        assert answer.status_code == 413


def test_an_upload_that_is_sent_again_is_taken_in_once(hall: Hall) -> None:
    """Whoever did not hear the answer may ask again, even if the only try is used up by it."""
    hall.reach(1)
    for team in ("aoi", "kaede"):
        hall.contest.uploads.release(team, "households", good_release(hall, team))
    hall.reach(71)
    path, guess, key = "/api/guesses/kaede/households", good_guess(hall, "kaede"), {"idempotency-key": "k"}
    with hall.client(hall.team_login("aoi")) as client:
        most = hall.contest.state().contest.limits.guesses
        first = [client.put(path, content=guess, headers={"idempotency-key": f"k{n}"}).json() for n in range(most)]
        hall.reach(72)
        again = [client.put(path, content=guess, headers={"idempotency-key": f"k{n}"}) for n in range(most)]
        assert [answer.json() for answer in again] == first
        assert client.put(path, content=guess, headers=key).status_code == 409, "another key is another try"
        assert client.put(path, content=guess, headers={"idempotency-key": "k" * 101}).status_code == 422
    sent = [upload for upload in hall.contest.state().uploads.values() if upload.kind == "guess"]
    assert len(sent) == most


def test_pages_make_no_elements_from_texts() -> None:
    """What teams and operators write is shown as text; the content security policy would stop scripts in it besides."""
    for path in STATIC.rglob("*.js"):
        found = re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", path.read_text()
        )
        assert found is None, f"{path.name}: {found and found[0]}"
