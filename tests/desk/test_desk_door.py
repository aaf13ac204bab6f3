"""Who comes in: nobody without the token, no other origin, no other host, and no file that is too large."""

from __future__ import annotations

import http.client
import stat
import sys
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from icefire.desk import peers
from icefire.desk.door import KEY
from icefire.desk.peers import is_strangers
from icefire.desk.serve import Desk

CSV = b"name,age\n" + b"".join(b"p%d,%d\n" % (n, 20 + n % 7) for n in range(40))


@pytest.mark.parametrize("path", ["/", "/api/sessions", "/static/desk/desk.js", "/session/x/file"])
def test_nobody_comes_in_without_the_token(desk: Desk, outside: httpx.Client, path: str) -> None:
    assert outside.get(path).status_code == 403
    assert outside.get(path, params={"token": "wrong"}).status_code == 403
    assert outside.get(path, headers={"cookie": f"icefire_desk_{desk.port}=wrong"}).status_code == 403
    assert outside.get(path, headers={"accept-language": "ja"}).json()["faults"][0].startswith("デスク")


def test_the_token_is_exchanged_for_a_strict_cookie_and_leaves_the_address(desk: Desk, outside: httpx.Client) -> None:
    answer = outside.get("/session/a/file", params={"token": desk.door.token})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/session/a/file#key={desk.door.key}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert desk.door.token not in answer.headers["set-cookie"]
    assert desk.door.key not in answer.headers["set-cookie"]
    assert outside.get("/").status_code == 200
    away = outside.get(f"http://127.0.0.1:{desk.port}//evil.example", params={"token": desk.door.token})
    assert away.headers["location"].startswith("/evil.example#")


def test_a_server_on_another_port_cannot_use_the_cookie_that_browsers_send_it(desk: Desk, inside: httpx.Client) -> None:
    cookie = {"cookie": f"{desk.door.cookie}={inside.cookies[desk.door.cookie]}"}
    bare = httpx.Client(base_url=f"http://127.0.0.1:{desk.port}", headers=cookie)
    for path in ("/api/sessions", "/api/sessions/20260101-000000-abcdef/releases/1/secret"):
        assert bare.get(path).status_code == 403
        assert bare.get(path, params={"pass": desk.door.key}).status_code == 403
        assert bare.get(path, headers={KEY: desk.door.token}).status_code == 403
    assert bare.get("/api/sessions", headers={KEY: desk.door.key}).status_code == 200
    signed = desk.app.state.passes.signed("/api/sessions")
    assert bare.get(signed).status_code == 200
    assert bare.put(f"/api/sessions/a.csv?{signed.partition('?')[2]}", headers={"x-icefire": "1"}).status_code == 403
    bare.close()


