"""What happens while a job runs: whatever it is, the log stays right, and its replay finds nothing to object to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contest.test_rounds_and_prizes import together
from contest.toy_contest import Toy, playing
from icefire.contest.config import Config
from icefire.contest.events.base import Event
from icefire.contest.events.registry import decode
from icefire.contest.events.uploads import Published
from icefire.contest.jobs.base import Job
from icefire.contest.jobs.releases import Publish
from icefire.contest.replay import replay
from icefire.contest.state import Place, State
from icefire.contest.uploads import pack
from icefire.core.errors import InputError
from icefire.core.seeds import generator

TEAMS = ("ann", "bob", "cy")
ANN = Place(0, "ann", "s")


def many_tries() -> Config:
    limits = together().limits.model_copy(update={"releases": 1000, "guesses": 1000, "waiting": 1000})
    return together().model_copy(update={"limits": limits})


class Worker:
    """A worker that begins jobs, and writes their results when it is told to."""

    def __init__(self, toy: Toy) -> None:
        self.toy, self.running = toy, list[tuple[Job, list[Event]]]()

    def begin(self, label: str) -> None:
        """Do the first due job of a kind."""
        self.begin_one(next(job for job in self.toy.contest.docket.due() if job.label == label))

    def begin_one(self, job: Job) -> None:
        contest = self.toy.contest
        self.running.append((job, job.run(contest.judge(), contest.state())))

    def end(self, number: int = 0) -> None:
        self.toy.contest.docket.record(*self.running.pop(number))


def check(toy: Toy) -> None:
    """The end of a contest: its log replays, and attackers hold the releases that count."""
    contest = toy.contest
    entries, state = contest.log(), contest.state()
    count, faults = replay(contest)
    assert faults == []
    assert count == sum(entry.who == "judge" for entry in entries)
    for place, upload in state.releases.items():
        if not state.invalid(place) and not state.withdrawn(place.team):
            assert state.published[place].upload == upload
    events = [decode(entry.what, entry.data) for entry in entries]
    for team in TEAMS:
        order = [state.uploads[e.upload].seq for e in events if isinstance(e, Published) and e.team == team]
        assert order == sorted(set(order)), "a release never comes back in place of a later one, nor twice"


def upload(toy: Toy) -> None:
    toy.release("ann", 0.3)


def replace_release(toy: Toy) -> None:
    """Another worker measures it, but has not published it yet."""
    toy.release("ann", 0.3)
    worker = Worker(toy)
    worker.begin("measure")
    worker.end()


def replace_entirely(toy: Toy) -> None:
    toy.release("ann", 0.3)
    toy.judge()


MEANWHILE: dict[str, Callable[[Toy], object]] = {
    "upload": upload,
    "faulty upload": lambda toy: toy.release("ann", "no number"),
    "replace": replace_release,
    "replace entirely": replace_entirely,
    "rule": lambda toy: toy.contest.desk.rule(ANN, False, "op", "a cheat"),
    "withdraw": lambda toy: toy.contest.teams.withdraw("ann", "op", "gone"),
    "join": lambda toy: toy.contest.teams.add("Dan"),
    "close": lambda toy: toy.contest.schedule.close_now("op", "enough"),
}


@pytest.mark.parametrize("what", MEANWHILE)
@pytest.mark.parametrize("label", ["measure", "publish", "baseline", "judge"])
def test_something_happens_while_a_job_runs(label: str, what: str, tmp_path: Path) -> None:
    with playing(tmp_path / "c", many_tries(), teams=("Ann", "Bob", "Cy")) as toy:
        toy.reach(1)
        if what == "rule" or label == "judge":
            toy.release("ann", 0.7)
            toy.judge()
        if label == "judge":
            toy.guess("bob", "ann", 0.6)
        else:
            toy.release("ann", 0.9)
        worker = Worker(toy)
        while not any(job.label == label for job in toy.contest.docket.due()):
            worker.begin_one(toy.contest.docket.due()[0])
            worker.end()
        worker.begin(label)
        with suppress(InputError):
            MEANWHILE[what](toy)
        worker.end()
        toy.judge()
        check(toy)


@pytest.mark.parametrize("what", ["join", "withdraw"])
def test_those_who_attack_change_while_a_release_is_published(what: str, tmp_path: Path) -> None:
    """Each attacker gets questions, so it matters to the publication who attacks."""
    config = many_tries().model_copy(update={"game": "membership"})
    with playing(tmp_path / "c", config, teams=("Ann", "Bob", "Cy")) as toy:
        toy.reach(1)
        game, rng = toy.contest.game(), generator(1)
        content = pack(game.bot_release(toy.contest.downloads.problem(ANN), ["1"], rng))
        toy.contest.uploads.release("ann", "s", content)
        worker = Worker(toy)
        worker.begin("measure")
        worker.end()
        worker.begin("publish")
        if what == "join":
            toy.contest.teams.add("Dan")
        else:
            toy.contest.teams.withdraw("bob", "op", "gone")
        worker.end()
        toy.judge()
        assert set(toy.contest.state().published[ANN].questions) == {"bob", "cy"}
        handout = toy.contest.downloads.handout(ANN, "cy")
        toy.contest.uploads.guess("cy", "ann", "s", pack(game.bot_guess(handout, "", rng)))
        toy.judge()
        assert toy.contest.state().guesses
        check(toy)


def test_a_slow_job_does_not_bring_a_release_back(tmp_path: Path) -> None:
    """Two workers: the publication of the earlier release ends after that of the later one, which was attacked already."""
    with playing(tmp_path / "c", many_tries(), teams=("Ann", "Bob", "Cy")) as toy:
        toy.reach(1)
        toy.release("ann", 0.9)
        slow = Worker(toy)
        slow.begin("measure")
        slow.end()
        slow.begin("publish")
        later = toy.release("ann", 0.3)
        toy.judge()
        toy.guess("bob", "ann", 0.4)
        toy.judge()
        before = toy.contest.state().guesses
        assert len(before) == 1
        slow.end()
        toy.judge()
        state = toy.contest.state()
        assert state.published[ANN].upload == later
        assert state.guesses == before, "the answer to the release that counts is kept"
        check(toy)


def test_a_log_in_which_a_release_came_back_is_still_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier versions wrote down the publication of a release that had been replaced."""

    def done(job: Publish, state: State) -> bool:
        return job.place in state.published and state.published[job.place].upload == job.upload

    with playing(tmp_path / "c", many_tries(), teams=("Ann", "Bob", "Cy")) as toy:
        toy.reach(1)
        with monkeypatch.context() as patch:
            patch.setattr(Publish, "done", done)
            toy.release("ann", 0.9)
            slow = Worker(toy)
            slow.begin("measure")
            slow.end()
            slow.begin("publish")
            replace_entirely(toy)
            slow.end()
            toy.judge()
        told = [entry.data["upload"] for entry in toy.contest.log() if entry.what == "published"]
        assert len(told) == 3
        assert told[0] == told[2] != told[1]
        assert replay(toy.contest)[1] == []


