"""Does a regression come to the same result?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import GOOD_SHARE, Scale, Score
from icefire.microdata.cells import Floats
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility
from icefire.microdata.utility._analyses import Analyses, design

INTERVAL = 1.959964
"""Half the width of a 95% interval in standard errors."""


@dataclass(frozen=True)
class RegressionCoefficients(Utility):
    """Share of the coefficients of a regression that stay within their interval of 95%.

        y = X b + e      b = (X'X)^-1 X'y      var(b) = s^2 (X'X)^-1

    y is each sensitive amount in turn, X the groups of all quasi-identifiers (at most eight each,
    numbers in four groups of equal frequency). The interval is that of the original; what is
    compared is the estimate from the release, whose generalized cells count for each value that
    they may stand for.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> rng = np.random.default_rng(0)
        >>> sex = rng.choice(["f", "m"], 200)
        >>> people = Microdata(pl.DataFrame({"sex": sex, "pay": rng.normal(size=200) + (sex == "m")}), schema)
        >>> cells = Microdata(people.frame.with_columns(pay=-people.frame["pay"]), schema)
        >>> RegressionCoefficients().measure(people, Release(people, cells, np.arange(200))).value
        0.0
    """

    scale: ClassVar[Scale] = GOOD_SHARE

    def measure(self, original: Microdata, release: Release) -> Score:
        if not original.qi or not original.numeric_sa:
            raise Undefined("the regression needs a quasi-identifier and a sensitive amount")
        analyses = Analyses(original, release)
        groups = [analyses.groups(name) for name in original.qi]
        before, after = design([known for known, _ in groups]), design([shown for _, shown in groups])
        within = []
        for name in original.numeric_sa:
            known, published = analyses.amounts(name)
            if fit := _fit(before, known):
                estimates, errors = fit
                other = _fit(after, published)
                gap = np.abs(estimates - other[0]) if other else np.full(estimates.size, np.inf)
                # The intercept depends on which groups come first.
                within.append((gap <= INTERVAL * errors)[1:])
        if not within or not np.concatenate(within).size:
            raise Undefined("there are too few people for a regression")
        inside = np.concatenate(within)
        return self.score(float(inside.mean()), detail={"kept": int(inside.sum()), "coefficients": inside.size})


def _fit(matrix: Floats, amounts: Floats) -> tuple[Floats, Floats] | None:
    """Coefficients and their standard errors; None with too few rows."""
    present = ~np.isnan(amounts)
    rows, terms = int(present.sum()), matrix.shape[1]
    if rows <= terms:
        return None
    x, y = matrix[present], amounts[present]
    inverse = np.linalg.pinv(x.T @ x, hermitian=True)
    estimates = inverse @ (x.T @ y)
    variance = float(((y - x @ estimates) ** 2).sum()) / (rows - terms)
    return estimates, np.sqrt(np.maximum(variance * np.diag(inverse), 0.0))
