"""Risk of published rows by their classes and households, with and without sampling weights, measured where the table is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import narwhals as nw
import numpy as np
import polars as pl

from icefire.core.errors import DataError, Undefined, UnknownName
from icefire.frames import engines, relational
from icefire.microdata.cells import Codes, Floats
from icefire.microdata.data import Release
from icefire.microdata.risk import Risks, household_risk, individual_risk

WEIGHT, SIZE, WRONG, HOME = "__weight", "__size", "__wrong", "__home"


def class_risks(release: Release, weight: str, threshold: float) -> Risks:
    """The individual risk of the published rows, by the weights of their classes."""
    table, names = _told_apart(release, {WEIGHT: weight})
    classes = table.group_by(*names).agg(nw.len().alias(SIZE), nw.col(WEIGHT, WRONG).sum()).select(SIZE, WEIGHT, WRONG)

    def measure(part: pl.DataFrame) -> Sequence[float]:
        return _figures(_class_risks(part), _sizes(part), part, threshold)

    return _together(classes, (), measure, weight, "")


def household_risks(release: Release, household: str, weight: str | None, threshold: float) -> Risks:
    """The risk that some member of the household is re-identified, of the published rows; members have 1/f without weights."""
    wanted = {HOME: household} if weight is None else {HOME: household, WEIGHT: weight}
    table, names = _told_apart(release, wanted)
    sums = [nw.col(WEIGHT).sum().over(*names)] if weight is not None else []
    rows = table.with_columns(nw.len().over(*names).alias(SIZE), *sums).select(SIZE, WRONG, *wanted)

    def measure(part: pl.DataFrame) -> Sequence[float]:
        homes = part[HOME].rank("dense").fill_null(0).to_numpy().astype(np.int64)
        risks = household_risk(_class_risks(part), homes)
        return _figures(risks, np.ones(part.height, dtype=np.int64), part, threshold)

    return _together(rows, [HOME], measure, weight or "", household)


def _told_apart(release: Release, values: Mapping[str, str]) -> tuple[engines.Lazy, list[str]]:
    """The published table with columns of the original, where weights are wrong (WRONG), and the names that make a class."""
    if not release.published.qi:
        raise Undefined("no quasi-identifier was published: all rows are alike")
    types = release.original.lazy.collect_schema()
    for name in values.values():
        if name not in types:
            raise UnknownName.of("column of the original", name, types)
    weight, wrong = values.get(WEIGHT), nw.lit(0)
    if weight is not None:
        if not types[weight].is_numeric():
            raise _no_weights(weight)
        wrong = relational.indicator(nw.col(WEIGHT).is_null() | (nw.col(WEIGHT) <= 0))
    return engines.lazy(release.told_apart(values)).with_columns(wrong.alias(WRONG)), release.telling.names


def _no_weights(name: str) -> DataError:
    return DataError(f"the column {name!r} holds no sampling weights: give one with a positive number in every row")


def _sizes(part: pl.DataFrame) -> Codes:
    return part[SIZE].to_numpy().astype(np.int64)


def _class_risks(part: pl.DataFrame) -> Floats:
    """The risk of each line by the size of its class, and its sum of weights if it has one."""
    sizes = _sizes(part)
    if WEIGHT not in part.columns:
        return 1.0 / sizes
    # Where weights are wrong, an error is raised once all parts are counted.
    return individual_risk(sizes, np.maximum(part[WEIGHT].cast(pl.Float64).fill_null(0).to_numpy(), 1e-300))


def _figures(risks: Floats, records: Codes, part: pl.DataFrame, threshold: float) -> Sequence[float]:
    found = Risks.of(risks, records, threshold)
    homeless = part[HOME].null_count() if HOME in part.columns else 0
    return [found.records, found.above, found.expected, found.maximum, float(part[WRONG].sum()), homeless]


def _together(
    frame: engines.Lazy,
    keys: Sequence[str],
    measure: Callable[[pl.DataFrame], Sequence[float]],
    weight: str,
    household: str,
) -> Risks:
    """The risks of all parts of a table."""
    found = relational.fold_parts(frame, keys, measure, 6)
    wrong, homeless = (sum(figures[place] for figures in found) for place in (4, 5))
    if wrong:
        raise _no_weights(weight)
    if homeless:
        raise Undefined(f"the column {household!r} does not name the household of every row")
    return Risks.together([Risks(int(f[0]), int(f[1]), f[2], f[3]) for f in found])
