"""Published columns that tell about the quasi-identifiers are found and used, without being told how."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from icefire.checks import check
from icefire.core.attackers import Attacker
from icefire.core.errors import Undefined
from icefire.core.intervals import wilson
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.datasets.households import Households
from icefire.evaluation.runs import every_attack
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.attack._relation import _Regression
from icefire.microdata.attack.id_rand import IdRand
from icefire.microdata.attack.told import Told
from icefire.microdata.costs import Match
from icefire.microdata.data import Microdata, Release, Schema

PEOPLE = 1_500
REGISTRY = Registry()
KIND = REGISTRY.kind("microdata")


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 90, PEOPLE)
    schooling = rng.choice(["none", "primary", "secondary", "higher"], PEOPLE)
    years = pl.Series(schooling).replace_strict({"none": 0, "primary": 6, "secondary": 12, "higher": 17}).to_numpy()
    return pl.DataFrame(
        {
            "age": age,
            "sex": rng.choice(["f", "m"], PEOPLE),
            "schooling": schooling,
            "region": rng.choice(list("abcdef"), PEOPLE),
            "experience": age - 19.5 + rng.normal(0, 1.0, PEOPLE).round(1),
            "working": age - years + rng.normal(0, 1.0, PEOPLE).round(1),
            "label": [f"{value // 10}0s" for value in age],
            "born": [
                date(2026, 1, 1) - timedelta(days=int(a) * 365 + int(d))
                for a, d in zip(age, rng.integers(0, 365, PEOPLE), strict=True)
            ],
            "school code": pl.Series(schooling).replace_strict(
                {"none": "w", "primary": "q", "secondary": "z", "higher": "b"}
            ),
            "luck": rng.normal(size=PEOPLE),
            "colour": rng.choice(["red", "green", "blue"], PEOPLE),
        }
    )


def released(people: pl.DataFrame, names: list[str], k: int, seed: int = 1) -> Release:
    qi = ["age", "sex", "schooling", "region"]
    return Mondrian(k=k).anonymize(Microdata(people.select(qi + names), Schema(qi=qi, sa=names)), generator(seed))


def known(release: Release, level: str) -> Microdata:
    people = KIND.known(release.original, level)
    assert isinstance(people, Microdata)
    return people


def share(attack: Told | IdRand, release: Release, level: str = "qi") -> float:
    knowledge = known(release, level)
    guess = attack.attack(release.published, knowledge, generator(5))
    guess.check(release.published, knowledge)
    return guess.found(release.rows) / release.rows.size


def oracle(release: Release, name: str, people: pl.DataFrame) -> float:
    """What somebody finds who knows the mean of the column for each person, row by row within classes."""
    known = {
        "experience": people["age"].to_numpy() - 19.5,
        "working": people["age"].to_numpy()
        - people["schooling"].replace_strict({"none": 0, "primary": 6, "secondary": 12, "higher": 17}).to_numpy(),
        "born": -365.0 * people["age"].to_numpy() - 182.0,
        "label": people["age"].to_numpy() // 10,
        "school code": people["schooling"].rank("dense").to_numpy(),
    }[name]
    shown = {
        "label": lambda s: s.str.head(1).cast(pl.Int64).to_numpy(),
        "born": lambda s: (s - date(2026, 1, 1)).dt.total_days().to_numpy(),
        "school code": lambda s: s.replace_strict({"b": 1, "w": 2, "q": 3, "z": 4}).to_numpy(),
    }.get(name, lambda s: s.to_numpy())(release.published.frame[name])
    keys = release.published.frame.select(release.published.qi)
    classes = keys.select(pl.struct(pl.all()).rank("dense")).to_series().to_numpy()
    total = 0.0
    for number in np.unique(classes):
        rows = np.flatnonzero(classes == number)
        # Mondrian's classes are of the people who fit them.
        gaps = np.abs(shown[rows][:, None] - known[release.rows[rows]])
        best = gaps <= gaps.min(axis=1, keepdims=True) + 1e-9
        total += float((np.diag(best) / best.sum(axis=1)).sum())
    return total / release.rows.size


# At k = 5 the classes are of one schooling: nothing is left for its code to tell.
PLANTED = [(name, k) for name in ("experience", "working", "label", "born") for k in (5, 25)] + [("school code", 25)]


@pytest.mark.parametrize(("name", "k"), PLANTED)
def test_a_planted_relation_is_found(people: pl.DataFrame, name: str, k: int) -> None:
    release = released(people, [name, "luck"], k)
    found, best, chance = share(Told(), release), oracle(release, name, people), share(IdRand(), release)
    assert best > 1.5 * chance
    assert found > chance + 0.7 * (best - chance), (found, best, chance)


def test_one_to_one_finds_more_of_a_close_relation(people: pl.DataFrame) -> None:
    release = released(people, ["experience"], 5)
    assert share(Told("assignment"), release) > share(Told(), release)


@pytest.mark.parametrize("k", [5, 25])
@pytest.mark.parametrize("match", ["nearest", "assignment"])
def test_independent_columns_tell_nothing(people: pl.DataFrame, k: int, match: Match) -> None:
    release = released(people, ["luck", "colour"], k)
    found, chance = share(Told(match), release), share(IdRand(), release)
    interval = wilson(found * PEOPLE, PEOPLE)
    assert interval.low <= chance <= interval.high


def test_neither_the_secret_nor_the_order_of_the_file_matters(people: pl.DataFrame) -> None:
    release = released(people, ["experience"], 5)
    mixed = release.reshuffled(np.random.default_rng(9))
    assert share(Told(), mixed) == pytest.approx(share(Told(), release), abs=0.02)


def test_the_same_seed_finds_the_same(people: pl.DataFrame) -> None:
    release = released(people, ["experience", "label"], 10)
    knowledge = known(release, "qi")
    first, again = (Told().attack(release.published, knowledge, generator(7)) for _ in range(2))
    assert np.array_equal(first.rows, again.rows)


def test_amounts_with_noise_still_tell(people: pl.DataFrame) -> None:
    table = released(people, ["experience"], 5).original
    steps = [REGISTRY.make("microdata", "anonymize", step) for step in ("mondrian(k=5)", "noise(scale=0.1)")]
    release = Pipeline(tuple(steps)).anonymize(table, generator(1))
    assert share(Told(), release) > 1.5 * share(IdRand(), release)


def test_generalized_amounts_tell_by_their_middles(people: pl.DataFrame) -> None:
    table = released(people, ["experience"], 5).original
    steps = [
        REGISTRY.make("microdata", "anonymize", step)
        for step in ("mondrian(k=5)", "generalize(columns=[experience], width=5)")
    ]
    release = Pipeline(tuple(steps)).anonymize(table, generator(1))
    assert share(Told(), release) > 1.5 * share(IdRand(), release)


def test_it_is_made_where_a_published_column_is_unknown() -> None:
    original = Households(n=60).generate(generator(0))
    release = Mondrian(k=5).anonymize(original, generator(1))
    for level, made in (("qi:1", True), ("qi", True), ("qi+2", True), ("all", False)):
        attacker = Attacker(KIND.known(original, level), level)
        names = {attack.name for attack in every_attack(REGISTRY, KIND, release.published, attacker)}
        assert ("told" in names) == made, level
    with pytest.raises(Undefined, match="every published column is known"):
        Told().attack(release.published, original.knowledge, generator(1))


def test_every_variant_conforms() -> None:
    for match in ("nearest", "assignment"):
        check(Told(match))


@pytest.mark.parametrize(
    "step", ["conceal(k=3)", "pram(keep=0.7)", "drop_columns(columns=[age])", "global_recode(k=5)"]
)
@pytest.mark.parametrize("level", ["qi", "qi+1"])
def test_other_releases_are_attacked_as_well(people: pl.DataFrame, step: str, level: str) -> None:
    table = released(people[:200], ["experience", "luck", "colour"], 5).original
    release = REGISTRY.make("microdata", "anonymize", step).anonymize(table, generator(1))
    assert share(Told(), release, level) >= 0.8 * share(IdRand(), release, level)


@pytest.mark.parametrize(
    "column", [pl.Series([1.0] * 40), pl.Series(["x"] * 40), pl.Series([None] * 40, dtype=pl.String)]
)
def test_a_constant_column_tells_nothing(column: pl.Series) -> None:
    frame = pl.DataFrame({"age": np.arange(40), "shown": column})
    original = Microdata(frame, Schema(qi=["age"], sa=["shown"]))
    release = Mondrian(k=4).anonymize(original, generator(0))
    assert share(Told(), release) == pytest.approx(share(IdRand(), release))


def test_held_out_errors_are_those_of_refitting() -> None:
    rng = np.random.default_rng(2)
    causes, effects, sizes = rng.normal(size=(30, 4)), rng.normal(size=(30, 2)), rng.integers(1, 9, 30)
    regression, ridges = _Regression(causes, effects, sizes, rng), np.array([0.1, 10.0])
    found = regression.held_out(ridges)
    root = np.sqrt(sizes)[:, None]
    for fold in regression.folds:
        rest = np.setdiff1d(np.arange(30), fold)
        for column, ridge in enumerate(ridges):
            x, y = (root * causes)[rest], (root[:, 0] * effects[:, column])[rest]
            slopes = np.linalg.solve(x.T @ x + ridge * np.eye(4), x.T @ y)
            expected = (root[:, 0] * (effects[:, column] - causes @ slopes))[fold]
            assert found[fold, column] == pytest.approx(expected)
