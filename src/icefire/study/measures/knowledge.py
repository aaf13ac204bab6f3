"""Average identification probability of columns, exact and by its models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.knowledge.identification import identification
from icefire.study.measure import Measure, Setting, Value

INSIDE = 90
"""Per cent of the estimates that lie between the quantities low and high."""


@dataclass(frozen=True)
class Knowledge(Measure):
    """R(A) of each column (`probability`), its models (`mean`, `cost`), and estimates by samples of values.

    `low` and `high` hold nine tenths of the estimates by samples, `error` is their mean absolute distance from R(A), and
    `records` how many records such a sample reads on average.

    Parameters:
        columns: the columns, each by itself.
        user: the column that says whose record it is; every row is a user of its own if left out.
        sample: values in a sample.
        draws: samples.
    """

    kinds: ClassVar[tuple[str, ...]] = ("table",)

    columns: tuple[str, ...]
    user: str | None = None
    sample: Annotated[int, AtLeast(2)] = 10
    draws: Annotated[int, AtLeast(0)] = 0

    def measure(self, setting: Setting) -> Iterator[Value]:
        for column in self.columns:
            found = identification(setting.data, column, self.user)
            mean = identification(setting.data, column, self.user, "mean")
            labels = {"column": column}
            cost_error = abs(found.cost_model - found.probability) / found.probability
            figures = {
                "probability": found.probability,
                "mean": mean.probability,
                "cost": found.cost_model,
                "values": float(found.values),
                "alpha": found.mean_records,
                "cost error": cost_error,
                "cost error by theorem": 1 - 1 / found.mean_records,
            }
            if self.draws:
                figures |= self._sampled(setting, column, found.probability, found.values)
            for quantity, value in figures.items():
                yield Value(quantity, value, labels)

    def _sampled(self, setting: Setting, column: str, truth: float, values: int) -> dict[str, float]:
        estimates = np.array(
            [
                identification(
                    setting.data, column, self.user, "sampling", self.sample, setting.seed * 1_000_003 + draw
                ).probability
                for draw in range(self.draws)
            ]
        )
        low, high = np.percentile(estimates, [(100 - INSIDE) / 2, (100 + INSIDE) / 2])
        read = min(self.sample, values) * len(setting.data) / values
        errors = {"error": float(np.abs(estimates - truth).mean()), "records": read}
        return {"low": float(low), "high": float(high), "estimate": float(estimates.mean()), **errors}
