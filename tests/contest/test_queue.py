"""The queue of the judge: no team holds up the others, however long its files take."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from contest.contest_games import toy_config
from contest.toy_contest import Toy, playing
from icefire.contest.config import Limits
from icefire.contest.jobs.base import Job
from icefire.contest.leases import HALF, LEASES, Leases
from icefire.contest.sandbox import JobFailed, Sandbox, TooLong
from icefire.contest.workers import Workers


def claimed(leases: Leases, toy: Toy, most: int | None = None) -> Job:
    claim = leases.claim(toy.contest.docket.due(), most)
    assert claim is not None
    return claim[0]


def do(leases: Leases, toy: Toy, job: Job, seconds: float) -> None:
    """Let a job have taken so many seconds, and write its result."""
    with toy.contest.store.writing() as connection:
        connection.execute(sa.update(LEASES).where(LEASES.c.job == job.key).values(began=time.time() - seconds))
    toy.contest.docket.record(job, job.run(toy.contest.judge(), toy.contest.state()))
    leases.release(job)


def test_a_team_whose_files_take_long_waits_for_the_others(toy: Toy) -> None:
    """One judge: after each of its jobs, the team that has had the least of the judge's time comes first."""
    toy.reach(1)
    slow = [toy.release("ann", 0.1) for _ in range(4)]
    leases = Leases(toy.contest.store, "only")
    first = claimed(leases, toy)
    quick = [toy.release("bob", 0.2) for _ in range(3)]
    do(leases, toy, first, 120)
    order = [first.key]
    for _ in range(6):
        job = claimed(leases, toy)
        order.append(job.key)
        do(leases, toy, job, 120 if job.team == "ann" else 1)
    keys = [f"measure/{upload}" for upload in (slow[0], *quick, *slow[1:])]
    assert order == keys


def test_time_is_forgotten(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.1)
    leases = Leases(toy.contest.store, "only")
    do(leases, toy, claimed(leases, toy), 120)
    toy.release("bob", 0.1)
    do(leases, toy, claimed(leases, toy), 60)
    with toy.contest.store.writing() as connection:
        table = sa.table("turns", sa.column("team"), sa.column("at"))
        connection.execute(sa.update(table).where(table.c.team == "ann").values(at=time.time() - 2 * HALF))
    toy.release("bob", 0.1)
    toy.release("ann", 0.1)
    assert claimed(leases, toy).team == "ann", "120 s long ago are less than 60 s now"


def test_a_team_never_has_all_processes(toy: Toy) -> None:
    toy.reach(1)
    for _ in range(3):
        toy.release("ann", 0.1)
    leases = Leases(toy.contest.store, "machine")
    assert claimed(leases, toy, most=1).team == "ann"
    assert leases.claim(toy.contest.docket.due(), most=1) is None, "one process stays free for others"
    toy.release("bob", 0.1)
    assert claimed(leases, toy, most=1).team == "bob"
    assert Leases(toy.contest.store, "another").claim(toy.contest.docket.due(), most=1) is not None


def test_a_job_that_takes_too_long_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take as long: others wait for it once, not twice."""
    tries: list[str] = []

    def run(self: Sandbox, job: Job, limits: Limits) -> None:
        tries.append(job.key)
        raise TooLong("it took more than 120 s of processor time")

    monkeypatch.setattr(Sandbox, "run", run)
    monkeypatch.setattr(Sandbox, "warm_up", lambda self: None)
    assert issubclass(TooLong, JobFailed)
    with playing(tmp_path / "c", toy_config()) as toy:
        toy.reach(1)
        upload = toy.release("ann", 0.5)
        with Workers(toy.contest, number=1) as crew:
            crew.run(until=lambda: bool(toy.contest.state().alarms))
        assert tries == [f"measure/{upload}"]
