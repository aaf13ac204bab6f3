"""The web parses nothing that teams send: processes of their own look at it, within limits."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from icefire.contest import admission, inspection
from icefire.contest.events.course import Created
from icefire.contest.events.registry import decode
from icefire.contest.inspection import Inspector
from icefire.contest.state import Place
from icefire.contest.uploads import files_of, pack
from icefire.core.errors import DataError
from web.conftest_web import SET, Hall, good_guess, good_release


def never(*_: object) -> None:
    raise AssertionError("this is not for the web to do")


def test_content_is_looked_at_elsewhere(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.reach(1)
    good = good_release(hall, "aoi")
    bad = pack({**files_of(good), "secret.csv": b"one\n"})
    other = good_release(hall, "kaede")
    monkeypatch.setattr(admission, "unpacked", never)
    with hall.client(hall.team_login("aoi")) as client:
        answer = client.put("/api/releases/households", content=bad)
        assert answer.status_code == 422, answer.text
        assert "secret.csv, line 1" in answer.json()["faults"][0]
        assert client.put("/api/releases/households", content=good).status_code == 202
    with hall.client(hall.team_login("kaede")) as client:
        assert client.put("/api/releases/households", content=other).status_code == 202
    hall.reach(71)
    guess = good_guess(hall, "kaede")
    with hall.client("member of aoi") as client:
        answer = client.put("/api/guesses/kaede/households", content=pack({"guess-x.csv": b"1\n"}))
        assert answer.status_code == 422, answer.text
        assert client.put("/api/guesses/kaede/households", content=guess).status_code == 202


def test_what_takes_too_long_is_left_to_the_judge(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hall.reach(1)
    bad = pack({**files_of(good_release(hall, "aoi")), "secret.csv": b"one\n"})
    monkeypatch.setattr(inspection, "SECONDS", 0.0001)
    with hall.client(hall.team_login("aoi")) as client, caplog.at_level(logging.WARNING):
        answer = client.put("/api/releases/households", content=bad)
        assert answer.status_code == 202, answer.text
        assert "an upload of aoi is left to the judge: it took more than" in caplog.text
        hall.reach(2)
        (upload,) = client.get("/api/own").json()["uploads"]
        assert upload["status"] == "rejected"
        monkeypatch.setattr(inspection, "SECONDS", 30.0)
        assert client.put("/api/releases/households", content=bad).status_code == 422, "the process is there again"


def test_refusals_keep_their_kind(hall: Hall) -> None:
    """What is not possible now is told from what is wrong."""
    hall.reach(1)
    request = admission.Request("release", "nobody", SET)
    with Inspector(hall.contest.folder, 1) as inspector, pytest.raises(DataError, match="not dealt yet") as caught:
        inspector.inspect(request, Place(0, "nobody", SET), b"x", hall.contest.state().contest.limits)
    assert type(caught.value).__name__ == "NotNow"


def test_contests_that_began_before_sets_were_bounded_go_on_without_a_bound(hall: Hall) -> None:
    data: Any = hall.contest.log()[0].data
    limits = {key: value for key, value in data["config"]["limits"].items() if not key.startswith("set_")}
    now = decode("created", data)
    before = decode("created", {**data, "config": {**data["config"], "limits": limits}})
    assert isinstance(now, Created)
    assert isinstance(before, Created)
    assert now.config.limits.set_size == 1_000
    assert (before.config.limits.set_size, before.config.limits.set_values) == (None, None)
