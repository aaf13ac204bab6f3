"""What is told, and when."""

from __future__ import annotations

from pathlib import Path

import pytest
from contest_games import toy_config
from toy_contest import guess, playing, reach, release

from icefire.contest.story import Story


def test_what_the_freeze_holds_back_is_told_after_the_thaw(tmp_path: Path) -> None:
    scoring = toy_config().scoring.model_copy(update={"feedback": "exact"})
    with playing(tmp_path / "c", toy_config(scoring=scoring.model_dump())) as (contest, clock):
        reach(contest, clock, 1)
        contest.upload_release("ann", "s", release(0.9))
        contest.upload_release("bob", "s", release(0.6))
        reach(contest, clock, 2)
        reach(contest, clock, 66)
        contest.upload_guess("bob", "ann", "s", guess(0.7))
        reach(contest, clock, 70)
        story = Story()
        story.follow(contest.events())
        whats = [one["what"] for one in story.public()]
        opening = ["joined", "joined", "phase_opened", "released", "released", "phase_closed"]
        # The judge's own attacks come as soon as releases are published.
        assert whats == [*opening, "lowered", "lowered", "phase_opened", "lowered"]
        last = story.public()[-1]
        assert (last["attacker"], last["team"]) == ("bob", "ann")
        assert [last[key]["value"] for key in ("before", "safety", "worth")] == [
            pytest.approx(0.4),
            pytest.approx(0.2),
            pytest.approx(0.9),
        ]
        reach(contest, clock, 116)
        contest.upload_guess("ann", "bob", "s", guess(0.6))
        reach(contest, clock, 117)
        reach(contest, clock, 126)
        contest.unveil("op", "now")
        story.follow(contest.events(story.state.seq))
        heard = story.public()
        assert [one["what"] for one in heard[len(whats) :]] == ["frozen", "unveiled"]
        contest.thaw("op", "now")
        story.follow(contest.events(story.state.seq))
        assert [one["what"] for one in story.public(len(heard))] == ["lowered", "phase_closed", "thawed"]
        assert [one["id"] for one in story.public()] == list(range(1, len(story.public()) + 1))
        # Another process that begins now tells the same in the same order.
        other = Story()
        other.follow(contest.events())
        assert other.public() == story.public()
