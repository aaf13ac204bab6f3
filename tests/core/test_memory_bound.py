"""The bound on memory: what passes it is ended, what comes after goes on."""

from __future__ import annotations

import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core import memory_bound
from icefire.core.attackers import Attacker
from icefire.core.errors import InputError, OutOfMemory
from icefire.core.memory_bound import bounded, used
from icefire.evaluation.runs import attack_runs
from icefire.frames.sources import open_table
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.attack.id_rand import IdRand
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.examples import example
from icefire.microdata.roles import Attack

pytestmark = pytest.mark.skipif(not memory_bound.OWN.exists(), reason="memory cannot be watched on this system")
ROOM = 200_000_000


def grow() -> None:
    kept = []
    for _ in range(100):
        kept.append(np.ones(2_500_000))
        time.sleep(0.02)


@dataclass(frozen=True)
class Greedy(Attack):
    """Takes more and more memory."""

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        grow()
        raise AssertionError("never ended")


def test_an_attack_that_takes_more_is_ended_and_the_next_one_goes_on() -> None:
    release = Mondrian(k=3).anonymize(example(), np.random.default_rng(1))
    handler = signal.getsignal(signal.SIGUSR1)
    with bounded(used() + ROOM):
        runs = list(attack_runs(release.published, Attacker(release.original), [Greedy(), IdRand()], seed=1))
    assert [run.incomplete for run in runs] == [True, False]
    assert runs[0].guess is None
    assert "GB of memory needed: --memory allows more" in runs[0].reason
    assert runs[1].guess is not None
    assert signal.getsignal(signal.SIGUSR1) is handler


def test_memory_that_was_freed_does_not_count() -> None:
    before = used()
    with bounded(before + ROOM):
        kept = [np.ones(100_000) for _ in range(200)]
        # What is freed below what is still held stays with the process until it is asked back.
        del kept[:-1]
        for _ in range(3):
            np.ones(15_000_000)
            time.sleep(0.15)
    assert used() < before + ROOM


def test_what_no_attack_takes_ends_the_command() -> None:
    with pytest.raises(OutOfMemory, match=r"more than \d+\.\d GB"), bounded(used() + ROOM):
        grow()


def test_an_attack_that_numpy_refuses_memory_is_ended() -> None:
    class Huge(Greedy):
        def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
            raise MemoryError("Unable to allocate 8 EiB")

    release = Mondrian(k=3).anonymize(example(), np.random.default_rng(1))
    run = next(attack_runs(release.published, Attacker(release.original), [Huge()], seed=1))
    assert run.incomplete
    assert run.reason == "Unable to allocate 8 EiB"


def test_other_threads_are_left_alone() -> None:
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with bounded(1):
                time.sleep(3 * memory_bound.SECONDS)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failed


def test_a_container_may_have_less_than_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = memory_bound.machine()
    assert whole is not None
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory_bound, "CONTAINER", limit)
    limit.write_text("1000000\n")
    assert memory_bound.machine() == 1_000_000
    limit.write_text("max\n")
    assert (memory_bound.machine() or 0) >= whole


def test_where_memory_cannot_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_bound, "OWN", tmp_path / "no")
    with bounded(None):
        pass
    with pytest.raises(InputError, match="cannot be watched"), bounded(10):
        pass


def test_duckdb_keeps_to_half_of_it(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pl.DataFrame({"a": [1, 2]}).write_parquet(tmp_path / "a.parquet")
    before = duckdb.sql("select current_setting('memory_limit')").fetchall()[0][0]
    try:
        with bounded(used() + 4_000_000_000):
            open_table(tmp_path / "a.parquet", "duckdb")
            assert duckdb.sql("select current_setting('memory_limit')").fetchall()[0][0] != before
    finally:
        duckdb.execute(f"SET memory_limit = '{before}'")
