"""k-map and delta-presence against a comparison of every row with everybody."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import Undefined
from icefire.microdata.anonymize.generalize import Generalize
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.data import Microdata, Release
from icefire.microdata.examples import example
from icefire.microdata.safety.delta_presence import DeltaPresence
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.k_map import KMap
from scores import number


def sampled(original: Microdata, step: Mondrian | Generalize | None, kept: int) -> Release:
    """Some of the people, generalized."""
    rng = np.random.default_rng(kept)
    made = Release(original, original, np.arange(original.height)) if step is None else step.anonymize(original, rng)
    rows = rng.permutation(original.height)[:kept]
    return Release(made.original, made.published.take(rows), made.rows[rows])


def fitting(release: Release) -> np.ndarray:
    """[row, person]: whether the person fits all QI cells of the row."""
    people = release.original
    fits = np.ones((release.published.height, people.height), dtype=bool)
    for name in people.qi:
        cells = release.published.cells(name, people.domain(name))
        fits &= cells.fits[cells.codes][:, people.codes(name)]
    return fits


@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([None, Mondrian(k=2), Mondrian(k=8), Generalize(columns=("age",), width=10)]),
    st.integers(1, 29),
)
def test_every_row_against_everybody(seed: int, missing: bool, step: Mondrian | Generalize | None, kept: int) -> None:
    release = sampled(example(30, missing, seed), step, kept)
    fits = fitting(release)
    frame = release.published.frame.select(release.published.qi)
    alike = np.array([frame.rows().count(row) for row in frame.rows()])
    people = np.maximum(fits.sum(axis=1), alike)
    assert KMap().measure(release).value == people.min()
    assert KMap().measure(release).value >= KAnonymity().measure(release).value
    chance = np.minimum((fits / people[:, None]).sum(axis=0), 1.0)
    score = DeltaPresence().measure(release)
    assert score.value == pytest.approx(chance.max())
    assert number(score, "smallest") == pytest.approx(chance.min())
    assert number(score, "mean") == pytest.approx(chance.mean())


def test_a_population_in_a_file(tmp_path: Path) -> None:
    original = example(20)
    release = Mondrian(k=2).anonymize(original, np.random.default_rng(0))
    file = tmp_path / "people.parquet"
    pl.concat([original.frame] * 3).write_parquet(file)
    assert KMap(str(file)).measure(release).value == 3 * KAnonymity().measure(release).value
    assert DeltaPresence(str(file)).measure(release).value == pytest.approx(1 / 3)


def test_a_release_of_everybody_needs_a_population() -> None:
    original = example(20)
    release = Mondrian(k=2).anonymize(original, np.random.default_rng(0))
    for metric in (KMap(), DeltaPresence()):
        with pytest.raises(Undefined, match=rf"{metric.name}\(population='people.csv'\)"):
            metric.measure(release)


def test_rows_that_nobody_fits() -> None:
    original = example(6)
    changed = original.frame.with_columns(age=pl.lit(99))
    release = Release(original, Microdata(changed[:2], original.schema), np.arange(2))
    assert KMap().measure(release).detail["rows that nobody fits"] == 2
    assert DeltaPresence().measure(release).value == 0.0
