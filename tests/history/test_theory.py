"""The checks of the cost models, and agreement with simulation."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from icefire.cli.main import icefire
from icefire.core.errors import ParameterError
from icefire.history.theory.clusters import OverlapModel
from icefire.history.theory.distinct import distinct_distribution, expected_distinct
from icefire.history.theory.dummies import (
    dummies_of_clustering,
    expected_dummies,
    expected_dummies_by_item,
    expected_dummies_by_item_and_user,
    expected_dummies_by_user,
    records_of_most_dummies,
)


def test_published_checks() -> None:
    for l in (3, 10, 100):  # noqa: E741
        assert distinct_distribution(4, l)[2] == pytest.approx(7 / l**2 * (1 - 1 / l))
    assert int(np.argmax(distinct_distribution(50, 100))) == 40
    assert expected_dummies(400, 38_000, 2_700, 50) == pytest.approx(227_658.4, abs=0.05)
    assert records_of_most_dummies(400, 100, 20) == 6_275
    assert records_of_most_dummies(400, 1000, 20) == 63_037
    clusters = [[{"A"}, {"A", "B"}], [{"C"}, {"C", "D"}, {"C", "E"}], [{"F", x} for x in "GHIJ"]]
    assert dummies_of_clustering(clusters) == 17
    assert OverlapModel(400, 65, 0.03).fewest_clusters == 23
    assert OverlapModel(400, 65, 0.03).best_clusters() == 130
    assert OverlapModel(4000, 65, 0.03).best_clusters() == 1296
    assert OverlapModel(400, 65, 0.03).best_clusters_closed_form() == 143
    assert OverlapModel(4000, 65, 0.03).best_clusters_closed_form() == 1427


@given(st.integers(0, 40), st.integers(1, 30))
def test_distribution_and_mean_agree(records: int, items: int) -> None:
    distribution = distinct_distribution(records, items)
    assert distribution.sum() == pytest.approx(1)
    assert distribution @ np.arange(distribution.size) == pytest.approx(expected_distinct(records, items))


@given(st.integers(2, 60), st.integers(2, 50), st.floats(0.5, 30), st.data())
def test_the_general_models_contain_the_simple_one(users: int, items: int, each: float, data: st.DataObject) -> None:
    clusters = data.draw(st.integers(1, users))
    simple = expected_dummies(users, each * users, items, clusters)
    even, counts = np.ones(items), np.full(users, each)
    assert expected_dummies_by_item(users, each * users, clusters, even) == pytest.approx(simple, abs=1e-6)
    assert expected_dummies_by_user(items, clusters, counts) == pytest.approx(simple, abs=1e-6)
    assert expected_dummies_by_item_and_user(clusters, even, counts) == pytest.approx(simple, abs=1e-6)


def test_simulated_histories_cost_what_the_model_says() -> None:
    rng = np.random.default_rng(0)
    users, clusters, popularity = 60, 12, rng.dirichlet(np.ones(80))
    counts = rng.integers(5, 40, users)
    made = []
    for _ in range(200):
        sets = [set(rng.choice(80, b, p=popularity).astype(str)) for b in counts]
        # The model takes clusters of m/c records each: deal customers so that sums come out about even.
        order = np.argsort(counts)
        groups = [[sets[i] for i in np.concatenate([order[c::24], order[::-1][c::24]])[:5]] for c in range(clusters)]
        made.append(dummies_of_clustering(groups))
    assert expected_dummies_by_item_and_user(clusters, popularity, counts) == pytest.approx(np.mean(made), rel=0.05)


def test_impossible_questions() -> None:
    with pytest.raises(ParameterError, match="from 1 to the number of users, 400"):
        expected_dummies(400, 1, 10, 500)
    with pytest.raises(ParameterError, match="at least 1"):
        distinct_distribution(3, 0)
    with pytest.raises(ParameterError, match="positive numbers"):
        expected_dummies_by_item(10, 10, 2, [0.5, 0.0])


@pytest.mark.parametrize(
    ("arguments", "key", "value"),
    [
        (["dummies", "--n", "400", "--m", "38000", "--l", "2700", "--c", "50"], "dummies", 227_658.4),
        (["dummies", "--n", "400", "--m", "1", "--l", "100", "--c", "20"], "records_of_most_dummies", 6_275),
        (["distinct", "--x", "50", "--l", "100"], "mode", 40),
        (["clusters", "--n", "400", "--b", "65", "--mu", "0.03"], "clusters", 130),
        (["clusters", "--n", "4000", "--b", "65", "--mu", "0.03"], "closed_form", 1_427),
    ],
)
def test_the_command(arguments: list[str], key: str, value: float) -> None:
    result = CliRunner().invoke(icefire, ["theory", *arguments, "--json"])
    assert json.loads(result.stdout)[key] == pytest.approx(value, abs=0.05)
    assert CliRunner().invoke(icefire, ["theory", *arguments]).exit_code == 0
