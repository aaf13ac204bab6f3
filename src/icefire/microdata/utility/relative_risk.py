"""Error of a relative risk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.microdata.utility._two_by_two import RatioKept, TwoByTwo


@dataclass(frozen=True)
class RelativeRisk(RatioKept):
    """Relative error of the relative risk: P(case given exposed) / P(case given not exposed).

    The detail holds the ratio before and after, each with a 95% confidence interval. A generalized cell counts with the
    share of its members that are exposed (or cases).

    Parameters:
        exposure: column that says who was exposed.
        exposed: its values that mean yes.
        outcome: column that says who became a case.
        cases: its values that mean yes.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["smokes"], sa=["ill"])
        >>> people = Microdata(pl.DataFrame({"smokes": list("yyyynnnn"), "ill": list("yyynynnn")}), schema)
        >>> metric = RelativeRisk(exposure="smokes", exposed=["y"], outcome="ill", cases=["y"])
        >>> score = metric.measure(people, Release(people, people, np.arange(8)))
        >>> score.value, score.detail["before"]["ratio"]
        (0.0, 3.0)

    Reference:
        Thesis, chapter 6; Katz et al.: Obtaining confidence intervals for the risk ratio in cohort studies. 1978.
    """

    aliases: ClassVar[tuple[str, ...]] = ("RR",)

    def ratio(self, table: TwoByTwo) -> tuple[float, float]:
        return table.relative_risk()
