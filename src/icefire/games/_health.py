"""Tables of check-ups: what the contests of 2021 and 2022 measure of them."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.synthetic.encoding import Binned, binned
from icefire.synthetic.regression import Terms, logistic

BINS = 10


def numbers_of(table: pl.DataFrame) -> list[str]:
    return [name for name in table.columns if table[name].dtype.is_numeric()]


def measured(members: pl.DataFrame, table: pl.DataFrame) -> dict[str, float]:
    """The largest gaps of cross tables and correlations, and the mean one of odds ratios; the diagnosis is the last column."""
    return {
        "cross_table": _cross_table(members, table),
        "odds_ratio": float(np.abs(np.subtract(*(odds_ratios(part, members) for part in (members, table)))).mean()),
        "correlation": largest_gap(correlations(members, members), correlations(table, members)),
    }


def _cross_table(members: pl.DataFrame, table: pl.DataFrame) -> float:
    codes = binned([members, table], members.columns, BINS)
    last, worst = len(codes.sizes) - 1, 0.0
    for place in range(last):
        both = [
            np.bincount(
                part[:, place] * codes.sizes[last] + part[:, last], minlength=codes.sizes[place] * codes.sizes[last]
            )
            / len(part)
            for part in codes.tables
        ]
        worst = max(worst, float(np.abs(both[0] - both[1]).max()))
    return worst


def dummies(table: pl.DataFrame, like: pl.DataFrame) -> NDArray[np.float64]:
    """Numbers in units of their deviation among `like`, and 0 or 1 for each text that it has."""
    columns = []
    for name in like.columns:
        if like[name].dtype.is_numeric():
            held = like[name].to_numpy().astype(float)
            columns.append((table[name].to_numpy().astype(float) - held.mean()) / (held.std() or 1.0))
        else:
            columns += [(table[name] == value).to_numpy().astype(float) for value in sorted(like[name].unique())]
    return np.stack(columns, axis=1)


def odds_ratios(table: pl.DataFrame, like: pl.DataFrame) -> NDArray[np.float64]:
    """The odds ratios of a logistic regression of the last column by all others."""
    target = like.columns[-1]
    terms = Terms.of(like, like.columns[:-1])
    ill = (table[target] == str(like[target].max())).to_numpy().astype(np.float64)
    return np.asarray(np.exp(np.clip(logistic(terms.matrix(table), ill).values, -10.0, 10.0)))


def correlations(table: pl.DataFrame, like: pl.DataFrame) -> NDArray[np.float64]:
    """All correlations, texts as a column for each value; 0 for what never varies."""
    cells = dummies(table, like)
    spread = cells.std(axis=0)
    scaled = (cells - cells.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.asarray(scaled.T @ scaled / len(cells))


def apart(codes: Binned) -> list[float]:
    """[column]: the total variation distance of its values in two tables."""
    return [
        float(
            np.abs(
                np.subtract(*(np.bincount(part[:, place], minlength=size) / len(part) for part in codes.tables))
            ).sum()
            / 2
        )
        for place, size in enumerate(codes.sizes)
    ]


def largest_gap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.abs(one - other).max())


def kept_rows(table: pl.DataFrame) -> NDArray[np.int64]:
    """[row]: the same number for rows that are alike, numbers in tens."""
    tens = table.with_columns([(pl.col(name) / 10).round() for name in numbers_of(table)])
    return tens.select(pl.struct(pl.all()).rank("dense").alias("class"))["class"].to_numpy().astype(np.int64) - 1


def unique_share(table: pl.DataFrame) -> float:
    """Share of the rows that no other is like."""
    classes = kept_rows(table)
    return float((np.bincount(classes)[classes] == 1).mean()) if classes.size else 0.0


def changed(
    table: pl.DataFrame, share: float, rng: np.random.Generator, names: list[str] | None = None
) -> pl.DataFrame:
    """Texts replaced by any value of their column, each with a probability (randomized response)."""
    columns = []
    for name in names if names is not None else [each for each in table.columns if each not in numbers_of(table)]:
        values = table[name].unique().sort()
        other = values[rng.integers(0, len(values), table.height)]
        columns.append(
            pl.Series(name, np.where(rng.random(table.height) < share, other.to_numpy(), table[name].to_numpy()))
        )
    return table.with_columns(columns)
