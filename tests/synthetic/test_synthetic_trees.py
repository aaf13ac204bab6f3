"""Trees against every possible split, and against scikit-learn's."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.seeds import generator
from icefire.datasets.cohort import Cohort
from icefire.synthetic.anonymize.network import Network
from icefire.synthetic.anonymize.sequential_trees import SequentialTrees
from icefire.synthetic.attack.boosted import Boosted
from icefire.synthetic.attack.neighbours import Neighbours
from icefire.synthetic.boosting import classifier, regressor
from icefire.synthetic.data import Floats, Guess, Ints, People, Release, Schema
from icefire.synthetic.encoding import binned
from icefire.synthetic.trees import NONE, Tree, grow, indicators
from icefire.synthetic.utility.pair_error import PairError


def error(groups: Ints, targets: Floats) -> float:
    """The squared error if each group is told by its mean."""
    parts = [targets[groups == group] for group in np.unique(groups)]
    return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))


@given(st.integers(0, 200), st.booleans(), st.integers(1, 4))
def test_one_split_is_the_best_of_all(seed: int, categorical: bool, least: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 5, (24, 2)).astype(np.int32)
    targets = rng.normal(size=(24, 1)) + codes[:, :1] % 2
    tree = grow(codes, (5, 5), (categorical, categorical), targets, least, depth=1)
    # Every half of the codes of every column, those that are in order if the column has one.
    halves = [
        (column, np.isin(codes[:, column], chosen))
        for column in range(2)
        for size in range(1, 5)
        for chosen in combinations(range(5), size)
        if categorical or chosen == tuple(range(size))
    ]
    allowed = [half for _, half in halves if least <= half.sum() <= 24 - least]
    best = min([error(half.astype(int), targets) for half in allowed], default=error(np.zeros(24, int), targets))
    assert error(tree.leaves(codes), targets) == pytest.approx(best)


def test_two_classes_split_by_gini_like_scikit_learn() -> None:
    sklearn = pytest.importorskip("sklearn.tree")
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 20, (500, 4)).astype(np.int32)
    classes = (codes[:, 0] + codes[:, 1] + rng.normal(0, 4, 500) > 20).astype(int)
    for depth in (1, 3, 6):
        mine = grow(codes, (20,) * 4, (False,) * 4, indicators(classes, 2), 5, depth)
        theirs = sklearn.DecisionTreeClassifier(max_depth=depth, min_samples_leaf=5, random_state=0).fit(codes, classes)
        found = [error(leaves, indicators(classes, 2)) for leaves in (mine.leaves(codes), theirs.apply(codes))]
        # Equally good splits may be followed by different ones.
        assert found[0] == pytest.approx(found[1], rel=0.02)


def test_leaves_have_enough_rows_and_parents_come_first() -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 8, (300, 3)).astype(np.int32)
    tree: Tree = grow(codes, (8,) * 3, (True, False, True), indicators(rng.integers(0, 4, 300), 4), least=7)
    leaves = tree.leaves(codes)
    assert np.bincount(leaves)[np.unique(leaves)].min() >= 7
    inner = np.flatnonzero(tree.columns != NONE)
    assert (tree.children[inner] > inner).all()
    assert sorted([*tree.children[inner], *(tree.children[inner] + 1)]) == list(range(1, tree.columns.size))


def test_nothing_to_split() -> None:
    codes = np.zeros((10, 1), dtype=np.int32)
    assert grow(codes, (1,), (False,), np.arange(10.0)[:, None]).leaves(codes).tolist() == [0] * 10
    same = np.arange(10, dtype=np.int32)[:, None]
    assert grow(same, (10,), (False,), np.ones((10, 1))).columns.tolist() == [NONE]


def test_rare_classes_count_together() -> None:
    codes = np.concatenate([np.repeat(np.arange(19), 3), np.arange(19, 40)])
    table = indicators(codes, 40)
    assert table.shape == (78, 20)
    assert table.sum(axis=0).tolist() == [3.0] * 19 + [21.0]


def test_boosting_is_as_right_as_that_of_scikit_learn() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    people = Cohort(n=600).generate(generator(1))
    codes = binned([people.members, people.control], people.facts)
    categorical = [not people.members[name].dtype.is_numeric() for name in people.facts]
    kinds = people.members["diagnosis"].unique().sort().to_list()
    train, test = (table["diagnosis"].cast(pl.Enum(kinds)).to_physical() for table in (people.members, people.control))
    model = classifier(codes.tables[0], codes.sizes, categorical, train.to_numpy().astype(int), len(kinds))
    mine = (model.chances(codes.tables[1]).argmax(axis=1) == test.to_numpy()).mean()
    other = ensemble.GradientBoostingClassifier(n_estimators=60, random_state=0).fit(codes.tables[0], train.to_numpy())
    assert mine >= other.score(codes.tables[1], test.to_numpy()) - 0.03
    numbers = regressor(codes.tables[0], codes.sizes, categorical, people.members["cost"].log().to_numpy())
    left = people.control["cost"].log().to_numpy() - numbers.outputs(codes.tables[1])[:, 0]
    theirs = ensemble.GradientBoostingRegressor(n_estimators=60, random_state=0)
    theirs.fit(codes.tables[0], people.members["cost"].log().to_numpy())
    gap = people.control["cost"].log().to_numpy() - theirs.predict(codes.tables[1])
    assert (left**2).mean() <= 1.1 * (gap**2).mean()


def test_columns_are_drawn_from_the_leaf_they_fall_into() -> None:
    """Each value of b goes with one value of a, so that a leaf of b is a value of a: no other pair is ever drawn."""
    table = pl.DataFrame({"a": [1, 2, 3, 4] * 30, "b": ["p", "q", "r", None] * 30})
    made = SequentialTrees(least=5).anonymize(People(table, table), generator(1)).published
    assert set(made.rows()) == set(table.rows())
    # Leaves of 120 people at least are the whole table: columns are drawn apart from each other.
    apart = SequentialTrees(least=61).anonymize(People(table, table), generator(1)).published
    assert len(set(apart.rows())) == 16


def test_trees_keep_more_than_a_network_of_pairs() -> None:
    people = Cohort(n=600).generate(generator(2))
    errors = [
        PairError().measure(people, method.anonymize(people, generator(3))).value
        for method in (SequentialTrees(), Network())
    ]
    assert errors[0] < errors[1]


def test_a_boosted_model_infers_numbers_texts_and_what_is_missing() -> None:
    rng = generator(1)
    group = rng.integers(0, 3, 300)
    table = pl.DataFrame(
        {
            "a": group,
            "pay": 100.0 * (1 + group),
            "ill": np.array(["x", "y", "z"])[group],
            "gone": pl.Series(group).replace_strict({0: "u", 1: None, 2: "v"}, return_dtype=pl.String),
            "empty": pl.Series([None] * 300, dtype=pl.Float64),
        }
    )
    people = People(table[:150], table[150:], Schema(hidden=["pay", "ill", "gone", "empty"]))
    guess = Boosted().attack(people.members, people.known("facts"), rng)
    assert guess.values is not None
    truth = people.candidates
    assert guess.values["ill"].equals(truth["ill"])
    assert guess.values["gone"].eq_missing(truth["gone"]).all()
    assert guess.values["pay"].to_numpy() == pytest.approx(truth["pay"].to_numpy(), rel=0.01)
    assert guess.values["empty"].null_count() == 300


def test_a_boosted_model_learns_the_population_and_a_neighbour_finds_copies() -> None:
    """On the original itself, the nearest row is the person's own: a model cannot do more than that."""
    people = Cohort(n=400).generate(generator(3))
    release, rng = Release(people, people.members), generator(1)
    guesses: list[Guess] = [a.attack(people.members, people.known("facts"), rng) for a in (Boosted(), Neighbours())]
    right = []
    for guess in guesses:
        assert guess.values is not None
        hits = (guess.values["diagnosis"] == release.original.candidates["diagnosis"]).to_numpy()
        right.append((hits[people.membership].mean(), hits[~people.membership].mean()))
    (model, others), (copies, guessed) = right
    assert copies == 1.0
    assert others > guessed
    assert model > others