def test_other_users_of_the_machine_are_refused_even_with_the_token(
    desk: Desk, inside: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert is_strangers(("127.0.0.1", 1)) is False
    theirs = tmp_path / "tcp"
    monkeypatch.setattr(peers, "CONNECTIONS", theirs)
    monkeypatch.setattr("icefire.desk.door.is_strangers", lambda client: client is not None)
    assert inside.get(desk.url).status_code == 403
    assert inside.get("/api/sessions").status_code == 403
    theirs.write_text("   1: 0100007F:0001 0100007F:1F90 01 0:0 0:0 0  4242  0 51\n")
    assert peers.is_strangers(("127.0.0.1", 1)) is (sys.byteorder == "little")


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.1:1", "127.0.0.1", ""])
def test_a_name_that_was_made_to_mean_this_machine_is_refused(desk: Desk, inside: httpx.Client, host: str) -> None:
    host = host.format(port=desk.port)
    assert inside.get("/api/sessions", headers={"host": host}).status_code == 403
    token = {"token": desk.door.token}
    assert inside.get("/", params=token, headers={"host": host}).status_code == 403


def test_pages_of_other_origins_change_nothing(inside: httpx.Client) -> None:
    foreign = {"origin": "https://evil.example"}
    assert inside.put("/api/sessions/a.csv", content=CSV, headers=foreign).status_code == 403
    assert inside.delete("/api/sessions/a", headers={"origin": "null"}).status_code == 403
    assert inside.put("/api/sessions/a.csv", content=CSV, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    del inside.headers["x-icefire"]
    assert inside.put("/api/sessions/a.csv", content=CSV).status_code == 403, "forms cannot send the header"
    assert "a.csv" not in [session["name"] for session in inside.get("/api/sessions").json()]


def test_pages_may_run_nothing_but_our_own_scripts(inside: httpx.Client) -> None:
    headers = inside.get("/").headers
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"


def test_ten_gigabytes_are_refused_before_a_byte_is_read(desk: Desk, inside: httpx.Client, folder: Path) -> None:
    before = list(folder.iterdir())
    cookie = f"{desk.door.cookie}={inside.cookies[desk.door.cookie]}"
    raw = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=10)
    raw.putrequest("PUT", "/api/sessions/a.csv")
    ours = {"cookie": cookie, "x-icefire": "1", KEY: desk.door.key}
    for name, value in {**ours, "content-length": "10000000000"}.items():
        raw.putheader(name, value)
    raw.endheaders()
    assert raw.getresponse().status == 413
    raw.close()
    assert list(folder.iterdir()) == before


def test_a_body_without_a_length_ends_at_the_limit_and_leaves_nothing(inside: httpx.Client, folder: Path) -> None:
    before = list(folder.iterdir())
    answer = inside.put("/api/sessions/a.csv", content=iter([b"x" * 600_000] * 4))
    assert answer.status_code == 413
    assert list(folder.iterdir()) == before


@pytest.mark.parametrize("name", ["名" * 100 + ".csv", "é" * 150 + ".csv", "a" * 300 + ".csv", "\x00\x01", "a\nb.csv"])
def test_names_of_any_length_are_taken(inside: httpx.Client, folder: Path, name: str) -> None:
    """File systems count bytes, and 100 letters may be 300 of them."""
    answer = inside.put(f"/api/sessions/{quote(name, safe='')}", content=b"a,b\n1,2\n")
    assert answer.status_code == 200, answer.text
    session = answer.json()["id"]
    answer = inside.put(f"/api/sessions/{session}/file/{quote(name, safe='')}", content=b"a,b\n1,2\n")
    assert answer.status_code == 200, answer.text
    sizes = [len(path.name.encode()) for path in (folder / session / "upload").iterdir()]
    assert len(sizes) == 2
    assert max(sizes) < 255
    # Its jobs end with it: there is room for so many alone.
    assert inside.delete(f"/api/sessions/{session}").status_code == 200


def test_files_are_for_their_owner_alone_and_names_lead_nowhere(inside: httpx.Client, folder: Path) -> None:
    answer = inside.put("/api/sessions/..%5C..%5Cevil.csv", content=CSV)
    assert answer.status_code == 200
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix in (".csv", ".json")]
    assert folder / answer.json()["id"] / "upload" / "evil.csv" in files
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / answer.json()["id"])} == {0o700}


@pytest.mark.parametrize("name", ["..", "x", "20260101-000000-zzzzzz", "%2e%2e%2f"])
def test_no_other_folder_is_a_session(inside: httpx.Client, name: str) -> None:
    assert inside.get(f"/api/sessions/{name}").status_code == 404
    assert inside.get(f"/api/sessions/{name}/releases/1/secret").status_code == 404


def test_what_goes_wrong_is_written_for_the_owner_alone(
    inside: httpx.Client, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("cell of a table")

    monkeypatch.setattr("icefire.desk.sessions.Sessions.all", fail)
    answer = inside.get("/api/sessions")
    assert answer.status_code == 500
    assert "cell of a table" not in answer.text
    said = capfd.readouterr()
    assert "cell of a table" not in said.out + said.err
    assert "cell of a table" in (folder / "errors.txt").read_text()
    assert stat.S_IMODE((folder / "errors.txt").stat().st_mode) == 0o600
