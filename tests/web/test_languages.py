"""The server answers each person in their language, and the log stays in English."""

from __future__ import annotations

import random
import re
from itertools import islice
from pathlib import Path

from fastapi import Request

from icefire import web
from icefire.contest.events.registry import EVENTS
from icefire.contest.uploads import files_of
from icefire.web.guard import LARGEST_BODY
from icefire.web.speech import told
from web.conftest_web import SET, Hall, good_release
from web.test_bad_uploads import bad_files

JA = {"accept-language": "ja,en;q=0.5"}
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


def test_refusals(hall: Hall) -> None:
    with hall.client() as visitor:
        assert visitor.get("/api/own").json() == {"detail": "log in first"}
        assert visitor.get("/api/own", headers=JA).json() == {"detail": "先にログインしてください"}
        assert visitor.get("/api/own", headers={"accept-language": "en, ja;q=0.5"}).json() == {"detail": "log in first"}
        wrong = visitor.post("/api/login", json={"login": "x", "password": "y"}, headers=JA)
        assert wrong.json() == {"detail": "ログイン名またはパスワードが違います"}
        assert visitor.post("/api/login", json={"login": "x"}, headers=JA).json()["faults"] == ["password: 必須です"]
        large = visitor.post("/api/login", content=b"x" * (LARGEST_BODY + 1), headers=JA)
        assert large.json()["faults"] == ["リクエストの本文が 20,000 バイトを超えています"]


def test_reasons_for_refusing_a_file(hall: Hall) -> None:
    hall.reach(1)
    files = bad_files(files_of(good_release(hall, "aoi")), random.Random(1))
    with hall.client(hall.team_login("aoi")) as team:
        for what, content in islice(files, 60):
            answer = team.put(f"/api/releases/{SET}", content=content, headers=JA).json()
            for fault in answer.get("faults", []):
                assert JAPANESE.search(fault), (what, fault)


def test_what_the_log_stores_is_translated_when_shown(hall: Hall) -> None:
    with hall.client("boss") as boss:
        boss.post("/api/operator/teams", json={"name": "Momiji"})
        assert boss.get("/api/operator/log", headers=JA).json()[-1]["data"] == {"what": "momiji を招待しました"}
        assert boss.get("/api/operator/log").json()[-1]["data"] == {"what": "momiji is invited"}


def test_every_event_of_the_log_has_a_name_in_both_languages() -> None:
    words = (Path(web.__file__).parent / "static" / "common" / "operator-words.js").read_text()
    assert [name for name in EVENTS if words.count(f'"event.{name}":') != 2] == []


def test_texts_of_a_document() -> None:
    upload = {"upload": "ab", "faults": ["the file is empty"], "measures": {"U1": {"undefined": "there is no kit"}}}
    headers = [(b"accept-language", b"ja")]
    assert told(upload, Request({"type": "http", "headers": headers})) == {
        "upload": "ab",
        "faults": ["ファイルが空です"],
        "measures": {"U1": {"undefined": "サンプルコードはありません"}},
    }
    assert told(upload, Request({"type": "http", "headers": []})) is upload
