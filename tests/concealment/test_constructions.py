"""The slides' examples, and constructions against exact optima."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from icefire.cli.main import icefire
from icefire.concealment import Design
from icefire.concealment.audit import audit
from icefire.concealment.designs import design
from icefire.concealment.graph import Graph
from icefire.concealment.greedy import concealed, k_one, one_k, trimmed
from icefire.concealment.neighbours import nearest
from icefire.concealment.space import Space, taken
from icefire.concealment.worlds import count_worlds, marginals
from icefire.core.errors import DataError, ParameterError, Undefined
from icefire.datasets.households import Households
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.anonymize.k_member import KMember
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.attack.posterior import Posterior
from icefire.microdata.concealing import graph_of, graph_of_release, space_of
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.k_concealment import KConcealment
from icefire.microdata.safety.re_identification import ReIdentification
from icefire.microdata.schema import Column
from icefire.microdata.utility.entropy_loss import EntropyLoss
from icefire.microdata.utility.loss import Loss

Rng = np.random.default_rng
DESIGNS = ("greedy", "exchange", "ring", "tsp", "lsap", "flow")


def table(names: str, *rows: tuple[object, ...]) -> Microdata:
    columns = names.split()
    return Microdata(pl.DataFrame(rows, schema=columns, orient="row"), Schema(qi=columns))


def people(n: int = 60, seed: int = 0) -> Microdata:
    rng = Rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "job": rng.choice(["a", "b", "c", "d"], n),
            "zip": pl.Series(rng.choice(["x", "y", ""], n, p=[0.5, 0.4, 0.1])).replace("", None),
            "pay": rng.integers(1, 100, n),
        }
    )
    return Microdata(frame, Schema(qi=["age", "job", "zip"], sa=["pay"]))


def test_ages_and_zips_of_the_slides() -> None:
    original = table("age zip", (30, "10055"), (25, "10055"), (21, "10023"), (55, "10165"), (47, "10224"))
    released = table(
        "age zip",
        ("[25..30]", "10055"),
        ("[21..30]", "100**"),
        ("[21..25]", "100**"),
        ("[47..55]", "10***"),
        ("[47..55]", "10***"),
    )
    graph = graph_of(original, released, np.arange(5))
    assert graph.matches()[0].min() == 2
    assert count_worlds(graph).exact == 6
    assert not audit(graph, 2, Rng(0)).complete


def test_complete_and_not_complete() -> None:
    original = table("age sex", (10, "F"), (20, "M"), (40, "M"), (50, "F"))
    cells = [("[10..50]", "F"), ("[10..20]", "{F|M}"), ("[20..40]", "M"), ("[40..50]", "{F|M}")]
    whole = audit(graph_of(original, table("age sex", *cells), np.arange(4)), 2, Rng(0))
    assert (whole.complete, whole.k, whole.worlds.exact) == (True, 2, 2)
    # A cycle of four: a leaked link leaves a single world, so the three other records are exposed.
    assert whole.exposed_most == 3
    cells[1] = ("[10..40]", "{F|M}")
    more = audit(graph_of(original, table("age sex", *cells), np.arange(4)), 2, Rng(0))
    assert (more.complete, more.k) == (False, 2)


@pytest.mark.parametrize(("items", "least"), [({1, 5}, 2), ({1, 2}, 1)])
def test_alice_and_bob_record_by_record(items: set[int], least: int) -> None:
    """Dates 1 to 4 of December and items; with the slide's {1, 2} one record has one match only."""
    records = np.array([(2, 3), (3, 1), (4, 4), (1, 2), (2, 5)])
    released = [((1, 2), {2, 3}), ((2, 3), items), ((2, 4), {4, 5}), ((1, 2), {2, 3}), ((2, 4), {1, 4, 5})]
    dates = np.array([[low <= date <= high for date in range(6)] for (low, high), _ in released])
    kinds = np.array([[item in inside for item in range(6)] for _, inside in released])
    cells = np.stack([np.arange(5), np.arange(5)], axis=1)
    covers = np.array([[dates[j, date] and kinds[j, item] for j in range(5)] for date, item in records])
    if least == 1:
        assert covers[:, 1].tolist() == [False, True, False, False, False]
        # What was made from (12/2, 5) does not cover it any more; the graph still has perfect matchings.
        graph = Graph.of_cells(records, cells, [dates, kinds])
        assert graph.matches()[0][1] == 1
        return
    # The releases are listed by pseudonym; any perfect matching tells the matches.
    graph = Graph.of_cells(records, cells, [dates, kinds])
    assert graph.matches()[0].min() == least


@pytest.mark.parametrize("how", DESIGNS)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_every_design_conceals(how: Design, k: int) -> None:
    original = people()
    for randomized in (True, False):
        release = Conceal(k=k, design=how, candidates=20, randomized=randomized).anonymize(original, Rng(1))
        found = audit(graph_of_release(release), k, Rng(0))
        assert found.below == 0
        assert KConcealment().measure(release).value >= k


