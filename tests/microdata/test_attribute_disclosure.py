"""Attribute disclosure: what attackers infer of hidden columns, against what holds by construction and by brute force."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icefire
from icefire.core.errors import Undefined
from icefire.core.values import Score
from icefire.microdata.attack.homogeneity import Homogeneity
from icefire.microdata.attack.likelihood_inference import LikelihoodInference
from icefire.microdata.attack.reconstruction import Reconstruction
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.kind import MicrodataKind
from icefire.microdata.roles import InferenceAttack
from icefire.microdata.safety.attribute_disclosure import AttributeDisclosure
from icefire.microdata.schema import Column

KIND = MicrodataKind()


def survey(seed: int, people: int = 2_000) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "town": rng.choice([f"town {n}" for n in range(8)], people),
            "sex": rng.choice(["f", "m"], people),
            "age": rng.integers(18, 90, people),
        }
    )


def disclosure(
    frame: pl.DataFrame,
    *steps: str,
    seed: int = 1,
    level: str = "qi",
    informed: bool = False,
    attack: InferenceAttack | None = None,
) -> Score:
    """What a release discloses of the column `ill`."""
    qi = [name for name in frame.columns if name != "ill"]
    release = icefire.table(frame, qi=qi, sa=["ill"]).anonymize(*steps, seed=seed)
    usual = LikelihoodInference().knowing(release.steps or ()) if informed else Homogeneity()
    knowledge = KIND.known(release.data.original, level)
    guess = (attack or usual).attack(release.secret.published, knowledge, np.random.default_rng(0))
    return AttributeDisclosure().measure(release.secret, guess)


def planted(seed: int, share: float) -> pl.DataFrame:
    """A disease whose holders are, for this share of them, in groups of ten who are all ill.

    A group of the others has one ill person.
    """
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(200), 10)
    ill = np.full(groups.size, "healthy", dtype=object)
    homogeneous = rng.permutation(200)[: round(20 * share)]
    ill[np.isin(groups, homogeneous)] = "disease"
    others = np.setdiff1d(np.arange(200), homogeneous)
    scattered = rng.choice(others, round(200 * (1 - share)) if share < 1 else 0, replace=share == 0)
    ill[scattered * 10 + rng.integers(0, 10, scattered.size)] = "disease"
    frame = pl.DataFrame({"group": [f"g{g:03}" for g in groups], "ill": ill.astype(str)})
    return frame.sample(frame.height, shuffle=True, seed=seed)


@pytest.mark.parametrize("attack", [Homogeneity(), Reconstruction()], ids=lambda attack: attack.name)
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("step", ["mondrian(k=10)", "global_recode(k=10)", "local_suppression(k=10)"])
def test_the_planted_share_of_holders_is_certain(step: str, share: float, attack: InferenceAttack) -> None:
    frame = planted(3, share)
    score = disclosure(frame, step, attack=attack)
    holders = frame.filter(pl.col("ill") == "disease")
    alike = holders.join(frame.group_by("group").agg(pl.col("ill").n_unique().alias("values")), on="group")
    truth = float((alike["values"] == 1).to_numpy().mean())
    assert score.interval is not None
    assert score.interval.low <= truth <= score.interval.high


def test_a_disease_of_a_town_and_sex_is_certain_behind_five_alike() -> None:
    frame = survey(0).with_columns(
        ill=pl.when((pl.col("town") == "town 3") & (pl.col("sex") == "m")).then(pl.lit("HIV")).otherwise(pl.lit("none"))
    )
    score = disclosure(frame, "mondrian(k=5)")
    assert score.value > 0.9
    assert (score.detail["column"], score.detail["value"]) == ("ill", "HIV")


@pytest.mark.parametrize("attack", [Homogeneity(), Reconstruction()], ids=lambda attack: attack.name)
@pytest.mark.parametrize("step", ["mondrian(k=10)", "global_recode(k=10)", "local_suppression(k=10)", "pram(keep=0.8)"])
def test_independent_columns_disclose_nothing(step: str, attack: InferenceAttack) -> None:
    for seed in range(40):
        # Towns and sexes leave everybody among some forty, so that nobody is alone before the step.
        frame = survey(seed, 600).drop("age")
        diseases = np.random.default_rng(1_000 + seed).choice(
            ["flu", "ulcer", "cancer", "none"], 600, p=[0.1, 0.1, 0.05, 0.75]
        )
        score = disclosure(frame.with_columns(ill=pl.Series(diseases)), step, seed=seed, attack=attack)
        assert score.interval is not None
        assert score.interval.low == 0.0, (step, seed, score)


def test_what_is_known_of_everybody_is_no_news() -> None:
    """All women of a large group and no man have it, in every class: that is told without the rows of any person."""
    frame = survey(1).with_columns(ill=pl.when(pl.col("sex") == "f").then(pl.lit("yes")).otherwise(pl.lit("no")))
    score = disclosure(frame, "mondrian(k=10)")
    assert score.value == 0.0


def test_protected_values_count_however_likely_they_are() -> None:
    frame = survey(1).with_columns(ill=pl.when(pl.col("sex") == "f").then(pl.lit("yes")).otherwise(pl.lit("no")))
    column = Column(protect=("yes",))
    data = icefire.table(frame, qi=["town", "sex", "age"], sa=["ill"], columns={"ill": column})
    release = data.anonymize("mondrian(k=10)", seed=1).secret
    guess = Homogeneity().attack(release.published, KIND.known(data.original, "qi"), np.random.default_rng(0))
    score = AttributeDisclosure().measure(release, guess)
    assert score.value > 0.95
    assert score.detail["value"] == "yes"


def test_a_column_in_other_words_is_no_news() -> None:
    frame = survey(2).with_columns(ill=pl.col("town").str.replace("town", "number"))
    assert disclosure(frame, "mondrian(k=10)").value == 0.0


def test_amounts_are_disclosed_within_their_tolerance() -> None:
    """Everybody in a class of five earns nearly the same, and classes differ."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(100), 5)
    frame = pl.DataFrame(
        {"group": [f"g{g:03}" for g in groups], "ill": 1_000.0 * (groups + 1) * (1 + rng.uniform(-0.01, 0.01, 500))}
    )
    assert disclosure(frame, "mondrian(k=5)").value > 0.95
    frame = frame.with_columns(ill=pl.Series(rng.lognormal(10, 1, 500)))
    assert disclosure(frame, "mondrian(k=5)").value < 0.05


