"""Published numbers lie on a grid, and every point of it can have come from every value."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from icefire.core.grid import decimals_of, is_full, own_decimals, rounded
from icefire.history.anonymize.noise import Noise as PriceNoise
from icefire.history.examples import records
from icefire.microdata.anonymize.microaggregate import Microaggregate
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.anonymize.round import Round
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.schema import Column
from icefire.synthetic.anonymize.gaussian_copula import GaussianCopula
from icefire.synthetic.data import People
from icefire.synthetic.privacy import gaussian, laplace

Rng = np.random.default_rng
Distribution = Literal["gaussian", "laplace", "uniform"]
Unit = Literal["deviation", "absolute", "factor"]
DISTRIBUTIONS, UNITS = get_args(Distribution), get_args(Unit)
BITS = 2.0**53


class Scripted:
    """A generator whose first error is the number of 53 bits that is nearest to the wanted one."""

    def __init__(self, wanted: float) -> None:
        self.wanted = wanted
        self.rng = Rng(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rng, name)

    def uniform(self, low: float, high: float, size: int) -> np.ndarray:
        share = np.rint((self.wanted - low) / (high - low) * BITS) / BITS
        return self._first(low + (high - low) * share, size)

    def laplace(self, _: float, decay: float, size: int) -> np.ndarray:
        tail = np.rint(np.exp(-abs(self.wanted) / decay) * BITS / 2) / BITS * 2
        return self._first(np.sign(self.wanted) * -decay * np.log(tail), size)

    def standard_normal(self, size: int) -> np.ndarray:
        # The coarsest lattice of numpy's ziggurat is finer than this.
        return self._first(np.rint(self.wanted * 2.0**50) / 2.0**50, size)

    def normal(self, _: float, scale: float, size: int) -> np.ndarray:
        return scale * self.standard_normal(size)

    def _first(self, draw: float, size: int) -> np.ndarray:
        return np.array([draw, *np.zeros(size - 1)])


def amounts(values: list[float] | np.ndarray) -> Microdata:
    return Microdata(pl.DataFrame({"pay": np.asarray(values, dtype=np.float64)}), Schema(qi=[]))


@given(
    st.lists(st.integers(-(10**6), 10**6), min_size=3, max_size=6, unique=True),
    st.integers(0, 4),
    st.floats(-1.7, 1.7),
    st.sampled_from([0.01, 0.1, 0.3, 1.0, 10.0]),
    st.sampled_from(UNITS),
    st.sampled_from(DISTRIBUTIONS),
)
def test_every_value_on_the_grid_can_have_led_to_what_was_published(
    points: list[int], decimals: int, draw: float, scale: float, unit: Unit, distribution: Distribution
) -> None:
    """For a value and a point of the grid that its error reaches, there is a draw of 53 bits
    between them."""
    values = np.array(points) / 10.0**decimals
    spread = {"deviation": values.std(ddof=1), "absolute": 1.0, "factor": values[0]}[unit] * scale
    assume(points[0] != 0)
    step = Noise(scale=scale, unit=unit, distribution=distribution)
    grid = step._decimals(amounts(values), "pay")
    assert grid is not None
    target = float(rounded(values[0] + draw * spread, grid))
    wanted = (target - values[0]) / spread
    assume(abs(wanted) < 1.73)
    release = step.anonymize(amounts(values), Scripted(wanted))  # type: ignore[arg-type]
    assert release.published.frame["pay"][int(np.flatnonzero(release.rows == 0)[0])] == target


@given(st.integers(1, 10**6), st.floats(-4, 4), st.sampled_from([0.01, 0.3, 1.0]))
def test_every_price_can_have_led_to_what_was_published(pence: int, draw: float, scale: float) -> None:
    """The same for factors on the prices of histories."""
    price = pence / 100
    target = max(round(price * np.exp(draw * scale), 2), 0.01)
    log = records(f"ann 2011-01-03 tea {price} 1")
    wanted = float(np.log(target / price)) / scale
    made = PriceNoise(price=scale).anonymize(log, Scripted(wanted))  # type: ignore[arg-type]
    assert made.published.frame["price"][0] == target


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("scale", [0.01, 10.0])
def test_noise_is_published_with_few_digits(distribution: Distribution, unit: Unit, scale: float) -> None:
    """Sums of doubles leave thousands of doubles between their points, and write no digit too
    many."""
    original = amounts(Rng(0).normal(50, 20, 400))
    published = Noise(scale, unit, distribution).anonymize(original, Rng(1)).published.frame["pay"]
    assert not is_full(published.to_numpy())
    assert max(len(text.partition(".")[2]) for text in published.cast(pl.String)) <= 10
    prices = amounts(Rng(0).normal(50, 20, 400).round(2))
    shown = Noise(scale, unit, distribution).anonymize(prices, Rng(1)).published.frame["pay"]
    assert max(len(text.partition(".")[2]) for text in shown.cast(pl.String)) <= 2


def test_averages_and_multiples_lie_on_a_grid() -> None:
    """Sums of a third have endless digits, and so has 3 times 0.1."""
    original = amounts(Rng(0).normal(50, 20, 400))
    assert not is_full(Microaggregate(k=3).anonymize(original, Rng(1)).published.frame["pay"].to_numpy())
    flags = Microaggregate(k=3).anonymize(amounts([0, 0, 1, 1, 1, 1]), Rng(1)).published.frame["pay"]
    assert set(flags) <= {0.0, 0.33, 0.67, 1.0}
    multiples = Round(base=0.1).anonymize(original, Rng(1)).published.frame["pay"].cast(pl.String)
    assert max(len(text.partition(".")[2]) for text in multiples) == 1


def test_synthetic_numbers_have_the_decimals_of_their_column() -> None:
    prices = pl.DataFrame({"pay": Rng(0).normal(50, 20, 400).round(2), "raw": Rng(1).normal(50, 20, 400)})
    made = GaussianCopula().anonymize(People(prices, prices), Rng(2)).published
    assert own_decimals(made["pay"].to_numpy()) == 2
    assert not is_full(made["raw"].to_numpy())


def test_noisy_counts_are_whole() -> None:
    counts = np.array([0.0, 7.0, 100.0])
    for noisy in (laplace(counts, 0.3, Rng(0)), gaussian(counts, 0.05, Rng(0))):
        assert (noisy == np.rint(noisy)).all()
        assert (noisy != counts).any()


def test_zero_has_no_sign() -> None:
    """It would tell on which side of zero the number was."""
    assert not np.signbit(rounded([-0.001, 0.001, -0.0], 2)).any()
    assert not np.signbit(rounded([-4.0, 4.0], -1)).any()


@given(st.floats(-1e6, 1e6))
def test_no_single_person_decides_the_grid(value: float) -> None:
    others = Rng(0).normal(50, 20, 400).round(2)
    assert decimals_of(np.append(others, value), spread=2.0) == 2


def test_decimals_that_are_declared_need_no_look_at_the_data() -> None:
    original = amounts(Rng(0).normal(50, 20, 400).round(4))
    declared = Microdata(original.frame, Schema(qi=[], sa=["pay"], columns={"pay": Column(decimals=1)}))
    for step, table in ((Noise(), declared), (Noise(decimals=1), original)):
        published = step.anonymize(table, Rng(1)).published.frame["pay"].to_numpy()
        assert own_decimals(published) == 1


def test_errors_of_any_size_leave_room_between_points() -> None:
    """A grid of 15 decimals below an error of a million would be no grid."""
    assert decimals_of([0.125, 0.5], spread=1e6, declared=15) == 2
    assert decimals_of([1e15 + 1 / 8, 1e15], spread=1e-9, declared=15) == -3
    assert decimals_of(np.sqrt([2, 3]), spread=1e-30) == 11