@pytest.mark.parametrize("how", DESIGNS[1:])
def test_complete_designs_are_k_perfect_matchings(how: Design) -> None:
    original = people()
    space = space_of(original, original.qi)
    found = design(space, nearest(space, 15), 4, how)
    assert np.array_equal(found[:, 0], np.arange(60))
    assert (np.sort(found, axis=1)[:, 1:] != np.sort(found, axis=1)[:, :-1]).all()
    assert np.bincount(found.ravel()).tolist() == [4] * 60


@pytest.mark.parametrize(("k", "seed"), [(2, 0), (3, 1), (4, 2)])
def test_flow_is_the_optimum_of_the_integer_program(k: int, seed: int) -> None:
    original = people(12, seed)
    space = space_of(original, original.qi)
    found = design(space, nearest(space, 11), k, "flow")
    size = space.size
    rows, columns = (place.ravel() for place in np.indices((size, size)))
    cost = space.pair_loss(rows, columns)
    sums = [[(line == number).astype(float) for number in range(size)] for line in (rows, columns)]
    own = (rows == columns).astype(float)
    best = milp(
        cost,
        constraints=LinearConstraint(np.vstack([*sums[0], *sums[1]]), k, k),
        bounds=Bounds(own, np.ones(size * size)),
        integrality=np.ones(size * size, int),
    )
    assert best.fun is not None
    ours = space.pair_loss(np.repeat(np.arange(size), k), found.ravel()).sum()
    assert ours == pytest.approx(best.fun, abs=size * k * 1e-6)
    for other in ("lsap", "tsp", "ring"):
        partners = design(space, nearest(space, 11), k, other)
        assert space.pair_loss(np.repeat(np.arange(size), k), partners.ravel()).sum() >= best.fun - 1e-4


def test_guarantee_of_each_greedy_stage() -> None:
    original = people(80, 3)
    space = space_of(original, original.qi)
    near = nearest(space, 20)

    def covered(boxes: object) -> np.ndarray:
        rows, columns = (place.ravel() for place in np.indices((80, 80)))
        return space.holds(taken(boxes, columns), rows).reshape(80, 80)  # type: ignore[arg-type]

    k = 4
    first = k_one(space, near, k)
    assert covered(first).sum(axis=0).min() >= k
    assert covered(k_one(space, near, k, "nearest")).sum(axis=0).min() >= k
    both = one_k(space, near, first, k)
    assert covered(both).sum(axis=0).min() >= k
    assert covered(both).sum(axis=1).min() >= k
    hidden = concealed(space, near, both, k)
    both, people_only = (trimmed(space, near, hidden, k, of_rows=rows) for rows in (k, 1))
    for boxes in (hidden, both, people_only):
        assert Graph.of_edges(sparse.csr_array(covered(boxes)), np.arange(80)).matches()[0].min() >= k
    assert Graph.of_edges(sparse.csr_array(covered(both)), np.arange(80)).matches()[1].min() >= k
    assert space.loss(people_only).mean() < space.loss(both).mean() < space.loss(hidden).mean()


def test_concealment_loses_less_than_k_anonymity_on_households() -> None:
    original = Households(n=600).generate(Rng(0))
    lost = {
        name: Loss().measure(original, method.anonymize(original, Rng(0))).value
        for name, method in {
            "mondrian": Mondrian(k=5),
            "k_member": KMember(k=5),
            "conceal": Conceal(k=5),
        }.items()
    }
    assert lost["conceal"] < lost["k_member"] < lost["mondrian"]


def test_k_anonymity_implies_k_concealment() -> None:
    original = people(90, 5)
    for method in (Mondrian(k=4), KMember(k=4)):
        release = method.anonymize(original, Rng(0))
        assert KConcealment().measure(release).value >= KAnonymity().measure(release).value >= 4


def test_matches_are_not_equally_likely() -> None:
    """Who fits the two wide rows alone is behind each of them in half of the worlds, the others in a quarter."""
    original = table("age", (10,), (20,), (30,))
    released = table("age", ("[10..20]",), ("[10..30]",), ("[10..30]",))
    for seed in range(5):
        assert Posterior().attack(released, original, Rng(seed)).rows[1:].tolist() == [2, 2]


def test_trimmed_rows_are_worth_less_than_k() -> None:
    """Drawn from all assignments, more than one in five is found on average, and as many as the chances say."""
    original = people(120, 7)
    step = Conceal(k=5, design="greedy", trim="people")
    found, expected = [], []
    for seed in range(6):
        release = step.anonymize(original, Rng(seed))
        guess = Posterior().attack(release.published, original, Rng(0))
        found.append(ReIdentification().measure(release, guess).value)
        graph = graph_of_release(release)
        expected.append(marginals(graph).max(axis=0).toarray()[graph.released].mean())
    # One in five of 720 has a standard deviation of 0.015.
    assert np.mean(found) > 0.2 + 2 * 0.015
    assert np.mean(found) == pytest.approx(np.mean(expected), abs=3 * 0.015)