Step: TypeAlias = tuple[int, int, int]


def play_step(worker: Worker, what: int, first: int, second: int) -> None:
    toy, team, other = worker.toy, TEAMS[first % 3], TEAMS[second % 3]
    contest, jobs, value = toy.contest, worker.toy.contest.docket.due(), (first * 7 + second) % 11 / 10
    actions: list[Callable[[], object]] = [
        lambda: toy.release(team, value),
        lambda: toy.guess(team, other, value),
        *[lambda: worker.begin_one(jobs[first % len(jobs)]) if jobs else None] * 3,
        *[lambda: worker.end(second % len(worker.running)) if worker.running else None] * 3,
        lambda: contest.desk.rule(Place(0, team, "s"), bool(second % 2), "op", "why not"),
        lambda: contest.teams.withdraw(team, "op", "why not") if second == 9 else None,
    ]
    with suppress(InputError):
        actions[what]()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=20, max_size=60))
def test_jobs_that_run_at_the_same_time_as_everything_else(steps: list[Step]) -> None:
    with TemporaryDirectory() as name, playing(Path(name) / "c", many_tries(), teams=TEAMS) as toy:
        toy.reach(1)
        worker = Worker(toy)
        for step in steps:
            play_step(worker, *step)
        while worker.running:
            worker.end()
        toy.judge()
        check(toy)
