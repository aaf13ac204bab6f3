"""Tables of check-ups: what the contests of 2021 and 2022 measure of them."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.synthetic.encoding import binned

RIDGE = 1e-3
"""Keeps a logistic regression from running away where a value decides."""


def numbers_of(table: pl.DataFrame) -> list[str]:
    return [name for name in table.columns if table[name].dtype.is_numeric()]


def measured(members: pl.DataFrame, table: pl.DataFrame) -> dict[str, float]:
    """Differences of cross tables and correlations (the largest) and of odds ratios (the mean); the last column is the diagnosis."""
    return {
        "cross_table": _cross_table(members, table),
        "odds_ratio": float(np.abs(np.subtract(*(odds_ratios(part, members) for part in (members, table)))).mean()),
        "correlation": float(np.abs(np.subtract(*(_correlations(part, members) for part in (members, table)))).max()),
    }


def _cross_table(members: pl.DataFrame, table: pl.DataFrame) -> float:
    codes = binned([members, table], members.columns, bins=10)
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


def dummies(table: pl.DataFrame, like: pl.DataFrame, first: bool) -> NDArray[np.float64]:
    """Numbers in units of their deviation among `like`, and 0 or 1 for each text, the first one left out or not."""
    columns = []
    for name in like.columns[:-1]:
        if like[name].dtype.is_numeric():
            held = like[name].to_numpy().astype(float)
            columns.append((table[name].to_numpy().astype(float) - held.mean()) / (held.std() or 1.0))
        else:
            values = sorted(like[name].unique())[0 if first else 1 :]
            columns += [(table[name] == value).to_numpy().astype(float) for value in values]
    return np.stack(columns, axis=1)


def odds_ratios(table: pl.DataFrame, like: pl.DataFrame) -> NDArray[np.float64]:
    """The odds ratios of a logistic regression of the last column by all others, by Newton's method."""
    target = like.columns[-1]
    ill = (table[target] == str(like[target].max())).to_numpy().astype(float)
    terms = np.hstack([np.ones((table.height, 1)), dummies(table, like, first=False)])
    weights = np.zeros(terms.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(terms @ weights, -30, 30)))
        slope = terms.T @ (ill - chance) - RIDGE * weights
        curve = (terms * (chance * (1 - chance))[:, None]).T @ terms + RIDGE * np.eye(weights.size)
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-10:
            break
    return np.asarray(np.exp(np.clip(weights[1:], -10, 10)))


def _correlations(table: pl.DataFrame, like: pl.DataFrame) -> NDArray[np.float64]:
    cells = dummies(
        table.with_columns(pl.lit("x").alias("last")), like.with_columns(pl.lit("x").alias("last")), first=True
    )
    spread = cells.std(axis=0)
    scaled = (cells - cells.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.asarray(scaled.T @ scaled / len(cells))


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
