"""Whoever asks for whatever, whenever: no secret is in any answer."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from web.conftest_web import Hall, good_guess, good_release
from web.test_roles import TABLE

ROUNDS = ("0", "1")


def every_byte(hall: Hall, logins: list[str | None]) -> bytes:
    """All that all roles can get, with what is packed unpacked."""
    found = b""
    for login in logins:
        with hall.client(login) as client:
            for method, path in TABLE:
                if method != "GET":
                    continue
                for team in ("aoi", "kaede"):
                    for name in ("words.js", "standings", "matrix"):
                        uploads = list(hall.contest.state().uploads) or ["0" * 16]
                        for upload in uploads if "{upload}" in path else uploads[:1]:
                            url = path.format(
                                folder="common", name=name, round="0", team=team, set="households", upload=upload
                            )
                            if path == "/api/stream":
                                with client.stream("GET", url) as answer:
                                    found += next(answer.iter_raw())
                                continue
                            answer = client.get(url)
                            found += str(answer.headers).encode() + answer.content
                            if answer.headers.get("content-type") == "application/zip":
                                with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
                                    found += b"".join(archive.read(file) for file in archive.namelist())
    return found


def test_no_secret_in_any_answer(hall: Hall, monkeypatch: Any) -> None:
    seed = hall.contest.vault.seed(0)
    logins: list[str | None] = [None, "boss", hall.team_login("aoi"), hall.team_login("kaede")]
    markers = {"the seed": seed.encode()}

    def check(stage: str) -> None:
        answers = every_byte(hall, logins)
        assert len(answers) > 10_000
        for what, marker in markers.items():
            assert marker not in answers, f"{what} was answered {stage}"

    check("before the contest")
    hall.reach(1)
    for team in ("aoi", "kaede"):
        sent = good_release(hall, team, "mondrian(k=2)")
        with zipfile.ZipFile(io.BytesIO(sent)) as archive:
            markers[f"the row map that {team} sent"] = archive.read("secret.csv")
        hall.contest.uploads.release(team, "households", sent)
    check("while uploads wait")
    hall.reach(30)
    check("during the defence")
    hall.reach(71)
    for place, made in hall.contest.state().published.items():
        truth = hall.contest.vault.truth(*place, made.upload)
        markers[f"the truth of {place[1]}"] = (truth / "secret.csv").read_bytes()
    check("when the attack opens")
    hall.contest.uploads.guess("aoi", "kaede", "households", good_guess(hall, "kaede"))

    def crash(*_: object) -> None:
        raise ZeroDivisionError("MARKER-OF-A-CRASH")

    with monkeypatch.context() as patch:
        patch.setattr(type(hall.contest.game()), "judge", crash)
        hall.reach(80)
    markers["the detail of a crash"] = b"MARKER-OF-A-CRASH"
    assert hall.contest.state().alarms
    check("after a crash of the judge")
    (alarm,) = hall.contest.state().alarms.values()
    hall.contest.desk.retry(alarm.reference, "operator:boss", "mended")
    hall.reach(100)
    check("while it is frozen")
    markers.pop("the seed")
    hall.reach(125)
    assert hall.contest.state().seeds
    check("in the end")
