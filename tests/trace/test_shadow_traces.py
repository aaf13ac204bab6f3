"""What shadow releases of traces teach."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.datasets.walks import Walks
from icefire.trace.attack._channels import days_like_known, halves, learned
from icefire.trace.attack.shadow import Shadow
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Release, Traces
from icefire.trace.grid import Grid
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety

Rng = np.random.default_rng
REGISTRY = Registry()


def released(step: str) -> Release:
    walks = Walks(n=80, days=8, rows=14, columns=14).generate(generator(1))
    return Pipeline((REGISTRY.make("trace", "anonymize", step),)).anonymize(walks, generator(2))


def safety(release: Release, step: str) -> tuple[list[float], list[float]]:
    """s_I and s_T against `shadow`, and against an attack that does not know the method."""
    known = release.original.knowledge
    method = (REGISTRY.make("trace", "anonymize", step),)
    attacks = Shadow().knowing(method), SlotLikelihood(assign="assignment")
    guesses = [attack.attack(release.published, known, Rng(0)) for attack in attacks]
    first, second = ([metric.measure(release, g).value for metric in (IdSafety(), TraceSafety())] for g in guesses)
    return first, second


@pytest.mark.parametrize("step", ["planar_laplace(level=1)", "krr(epsilon=3)", "decoys(utility=0.7)"])
def test_it_finds_more_where_the_method_matters(step: str) -> None:
    shadow, other = safety(released(step), step)
    assert shadow[0] < other[0] - 0.05
    assert shadow[1] < other[1] - 0.05


def test_places_are_found_though_owners_cannot_be() -> None:
    """Whole traces are exchanged, so nobody can tell the owner of a pseudonym; the traces still show where users were."""
    shadow, _ = safety(released("yamaoka"), "yamaoka")
    assert shadow[0] > 0.9
    assert shadow[1] < 0.1


def test_what_becomes_of_regions_is_learned() -> None:
    """Two thirds of all cells stay, the others go one column to the east."""
    grid = Grid(rows=1, columns=6)
    true = Rng(0).integers(0, 5, (200, 30))
    walks = Traces(true, true, grid)
    moved = Rng(1).random(true.shape) < 1 / 3
    release = Release(walks, Traces(true, true + moved, grid).cells, np.arange(200))
    channel = learned([release], walks.knowledge, 2.0)
    assert channel.sum(axis=1) == pytest.approx(np.ones(6))
    assert channel[np.arange(5), np.arange(5)] == pytest.approx(np.full(5, 2 / 3), abs=0.06)
    # Nobody was ever in the last region: what is known of the others is supposed.
    assert channel[5, 5] > 0.9


def test_days_are_drawn_whole() -> None:
    """The regions of a day say which day and which time it was."""
    days = np.array([[100 * day + slot for day in range(4) for slot in range(5)]])
    known = Traces(days, days, Grid(rows=20, columns=25), day=5).knowledge
    drawn = days_like_known(known, Rng(0)).reshape(4, 5)
    assert (drawn % 100 == np.arange(5)).all()
    assert all(len(set(day // 100)) == 1 for day in drawn)
    half, kept_back = halves(known, Rng(0))
    assert not set(half.regions.ravel() // 100) & set(kept_back.ravel() // 100)