def test_amounts_that_are_all_within_the_tolerance_are_no_news() -> None:
    """Whoever says 35.5 of every latitude is right within 5%, without any release."""
    frame = survey(0).with_columns(ill=pl.Series(np.random.default_rng(0).uniform(35, 36, 2_000)))
    assert disclosure(frame, "mondrian(k=5)").value == 0.0


def test_a_tenth_of_the_amounts_is_disclosed() -> None:
    """Incomes of a class differ by more than the tolerance, but all are among the largest."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(100), 10)
    rich = groups < 10
    amounts = np.where(rich, rng.uniform(100_000, 1_000_000, 1000), rng.uniform(1_000, 50_000, 1000))
    frame = pl.DataFrame({"group": [f"g{g:03}" for g in groups], "ill": amounts})
    score = disclosure(frame, "mondrian(k=10)")
    assert score.value > 0.95
    assert score.detail["holders"] == 100


def test_randomized_values_are_inverted_by_who_knows_how() -> None:
    """All in a group are ill, and a fifth of the published diseases is drawn at random."""
    frame = planted(5, 1.0)
    step = "pram(keep=0.8, columns=[ill])"
    plain, informed = (disclosure(frame, step, "mondrian(k=10)", informed=known) for known in (False, True))
    assert informed.value > plain.value + 0.3
    assert informed.value > 0.7


def test_randomized_values_are_not_certain_by_themselves() -> None:
    """Everybody has a group of their own, and the published value is right for 80%: nobody can be 90% sure."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"person": [f"p{n:04}" for n in range(1000)], "ill": rng.choice(["a", "b", "c", "d"], 1000)})
    score = disclosure(frame, "pram(keep=0.7, columns=[ill])")
    assert score.value < 0.05


