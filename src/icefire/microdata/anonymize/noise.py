"""Random errors on amounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.parameters import Above
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class Noise(Anonymizer):
    """Add a random error to amounts, or multiply them by a random factor.

    The error has mean 0 (or the factor mean 1) and the given standard deviation, whatever its distribution. Integer
    columns stay integers.

    Parameters:
        scale: standard deviation of the error.
        unit: "deviation" (times the column's standard deviation), "absolute", or "factor" (amounts times 1 + error).
        distribution: "gaussian", "laplace" or "uniform".
        columns: the numeric columns; all numeric SA if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f"] * 100, "pay": range(100)}), Schema(qi=["sex"], sa=["pay"]))
        >>> noisy = Noise(scale=0.1).anonymize(people, np.random.default_rng(0)).published.frame["pay"]
        >>> bool(abs(noisy.mean() - 49.5) < 2)
        True
    """

    scale: Annotated[float, Above(0)] = 0.1
    unit: Literal["deviation", "absolute", "factor"] = "deviation"
    distribution: Literal["gaussian", "laplace", "uniform"] = "gaussian"
    columns: tuple[str, ...] = ()

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(scale=scale) for scale in (0.05, 0.1, 0.3, 1.0)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = columns_or_all(self.columns, original.numeric, "Noise") if self.columns else original.numeric_sa
        changed = {}
        for name in names:
            column = original.frame[name]
            error = self.scale * self._draw(original.height, rng)
            values = column.cast(pl.Float64)
            if self.unit == "factor":
                noisy = values * (1 + pl.Series(error))
            else:
                unit = (
                    float(np.nanstd(values.to_numpy(), ddof=1))
                    if self.unit == "deviation" and values.len() > 1
                    else 1.0
                )
                noisy = values + pl.Series(error * unit)
            changed[name] = noisy.round().cast(pl.Int64) if column.dtype.is_integer() else noisy
        return Release.shuffled(original, original.frame.with_columns(**changed), np.arange(original.height), rng)

    def _draw(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        match self.distribution:
            case "gaussian":
                return rng.standard_normal(size)
            case "laplace":
                return rng.laplace(0.0, np.sqrt(0.5), size)
            case "uniform":
                return rng.uniform(-np.sqrt(3), np.sqrt(3), size)
