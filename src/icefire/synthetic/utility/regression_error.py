"""Are regressions kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import Floats, People, Release
from icefire.synthetic.regression import Coefficients, Terms, linear, logistic
from icefire.synthetic.roles import Utility
from icefire.synthetic.utility._overlap import scored


@dataclass(frozen=True)
class RegressionError(Utility):
    """Share of the confidence intervals of regression coefficients that the members and the release do not have in common.

    Each hidden column (each column if none is hidden) on all others: linear for numbers, logistic for each text but the most
    frequent one, whose coefficients are logarithms of adjusted odds ratios. Numbers are in standard deviations of the members;
    rows with missing cells are left out. 0 if all intervals are the same, 1 if none overlap. The detail has the coefficient
    that is kept worst, with both intervals of 95%.

    Example:
        >>> import numpy as np, polars as pl
        >>> rng = np.random.default_rng(0)
        >>> x = rng.normal(size=200)
        >>> table = pl.DataFrame({"x": x, "y": x + rng.normal(size=200)})
        >>> people = People(table, table)
        >>> RegressionError().measure(people, Release(people, table.with_columns(y=-table["y"]))).value
        1.0

    Reference:
        Karr, Kohnen, Oganian, Reiter, Sanil: A framework for evaluating the utility of data altered to protect
        confidentiality. 2006.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, original: People, release: Release) -> Score:
        gaps: dict[str, tuple[float, dict[str, Json]]] = {}
        for target in original.schema.hidden or original.names:
            others = [name for name in original.names if name != target]
            terms = Terms.of(original.members, others)
            matrices = [terms.matrix(table) for table in (original.members, release.published)]
            for label, fitted in _fits(target, original.members, release.published, matrices).items():
                for term, name in enumerate(terms.names):
                    if fitted[0].estimated[term]:
                        told: dict[str, Json] = {"before": fitted[0].told(term), "after": fitted[1].told(term)}
                        gaps[f"{label} ~ {name}"] = 1.0 - float(fitted[0].overlap(fitted[1])[term]), told
        if not gaps:
            raise Undefined("there is no column whose dependence on the others could be estimated")
        return scored(self, gaps)


def _fits(
    target: str, members: pl.DataFrame, published: pl.DataFrame, matrices: list[Floats]
) -> dict[str, tuple[Coefficients, Coefficients]]:
    """The regressions of a column on the members' table and on the release, by name."""
    of_target = Terms.of(members, [target])
    sides = [of_target.matrix(table) for table in (members, published)]
    fit = linear if of_target.numbers else logistic
    found = {}
    for place, name in enumerate(of_target.names):
        try:
            before = fit(matrices[0], sides[0][:, place])
        except Undefined:
            continue
        try:
            after = fit(matrices[1], sides[1][:, place])
        except Undefined:
            after = Coefficients.none(before.values.size)
        found[name] = before, after
    return found
