"""A contest of version 0.1: its back-up restores, its log replays, and its boards and story come out the same."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from icefire.contest.backup import restore
from icefire.contest.board import board
from icefire.contest.engine import DATABASE, Contest
from icefire.contest.events.registry import EVENTS
from icefire.contest.rehearsal import differences
from icefire.contest.replay import replay
from icefire.contest.story import Story
from icefire.core.values import BAD_SHARE, Score

OLD = Path(__file__).parents[1] / "golden" / "version-0.1"
BOARDS: dict[str, Any] = json.loads((OLD / "boards.json").read_text())
LATER = {"announced", "question_asked", "question_answered", "awarded", "method_removed"}
"""Events of later versions."""
STORY: list[dict[str, Any]] = json.loads((OLD / "story.json").read_text())


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    with restore(OLD / "backup.tar.gz", tmp_path_factory.mktemp("old") / "contest") as contest:
        yield contest


def test_the_log_is_restored_as_it_was(old: Contest) -> None:
    with tarfile.open(OLD / "backup.tar.gz") as archive:
        file = archive.extractfile("events.jsonl")
        assert file is not None
        written = [json.loads(line) for line in file]
    assert old.store.verify() == len(written) == 64
    assert [entry.as_dict() for entry in old.log()] == written
    assert {entry["what"] for entry in written} == set(EVENTS) - LATER, "every event is in it"


def without_scores(document: dict[str, Any]) -> dict[str, Any]:
    """A board in the shape of version 0.1: bare values in place of scores, and no keys that it did not have."""
    plain: dict[str, Any] = json.loads(json.dumps(document))
    for key in ("sets", "announcements", "questions", "prizes", "freezes", "methods"):
        plain.pop(key, None)
    plain["ceremony"] = plain["ceremony"]["defenders"]
    for team in plain["teams"]:
        assert not team.pop("committee")
    if "own" in plain:
        plain["own"].pop("questions")
        plain["own"]["left"] = {**plain["own"].pop("releases_left"), **plain["own"].pop("guesses_left")}
    for part in plain["rounds"]:
        assert part.pop("sets") == ["households"]
        for release in part["releases"]:
            release["measures"] = {name: score["value"] for name, score in release["measures"].items()}
        for cell in part["cells"]:
            score = cell.pop("score")
            cell |= {"value": score["value"], "better": score["better"]}
    for upload in plain.get("own", {}).get("uploads", []):
        upload["measures"] = {
            name: {"value": score["value"], "direction": score["better"]}
            for name, score in upload["measures"].items()
            # It did not tell teams the scores of their guesses.
            if upload["kind"] == "release"
        }
    for problem in plain.get("own", {}).get("problems", []):
        assert problem.pop("summary") == {}
    return plain


@pytest.mark.parametrize("viewer", ["public", "operator", "team:aoi"])
def test_boards_come_out_the_same(old: Contest, viewer: str) -> None:
    found = without_scores({**board(old.state(), viewer)})
    assert set(found) == set(BOARDS[viewer])
    assert differences(found, BOARDS[viewer]) == []


def test_scores_have_their_share_of_what_is_good(old: Contest) -> None:
    (row,) = (row for row in board(old.state())["rounds"][0]["releases"] if row["team"] == "aoi")
    loss = row["measures"]["information_loss"]
    assert loss == {
        "value": 0.04057148555647612,
        "better": "lower",
        "range": [0.0, 1.0],
        "good": pytest.approx(0.9594285),
    }
    assert row["measures"]["mean_mae"]["good"] is None, "an error of 4,680 is no share"


def test_the_story_tells_the_same(old: Contest) -> None:
    story = Story()
    story.follow(old.log())
    # Version 0.1 held the times of phases back behind the freeze, and told a second freeze of a board that was frozen.
    keys = ("at", "what", "team", "set", "attacker", "place")
    first = next(item for item in STORY if item["what"] == "frozen")
    once = [item for item in STORY if item is first or item["what"] != "frozen"]
    assert len(once) == len(STORY) - 1
    moments = [sorted(items, key=lambda item: [str(item.get(key)) for key in keys]) for items in (story.public(), once)]
    for item, before in zip(*moments, strict=True):
        told: dict[str, Any] = dict(item) | {"id": before["id"]}
        told.pop("metric", None)
        if item["what"] == "unveiled":
            # Version 0.1 did not say who was unveiled.
            assert (told.pop("of"), told.pop("alike")) == ("defence", 1)
            assert told.pop("team") in old.state().teams
            told.pop("rank")
            told.pop("releases")
        # It told what all attacks have left together, not what each does.
        told.pop("left", None)
        for key in ("worth", "safety", "before"):
            if key in before:
                # Version 0.1 said 1 of a release that was not attacked yet.
                told[key] = 1.0 if told[key] is None else told[key]["good"]
        assert told == {
            key: pytest.approx(value) if isinstance(value, float) else value for key, value in before.items()
        }


CLOSENESS = "event 21: measure/f4651eac0aa2f81c"
"""Evidence of a false row map, which compares the release with shuffled rows: version 0.1 shuffled them in another order."""


def test_everything_is_judged_again_without_another_difference(old: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    count, (fault,) = replay(old)
    assert fault.startswith(CLOSENESS)
    monkeypatch.setattr("icefire.contest.replay.ROUNDING", 0.003)
    assert replay(old) == (count, [])
    assert count == sum(entry.who == "judge" for entry in old.log())


def test_replay_finds_a_result_that_was_written_otherwise(old: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    game = type(old.game())
    baseline = game.baseline

    def other(self: Any, dataset: Any, private: Path, attack: str, rng: Any) -> Any:
        if attack == "sort":
            return baseline(self, dataset, private, attack, rng)
        return {task.name: Score(0.5, BAD_SHARE) for task in dataset.tasks}

    monkeypatch.setattr(game, "baseline", other)
    _, faults = replay(old)
    others = [fault for fault in faults if not fault.startswith(CLOSENESS)]
    assert others
    assert all("baseline/0/" in fault and "/euclid/" in fault for fault in others)


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_a_database_of_version_0_1_is_brought_up_to_date(
    place: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """With the tables of the first released schema. Those of accounts were made together with those of the contest."""
    from icefire.web.accounts import Accounts

    database = DATABASE if place == "sqlite" else request.getfixturevalue("database")
    hashed = hashlib.sha256(b"a token").hexdigest()
    with restore(OLD / "backup.tar.gz", tmp_path / "c", database) as contest, contest.store.writing() as connection:
        for statement in (
            "DROP TABLE leases",
            "DROP TABLE workers",
            "DROP TABLE turns",
            "CREATE TABLE workers (id VARCHAR(200) PRIMARY KEY, seen VARCHAR(40) NOT NULL)",
            "CREATE TABLE accounts (login VARCHAR(60) PRIMARY KEY, role VARCHAR(20) NOT NULL, team VARCHAR(40), "
            "password VARCHAR(200) NOT NULL)",
            "CREATE TABLE keys (hash VARCHAR(64) PRIMARY KEY, kind VARCHAR(20) NOT NULL, login VARCHAR(60), "
            "team VARCHAR(40), expires VARCHAR(40) NOT NULL)",
            "INSERT INTO accounts VALUES ('mai', 'operator', NULL, 'x')",
            f"INSERT INTO keys VALUES ('{hashed}', 'token', 'mai', NULL, '2999-01-01T00:00:00+00:00')",
            "UPDATE alembic_version SET version_num = '0002'",
        ):
            connection.exec_driver_sql(statement)
    with Contest(tmp_path / "c") as contest:
        assert contest.store.verify() == 64
        there = sa.inspect(contest.store.engine)
        assert {"leases", "accounts", "workers"} <= set(there.get_table_names())
        assert [column["name"] for column in there.get_columns("workers")] == ["worker", "seen"]
        for _ in range(2):
            person = Accounts(contest).person("token", "a token")
            assert person is not None
            assert person.who == "operator:mai"
