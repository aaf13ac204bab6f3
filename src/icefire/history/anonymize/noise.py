"""Random factors on prices and quantities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import polars as pl

from icefire.core.errors import ParameterError
from icefire.core.parameters import Between
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer
from icefire.history.treatment import AmountNoise, Treatment


@dataclass(frozen=True)
class Noise(Anonymizer):
    """Multiply prices and quantities by random factors around 1.

    The logarithms of the factors are normal. Prices keep two decimals and stay above 0, quantities are whole and at least 1.

    Parameters:
        price, quantity: standard deviation of the logarithm; 0 leaves the column as it is.

    Example:
        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records(*["ann 2011-01-03 tea 100 7"] * 1000)
        >>> cells = Noise(price=0.1).anonymize(log, np.random.default_rng(0)).published.frame
        >>> round(float(np.log(cells["price"] / 100).std()), 2), cells["quantity"].unique().to_list()
        (0.1, [7])
    """

    price: Annotated[float, Between(0, 3)] = 0.1
    quantity: Annotated[float, Between(0, 3)] = 0.0

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(price=noise, quantity=noise) for noise in (0.1, 0.5)]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        frame = original.frame
        for name, scale, unit, digits in self._columns():
            if f"{name}_to" in frame.columns or not original.has(name):
                raise ParameterError.of("Noise", name, "0 where the records have no exact values of it", scale)
            factor = pl.Series(np.exp(rng.normal(0.0, scale, frame.height)))
            noisy = (pl.col(name) * factor).round(digits).clip(unit)
            frame = frame.with_columns(noisy.cast(frame.schema[name]))
        return Release.made(original, frame, np.arange(original.height), rng)

    def treat(self, treatment: Treatment) -> Treatment:
        for name, scale, unit, _ in self._columns():
            treatment = treatment.with_noise(name, AmountNoise(scale, unit))
        return treatment

    def _columns(self) -> list[tuple[str, float, float, int]]:
        """The columns that are changed: name, standard deviation, the unit that values are rounded to, its decimals."""
        columns = [("price", self.price, 0.01, 2), ("quantity", self.quantity, 1.0, 0)]
        return [column for column in columns if column[1] > 0]
