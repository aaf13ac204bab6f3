"""Random errors on amounts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from icefire.core.grid import FULL, Decimals, decimals_of, rounded
from icefire.core.parameters import Above
from icefire.microdata.cells import Cells, Floats
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer

TINY = 1e-12
"""Least spread of an error: a factor leaves 0 as it is."""
LARGEST = float(np.nextafter(2.0**63, 0.0))
"""The largest number that is an integer of 64 bits, too."""


@dataclass(frozen=True)
class Noise(Anonymizer):
    """Add a random error to amounts, or multiply them by a random factor.

    The error has mean 0 (or the factor mean 1) and the given standard deviation, whatever its distribution. The sum is
    rounded to a grid before it is published: integers stay integers, prices keep their cents, and of numbers with many
    decimals those are left that say something beside the error. All bits of the sum would tell whose value is in it.

    Parameters:
        scale: standard deviation of the error.
        unit: "deviation" (times the column's standard deviation), "absolute", or "factor" (amounts times 1 + error).
        distribution: "gaussian", "laplace" or "uniform".
        columns: the numeric columns; all numeric SA if left out.
        decimals: decimals of what is published; if left out, those that schema.toml declares or the
            column has, and never more than a hundred-millionth of the error needs. "full" publishes
            all bits, as version 0.1 did, which re-identifies people.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f"] * 100, "pay": range(100)}), Schema(qi=["sex"], sa=["pay"]))
        >>> noisy = Noise(scale=0.1).anonymize(people, np.random.default_rng(0)).published.frame["pay"]
        >>> bool(abs(noisy.mean() - 49.5) < 2)
        True

    Reference:
        Mironov: On significance of the least significant bits for differential privacy. CCS 2012 (why there is a grid).
    """

    earlier: ClassVar[Mapping[str, object]] = {"decimals": FULL}

    scale: Annotated[float, Above(0)] = 0.1
    unit: Literal["deviation", "absolute", "factor"] = "deviation"
    distribution: Literal["gaussian", "laplace", "uniform"] = "gaussian"
    columns: tuple[str, ...] = ()
    decimals: Decimals = None

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(scale=scale) for scale in (0.05, 0.1, 0.3, 1.0)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        changed = {}
        for name in self._names(original):
            column = original.frame[name]
            error = self.scale * self._draw(original.height, rng)
            values = column.cast(pl.Float64)
            noisy = values * (1 + pl.Series(error)) if self.unit == "factor" else values + error * self._unit(values)
            shown = self._on_grid(original, name, noisy)
            whole = column.dtype.is_integer()
            changed[name] = shown.clip(-LARGEST, LARGEST).cast(pl.Int64) if whole else shown
        return Release.shuffled(original, original.frame.with_columns(**changed), np.arange(original.height), rng)

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        if name not in self._names(original):
            return None
        column, domain = original.column(name), cells.domain
        units = np.abs(domain.positions) if self.unit == "factor" else self._unit(column.cast(pl.Float64))
        spread = np.maximum(self.scale * units, TINY)
        shown = np.array([np.nan if text is None else float(text) for text in cells.texts])
        gap = np.abs(shown[:, None] - domain.positions)
        decimals = self._decimals(original, name)
        found = np.zeros((shown.size, len(domain.values)))
        if decimals is None:
            # The chance of a double is its density times a width that is the same for all.
            found[:, : domain.positions.size] = self._density(gap / spread) / spread
        else:
            half = 0.5 * 10.0**-decimals
            found[:, : domain.positions.size] = self._below(-(gap - half) / spread) - self._below(
                -(gap + half) / spread
            )
        found[np.isnan(shown)] = 0.0
        if domain.missing:
            found[:, -1] = np.isnan(shown)
        return found

    def _names(self, original: Microdata) -> tuple[str, ...]:
        return columns_or_all(self.columns, original.numeric, "Noise") if self.columns else original.numeric_sa

    def _on_grid(self, original: Microdata, name: str, noisy: pl.Series) -> pl.Series:
        decimals = self._decimals(original, name)
        if decimals is None:
            return noisy
        return pl.Series(name, rounded(noisy.to_numpy(), decimals)).set(noisy.is_null(), None)

    def _decimals(self, original: Microdata, name: str) -> int | None:
        """The grid of a column; None if all bits are published."""
        column = original.column(name)
        if self.decimals == FULL and not column.dtype.is_integer():
            return None
        values = column.cast(pl.Float64)
        typical = float(values.abs().drop_nans().median() or 0) if self.unit == "factor" else self._unit(values)  # type: ignore[arg-type]
        own = self.decimals if isinstance(self.decimals, int) else original.schema.column(name).decimals
        if column.dtype.is_integer():
            own = min(0, int(own or 0))
        return decimals_of(values.to_numpy(), self.scale * typical, declared=own)

    def _unit(self, values: pl.Series) -> float:
        if self.unit == "deviation" and values.count() > 1:
            return float(np.nanstd(values.to_numpy(), ddof=1))
        return 1.0

    def _below(self, errors: Floats) -> Floats:
        """The probability of an error below each of these, in standard deviations."""
        match self.distribution:
            case "gaussian":
                return np.asarray(special.ndtr(errors))
            case "laplace":
                tail = 0.5 * np.exp(-np.abs(errors) / np.sqrt(0.5))
                return np.asarray(np.where(errors < 0, tail, 1.0 - tail))
            case "uniform":
                return np.asarray(np.clip(0.5 + errors / (2 * np.sqrt(3)), 0.0, 1.0))

    def _density(self, errors: Floats) -> Floats:
        match self.distribution:
            case "gaussian":
                return np.asarray(np.exp(-(errors**2) / 2) / np.sqrt(2 * np.pi))
            case "laplace":
                return np.asarray(np.exp(-np.abs(errors) / np.sqrt(0.5)) / np.sqrt(2))
            case "uniform":
                return np.asarray(np.where(np.abs(errors) <= np.sqrt(3), 1 / (2 * np.sqrt(3)), 0.0))

    def _draw(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        match self.distribution:
            case "gaussian":
                return rng.standard_normal(size)
            case "laplace":
                return rng.laplace(0.0, np.sqrt(0.5), size)
            case "uniform":
                return rng.uniform(-np.sqrt(3), np.sqrt(3), size)
