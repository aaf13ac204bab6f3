"""Members are found by their exact values where a synthesizer uses them again, and nobody is where it does not."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.core.values import Score
from icefire.datasets.cohort import Cohort
from icefire.evaluation.runs import run_attacks
from icefire.synthetic.data import Floats, Guess, People, Release, Schema
from icefire.synthetic.encoding import exact, grid, joined
from icefire.synthetic.safety.membership_advantage import MembershipAdvantage

REGISTRY = Registry()
KIND = REGISTRY.kind("synthetic")
DATA = os.environ.get("ICEFIRE_DATA")
AMOUNTS = ["loan_amnt", "int_rate", "installment", "annual_inc", "dti"]
LOANS = [*AMOUNTS, "term", "grade", "emp_length", "home_ownership", "purpose", "addr_state"]


def made(people: People, step: str, seed: int = 1) -> Release:
    release: Release = REGISTRY.make("synthetic", "anonymize", step).anonymize(people, generator(seed, "release"))
    return release


def advantage(release: Release, step: str) -> Score:
    guess = REGISTRY.make("synthetic", "attack", step).attack(
        release.published, release.original.knowledge, generator(1)
    )
    return MembershipAdvantage().measure(release, guess)


def strongest(release: Release) -> float:
    """The largest advantage in the suite, without knowledge of the method."""
    attacker = Attacker(KIND.known(release.original, "all"), "all")
    guesses = [run.guess for run in run_attacks(REGISTRY, KIND, release.published, attacker, 1)]
    return max(MembershipAdvantage().measure(release, guess).value for guess in guesses if isinstance(guess, Guess))


def patients(seed: int, others: int = 300) -> People:
    """A cohort whose numbers are hidden."""
    people = Cohort(n=300, others=others).generate(generator(seed))
    hidden = ("weight", "height", "cost", "diagnosis")
    return People(people.members, people.control, Schema(hidden, people.schema.columns))


@pytest.mark.parametrize(
    ("step", "least"),
    [
        ("independent", 0.65),
        ("network", 0.65),
        ("sequential_trees", 0.7),
        ("gaussian_copula", 0.25),
        ("anonymized(steps=['mondrian(k=25)'])", 0.95),
    ],
)
def test_values_that_are_used_again_give_members_away(step: str, least: float) -> None:
    """What bins, densities and distances see of it is .19 to .46."""
    assert strongest(made(patients(1), step)) > least


@pytest.mark.skipif(DATA is None, reason="ICEFIRE_DATA names no folder with real data")
@pytest.mark.parametrize(
    ("step", "least"),
    [
        ("independent", 0.7),
        ("network", 0.7),
        ("sequential_trees", 0.7),
        ("gaussian_copula", 0.25),
        ("anonymized(steps=['mondrian(k=25)'])", 0.95),
    ],
)
def test_borrowers_are_given_away(step: str, least: float) -> None:
    table = pl.read_parquet(Path(str(DATA)) / "loans.parquet").select(LOANS)
    rows = generator(0, "rows").permutation(table.height)[:2000]
    people = People(table[rows[:1000]], table[rows[1000:]], Schema(AMOUNTS))
    assert strongest(made(people, step)) > least


@pytest.mark.parametrize("order", [1, 2])
def test_tables_of_other_people_give_nobody_away(order: int) -> None:
    """Of 40 intervals of 95%, one lies above 0 on average; more than 4 do once in 280 times."""
    beyond = 0
    for seed in range(40):
        people = patients(seed, others=200)
        fresh = Cohort(n=300).generate(generator(1000 + seed)).members
        interval = advantage(Release(people, fresh), f"exact_values(order={order})").interval
        assert interval is not None
        beyond += interval.low > 0
    assert beyond <= 4


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("order", [1, 2])
def test_the_members_themselves_are_found_completely(order: int, seed: int) -> None:
    for people in (patients(seed), Cohort(n=30, others=100).generate(generator(seed))):
        assert advantage(Release(people, people.members), f"exact_values(order={order})").value == 1.0


def changed(release: Release, change: pl.Expr) -> Release:
    return Release(release.original, release.published.with_columns(change))


def test_neither_tiny_noise_nor_rounding_hides_anybody() -> None:
    release = made(patients(2), "independent")
    before = advantage(release, "exact_values").value
    noise = pl.Series(generator(3).normal(0, 1e-6, release.published.height))
    numbers = pl.col("weight", "height", "cost")
    assert advantage(changed(release, numbers + noise), "exact_values").value > before - 0.02
    rounded = changed(release, pl.col("cost").round(0))
    assert advantage(rounded, "exact_values").value > before - 0.05
    # Compared as they are, hardly any of the rounded costs would be those of somebody.
    members = set(release.original.members["cost"])
    assert sum(cost in members for cost in rounded.published["cost"]) < 10


def test_a_rare_value_tells_more_than_a_frequent_one() -> None:
    """By hand: of 8 candidates, one holds 7.25, one 9.75 and six 1.5; 7.25 is released, 9.75 is not."""
    members, others = [7.25, 1.5, 1.5, 1.5], [9.75, 1.5, 1.5, 1.5]
    people = People(pl.DataFrame({"a": members}), pl.DataFrame({"a": others}))
    guess = REGISTRY.make("synthetic", "attack", "exact_values").attack(
        pl.DataFrame({"a": members}), people.knowledge, generator(0)
    )
    told = dict(zip(people.candidates["a"], guess.confidence.tolist(), strict=True))
    assert told[7.25] > 3 > 1 > abs(told[1.5])
    assert told[9.75] < -0.5


def test_a_reference_sample_says_what_is_usual() -> None:
    """A value that many people outside hold is no evidence, though one candidate alone holds it."""
    members, control = patients(1).members, patients(1).control
    cost = float(members["cost"][0])
    sample = Cohort(n=300).generate(generator(8)).members
    same = sample.with_columns(cost=pl.when(pl.int_range(pl.len()) < 30).then(cost).otherwise("cost"))
    half = pl.concat([members[:150], Cohort(n=300).generate(generator(9)).members[:150]])

    def told(reference: pl.DataFrame) -> float:
        people = People(members, control, reference=reference)
        guess = REGISTRY.make("synthetic", "attack", "exact_values(order=1)").attack(
            half, people.knowledge, generator(0)
        )
        return float(guess.confidence[people.candidates["cost"].to_numpy() == cost][0])

    assert told(same) < told(sample) - 1


@pytest.mark.parametrize("seed", range(5))
def test_exact_codes_and_pairs_are_those_of_the_definition(seed: int) -> None:
    rng = generator(seed)
    tables = [
        pl.DataFrame({"a": rng.integers(0, 60, rows) / 4, "b": rng.choice(["x", "y", ""], rows).tolist()}).with_columns(
            a=pl.when(pl.col("a") > 13).then(None).otherwise("a"), b=pl.col("b").replace("", None)
        )
        for rows in (80, 50)
    ]
    parts = exact(tables, ["a", "b"]).tables
    cells = [row for table in tables for row in table.rows()]
    codes: Floats = np.concatenate(joined(parts))
    assert len(set(zip(codes.tolist(), cells, strict=True))) == len(set(cells)) == len(set(codes.tolist()))
    assert sorted(Counter(codes.tolist()).values()) == sorted(Counter(cells).values())


def test_the_grid_of_numbers() -> None:
    cents = np.linspace(0.01, 4.99, 499)
    assert grid(cents) == pytest.approx(0.01)
    assert grid(np.rint(cents * 1e9) * 25) == pytest.approx(25e7)
    assert grid(np.append(cents, np.nan)) == pytest.approx(0.01)
    assert grid(np.linspace(1, 499, 499) / 1024) == pytest.approx(1 / 1024)
    assert grid(generator(1).normal(size=100)) < 1e-9
    assert grid(np.zeros(20)) == grid(np.array([])) == grid(np.full(9, np.nan)) == 0.0
    # Published as whole numbers, compared as such.
    codes = exact([pl.DataFrame({"a": cents}), pl.DataFrame({"a": np.arange(40) * 1.0})], ["a"])
    assert codes.sizes == (40,)
