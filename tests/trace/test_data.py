"""Grids, cells and scores, small enough to check by hand."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.errors import DataError
from icefire.trace.anonymize.krr import Krr
from icefire.trace.anonymize.mrlh import Mrlh
from icefire.trace.anonymize.yamaoka import Yamaoka
from icefire.trace.data import NOTHING, Cells, Guess, Release, Traces, cells_of_groups
from icefire.trace.grid import Grid
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety
from icefire.trace.utility.closeness import Closeness
from icefire.trace.utility.closeness_paper import ClosenessPaper

Rng = np.random.default_rng
LINE = Grid(rows=1, columns=4, cell_height=1.0, cell_width=1.0)


def walk(*places: int) -> Traces:
    return Traces(np.array([places]), np.array([places]), LINE, sensitive=np.array([False, False, False, True]))


def test_the_grid_of_the_contest() -> None:
    grid = Grid()
    assert grid.regions == 1024
    assert grid.distances[0, 1] == pytest.approx(0.34125)
    assert grid.distances[0, 32] == pytest.approx(0.346875)
    assert grid.locate(np.array([35.65, 35.7499]), np.array([139.68, 139.7999])).tolist() == [0, 1023]
    with pytest.raises(DataError, match=r"row 2: \(36.0, 139.7\) lies outside the map"):
        grid.locate(np.array([35.7, 36.0]), np.array([139.7, 139.7]))
    assert grid.nearest(np.array([[-5.0, -5.0], [99.0, 99.0]])).tolist() == [0, 1023]
    assert len(set(grid.blocks(2, 2).tolist())) == 256
    assert grid.neighbourhood(1).sum(axis=1)[[0, 1, 33]].tolist() == [4, 6, 9]


def test_utility_by_hand_in_both_readings() -> None:
    original = walk(0, 0, 0)
    # A region 1 km away, a set of 1 and 3 km, a deletion; the radius is 2 km.
    cells = Cells(np.array([[1, 4, NOTHING]]), 4, np.array([0, 2]), np.array([1, 3]))
    release = Release(original, cells, np.array([0]))
    assert Closeness().measure(original, release).value == pytest.approx((0.5 + (0.5 + 0) / 2 + 0) / 3)
    assert ClosenessPaper().measure(original, release).value == pytest.approx((0.5 + 0 + 0) / 3)


def test_safety_by_hand() -> None:
    places = np.array([[0, 0], [1, 3], [2, 2]])
    original = Traces(places, places, LINE, sensitive=np.array([False, False, False, True]))
    # The paper's example: pseudonyms belong to users 2, 3, 1; the guess names 2, 2, 1.
    release = Release(original, original.cells, np.array([1, 2, 0]))
    guess = Guess(np.array([1, 1, 0]), np.array([[0, 0], [1, 1], [2, 0]], dtype=np.int32))
    assert IdSafety().measure(release, guess).value == pytest.approx(1 / 3)
    # Wrong: (user 1, time 2) by 2 km in a sensitive region, (user 2, time 2) by 2 km; weights 1 1 1 10 1 1.
    assert TraceSafety().measure(release, guess).value == pytest.approx((10 + 1) / 15)


def test_cells_keep_sets_once() -> None:
    codes = np.array([[0, 3], [NOTHING, 2]])
    cells = cells_of_groups(codes, np.array([0, 0, 1, 1]), 4)
    assert cells.spread.toarray()[cells.codes[0, 0]].tolist() == [0.5, 0.5, 0, 0]
    assert cells.codes[1, 0] == NOTHING
    assert cells.codes[0, 1] == cells.codes[1, 1]
    drawn = cells.drawn(Rng(0))
    assert drawn[0, 0] in (0, 1)
    assert drawn[0, 1] in (2, 3)
    assert cells.counts().sum() == 3


def test_bad_cells_are_refused() -> None:
    with pytest.raises(DataError, match=r"regions 1\.\.4"):
        Cells(np.array([[4]]), 4)
    with pytest.raises(DataError, match=r"a set holds a region outside 1\.\.4"):
        Cells(np.array([[4]]), 4, np.array([0, 1]), np.array([7]))
    with pytest.raises(DataError, match="reference trace holds a region outside"):
        Traces(np.array([[9]]), np.array([[0]]), LINE)
    with pytest.raises(DataError, match="does not name every user once"):
        Release(walk(0), walk(0).cells, np.array([1]))
    merged = Mrlh(x=1).anonymize(walk(0, 1), Rng(0))
    with pytest.raises(DataError, match="put this step before"):
        Krr().anonymize(walk(0, 1).with_cells(merged.cells), Rng(0))


def test_randomized_response_keeps_what_it_promises() -> None:
    places = np.zeros((1, 20_000), dtype=np.int64)
    original = Traces(places, places, LINE)
    release = Krr(epsilon=1.0).anonymize(original, Rng(0))
    kept = float((release.cells.codes == 0).mean())
    assert kept == pytest.approx(np.e / (np.e + 3), abs=0.015)
    assert {1, 2, 3} < set(release.cells.codes.ravel().tolist())


def test_yamaoka_publishes_everything_under_other_names() -> None:
    places = np.arange(4).reshape(4, 1)
    original = Traces(places, places, LINE)
    release = Yamaoka(share=0.5).anonymize(original, Rng(1))
    assert sorted(release.cells.codes.ravel().tolist()) == [0, 1, 2, 3]
    assert release.cells.codes[2:].ravel().tolist() == [2, 3]


def test_similarities_of_visits_agree_with_their_formulas() -> None:
    from icefire.trace.attack.jensen_shannon import JensenShannon
    from icefire.trace.attack.tf_idf import TfIdf
    from icefire.trace.examples import example

    traces = example(12)
    published, knowledge = traces.cells, traces.knowledge
    seen, known = (
        np.array([np.bincount(row, minlength=64) for row in side], dtype=float)
        for side in (published.codes, knowledge.regions)
    )
    divergence = JensenShannon().scores(published, knowledge)
    for i in range(12):
        for j in range(12):
            p, q = seen[i] / seen[i].sum(), known[j] / known[j].sum()
            m = (p + q) / 2
            kl = [sum(x * np.log2(x / y) for x, y in zip(side, m, strict=True) if x > 0) for side in (p, q)]
            assert divergence[i, j] == pytest.approx(1 - sum(kl) / 2)
    cosine = TfIdf().scores(published, knowledge)
    assert ((cosine >= -1e-12) & (cosine <= 1 + 1e-12)).all()
    assert np.array_equal(cosine > 1e-12, (np.minimum(seen, 1) @ np.minimum(known, 1).T) > 0)
