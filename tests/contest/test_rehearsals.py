"""Whole contests of bots, with known outcomes, on both databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from icefire.contest.board import board
from icefire.contest.configfile import load_config
from icefire.contest.rehearsal import Rehearsal, differences
from icefire.contest.replay import replay

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = sorted(path.stem for path in GOLDEN.glob("*.json") if path.stem != "methods")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_rehearsal_equals_its_golden_outcome(name: str, tmp_path: Path) -> None:
    with Rehearsal(tmp_path / "c", load_config(Path(name), small=True), seed=1) as play:
        outcome = play.play()
        events = play.contest.store.verify()
    assert differences(outcome, json.loads((GOLDEN / f"{name}.json").read_text())) == []
    assert outcome["alarms"] == []
    assert events == sum(outcome["events"].values())


def test_a_different_outcome_is_told(tmp_path: Path) -> None:
    expected = json.loads((GOLDEN / "demo.json").read_text())
    found = json.loads(json.dumps(expected))
    found["rounds"][0]["defenders"][0]["total"] += 0.01
    (fault,) = differences(found, expected)
    assert fault.startswith("rounds[0].defenders[0].total: expected")


def test_sqlite_and_postgres_give_identical_boards(tmp_path: Path, database: str) -> None:
    config = load_config(Path("demo"), small=True)
    states = []
    for folder, url in (("a", "sqlite:///contest.db"), ("b", database)):
        with Rehearsal(tmp_path / folder, config, seed=1, database=url) as play:
            play.play()
            assert play.contest.store.verify()
            states.append(play.contest.state())
    for viewer in ("public", "operator"):
        left, right = (json.dumps(board(state, viewer)) for state in states)
        assert left == right


def test_replay_judges_everything_again(tmp_path: Path) -> None:
    with Rehearsal(tmp_path / "c", load_config(Path("demo"), small=True), seed=1) as play:
        outcome = play.play()
        count, faults = replay(play.contest)
    assert faults == []
    kinds = (
        "dealt",
        "accepted",
        "rejected",
        "flagged",
        "published",
        "baseline_scored",
        "guess_scored",
        "seed_revealed",
    )
    # The release of the committee was uploaded by the judge.
    assert count == 1 + sum(outcome["events"].get(what, 0) for what in kinds)
