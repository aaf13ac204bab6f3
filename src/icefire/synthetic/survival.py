"""Event times: who was watched how long, and the share of people without an event by then."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.synthetic.data import Floats, Mask, People
from icefire.synthetic.schema import Survival


def columns_of(people: People) -> Survival:
    """The columns of event times; Undefined if the schema names none."""
    if people.schema.survival is None:
        raise Undefined("no event times: name their columns under [survival] in schema.toml")
    return people.schema.survival


def event_times(table: pl.DataFrame, columns: Survival) -> tuple[Floats, Mask]:
    """[row]: the time, and whether the event happened then; NaN if the time is missing."""
    if not table[columns.time].dtype.is_numeric():
        raise Undefined(f"the column {columns.time!r} holds texts, where times are numbers")
    times = table[columns.time].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    return times, table[columns.event].cast(pl.String).is_in(columns.cases).fill_null(False).to_numpy()


@dataclass(frozen=True)
class Curve:
    """The share of people without an event: `shares[i]` from `times[i]` on, 1 before."""

    times: Floats
    shares: Floats

    @classmethod
    def of(cls, times: Floats, events: Mask) -> Curve:
        """The estimate of Kaplan and Meier.

        >>> curve = Curve.of(np.array([1.0, 2.0, 2.0, 3.0]), np.array([True, True, False, True]))
        >>> curve.times.tolist(), curve.shares.tolist()
        ([1.0, 2.0, 3.0], [0.75, 0.5, 0.0])

        Reference:
            Kaplan, Meier: Nonparametric estimation from incomplete observations. 1958.
        """
        there = ~np.isnan(times)
        times, events = times[there], events[there]
        moments = np.unique(times[events])
        if not moments.size:
            raise Undefined("no event happens")
        at_risk = times.size - np.searchsorted(np.sort(times), moments, side="left")
        happened = np.unique(times[events], return_counts=True)[1]
        return cls(moments, np.cumprod(1 - happened / at_risk, dtype=np.float64))

    def at(self, times: Floats) -> Floats:
        """The shares at some times."""
        return np.append(1.0, self.shares)[np.searchsorted(self.times, times, side="right")]

    @property
    def median(self) -> float | None:
        """When half of the people have had the event; None if that is beyond the last one."""
        below = np.flatnonzero(self.shares <= 0.5 + 1e-12)
        return float(self.times[below[0]]) if below.size else None
