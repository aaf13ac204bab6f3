"""Attackers who know points of the published days."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.attackers import Attacker
from icefire.core.errors import Undefined, UnknownName
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.datasets.walks import Walks
from icefire.evaluation.runs import every_attack, judge_runs, run_attacks
from icefire.trace.anonymize.krr import Krr
from icefire.trace.attack.known_points import KnownPoints, PointOdds
from icefire.trace.attackers import known_points
from icefire.trace.data import NOTHING, Cells, Traces
from icefire.trace.grid import Grid
from icefire.trace.kind import TraceKind

Rng = np.random.default_rng
REGISTRY, KIND = Registry(), TraceKind()


@given(st.integers(0, 10_000))
def test_odds_are_those_of_bayes(seed: int) -> None:
    """Point by point, with the probabilities of randomized response."""
    rng = Rng(seed)
    walks = Traces(np.zeros((4, 1), int), rng.integers(0, 6, (4, 5)), Grid(rows=2, columns=3))
    known, channel = known_points(walks, 2), Krr(epsilon=1.0).channel(walks.knowledge)
    assert known.points is not None
    assert channel is not None
    codes = rng.integers(0, 6, (4, 5))
    codes[0, 0] = NOTHING
    odds = PointOdds(Cells(codes, 6), known, channel).dense()
    for pseudonym in range(4):
        for user in range(4):
            expected = 0.0
            for time in range(5):
                there, shown = known.points[user, time], codes[pseudonym, time]
                if there != NOTHING and shown != NOTHING:
                    expected += np.log(channel[there, shown]) - np.log((codes[:, time] == shown).mean())
            assert odds[pseudonym, user] == pytest.approx(expected)


def test_the_more_points_are_known_the_more_people_are_found() -> None:
    walks = Walks(n=150, days=2, rows=16, columns=16).generate(generator(1))
    release = REGISTRY.make("trace", "anonymize", "planar_laplace(level=3)").anonymize(walks, generator(2))
    found = []
    for level in ("points:1", "points:4", "points:12", "all"):
        guess = KnownPoints().attack(release.published, KIND.known(walks, level), Rng(0))
        found.append(float((guess.users == release.owners).mean()))
    assert found == sorted(found)
    assert found[0] < 0.2
    assert found[-1] > 0.9


def test_every_level_has_its_attacks() -> None:
    walks = Walks(n=10, days=2, rows=4, columns=4).generate(generator(1))
    method = (Krr(),)
    release = method[0].anonymize(walks, generator(2))
    for level, expected in (("points:4", {"known_points", "informed"}), ("all", {"known_points", "informed"})):
        attacker = Attacker(KIND.known(walks, level), level, method)
        assert {attack.name for attack in every_attack(REGISTRY, KIND, release.published, attacker)} == expected
    attacker = Attacker(walks.knowledge, KIND.usual_level)
    names = {attack.name for attack in every_attack(REGISTRY, KIND, release.published, attacker)}
    assert "known_points" not in names
    assert "slot_likelihood" in names


def test_who_knows_all_places_is_judged_by_identification_alone() -> None:
    walks = Walks(n=10, days=2, rows=4, columns=4).generate(generator(1))
    release = Krr().anonymize(walks, generator(2))
    every = {"id_safety", "trace_safety", "worst_of_both", "place_disclosure"}
    for level, metrics in (("points:2", every), ("all", {"id_safety"})):
        runs = run_attacks(REGISTRY, KIND, release.published, Attacker(KIND.known(walks, level), level), 1)
        for run in judge_runs(KIND, REGISTRY.safety_metrics("trace"), release, runs):
            assert {outcome.method.name for outcome in run.outcomes} == metrics


def test_what_is_not_there_is_said() -> None:
    walks = Walks(n=4, days=1, rows=2, columns=2).generate(generator(1))
    with pytest.raises(UnknownName, match="attacker of trace 'points:0'"):
        KIND.known(walks, "points:0")
    with pytest.raises(Undefined, match="no points of the published days are known"):
        KnownPoints().attack(walks.cells, walks.knowledge, Rng(0))
