"""The official result of the preliminary round of PWS Cup 2019, put together again."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.study.measure import Measure, Setting, Value

FIRST = "pubtraces"
KINDS = {"IDP": "SecI", "TRP": "SecT"}


@dataclass(frozen=True)
class Sheets2019(Measure):
    """The least safety of each published set over all attackers, the teams' totals, and how both safeties go together.

    The data are the sheet of ID disclosure, beside it that of trace inference.
    """

    kinds: ClassVar[tuple[str, ...]] = ("table",)

    def measure(self, setting: Setting) -> Iterator[Value]:
        # The last line sums up.
        frame: pl.DataFrame = setting.data.filter(pl.col(FIRST).str.starts_with(FIRST))
        attackers = [name for name in frame.columns if name.startswith("team") and "/" not in name]
        sheets = {
            "SecI": _least(frame, [*attackers, "I1", "I2", "I3"]),
            "SecT": _least(frame, [f"{name}/2" for name in attackers] + _samples(frame)),
        }
        totals: dict[str, float] = {}
        for place, file in enumerate(frame[FIRST]):
            team, kind = file.split("_")[1], file.removesuffix(".csv").split("_")[3]
            labels = {"team": team, "set": kind}
            for name, values in sheets.items():
                yield Value(name, values[place], labels)
            if team != "team000":
                totals[team] = totals.get(team, 0.0) + sheets[KINDS[kind]][place]
        for team, total in totals.items():
            yield Value("total", total, {"team": team})
        for task, suffix in (("left_identity", ""), ("left_traces", "/2")):
            for team in attackers:
                # One's own sets count 0, sets that were not attacked 1; the smallest sum wins the prize for attacks.
                yield Value(task, sum(_numbers(frame[f"{team}{suffix}"])), {"team": team})
        yield Value("sets", float(frame.height))
        yield Value("correlation", statistics.correlation(sheets["SecI"], sheets["SecT"]))


def _samples(frame: pl.DataFrame) -> list[str]:
    """The columns of sample attacks in the second sheet."""
    return [name for name in frame.columns if name in ("T1", "T2", "T3")]


def _numbers(column: pl.Series) -> list[float]:
    return [value or 0.0 for value in column.cast(pl.String).cast(pl.Float64, strict=False)]


def _least(frame: pl.DataFrame, names: list[str]) -> list[float]:
    """The least of some columns in each row; a dash is a set of one's own."""
    numbers = frame.select(pl.col(name).cast(pl.String).cast(pl.Float64, strict=False) for name in names)
    return [float(value) for value in numbers.min_horizontal()]
