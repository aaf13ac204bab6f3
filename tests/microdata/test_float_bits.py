"""The last bits of numbers: what version 0.1 gave away, and that a grid gives none of it away."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Literal

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from icefire.core.attackers import Attacker
from icefire.core.errors import Undefined
from icefire.core.intervals import wilson
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.evaluation.runs import run_attacks
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.attack.float_bits import FloatBits
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.kind import MicrodataKind

datasets = pytest.importorskip("sklearn.datasets")
Floats = NDArray[np.float64]
Rng = np.random.default_rng
Unit = Literal["deviation", "absolute", "factor"]
Distribution = Literal["gaussian", "laplace", "uniform"]


def table_of(values: Floats) -> Microdata:
    frame = pl.DataFrame({f"column {place}": values[:, place] for place in range(values.shape[1])})
    return Microdata(frame, Schema(qi=[]))


def as_version_0_1(original: Microdata, scale: float, unit: Unit, distribution: Distribution) -> Release:
    """Noise as it was: the double that comes out, with all its bits."""
    release, rng = original.begin(Rng(1))
    width = np.sqrt(3)
    draws: dict[Distribution, Callable[[int], Floats]] = {
        "gaussian": lambda size: rng.standard_normal(size),
        "laplace": lambda size: rng.laplace(0.0, np.sqrt(0.5), size),
        "uniform": lambda size: rng.uniform(-width, width, size),
    }
    frame = release.published.frame
    for name in frame.columns:
        values = frame[name].to_numpy()
        error = scale * draws[distribution](values.size)
        spread = float(np.nanstd(values, ddof=1)) if unit == "deviation" else 1.0
        noisy = values * (1 + error) if unit == "factor" else values + error * spread
        frame = frame.with_columns(pl.Series(name, noisy))
    return Release(original, Microdata(frame, release.published.schema), release.rows)


def from_csv(published: Microdata) -> Microdata:
    return Microdata(pl.read_csv(io.BytesIO(published.frame.write_csv().encode())), published.schema)


@pytest.fixture(scope="module")
def cancer() -> Floats:
    """569 people, 30 columns."""
    values: Floats = datasets.load_breast_cancer().data
    return values


def test_everybody_is_found_in_a_release_of_version_0_1(cancer: Floats) -> None:
    """From the CSV file, without knowing scale, unit or distribution."""
    original = table_of(cancer)
    release = as_version_0_1(original, 10, "deviation", "uniform")
    guess = FloatBits().attack(from_csv(release.published), original, Rng(2))
    assert guess.found(release.rows) == pytest.approx(569)


@pytest.mark.parametrize(
    ("scale", "unit", "distribution", "share"),
    [
        (10, "deviation", "laplace", 0.99),
        (10, "deviation", "gaussian", 0.9),
        (3, "factor", "uniform", 0.99),
        (3, "factor", "gaussian", 0.9),
        (70, "absolute", "laplace", 0.99),
    ],
)
def test_no_distribution_hides_anybody(
    cancer: Floats, scale: float, unit: Unit, distribution: Distribution, share: float
) -> None:
    """The first 200 people."""
    original = table_of(cancer[:200])
    release = as_version_0_1(original, scale, unit, distribution)
    guess = FloatBits(match="assignment").attack(release.published, original, Rng(2))
    assert guess.found(release.rows) >= share * 200


def test_the_parameter_full_is_what_version_0_1_did(cancer: Floats) -> None:
    original = table_of(cancer)
    step = Noise(scale=10, distribution="laplace", decimals="full")
    release = Pipeline((step,)).anonymize(original, Rng(1))
    before = as_version_0_1(original, 10, "deviation", "laplace")
    tables = [made.published.frame[np.argsort(made.rows)] for made in (release, before)]
    assert tables[0].equals(tables[1])


@pytest.mark.parametrize("distribution", ["gaussian", "laplace", "uniform"])
def test_on_a_grid_nobody_is_found_by_bits(cancer: Floats, distribution: Distribution) -> None:
    """The suite finds what it found before; the attack says why it has nothing to go by."""
    original = table_of(cancer[:200])
    step = Noise(scale=10, distribution=distribution)
    release = Pipeline((step,)).anonymize(original, Rng(1))
    runs = run_attacks(Registry(), MicrodataKind(), release.published, Attacker(original, method=(step,)), 1)
    reasons = {run.attack.name: run.reason for run in runs if run.guess is None}
    assert reasons["float_bits"] == "no numbers were computed and published with all their bits"
    best = max(run.guess.found(release.rows) for run in runs if run.guess is not None)
    assert best / 200 < 0.15


def test_bits_on_a_grid_tell_nothing_even_if_one_looks(cancer: Floats) -> None:
    """What the exact count of 53-bit draws behind each published number finds is what `informed`
    finds."""
    original = table_of(cancer)
    step = Noise(scale=1, distribution="uniform")
    release = Pipeline((step,)).anonymize(original, Rng(1))
    runs = run_attacks(
        Registry(), MicrodataKind(), release.published, Attacker(original, method=(step,)), 1, ["informed"]
    )
    informed = runs[0].guess.found(release.rows)
    chances = np.zeros((569, 569))
    for name in original.numeric:
        known = original.frame[name].to_numpy()
        shown = release.published.frame[name].to_numpy()[:, None]
        decimals = step._decimals(original, name)
        assert decimals is not None
        half, width = 0.5 * 10.0**-decimals, float(np.nanstd(known, ddof=1)) * np.sqrt(3)
        # The numbers m of 53 bits for which value + width * (2 m / 2^53 - 1) is rounded to what was
        # published.
        ends = [np.clip((shown + side - known + width) / (2 * width), 0, 1) * 2.0**53 for side in (-half, half)]
        with np.errstate(divide="ignore"):
            chances += np.log(np.floor(ends[1]) - np.ceil(ends[0]) + 1.0)
    counted = (chances.argmax(axis=1) == release.rows).sum()
    interval = wilson(informed, 569)
    assert interval.low <= counted / 569 <= interval.high


def test_other_numbers_are_left_alone(cancer: Floats) -> None:
    """Values that are published as they are, and numbers that are no value with an error, have no
    draw behind them."""
    original = table_of(np.sqrt(cancer[:100]))
    with pytest.raises(Undefined, match="no numbers were computed"):
        FloatBits().attack(original.take(Rng(0).permutation(100)), original, Rng(0))
    products = Microdata(original.frame.select(pl.all() * np.pi + 3), original.schema)
    with pytest.raises(Undefined, match="are not those of values with errors"):
        FloatBits().attack(products, original, Rng(0))


def test_missing_values_stay_with_those_who_miss_them(cancer: Floats) -> None:
    values = cancer[:150].copy()
    values[::7, ::3] = np.nan
    frame = pl.DataFrame({f"{place}": values[:, place] for place in range(30)}).fill_nan(None)
    original = Microdata(frame, Schema(qi=[]))
    step = Noise(scale=10, distribution="uniform", decimals="full")
    release = Pipeline((step,)).anonymize(original, Rng(1))
    assert FloatBits().attack(release.published, original, Rng(2)).found(release.rows) >= 149
    gridded = Pipeline((Noise(scale=10),)).anonymize(original, Rng(1))
    assert gridded.published.frame.null_count().row(0) == original.frame.null_count().row(0)
