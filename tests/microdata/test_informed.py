"""Attackers who know the method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from icefire.checks import check
from icefire.core.attackers import Attacker
from icefire.core.errors import Undefined, UnknownName
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.evaluation.runs import every_attack
from icefire.microdata.anonymize.drop_columns import DropColumns
from icefire.microdata.anonymize.k_member import KMember
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.anonymize.swap import Swap
from icefire.microdata.attack.informed import Informed, Repeated, _surprise
from icefire.microdata.attack.shadow import Shadow
from icefire.microdata.cells import Cells, Floats
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.examples import example
from icefire.microdata.kind import MicrodataKind
from icefire.microdata.linkage import Linkage

Rng = np.random.default_rng
REGISTRY, KIND = Registry(), MicrodataKind()


def people(seed: int, rows: int = 12) -> Microdata:
    rng = Rng(seed)
    frame = pl.DataFrame(
        {
            "sex": rng.choice(["f", "m", "x"], rows),
            "pay": rng.integers(0, 30, rows),
            "height": rng.normal(170, 10, rows).round(1),
        }
    )
    return Microdata(frame, Schema(qi=["sex"], sa=["pay", "height"]))


@given(st.integers(0, 10_000), st.sampled_from(["gaussian", "laplace", "uniform"]), st.floats(0, 1))
def test_the_likelihood_is_that_of_bayes(seed: int, distribution: str, keep: float) -> None:
    """Against the probabilities of every cell, written down one by one."""
    original = people(seed)
    steps = (Pram(keep=keep), Noise(scale=0.7, distribution=distribution))  # type: ignore[arg-type]
    published = Pipeline(steps).anonymize(original, Rng(seed)).published
    surprise = Linkage(_surprise(published, Repeated.of(steps, original, published, Rng(0))), Rng(0))
    ours = surprise.block(surprise.which)
    error = {
        "gaussian": stats.norm(),
        "laplace": stats.laplace(scale=np.sqrt(0.5)),
        "uniform": stats.uniform(-np.sqrt(3), 2 * np.sqrt(3)),
    }[distribution]
    for j, shown in enumerate(published.frame.rows(named=True)):
        for i, true in enumerate(original.frame.rows(named=True)):
            drawn = (original.frame["sex"] == shown["sex"]).mean()
            chances = [keep * (shown["sex"] == true["sex"]) + (1 - keep) * float(drawn or 0)]
            spread = 0.7 * float(np.std(original.frame["pay"].to_numpy(), ddof=1))
            gap = -abs(shown["pay"] - true["pay"])
            chances.append(error.cdf((gap + 0.5) / spread) - error.cdf((gap - 0.5) / spread))
            spread = 0.7 * float(np.std(original.frame["height"].to_numpy(), ddof=1))
            gap = -abs(shown["height"] - true["height"])
            chances.append(error.cdf((gap + 0.05) / spread) - error.cdf((gap - 0.05) / spread))
            expected = -sum(np.log(max(chance, 1e-30)) for chance in chances)
            assert ours[j, i] == pytest.approx(expected, rel=1e-6, abs=1e-6) or expected > 60


def found(steps: list[str], seed: int, rows: int) -> dict[str, float]:
    """The share of people found, by attack."""
    original = Households(rows).generate(Rng(seed))
    pipeline = Pipeline(tuple(REGISTRY.make("microdata", "anonymize", step) for step in steps))
    release = pipeline.anonymize(original, Rng(seed))
    shares = {}
    for attack in every_attack(REGISTRY, KIND, release.published, Attacker(original, method=pipeline.steps)):
        try:
            guess = attack.attack(release.published, original, Rng(seed))
        except Undefined:
            continue
        shares[attack.step()] = guess.found(release.rows) / release.rows.size
    return shares


def uninformed(shares: dict[str, float]) -> float:
    """The most that is found by an attack that does not know the method."""
    return max(share for step, share in shares.items() if not REGISTRY.make("microdata", "attack", step).knows_method)


@pytest.mark.parametrize(
    "steps",
    [
        ["pram(keep=0.5)", "noise(scale=2)"],
        ["pram(keep=0.3)"],
        ["noise(scale=1, columns=[income])", "drop_columns(columns=[age])"],
    ],
    ids=" ".join,
)
def test_nothing_finds_more_than_who_knows_the_method(steps: list[str]) -> None:
    runs = [found(steps, seed, 150) for seed in range(10)]
    means = {name: float(np.mean([run.get(name, 0.0) for run in runs])) for name in runs[0]}
    best = max(means["informed"], means["informed(match='assignment')"])
    # Half the width of a 95% interval over 1,500 people.
    slack = 1.96 * np.sqrt(max(best * (1 - best), 1e-4) / 1500)
    assert {name: mean for name, mean in means.items() if mean > best + slack} == {}


def test_weighing_columns_by_their_certainty_doubles_what_is_found() -> None:
    shares = found(["pram(keep=0.5)", "noise(scale=2)"], 0, 600)
    assert shares["informed(match='assignment')"] >= 0.6
    assert uninformed(shares) < 0.4


def test_steps_without_randomness_are_repeated() -> None:
    """After averaging in groups of ten, whoever knows the rows knows the group of each."""
    shares = found(["mondrian(k=10)", "microaggregate(k=10)", "noise(scale=0.5)"], 1, 400)
    assert shares["informed(match='assignment')"] > 0.05 + uninformed(shares)


def test_steps_on_columns_that_are_not_known_are_left_out() -> None:
    original = Households(200).generate(Rng(0))
    steps = [REGISTRY.make("microdata", "anonymize", step) for step in ("mondrian(k=5)", "microaggregate(k=5)")]
    release = Pipeline(tuple(steps)).anonymize(original, Rng(1))
    known = KIND.known(original, "qi")
    guess = Informed().knowing(steps).attack(release.published, known, Rng(2))
    assert 0.1 < guess.found(release.rows) / 200 < 0.3


def test_swapped_values_come_from_within_the_window() -> None:
    rng = Rng(5)
    values = rng.multivariate_normal(np.zeros(5), 0.7 * np.eye(5) + 0.3, 400)
    original = Microdata(pl.DataFrame(values, schema=list("abcde")), Schema(qi=[], sa=list("abcde")))
    for window in (0.1, 0.3):
        step = Swap(window=window)
        release = step.anonymize(original, rng)
        attacks = {"informed": Informed().knowing([step])} | {
            name: REGISTRY.make("microdata", "attack", name) for name in ("euclid", "rank")
        }
        shares = {
            name: float((attack.attack(release.published, original, Rng(0)).rows == release.rows).mean())
            for name, attack in attacks.items()
        }
        assert shares["informed"] >= max(shares.values()) - 0.01, (window, shares)


def test_what_cannot_be_known_is_said() -> None:
    original = people(0)
    release = Release(original, original, np.arange(12))
    for steps, reason in (
        (None, "the steps that made the release are not known"),
        ((KMember(k=3),), "k_member does not say how likely a published cell is"),
        (
            (Mondrian(k=13),),
            "mondrian cannot be repeated: The 'k' parameter of Mondrian must be at most the number of rows",
        ),
        ((Pram(keep=0.5), Mondrian(k=7)), "the column 'sex' is changed by pram and then by mondrian"),
    ):
        attack = Informed() if steps is None else Informed().knowing(steps)
        with pytest.raises(Undefined, match=reason):
            attack.attack(release.published, original, Rng(0))


def test_levels_of_knowledge() -> None:
    original = people(0, 40)
    assert KIND.known(original, "qi").schema.names == ("sex",)
    assert KIND.known(original, "qi:1").schema.names == ("sex",)
    # Heights tell everybody apart, so they come first.
    assert KIND.known(original, "qi+1").schema.names == ("sex", "height")
    # Of the two choices, pay tells fewer apart.
    assert KIND.known(original, "qi+1:typical").schema.names == ("sex", "pay")
    assert KIND.known(original, "qi+9").schema.names == ("sex", "pay", "height")
    assert KIND.known(original, "all") is original
    with pytest.raises(UnknownName, match="no attacker of microdata 'qi-1'"):
        KIND.known(original, "qi-1")


@dataclass(frozen=True)
class Boasting(Pram):
    """Says that everything is twice as likely as it is."""

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        chance = super().likelihood(original, name, cells)
        return None if chance is None else 2 * chance


def test_conformance_catches_likelihoods_that_do_not_add_up() -> None:
    with pytest.raises(AssertionError, match=r"a value of 'age' add up to 2\.000, not to 1"):
        check(Boasting())


@pytest.mark.parametrize("step", [Noise, Pram, Swap])
def test_columns_that_are_not_known_do_not_stop_the_attack(step: type[Noise | Pram | Swap]) -> None:
    original = people(3, rows=40)
    made = step(columns=("pay", "height"))
    published = made.anonymize(original, Rng(1)).published
    for known, part in ((("sex", "pay"), [step(columns=("pay",))]), (("sex",), [])):
        knowledge = original.only(known)
        guess = Informed().knowing([made]).attack(published, knowledge, Rng(2))
        assert guess.rows.tolist() == Informed().knowing(part).attack(published, knowledge, Rng(2)).rows.tolist()


def test_a_column_that_is_dropped_does_not_end_the_attacks_of_who_does_not_know_it() -> None:
    people = example(60)
    steps = (DropColumns(columns=("ill", "pay")), Pram(keep=0.9))
    release = Pipeline(steps).anonymize(people, np.random.default_rng(1))
    known = people.only(people.qi)
    for attack in (Informed(), Shadow()):
        guess = attack.knowing(steps).attack(release.published, known, np.random.default_rng(2))
        assert guess.found(release.rows) > 10
