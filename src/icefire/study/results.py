"""What came out of a study, as a table, and beside what was printed."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from icefire.core.errors import InputError, UnknownName
from icefire.study.config import Correlation, Expected, Label, Largest
from icefire.study.runner import Outcome

Verdict = Literal["agrees", "explained", "differs", "absent"]
"""Near enough; not, and the study says why; not, and it does not; not computed."""


@dataclass(frozen=True)
class Point:
    """The mean of a quantity over repetitions."""

    labels: Mapping[str, Label]
    quantity: str
    value: float | None
    spread: float | None
    """Standard deviation, if there are repetitions."""
    note: str = ""


@dataclass(frozen=True)
class Comparison:
    """A printed figure beside ours."""

    expected: Expected
    labels: Mapping[str, Label]
    quantity: str
    printed: float
    ours: float | None
    spread: float | None
    verdict: Verdict

    @property
    def deviation(self) -> float | None:
        """Relative to the printed figure where the tolerance is, otherwise the difference."""
        if self.ours is None:
            return None
        difference = self.ours - self.printed
        return difference / abs(self.printed) if self.expected.relative is not None and self.printed else difference


class Results:
    """The figures of a study."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome, self.study = outcome, outcome.study
        groups: dict[tuple[str, str, str], list[tuple[dict[str, Label], float | None, str]]] = {}
        for cell, values in outcome.values:
            for value in values:
                labels = {**cell.labels, **value.labels}
                key = (cell.run, value.quantity, json.dumps(labels, sort_keys=True))
                groups.setdefault(key, []).append((labels, value.value, value.note))
        self.points: dict[str, list[Point]] = {run.name: [] for run in self.study.run}
        for (run, quantity, _), found in groups.items():
            self.points[run].append(_point(quantity, found))
        for each in self.study.correlation:
            self.points[each.name] = list(self._correlated(each))
        for most in self.study.largest:
            self.points[most.name] = self._largest(most)

    def select(self, run: str, quantity: str, where: Mapping[str, Label]) -> list[Point]:
        """The points of a quantity that have these labels."""
        return [
            point
            for point in self.points[run]
            if point.quantity == quantity and all(_same(point.labels.get(k), v) for k, v in where.items())
        ]

    def _correlated(self, each: Correlation) -> Iterator[Point]:
        """The correlation of every two quantities, over the places that have both; labels that are numbers count, too."""
        columns = {name: self._column(each, name) for name in each.quantities}
        for first in each.quantities:
            for second in each.quantities:
                places = [place for place in columns[first] if place in columns[second]]
                pairs = [[columns[name][place] for place in places] for name in (first, second)]
                even = any(len(set(side)) < 2 for side in pairs)
                value = None if even else statistics.correlation(*pairs)
                yield Point(
                    {"of": first, "with": second}, "correlation", value, None, "one of them is the same everywhere"
                )

    def _largest(self, most: Largest) -> list[Point]:
        """Of the points that differ in one label alone, the one with the largest mean."""
        found: dict[tuple[str, str], Point] = {}
        for point in self.points[most.run]:
            counts = most.over in point.labels and (not most.among or point.labels[most.over] in most.among)
            if point.quantity not in most.quantities or point.value is None or not counts:
                continue
            labels = {name: value for name, value in point.labels.items() if name != most.over}
            key = (point.quantity, json.dumps(labels, sort_keys=True))
            if key not in found or (found[key].value or 0.0) < point.value:
                found[key] = replace(point, labels=labels)
        return list(found.values())

    def _column(self, each: Correlation, name: str) -> dict[str, float]:
        """By place: the value of a quantity, or of a label of this name. Metrics of guesses share their release's place."""
        found: dict[str, float] = {}
        for point in self.points[each.run]:
            if not all(_same(point.labels.get(k), v) for k, v in each.where.items() if k in point.labels):
                continue
            place = json.dumps({k: v for k, v in point.labels.items() if k not in each.where}, sort_keys=True)
            label = point.labels.get(name)
            if point.quantity == name and point.value is not None:
                found[place] = point.value
            elif isinstance(label, int | float):
                found[place] = float(label)
        return found

    def require_all(self) -> None:
        """Raise InputError for a table, a figure or a printed number that is about nothing that was measured."""
        wanted = [(table.run, name) for table in self.study.table for name in table.quantities]
        wanted += [(run, line.y) for figure in self.study.figure for run, line in figure.lines]
        wanted += [(expected.run, name) for expected in self.study.expected for name in expected.quantities]
        for run, quantity in wanted:
            measured = {point.quantity for point in self.points[run]}
            if quantity not in measured and not self._left_out(run):
                raise UnknownName.of(f"quantity of the run {run}", quantity, measured)
        for row in self.comparisons():
            place = {**row.expected.where, **row.labels}
            if not self._left_out(row.expected.run) and not self.select(row.expected.run, row.quantity, place):
                at = ", ".join(f"{name} = {value}" for name, value in place.items())
                raise InputError(f"the run {row.expected.run} has no {row.quantity} at {at}: look at what it sweeps")

    def _left_out(self, run: str) -> bool:
        """Whether data of a run are missing, or of the run that it is computed from."""
        return self.study.derived.get(run, run) in self.outcome.absent

    def comparisons(self) -> list[Comparison]:
        return [row for expected in self.study.expected for row in self._compared(expected)]

    def _compared(self, expected: Expected) -> list[Comparison]:
        found = []
        for row in expected.values:
            labels = dict(zip(expected.at, row, strict=False))
            for quantity, printed in zip(expected.quantities, row[len(expected.at) :], strict=True):
                if isinstance(printed, str):
                    continue
                points = self.select(expected.run, quantity, {**expected.where, **labels})
                ours = points[0] if points else None
                value = None if ours is None else ours.value
                verdict: Verdict = (
                    "absent" if self._left_out(expected.run) else _verdict(expected, float(printed), value)
                )
                spread = None if ours is None else ours.spread
                found.append(Comparison(expected, labels, quantity, float(printed), value, spread, verdict))
        return found

    def table(self) -> pl.DataFrame:
        """Every figure of every repetition."""
        rows = [
            {
                "run": cell.run,
                "at": json.dumps({**cell.labels, **value.labels}, ensure_ascii=False, sort_keys=True),
                "repeat": cell.repeat,
                "quantity": value.quantity,
                "value": value.value,
                "note": value.note,
            }
            for cell, values in self.outcome.values
            for value in values
        ]
        schema = {"run": pl.String, "at": pl.String, "repeat": pl.Int64, "quantity": pl.String}
        return pl.DataFrame(rows, schema=schema | {"value": pl.Float64, "note": pl.String})


def _point(quantity: str, found: Sequence[tuple[dict[str, Label], float | None, str]]) -> Point:
    values = [value for _, value, _ in found if value is not None]
    labels, _, note = found[0]
    if not values:
        return Point(labels, quantity, None, None, next((n for _, _, n in found if n), ""))
    mean = math.fsum(values) / len(values)
    spread = None
    if len(values) > 1:
        spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
        # The rounding of the mean is no deviation.
        spread = 0.0 if spread < 1e-12 * abs(mean) else spread
    return Point(labels, quantity, mean, spread, note)


def _same(left: Label | None, right: Label) -> bool:
    if isinstance(left, int | float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=1e-9)
    return left == right


def _verdict(expected: Expected, printed: float, ours: float | None) -> Verdict:
    if ours is None:
        return "explained" if expected.because is not None else "differs"
    bound = expected.absolute if expected.absolute is not None else (expected.relative or 0.0) * abs(printed)
    # Printed figures are rounded, and so are tolerances.
    if abs(ours - printed) <= bound + 1e-12 * max(1.0, abs(printed)):
        return "agrees"
    return "explained" if expected.because is not None else "differs"
