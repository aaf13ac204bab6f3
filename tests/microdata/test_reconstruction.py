"""Reconstruction of hidden columns: by hand, against brute force, and on planted dependence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icefire
from icefire.core.errors import Undefined
from icefire.microdata.accuracy import Hits
from icefire.microdata.attack.homogeneity import Homogeneity
from icefire.microdata.attack.reconstruction import Reconstruction, _balance
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.inferences import Inference
from icefire.microdata.kind import MicrodataKind
from icefire.microdata.safety.attribute_disclosure import AttributeDisclosure
from icefire.microdata.safety.rarity_weighted_accuracy import RarityWeightedAccuracy
from icefire.microdata.safety.reconstruction_accuracy import ReconstructionAccuracy
from icefire.microdata.schema import Column
from icefire.microdata.similarity import NOTHING, SLIGHT, find_features, fit_weights, weigh_rows

KIND = MicrodataKind()


def guess_of(published: Microdata, known: Microdata, seed: int = 0) -> Inference:
    guess = Reconstruction().attack(published, known, np.random.default_rng(seed))
    guess.check(published, known)
    return guess


def judge(release: Release, guess: Inference) -> tuple[float, float]:
    plain = ReconstructionAccuracy().measure(release, guess)
    return plain.value, RarityWeightedAccuracy().measure(release, guess).value


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyzw")), min_size=1, max_size=12))
def test_the_rarity_weighted_score_is_that_of_nist(pairs: list[tuple[str, str]]) -> None:
    """The sum of n / n(v) over the values that are right, as a share of the sum over all."""
    truth = Microdata(pl.DataFrame({"ill": [pair[0] for pair in pairs]}), Schema(qi=[], sa=["ill"]))
    hits = Hits.of(truth, "ill", np.arange(len(pairs)), pl.Series([pair[1] for pair in pairs]))
    actual = [pair[0] for pair in pairs]
    rarity = [len(pairs) / actual.count(value) for value in actual]
    right = sum(weight for weight, pair in zip(rarity, pairs, strict=True) if pair[0] == pair[1])
    assert hits.weighted == pytest.approx(right / sum(rarity))
    assert hits.plain == pytest.approx(sum(value == guess for value, guess in pairs) / len(pairs))
    constant = [sum(w for w, v in zip(rarity, actual, strict=True) if v == one) / sum(rarity) for one in set(actual)]
    assert constant == pytest.approx([hits.weighted_baseline] * len(constant))
    assert hits.plain_baseline == max(actual.count(value) for value in actual) / len(actual)


def test_a_worked_example_of_both_scores() -> None:
    """Three of four are well and two of these are named, and the one who is ill; one of two ages is right."""
    frame = pl.DataFrame({"sex": list("ffmm"), "ill": ["no", "no", "no", "yes"], "age": [20.0, 20.0, 30.0, None]})
    table = Microdata(frame, Schema(qi=["sex"], sa=["ill", "age"]))
    values = {"ill": pl.Series(["no", "no", "yes", "yes"]), "age": pl.Series([20.0, 30.0, 30.0, None])}
    guess = Inference(values, {name: np.ones(4) for name in values}, ("sex",), rows=np.array([1, 0, 2, 2]))
    release = Release(table, table, np.arange(4))
    plain = ReconstructionAccuracy().measure(release, guess)
    assert plain.value == (3 / 4 + 3 / 4) / 2
    # All of the first and of the last; as whole rows all but the last.
    assert (plain.detail["all columns"], plain.detail["all columns, by whole rows"]) == (0.5, 0.75)
    assert plain.detail["baseline"] == (3 / 4 + 1 / 2) / 2
    weighted = RarityWeightedAccuracy().measure(release, guess)
    assert weighted.detail["by column"] == {"ill": (2 / 3 + 1) / 2, "age": (1 / 2 + 1 + 1) / 3}
    assert weighted.detail["baseline"] == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_amounts_are_right_in_their_tenth() -> None:
    table = Microdata(pl.DataFrame({"sex": ["f"] * 100, "pay": np.arange(100.0)}), Schema(qi=["sex"], sa=["pay"]))
    release = Release(table, table, np.arange(100))
    for shift, right in ((0, 1.0), (1, 0.0)):
        values = {"pay": pl.Series((np.arange(100.0) // 10 + shift) % 10 * 10)}
        assert judge(release, Inference(values, {"pay": np.ones(100)})) == (right, right)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=2, max_size=7), st.randoms())
def test_of_disjoint_classes_the_posterior_is_that_of_all_matchings(
    rows: list[tuple[str, str]], random: object
) -> None:
    """Every one-to-one matching of rows and people that the cells admit is as likely."""
    frame = pl.DataFrame({"town": [row[0] for row in rows], "ill": [row[1] for row in rows]})
    published, known = (
        Microdata(frame, Schema(qi=["town"], sa=["ill"])),
        Microdata(frame[["town"]], Schema(qi=["town"])),
    )
    guess = guess_of(published, known)
    shares = matching_posterior(frame["town"].to_list(), frame["town"].to_list(), frame["ill"].to_list())
    for person, share in enumerate(shares):
        assert guess.confidence["ill"][person] == pytest.approx(max(share.values()))
        assert share[guess.values["ill"][person]] == pytest.approx(max(share.values()))


def matching_posterior(people: Sequence[str], cells: Sequence[str], hidden: Sequence[str]) -> list[dict[str, float]]:
    shares: list[dict[str, float]] = [dict.fromkeys(hidden, 0.0) for _ in people]
    number = 0
    for rows in permutations(range(len(cells))):
        if all(cells[row] in ("*", person) for person, row in zip(people, rows, strict=True)):
            number += 1
            for person, row in enumerate(rows):
                shares[person][hidden[row]] += 1
    return [{value: share / number for value, share in of.items()} for of in shares]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=2, max_size=6))
def test_suppressed_rows_are_of_those_who_have_no_other(rows: list[tuple[str, bool]]) -> None:
    """Whose row it must be by all matchings, is certain."""
    people = [row[0] for row in rows]
    cells = ["*" if row[1] else row[0] for row in rows]
    hidden = [f"ill {number}" for number in range(len(rows))]
    published = Microdata(pl.DataFrame({"town": cells, "ill": hidden}), Schema(qi=["town"], sa=["ill"]))
    known = Microdata(pl.DataFrame({"town": people}), Schema(qi=["town"]))
    balanced, agreement = _balance(Homogeneity().find_candidates(published, known))
    assert agreement > 0.9
    weights = balanced.weights.toarray()[balanced.group_of][:, balanced.class_of]
    shares = matching_posterior(people, cells, hidden)
    for person, share in enumerate(shares):
        for row, value in enumerate(hidden):
            assert weights[person, row] == pytest.approx(share[value], abs=0.05)


def table(seed: int, people: int = 300) -> pl.DataFrame:
    """An illness that goes by town and, for some, by age; a number that nothing goes by."""
    rng = np.random.default_rng(seed)
    town, sex, age = rng.choice(list("abcdef"), people), rng.choice(["f", "m"], people), rng.integers(20, 80, people)
    ill = np.where(rng.random(people) < 0.9, town, rng.choice(list("abcdef"), people))
    return pl.DataFrame({"town": town, "sex": sex, "age": age, "ill": ill, "old": np.where(age >= 50, "yes", "no")})


def test_columns_count_by_what_they_tell() -> None:
    frame = table(0, 2_000)
    rows = Microdata(frame, Schema(qi=["town", "sex", "age"], sa=["ill", "old"]))
    names = ["town", "sex", "age"]
    features = find_features(rows, rows.only(names), names)
    hidden = [frame[name].rank("dense").to_numpy().astype(np.int64) for name in ("ill", "old")]
    weights = fit_weights([feature.rows for feature in features], hidden, np.random.default_rng(0))
    town, sex, *age = weights.tolist()
    assert len(age) == 4
    assert town > 2
    assert sex < 0.5
    assert sum(age) > 2


def test_rows_count_as_the_equation_says() -> None:
    frame = table(1, 40)
    published = Microdata(
        frame.with_columns(pl.when(pl.col("age") < 30).then(pl.lit("*")).otherwise("town").alias("town")),
        Schema(qi=["town", "sex", "age"], sa=["ill", "old"]),
    )
    known = Microdata(table(2, 30)[["town", "sex", "age"]], Schema(qi=["town", "sex", "age"]))
    features = find_features(published, known, ["town", "sex", "age"])
    weights = np.linspace(0.5, 3, len(features))
    kernel = weigh_rows([f.people for f in features], [f.rows for f in features], weights).toarray()
    ages = sorted({*published.frame["age"].to_list(), *known.frame["age"].to_list()})
    for person, (town, sex, age) in enumerate(known.frame.rows()):
        logs = []
        for row in published.frame.select("town", "sex", "age").rows():
            places = [ages.index(value) for value in (age, row[2])]
            bands = [places[0] // width == places[1] // width for width in (1, 3, 9)]
            equal = [town == row[0], sex == row[1], *bands]
            logs.append(sum(weight for weight, same in zip(weights, equal, strict=False) if same))
        expected = np.exp(np.array(logs) - max(logs))
        expected[expected < SLIGHT * expected.mean()] = 0.0
        np.testing.assert_allclose(kernel[person] / kernel[person].max(), expected, rtol=1e-4)


def test_cells_that_hold_nothing_single_have_nothing_in_common() -> None:
    published = Microdata(
        pl.DataFrame({"town": ["*", "{a|b}", "a"], "ill": list("xyz")}), Schema(qi=["town"], sa=["ill"])
    )
    known = Microdata(pl.DataFrame({"town": ["a", "b"]}), Schema(qi=["town"]))
    (feature,) = find_features(published, known, ["town"])
    assert feature.rows.tolist() == [NOTHING, NOTHING, 0]


@pytest.mark.parametrize(
    "step", ["pram(keep=0.6)", "noise(scale=0.5, columns=[age])", "swap(columns=[age], window=0.2)"]
)
def test_planted_dependence_is_read_from_changed_tables(step: str) -> None:
    frame = table(3, 600)
    data = icefire.table(frame, qi=["town", "sex", "age"], sa=["ill", "old"])
    release = data.anonymize(step, seed=1).secret
    guess = guess_of(release.published, KIND.known(data.original, "qi"))
    scores = [metric.measure(release, guess) for metric in (ReconstructionAccuracy(), RarityWeightedAccuracy())]
    for score in scores:
        baseline = score.detail["baseline"]
        assert isinstance(baseline, float)
        assert score.value > baseline + 0.25


def test_what_is_independent_cannot_be_reconstructed() -> None:
    differences = []
    for seed in range(20):
        frame = table(seed, 400).with_columns(
            ill=pl.Series(np.random.default_rng(1_000 + seed).choice(list("xyzw"), 400))
        )
        data = icefire.table(frame.drop("old", "age"), qi=["town", "sex"], sa=["ill"])
        release = data.anonymize("mondrian(k=20)", seed=seed).secret
        score = RarityWeightedAccuracy().measure(release, guess_of(release.published, KIND.known(data.original, "qi")))
        baseline = score.detail["baseline"]
        assert isinstance(baseline, float)
        differences.append(score.value - baseline)
    # Whoever reads a class of 33 finds the most frequent value of it.
    assert 0 < np.mean(differences) < 0.15


def test_rare_values_are_guessed_where_they_are_likeliest() -> None:
    """One in ten of the men has it and one in a hundred of the women: the guess of whoever is paid for rare values."""
    frame = pl.DataFrame({"sex": ["m"] * 100 + ["f"] * 100, "ill": ["yes"] * 10 + ["no"] * 90 + ["yes"] + ["no"] * 99})
    data = Microdata(frame, Schema(qi=["sex"], sa=["ill"]))
    guess = guess_of(data, data.only(["sex"]))
    assert guess.values["ill"].unique().to_list() == ["no"]
    assert guess.rare_values["ill"].to_list() == ["yes"] * 100 + ["no"] * 100
    plain, weighted = judge(Release(data, data, np.arange(200)), guess)
    assert plain == 189 / 200
    assert weighted == (10 / 11 + 99 / 189) / 2


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1, max_size=14))
def test_the_rare_guess_has_the_best_expected_score(rows: list[tuple[str, str]]) -> None:
    """No other function from the known to the hidden value reconstructs more, if each row of a class is as likely."""
    frame = pl.DataFrame({"town": [row[0] for row in rows], "ill": [row[1] for row in rows]})
    data = Microdata(frame, Schema(qi=["town"], sa=["ill"]))
    guess = guess_of(data, data.only(["town"]))
    counts = {value: frame["ill"].to_list().count(value) for value in set(frame["ill"])}
    for person, (town, _) in enumerate(rows):
        inside = [value for place, value in rows if place == town]
        worth = {value: inside.count(value) / counts[value] for value in counts}
        assert worth[guess.rare_values["ill"][person]] == pytest.approx(max(worth.values()))


def test_numbers_named_as_categories_are_no_amounts() -> None:
    frame = pl.DataFrame({"sex": ["f"] * 20 + ["m"] * 20, "code": ["1"] * 20 + ["2"] * 20})
    schema = Schema(qi=["sex"], sa=["code"], columns={"code": Column(type="categorical")})
    data = Microdata(frame, schema)
    guess = guess_of(data, data.only(["sex"]))
    assert guess.values["code"].to_list() == frame["code"].to_list()
    assert "code" not in guess.intervals


def test_people_are_sampled_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.microdata.attack.reconstruction.PAIRS", 1_000)
    monkeypatch.setattr("icefire.microdata.attack.reconstruction.FEWEST", 100)
    data = icefire.table(table(5, 400), qi=["town", "sex", "age"], sa=["ill", "old"])
    release = data.anonymize("pram(keep=0.5)", seed=1).secret
    guess = guess_of(release.published, KIND.known(data.original, "qi"))
    assert guess.people is not None
    assert guess.people.size == 100
    assert len(guess.rare_values["ill"]) == 100
    assert AttributeDisclosure().measure(release, guess).detail["people sampled"] == 100
    assert judge(release, guess)[0] > 0.5


def test_nothing_hidden_is_undefined() -> None:
    data = Microdata(pl.DataFrame({"sex": ["f", "m"]}), Schema(qi=["sex"]))
    with pytest.raises(Undefined, match="nothing to infer"):
        Reconstruction().attack(data, data, np.random.default_rng(0))
    with pytest.raises(Undefined, match="no sensitive column"):
        ReconstructionAccuracy().measure(Release(data, data, np.arange(2)), Inference({}, {}))