def test_entropy_loss_by_hand() -> None:
    original = table("age", (10,), (10,), (20,), (30,))
    released = table("age", ("10",), ("[10..20]",), ("[10..20]",), ("[10..30]",))
    third = -(2 / 3 * np.log2(2 / 3) + 1 / 3 * np.log2(1 / 3))
    expected = (0 + 2 * third + 1.5) / 4
    assert EntropyLoss().measure(original, Release(original, released, np.arange(4))).value == pytest.approx(expected)


def test_too_many_pairs_raise_before_they_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.concealment.graph.MOST", 8)
    original, released = table("age", (10,), (20,), (30,)), table("age", *[("[10..30]",)] * 3)
    with pytest.raises(DataError, match="9 pairs of a record and a row that covers it are too many"):
        graph_of(original, released)
    assert graph_of(original, released, np.arange(3)).matches()[0].tolist() == [3, 3, 3]


def test_the_posterior_needs_no_matching_where_there_are_too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    original = table("age", *[(age,) for age in Rng(3).integers(20, 60, 40)])
    release = Conceal(k=3).anonymize(original, Rng(0))
    whole = Posterior().attack(release.published, original, Rng(0))
    monkeypatch.setattr("icefire.concealment.graph.MOST", 8)
    guess = Posterior().attack(release.published, original, Rng(0))
    assert whole.chances is not None
    assert guess.chances is not None
    assert guess.chances.toarray() == pytest.approx(whole.chances.toarray())


@pytest.mark.parametrize("how", DESIGNS)
@pytest.mark.parametrize("n", [2, 3, 30])
def test_identical_records(how: Design, n: int) -> None:
    release = Conceal(k=2, design=how).anonymize(table("age", *[(7,)] * n), Rng(0))
    assert release.published.frame["age"].to_list() == ["7"] * n


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("how", DESIGNS)
def test_loss_of_boxes_agrees_with_the_metric(how: Design, missing: bool) -> None:
    rng = Rng(4)
    ages = [None if missing and rng.random() < 0.1 else int(age) for age in rng.integers(20, 60, 50)]
    frame = pl.DataFrame({"age": ages, "height": rng.integers(150, 190, 50), "job": rng.choice(["a", "b", "c"], 50)})
    schema = Schema(qi=["age", "height", "job"], columns={"height": Column(hierarchy=Hierarchy(widths=(5, 10)))})
    original = Microdata(frame, schema)
    step = Conceal(k=3, design=how, candidates=20)
    space = space_of(original, original.qi)
    expected = Loss().measure(original, step.anonymize(original, Rng(0))).value
    order = Rng(0).permutation(50)
    shuffled = Space([column.take(order) for column in space.columns])
    assert shuffled.loss(step._boxes(shuffled)[0]).mean() == pytest.approx(expected)


def test_invalid_input_raises() -> None:
    original = people(5)
    with pytest.raises(ParameterError, match=r"'trim' parameter of Conceal needs design='greedy'"):
        Conceal(trim="people")
    with pytest.raises(ParameterError, match=r"must be at most the number of rows, 5\. Got 6 instead"):
        Conceal(k=6).anonymize(original, Rng(0))
    with pytest.raises(DataError, match="'99' in column 'age' stands for no value of the original"):
        graph_of(table("age", (10,), (20,)), table("age", ("10",), ("99",)))
    with pytest.raises(DataError, match="released record 1 does not cover the original record 2 it was made from"):
        graph_of(table("age", (10,), (20,)), table("age", ("10",), ("20",)), np.array([1, 0]))
    with pytest.raises(DataError, match="no perfect matching"):
        graph_of(table("age", (10,), (20,)), table("age", ("10",), ("10",)))
    with pytest.raises(DataError, match="names original record 1 2 times and record 2 0 times"):
        graph_of(table("age", (10,), (20,)), table("age", ("10",), ("[10..20]",)), np.array([0, 0]))
    halved = Release(original, original.take([0, 1]), np.array([0, 1]))
    with pytest.raises(Undefined, match="does not hold every record exactly once"):
        KConcealment().measure(halved)


def test_the_command(tmp_path: Path) -> None:
    run = CliRunner().invoke
    run(icefire, ["data", "microdata", "--n", "60", "--out", str(tmp_path / "data")])
    line = [
        "conceal",
        "make",
        "--in",
        str(tmp_path / "data"),
        "--out",
        str(tmp_path / "release"),
        "--k",
        "3",
        "--seed",
        "1",
    ]
    made = run(icefire, [*line, "--design", "lsap"])
    assert made.exit_code == 0, made.output
    assert "The release is 3-concealed" in made.output
    for more in ([], ["--without-secret"]):
        told = run(icefire, ["conceal", "check", "--in", str(tmp_path / "release"), "--k", "3", "--json", *more])
        assert told.exit_code == 0, told.output
        assert json.loads(told.output)["least_matches"] >= 3
    much = run(icefire, ["conceal", "check", "--in", str(tmp_path / "release"), "--k", "50"])
    assert much.exit_code == 1
