"""What shadow releases of histories teach."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.attackers import Attacker
from icefire.core.errors import Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.history.anonymize.generalize import Generalize
from icefire.history.attack.shadow import Shadow, _whole_records
from icefire.history.data import NONE, History, Release
from icefire.history.examples import records
from icefire.history.kind import HistoryKind

Rng = np.random.default_rng
REGISTRY = Registry()


def made(steps: str, people: int, seed: int) -> Release:
    original: History = REGISTRY.make("history", "dataset", f"purchases(n={people})").generate(generator(seed))
    method = tuple(REGISTRY.make("history", "anonymize", step) for step in steps.split(" "))
    return Pipeline(method).anonymize(original, generator(seed, "anonymize"))


def found(release: Release, attack: str, steps: str) -> float:
    """Share of the links that are guessed rightly."""
    method = tuple(REGISTRY.make("history", "anonymize", step) for step in steps.split(" "))
    attacker = Attacker(release.original, method=method)
    guess = attacker.told(REGISTRY.make("history", "attack", attack)).attack(
        release.published, release.original, Rng(0)
    )
    there = release.pseudonyms != NONE
    return float((guess.table == release.pseudonyms)[there].mean())


def test_repeated_records_tell_what_each_other_score_misses() -> None:
    """Rows are widened to hold several records, always in about the same way, so that whoever repeats it finds the row."""
    steps = "conceal(k=3,randomized=false)"
    release = made(steps, 40, 3)
    assert found(release, "shadow", steps) > 0.1 + max(found(release, name, steps) for name in ("evidence", "jaccard"))


def test_it_finds_about_as_much_as_others_where_they_find_all() -> None:
    steps = "pseudonyms generalize(item=2,time=drop)"
    release = made(steps, 30, 4)
    assert found(release, "shadow", steps) > found(release, "evidence", steps) - 0.03


def test_whole_records_are_counted_by_whom_they_came_from() -> None:
    log = records("ann 2011-01-03 tea", "ann 2011-01-03 tea", "bob 2011-01-03 cup")
    release = Generalize(date="week").anonymize(log, Rng(0))
    periods, shown, repeated = _whole_records(release.published, [release, release])
    assert periods.tolist() == [0, 0]
    assert repeated.toarray().tolist() == [[0.0, 4.0], [2.0, 0.0]]
    owners = release.owners[:, 0]
    assert shown.toarray().tolist() == (repeated.toarray()[owners] / 2).tolist()


def test_what_cannot_be_repeated_is_said() -> None:
    log = records("ann 2011-01-03 tea", "bob 2011-01-04 cup", "bob 2011-01-05 cup")
    some: History = HistoryKind().known(log, "records:1")
    with pytest.raises(Undefined, match="some are not known"):
        Shadow().knowing([Generalize(date="week")]).attack(log, some, Rng(0))
    with pytest.raises(Undefined, match=r"cannot be taken with what is known: .*nothing would be generalized"):
        Shadow().knowing([Generalize(item=9)]).attack(log, log, Rng(0))
