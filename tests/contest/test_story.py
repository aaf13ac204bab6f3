"""The story for the public: what is told, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from contest.contest_games import toy_config
from contest.toy_contest import playing
from icefire.contest.story import Story
from icefire.core.documents import Json


def value(score: Json) -> float:
    assert isinstance(score, dict)
    return float(score["value"])


def test_what_the_freeze_holds_back_is_told_after_the_thaw(tmp_path: Path) -> None:
    scoring = toy_config().scoring.model_copy(update={"feedback": "exact"})
    with playing(tmp_path / "c", toy_config(scoring=scoring.model_dump())) as toy:
        contest = toy.contest
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.release("bob", 0.6)
        toy.reach(2)
        toy.reach(66)
        toy.guess("bob", "ann", 0.7)
        toy.reach(70)
        story = Story()
        story.follow(contest.log())
        names = [item["what"] for item in story.public()]
        opening = ["joined", "joined", "phase_opened", "released", "released", "phase_closed"]
        # The judge's own attacks come as soon as releases are published.
        assert names == [*opening, "lowered", "lowered", "phase_opened", "lowered"]
        toy.reach(116)
        toy.guess("ann", "bob", 0.6)
        toy.reach(117)
        toy.reach(126)
        contest.desk.unveil("op", "now")
        story.follow(contest.log(story.state.seq))
        heard = story.public()
        assert [item["what"] for item in heard[len(names) :]] == ["frozen", "unveiled"]
        contest.schedule.thaw("op", "now")
        story.follow(contest.log(story.state.seq))
        assert [item["what"] for item in story.public(len(heard))] == ["lowered", "phase_closed", "thawed"]
        assert [item["id"] for item in story.public()] == list(range(1, len(story.public()) + 1))
        # A process that starts now tells the same in the same order.
        other = Story()
        other.follow(contest.log())
        assert other.public() == story.public()


def test_items_carry_the_scores_of_their_moment(tmp_path: Path) -> None:
    scoring = toy_config().scoring.model_copy(update={"feedback": "exact"})
    with playing(tmp_path / "c", toy_config(scoring=scoring.model_dump(), limits={"guesses": 2})) as toy:
        toy.reach(1)
        for worth in (0.9, 0.8):
            toy.release("ann", worth)
            toy.judge()
        toy.release("bob", 0.6)
        toy.reach(66)
        for guess in (0.7, 0.1):
            toy.guess("bob", "ann", guess)
            toy.judge()
        story = Story()
        story.follow(toy.contest.log())
    released = [item for item in story.public() if item["what"] == "released"]
    assert [(item["team"], item["metric"], value(item["worth"])) for item in released] == [
        ("ann", "worth", 0.9),
        ("ann", "worth", 0.8),
        ("bob", "worth", 0.6),
    ]
    assert [item["safety"] for item in released] == [None, None, None]
    attacks = [item for item in story.public() if item["what"] in ("lowered", "held")]
    assert [(item["what"], item["attacker"], item["team"]) for item in attacks] == [
        ("lowered", "*half", "ann"),
        ("lowered", "*half", "bob"),
        ("lowered", "bob", "ann"),
        ("held", "bob", "ann"),
    ]
    assert [item["before"] for item in attacks[:2]] == [None, None]
    assert [value(item["worth"]) for item in attacks] == pytest.approx([0.8, 0.6, 0.8, 0.8])
    assert [value(item["safety"]) for item in attacks] == pytest.approx([0.3, 0.1, 0.1, 0.1])
    assert [value(item["before"]) for item in attacks[2:]] == pytest.approx([0.3, 0.1])
    assert attacks[2]["worth"] == {"value": 0.8, "better": "higher", "range": [0.0, 1.0], "good": 0.8}


def test_without_feedback_the_public_hears_only_that_there_was_a_guess(tmp_path: Path) -> None:
    with playing(tmp_path / "c") as toy:
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.reach(66)
        toy.guess("bob", "ann", 0.7)
        toy.judge()
        story = Story()
        story.follow(toy.contest.log())
    item = story.public()[-1]
    assert {key: item[key] for key in item if key not in ("id", "at")} == {
        "what": "answered",
        "attacker": "bob",
        "team": "ann",
        "set": "s",
    }
