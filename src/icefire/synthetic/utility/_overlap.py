"""What metrics share that compare estimates with their intervals."""

from __future__ import annotations

from collections.abc import Mapping

from icefire.core.documents import Json
from icefire.core.values import Score
from icefire.synthetic.roles import Utility


def scored(metric: Utility, gaps: Mapping[str, tuple[float, dict[str, Json]]]) -> Score:
    """The mean of what estimates do not have in common, and the estimate that is kept worst."""
    worst = max(gaps, key=lambda name: gaps[name][0])
    detail: dict[str, Json] = {"estimates": len(gaps), "worst": {"name": worst, **gaps[worst][1]}}
    return metric.score(sum(gap for gap, _ in gaps.values()) / len(gaps), detail=detail)
