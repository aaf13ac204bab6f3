"""The story for the public: what is told, and when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contest.contest_games import toy_config
from contest.toy_contest import guess, playing, release
from icefire.contest.config import Config
from icefire.contest.errors import NotFound
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
        assert [item["what"] for item in heard[len(names) :]] == ["frozen", "phase_closed", "unveiled"]
        contest.schedule.thaw("op", "now")
        story.follow(contest.log(story.state.seq))
        assert [item["what"] for item in story.public(len(heard))] == ["lowered", "thawed"]
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


def test_the_operator_takes_back_what_a_team_said(tmp_path: Path) -> None:
    with playing(tmp_path / "c") as toy:
        toy.reach(1)
        for team, method in (("ann", "rude words"), ("ann", "rude words"), ("bob", "rude words")):
            toy.contest.uploads.release(team, "s", release(0.9), method=method)
            toy.judge()
        toy.contest.schedule.freeze("op", "now")
        story = Story()
        story.follow(toy.contest.log())
        assert [item.get("method") for item in story.public() if item["what"] == "released"] == ["rude words"] * 3
        assert toy.board()["methods"] == [{"team": team, "method": "rude words"} for team in ("ann", "bob")]
        toy.contest.desk.remove_method("ann", "rude words", "op", "house rules")
        story.follow(toy.contest.log(story.state.seq))
        said = [item.get("method") for item in story.public() if item["what"] == "released"]
        assert (said, story.edition) == ([None, None, "rude words"], 1)
        assert toy.board()["methods"] == [{"team": "bob", "method": "rude words"}]
        with pytest.raises(NotFound, match="has not told this method"):
            toy.contest.desk.remove_method("ann", "rude words", "op", "house rules")


def test_a_freeze_by_the_clock_is_not_told_again_if_the_operator_was_earlier(tmp_path: Path) -> None:
    with playing(tmp_path / "c") as toy:
        for minutes in (1, 61, 66):
            toy.reach(minutes)
        toy.contest.schedule.freeze("op", "now")
        toy.reach(116)
        assert toy.contest.state().froze
        story = Story()
        story.follow(toy.contest.log())
        assert [item["what"] for item in story.public()].count("frozen") == 1


def told(story: Story, after: int = 0) -> list[dict[str, Any]]:
    """The items as a page reads them."""
    items: list[dict[str, Any]] = json.loads(json.dumps(story.public(after)))
    return items


def with_feedback(feedback: str) -> Config:
    scoring = toy_config().scoring.model_copy(update={"feedback": feedback})
    return toy_config(scoring=scoring.model_dump(), limits={"guesses": 2})


def numbers(item: dict[str, Any]) -> list[float]:
    return [value(item[key]) for key in ("before", "left", "safety")]


@pytest.mark.parametrize("feedback", ["band", "none"])
def test_sealed_results_are_told_in_full_when_they_are_open_and_no_earlier(tmp_path: Path, feedback: str) -> None:
    with playing(tmp_path / "c", with_feedback(feedback)) as toy:
        contest, story = toy.contest, Story()
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.reach(66)
        toy.guess("bob", "ann", 0.7321)
        toy.reach(70)
        story.follow(contest.log())
        first = told(story)[-1]
        if feedback == "band":
            assert first["what"] == "lowered"
            assert numbers(first) == pytest.approx([0.4, 0.2, 0.2])
        else:
            assert (first["what"], "safety" in first) == ("answered", False)
        toy.reach(116)
        toy.guess("bob", "ann", 0.8456)
        toy.reach(126)
        contest.desk.unveil("op", "now")
        story.follow(contest.log(story.state.seq))
        heard = told(story)
        assert [item["what"] for item in heard[-3:]] == ["frozen", "phase_closed", "unveiled"]
        assert "0.1679" not in json.dumps(heard)
        assert "0.0544" not in json.dumps(heard)
        contest.schedule.thaw("op", "now")
        story.follow(contest.log(story.state.seq))
        # What was held back comes with its figures; what was told before is told again, in its place.
        held, thawed, again = told(story, len(heard))
        assert [item["what"] for item in (held, thawed, again)] == ["lowered", "thawed", "lowered"]
        assert numbers(held) == pytest.approx([0.1679, 0.0544, 0.0544])
        assert numbers(again) == pytest.approx([0.4, 0.1679, 0.1679])
        assert (again["replaces"], again["at"], "replaces" in held) == (first["id"], first["at"], False)
        other = Story()
        other.follow(contest.log())
        assert told(other) == told(story)


def test_without_a_freeze_results_open_with_the_end_of_the_phase(tmp_path: Path) -> None:
    config = with_feedback("none")
    rounds = [config.rounds[0].model_copy(update={"freeze": None})]
    with playing(tmp_path / "c", config.model_copy(update={"rounds": tuple(rounds)})) as toy:
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.reach(66)
        toy.guess("bob", "ann", 0.7)
        toy.judge()
        toy.reach(126)
        story = Story()
        story.follow(toy.contest.log())
    answered, closed, again = told(story)[-3:]
    assert [item["what"] for item in (answered, closed, again)] == ["answered", "phase_closed", "lowered"]
    assert again["replaces"] == answered["id"]
    assert value(again["safety"]) == pytest.approx(0.2)


def test_a_band_says_between_what_the_score_lies(tmp_path: Path) -> None:
    with playing(tmp_path / "c", with_feedback("band")) as toy:
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.reach(66)
        toy.guess("bob", "ann", 0.87)
        toy.judge()
        cells = {cell["attacker"]: cell["score"] for cell in toy.board("public")["rounds"][0]["cells"]}
    assert (cells["bob"]["value"], cells["bob"]["interval"], cells["bob"]["confidence"]) == (0.0, [0.0, 0.05], 1.0)
    assert "interval" not in cells["*half"]


def test_the_ceremony_tells_how_a_defender_stands_in_the_end(tmp_path: Path) -> None:
    with playing(tmp_path / "c", with_feedback("band")) as toy:
        contest = toy.contest
        toy.reach(1)
        toy.release("ann", 0.9)
        toy.release("bob", 0.6)
        toy.reach(66)
        toy.reach(116)
        contest.uploads.guess("bob", "ann", "s", guess(0.8456), "my own")
        toy.reach(126)
        for side in ("attack", "defence", "defence"):
            contest.desk.unveil("op", "now", side)
        story = Story()
        story.follow(contest.log())
    attacker, _, defender = told(story)[-3:]
    assert "releases" not in attacker
    (end,) = defender["releases"]
    assert (defender["team"], end["attacker"], end["method"]) == ("ann", "bob", "my own")
    assert [value(end["worth"]), value(end["safety"])] == pytest.approx([0.9, 0.0544])