def test_noise_on_known_columns_does_not_hide_what_their_neighbours_share() -> None:
    frame = survey(4, 500).with_columns(
        ill=pl.when((pl.col("town") == "town 3") & (pl.col("sex") == "m")).then(pl.lit("HIV")).otherwise(pl.lit("none"))
    )
    score = disclosure(frame, "noise(scale=0.2, columns=[age])", informed=True)
    assert score.value > 0.8


def test_missing_values_are_values() -> None:
    groups = np.repeat(np.arange(40), 10)
    frame = pl.DataFrame(
        {"group": [f"g{g:02}" for g in groups], "ill": [None if g < 5 else f"d{n % 7}" for n, g in enumerate(groups)]}
    )
    score = disclosure(frame, "mondrian(k=10)")
    assert (score.detail["value"], score.detail["certain"], score.value) == ("missing", 50, 1.0)


def test_nothing_hidden_is_undefined() -> None:
    table = Microdata(pl.DataFrame({"sex": ["f", "m"]}), Schema(qi=["sex"]))
    with pytest.raises(Undefined, match="nothing to infer"):
        Homogeneity().attack(table, table, np.random.default_rng(0))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("ab*"), st.sampled_from(["1", "2", "[1..2]", "{1|3}"]), st.sampled_from("xyz")),
        min_size=1,
        max_size=8,
    ),
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("123")), min_size=1, max_size=8),
)
def test_beliefs_are_those_of_brute_force(rows: list[tuple[str, str, str]], people: list[tuple[str, str]]) -> None:
    """Each row counts for the people whom it covers, in equal parts."""
    known = Microdata(
        pl.DataFrame({"town": [p[0] for p in people], "job": [p[1] for p in people]}), Schema(qi=["town", "job"])
    )
    cells = pl.DataFrame({"town": [r[0] for r in rows], "job": [r[1] for r in rows], "ill": [r[2] for r in rows]})
    published = Microdata(cells, Schema(qi=["town", "job"], sa=["ill"]))
    guess = Homogeneity().attack(published, known, np.random.default_rng(0))
    jobs = {job for _, job in people}
    covers = [
        [(row[0] in ("*", person[0])) and (person[1] in _members(row[1], jobs)) for person in people] for row in rows
    ]
    for number in range(len(people)):
        shares: dict[str, float] = {}
        for row, covered in zip(rows, covers, strict=True):
            if covered[number]:
                shares[row[2]] = shares.get(row[2], 0.0) + 1 / sum(covered)
        if not shares:
            for row in rows:
                shares[row[2]] = shares.get(row[2], 0.0) + 1
        total = sum(shares.values())
        assert guess.confidence["ill"][number] == pytest.approx(max(shares.values()) / total)
        assert shares[guess.values["ill"][number]] == pytest.approx(max(shares.values()))


def _members(cell: str, values: set[str]) -> set[str]:
    match cell:
        case "[1..2]":
            # Jobs are texts, so that this is no interval.
            return values & {str(cell)}
        case "{1|3}":
            return {"1", "3"} & values
        case _:
            return {cell}


def test_a_sample_of_people_has_an_interval_and_says_so() -> None:
    table = Microdata(pl.DataFrame({"sex": ["f", "m"] * 50, "ill": ["y", "n"] * 50}), Schema(qi=["sex"], sa=["ill"]))
    release = Release(table, table, np.arange(100))
    guess = Homogeneity().attack(table, table.only(["sex"]), np.random.default_rng(0))
    some = type(guess)(
        {"ill": guess.values["ill"][:20]},
        {"ill": guess.confidence["ill"][:20]},
        ("sex",),
        np.arange(20),
        {"ill": np.zeros(20)},
    )
    assert AttributeDisclosure().measure(release, some).detail["people sampled"] == 20
