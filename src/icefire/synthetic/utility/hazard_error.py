"""Are hazard ratios kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import People, Release
from icefire.synthetic.regression import Coefficients, Terms, cox
from icefire.synthetic.roles import Utility
from icefire.synthetic.survival import columns_of, event_times
from icefire.synthetic.utility._overlap import scored


@dataclass(frozen=True)
class HazardError(Utility):
    """Share of the confidence intervals of hazard ratios (Cox) that the members and the release do not have in common.

    The event times under [survival] in schema.toml on all other columns: numbers in standard deviations of the members, and
    each text but the most frequent one. The detail has the hazard ratio that is kept worst, as a logarithm.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.schema import Schema, Survival
        >>> x = np.random.default_rng(0).normal(size=100)
        >>> table = pl.DataFrame({"x": x, "years": np.exp(-x), "died": ["yes", "no"] * 50})
        >>> people = People(table, table, Schema(survival=Survival("years", "died", ("yes",))))
        >>> HazardError().measure(people, Release(people, table.with_columns(x=-table["x"]))).value
        1.0

    Reference:
        Cox: Regression models and life-tables. 1972.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, original: People, release: Release) -> Score:
        columns = columns_of(original)
        names = [name for name in original.names if name not in (columns.time, columns.event)]
        terms = Terms.of(original.members, names)
        before = cox(terms.matrix(original.members), *event_times(original.members, columns))
        try:
            after = cox(terms.matrix(release.published), *event_times(release.published, columns))
        except Undefined:
            # Without an event, no hazard is estimated.
            after = Coefficients.none(before.values.size)
        gaps: dict[str, tuple[float, dict[str, Json]]] = {}
        for term, name in enumerate(terms.names):
            if before.estimated[term]:
                told: dict[str, Json] = {"before": before.told(term), "after": after.told(term)}
                gaps[name] = 1.0 - float(before.overlap(after)[term]), told
        if not gaps:
            raise Undefined("there is no column whose hazard ratio could be estimated")
        return scored(self, gaps)
