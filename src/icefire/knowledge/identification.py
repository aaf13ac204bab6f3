"""Average identification probability: what a single fact about somebody gives away.

An attacker learns fact a with probability (records with a)/m and then picks among the users who have it:

    R(A) = sum over the values a of A of alpha_a / m,   alpha_a = (records with a) / (users with a)

Everything is one grouped aggregation that runs where the data is. A missing value is a value like any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, ParameterError
from icefire.core.intervals import mean_of_sample
from icefire.core.seeds import generator
from icefire.core.values import Interval
from icefire.frames import relational
from icefire.frames.engines import Native, columns, lazy
from icefire.frames.relational import COUNT, USERS

Model = Literal["exact", "mean", "cost", "sampling"]


@dataclass(frozen=True)
class Identification:
    """How identifying a column, or a set of columns known together, is."""

    columns: tuple[str, ...]
    probability: float
    values: int
    mean_records: float
    """Mean of alpha: records per user who has the value."""
    cost_model: float
    """The least-cost approximation |D| / m; its relative error is 1 - 1/mean_records."""
    model: Model = "exact"
    interval: Interval | None = None
    sampled: int | None = None
    """Number of values drawn, under the sampling model."""
    relative_error: float | None = None
    """Standard error of the sampled probability, relative to it."""

    def as_dict(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "probability": self.probability,
            "values": self.values,
            "mean_records": self.mean_records,
            "cost_model": self.cost_model,
            "model": self.model,
        }
        if self.interval is not None:
            result |= {"interval": [self.interval.low, self.interval.high], "confidence": self.interval.confidence}
        if self.sampled is not None:
            result |= {"sampled": self.sampled, "relative_error": self.relative_error}
        return result


def identification(
    data: Native,
    known: str | Sequence[str],
    user: str | None = None,
    model: Model = "exact",
    sample: int = 10,
    seed: int = 0,
) -> Identification:
    """R of one column, or of several that are known together.

    Without a user column every row is its own user. `exact` and `mean` are the same number by two routes; `cost` is
    |D|/m; `sampling` draws values of the column, reads only their records, and reports a 90% interval.

    >>> records = pl.DataFrame({
    ...     "who": ["Ito", "Ito", "Yamada", "Okamoto", "Okamoto"], "day": ["2/1", "2/1", "2/2", "2/2", "2/3"]
    ... })
    >>> identification(records, "day", user="who").probability
    0.8
    """
    names = (known,) if isinstance(known, str) else tuple(known)
    if not names:
        raise ParameterError.of("identification", "known", "at least one column", known)
    relational.require_columns(data, [*names, *([user] if user else [])])
    records = relational.row_count(data)
    if records == 0:
        raise DataError("the table has 0 rows, so nothing can be known about anybody")
    if model == "sampling":
        return _sampled(data, names, user, records, sample, seed)
    values, total = _total(data, names, user)
    mean = total / values
    probability = {"exact": total / records, "mean": values * mean / records, "cost": values / records}[model]
    return Identification(names, probability, values, mean, values / records, model)


def _total(data: Native, names: tuple[str, ...], user: str | None) -> tuple[int, float]:
    """Number of values, and the sum of alpha over them."""
    if user is None:
        values = relational.row_count(relational.count_by(data, names))
        return values, float(values)
    # Values with equally many users are added up as integers first, so that every engine gives the same last digit.
    alike = relational.facts_by_value(data, names, user).group_by(USERS)
    sums = relational.collect(alike.agg(nw.col(COUNT).sum().alias("records"), nw.len().alias("values")))
    terms = (sums["records"].cast(pl.Float64) / sums[USERS].cast(pl.Float64)).to_list()
    return int(sums["values"].sum()), math.fsum(terms)


def identification_of_sets(
    data: Native, names: Sequence[str] | None = None, user: str | None = None, size: int = 1
) -> list[Identification]:
    """R of every set of `size` columns, the most identifying first: which columns to treat first."""
    chosen = [name for name in (names if names is not None else columns(data)) if name != user]
    found = [identification(data, known, user) for known in combinations(chosen, size)]
    return sorted(found, key=lambda one: -one.probability)


def dangerous_values(data: Native, known: str | Sequence[str], user: str | None = None, most: int = 10) -> pl.DataFrame:
    """The values that contribute most to R: columns, records, users, chance (1/users) and contribution (alpha/m)."""
    names = [known] if isinstance(known, str) else list(known)
    relational.require_columns(data, [*names, *([user] if user else [])])
    records = relational.row_count(data)
    facts = relational.facts_by_value(data, names, user).with_columns(contribution=_alpha() / records)
    top = facts.sort("contribution", COUNT, *names, descending=[True, True, *[False] * len(names)], nulls_last=True)
    table = relational.collect(top.head(most))
    return table.select(
        *names,
        pl.col(COUNT).alias("records"),
        pl.col(USERS).alias("users"),
        (1.0 / pl.col(USERS)).alias("chance"),
        "contribution",
    )


def exposed_users(data: Native, known: str | Sequence[str], user: str, most: int = 10) -> pl.DataFrame:
    """The users whom a random record of theirs gives away most: user, records, exposure (mean of 1/users)."""
    names = [known] if isinstance(known, str) else list(known)
    relational.require_columns(data, [*names, user])
    shared = relational.users_per_fact(data, names, user)
    weighed = shared.with_columns(weighed=nw.col(COUNT).cast(nw.Float64) / nw.col(USERS))
    sums = weighed.group_by(user).agg(nw.col(COUNT).sum().alias("records"), nw.col("weighed").sum().alias("exposure"))
    exposure = sums.with_columns(exposure=nw.col("exposure") / nw.col("records"))
    top = exposure.sort("exposure", "records", user, descending=[True, True, False], nulls_last=True)
    return relational.collect_sums(top.head(most)).select(user, "records", "exposure")


def _alpha() -> nw.Expr:
    return nw.col(COUNT).cast(nw.Float64) / nw.col(USERS)


def _sampled(
    data: Native, names: tuple[str, ...], user: str | None, records: int, sample: int, seed: int
) -> Identification:
    if sample < 2:
        raise ParameterError.of("identification", "sample", "an integer of at least 2", sample)
    # Engines return groups in any order: sort, so that a seed draws the same values everywhere.
    domain = relational.collect(relational.count_by(data, names).select(*names)).sort(*names)
    rng = generator(seed, "identification", *names)
    drawn = domain[np.sort(rng.choice(domain.height, min(sample, domain.height), replace=False))]
    facts = relational.facts_by_value(_records_with(data, drawn), names, user)
    alpha = relational.collect(facts.select(alpha=_alpha()))["alpha"].to_numpy()
    scale = domain.height / records
    interval, error = _interval(alpha, domain.height)
    return Identification(
        names,
        float(scale * alpha.mean()),
        domain.height,
        float(alpha.mean()),
        scale,
        "sampling",
        Interval(scale * interval.low, scale * interval.high, interval.confidence),
        drawn.height,
        error,
    )


def _interval(alpha: NDArray[np.float64], population: int) -> tuple[Interval, float]:
    if alpha.size < 2 or alpha.size == population:
        return Interval(float(alpha.mean()), float(alpha.mean()), 0.9), 0.0
    interval = mean_of_sample(alpha, population, confidence=0.9)
    # alpha is at least 1, and so is its mean.
    return Interval(max(1.0, interval.low), interval.high, 0.9), float(
        alpha.std(ddof=1) / np.sqrt(alpha.size) / alpha.mean()
    )


def _records_with(data: Native, values: pl.DataFrame) -> nw.LazyFrame[Any]:
    """The records whose known columns take one of the given combinations of values, missing ones included."""
    if values.width == 1:
        column = values.to_series()
        wanted = nw.col(column.name).is_in(column.drop_nulls().to_list())
        return lazy(data).filter(wanted | nw.col(column.name).is_null() if column.null_count() else wanted)
    alternatives = [
        nw.all_horizontal(
            *[nw.col(n).is_null() if v is None else nw.col(n) == v for n, v in row.items()], ignore_nulls=True
        )
        for row in values.iter_rows(named=True)
    ]
    return lazy(data).filter(nw.any_horizontal(*alternatives, ignore_nulls=True))
