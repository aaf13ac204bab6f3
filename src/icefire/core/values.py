"""Results: small frozen values that carry their direction and uncertainty."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from icefire.core.errors import Undefined


class Direction(Enum):
    """Which way is good for the person who releases the data."""

    HIGHER_IS_BETTER = "higher"
    LOWER_IS_BETTER = "lower"

    def worst(self, values: list[float]) -> float:
        return min(values) if self is Direction.HIGHER_IS_BETTER else max(values)


@dataclass(frozen=True)
class Interval:
    """A two-sided confidence interval."""

    low: float
    high: float
    confidence: float = 0.95


@dataclass(frozen=True)
class Score:
    """One measured number. It is always finite: what cannot be measured raises `Undefined`."""

    value: float
    direction: Direction
    interval: Interval | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise Undefined(f"the value is {self.value}, not a finite number")

    def worse_than(self, other: Score) -> bool:
        """Whether it is further on the bad side than another score of the same metric."""
        return self.direction.worst([self.value, other.value]) != other.value

    def as_dict(self) -> dict[str, Any]:
        """A JSON-ready form."""
        result: dict[str, Any] = {"value": self.value, "better": self.direction.value}
        if self.interval is not None:
            result["interval"] = [self.interval.low, self.interval.high]
            result["confidence"] = self.interval.confidence
        if self.detail:
            result["detail"] = dict(self.detail)
        return result
