"""A step that changes next to nothing switches no attack off."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.intervals import difference, wilson
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer, InformedAttack
from icefire.datasets.walks import Walks
from icefire.trace.data import Release, Traces
from icefire.trace.safety.id_safety import IdSafety

REGISTRY = Registry()
RELEASES = {
    "decoys(utility=0.7)": "decoy_likelihood",
    "decoys(utility=0.7, randomized=false)": "decoy_inversion",
    "merge_similar(k=2, utility=0.7)": "merged_twins",
    "planar_laplace(level=2)": "informed",
    "krr(epsilon=4)": "informed",
    "planar_laplace(level=2.5)": "shadow",
}
AFTER = [
    "mrlh(delete=0.01)",
    "mrlh",
    "krr(epsilon=11)",
    "planar_laplace(level=60)",
    "block_medoid(height=1, width=1)",
    "yamaoka(share=0)",
    "decoys(utility=1)",
    "decoys(utility=1, randomized=false)",
    "merge_similar(k=2, utility=1)",
]
"""They change nothing, or a cell in a hundred."""
BEFORE = ["krr(epsilon=11)", "decoys(utility=1)", "merge_similar(k=2, utility=1)"]


@pytest.fixture(scope="module")
def people() -> Traces:
    return Walks(n=30, days=8, rows=12, columns=12).generate(np.random.default_rng(0))


def parse(*steps: str) -> tuple[AnyAnonymizer, ...]:
    return tuple(REGISTRY.make("trace", "anonymize", step) for step in steps)


def hits(people: Traces, attack: str, *steps: str) -> int:
    """How many users the attack finds behind a release, of which it knows the steps."""
    known = parse(*steps)
    release: Release = Pipeline(known).anonymize(people, np.random.default_rng(1))
    informed = REGISTRY.make("trace", "attack", attack)
    assert isinstance(informed, InformedAttack)
    guess = informed.knowing(known).attack(release.published, people.knowledge, np.random.default_rng(2))
    return round((1 - IdSafety().measure(release, guess).value) * people.people)


@pytest.fixture(scope="module")
def hits_alone(people: Traces) -> dict[str, int]:
    return {step: hits(people, attack, step) for step, attack in RELEASES.items()}


@pytest.mark.parametrize("harmless", AFTER)
@pytest.mark.parametrize("step", RELEASES)
def test_a_harmless_step_afterwards_hides_nobody(
    people: Traces, hits_alone: dict[str, int], step: str, harmless: str
) -> None:
    """The attack made for the release finds as many as before, but for chance."""
    least = wilson(hits_alone[step], people.people).low
    assert hits_alone[step] > people.people / 8
    assert hits(people, RELEASES[step], step, harmless) >= least * people.people


@pytest.mark.parametrize("harmless", BEFORE)
@pytest.mark.parametrize("step", RELEASES)
def test_a_harmless_step_before_hides_nobody(
    people: Traces, hits_alone: dict[str, int], step: str, harmless: str
) -> None:
    """Whatever is random is drawn anew, so that the two releases differ by chance."""
    after = hits(people, RELEASES[step], harmless, step)
    assert difference(hits_alone[step], people.people, after, people.people).low <= 0
