"""Results: small frozen values that carry their scale and uncertainty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from icefire.core.documents import Json, JsonObject
from icefire.core.errors import Undefined


class Direction(Enum):
    """Which way is good for the person who releases the data."""

    HIGHER_IS_BETTER = "higher"
    LOWER_IS_BETTER = "lower"

    def worst(self, values: Iterable[float]) -> float:
        return min(values) if self is Direction.HIGHER_IS_BETTER else max(values)


@dataclass(frozen=True)
class Scale:
    """The best value of a metric, and the value at which nothing is left of what it measures; infinite if there is none.

    >>> Scale(best=0, worst=1).direction.value, Scale(best=0, worst=1).good(0.25)
    ('lower', 0.75)
    >>> Scale(best=math.inf, worst=1).good(5) is None
    True
    """

    best: float
    worst: float

    @property
    def direction(self) -> Direction:
        return Direction.HIGHER_IS_BETTER if self.best > self.worst else Direction.LOWER_IS_BETTER

    def good(self, value: float) -> float | None:
        """The share of what is good that is left: 1 at the best value, 0 at the worst and beyond it.

        None where the scale has an open end, because then no value is half as good as another.
        """
        if math.isinf(self.best) or math.isinf(self.worst):
            return None
        return min(1.0, max(0.0, (value - self.worst) / (self.best - self.worst)))

    def __str__(self) -> str:
        """
        >>> str(Scale(best=0, worst=1)), str(Scale(best=math.inf, worst=1))
        ('0 is best, 1 is worst', 'higher is better, from 1')
        """
        if math.isinf(self.best) or math.isinf(self.worst):
            end = min(self.best, self.worst, key=abs)
            return f"{self.direction.value} is better, from {end:g}"
        return f"{self.best:g} is best, {self.worst:g} is worst"

    def shortfall(self, value: float) -> float | None:
        """Distance from the best value, in the metric's own unit; None where there is no best value."""
        return None if math.isinf(self.best) else abs(value - self.best)


BAD_SHARE = Scale(best=0.0, worst=1.0)
"""A share of what is lost, or of the people who are found."""
GOOD_SHARE = Scale(best=1.0, worst=0.0)
"""A share of what is kept, or of the people who stay safe."""
ERROR = Scale(best=0.0, worst=math.inf)
"""A difference or a number of losses, in some unit."""
CROWD = Scale(best=math.inf, worst=1.0)
"""How many people or values cannot be told apart."""


@dataclass(frozen=True)
class Interval:
    """A two-sided confidence interval."""

    low: float
    high: float
    confidence: float = 0.95


@dataclass(frozen=True)
class Score:
    """One measured number, the same value from the metric to the screen.

    It is always finite: a metric that has no value raises `Undefined`.
    """

    value: float
    scale: Scale
    interval: Interval | None = None
    found: float | None = None
    """How many people or rows an attack has found, where that is counted."""
    detail: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise Undefined(f"the value is {self.value}, not a finite number")

    @property
    def direction(self) -> Direction:
        return self.scale.direction

    @property
    def good(self) -> float | None:
        """The share of what is good, 0 to 1; None where the metric has no such share."""
        return self.scale.good(self.value)

    def worse_than(self, other: Score) -> bool:
        """Whether it is further on the bad side than another score of the same metric."""
        return self.value != other.value and self.direction.worst((self.value, other.value)) == self.value

    def by_column(self) -> dict[str, float]:
        """The value of each column or part, where the detail has them."""
        columns = self.detail.get("by column")
        found = columns.items() if isinstance(columns, Mapping) else ()
        return {name: float(value) for name, value in found if isinstance(value, float | int)}

    def as_dict(self, detail: bool = True) -> JsonObject:
        """A JSON-ready form, which `from_dict` reads back."""
        low, high = sorted((self.scale.best, self.scale.worst))
        result: JsonObject = {
            "value": float(self.value),
            "better": self.direction.value,
            "range": [None if math.isinf(low) else low, None if math.isinf(high) else high],
            "good": self.good,
        }
        if self.interval is not None:
            result["interval"] = [self.interval.low, self.interval.high]
            result["confidence"] = self.interval.confidence
        if self.found is not None:
            result["found"] = float(self.found)
        if detail and self.detail:
            result["detail"] = dict(self.detail)
        return result

    @classmethod
    def from_dict(cls, data: Mapping[str, Json]) -> Score:
        """Read a JSON form; version 0.1 wrote `direction` instead of `better`, and no range.

        >>> Score.from_dict({"value": 0.2, "direction": "lower"}).good
        0.8
        """
        match data:
            case {"value": float() | int() as value, "better": str(better), "range": [low, high]}:
                scale = _scale(Direction(better), low, high)
            case {"value": float() | int() as value, "direction": str(better)}:
                # Shares were 0 to 1 then; anything beyond had no range.
                scale = _scale(Direction(better), 0.0, 1.0 if 0.0 <= value <= 1.0 else None)
            case _:
                raise Undefined(f"this is not a score: {dict(data)}")
        match data:
            case {"interval": [float() | int() as left, float() | int() as right], "confidence": float() as confidence}:
                interval: Interval | None = Interval(left, right, confidence)
            case _:
                interval = None
        found, detail = data.get("found"), data.get("detail")
        return cls(
            float(value),
            scale,
            interval,
            float(found) if isinstance(found, float | int) else None,
            detail if isinstance(detail, dict) else {},
        )


def _scale(direction: Direction, low: Json, high: Json) -> Scale:
    ends = (low if isinstance(low, float | int) else -math.inf, high if isinstance(high, float | int) else math.inf)
    best, worst = ends if direction is Direction.LOWER_IS_BETTER else ends[::-1]
    return Scale(best, worst)


def percent(share: float) -> str:
    """
    >>> percent(0.161), percent(0.004), percent(0.0), percent(0.99912), percent(1), percent(0.0001)
    ('16.1%', '0.4%', '0%', '99.9%', '100%', '0.01%')
    """
    if share in (0, 1):
        return f"{100 * share:.0f}%"
    if 0 < abs(share) < 0.0005:
        return f"{100 * share:.1g}%"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"
