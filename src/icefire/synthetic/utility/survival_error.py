"""Are survival curves kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import People, Release
from icefire.synthetic.roles import Utility
from icefire.synthetic.survival import Curve, columns_of, event_times


@dataclass(frozen=True)
class SurvivalError(Utility):
    """Mean absolute gap between the survival curves (Kaplan-Meier) of the members and the release, up to the last event.

    The columns are those under [survival] in schema.toml. The detail has the largest gap, and both medians.

    Example:
        >>> import polars as pl
        >>> from icefire.synthetic.schema import Schema, Survival
        >>> table = pl.DataFrame({"years": [1.0, 2.0], "died": ["yes", "yes"]})
        >>> people = People(table, table, Schema(survival=Survival("years", "died", ("yes",))))
        >>> SurvivalError().measure(people, Release(people, table.with_columns(years=pl.lit(2.0)))).value
        0.25

    Reference:
        Kaplan, Meier: Nonparametric estimation from incomplete observations. 1958.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, original: People, release: Release) -> Score:
        columns = columns_of(original)
        before = Curve.of(*event_times(original.members, columns))
        try:
            after = Curve.of(*event_times(release.published, columns))
        except Undefined:
            # Without an event, nobody dies in the release.
            after = Curve(np.zeros(0), np.zeros(0))
        last = float(before.times[-1])
        if last <= 0:
            raise Undefined("all events happen at time 0 or before")
        steps = np.unique(np.concatenate([[0.0, last], before.times, after.times]))
        steps = steps[(steps >= 0) & (steps <= last)]
        gaps = np.abs(before.at(steps) - after.at(steps))
        area = float((gaps[:-1] * np.diff(steps)).sum())
        medians = {"median before": before.median, "median after": after.median}
        return self.score(area / last, detail={"largest gap": float(gaps.max()), **medians})
