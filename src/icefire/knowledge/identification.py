"""Average identification probability by a single known fact.

An attacker learns fact a with probability (records with a)/m and then picks one of the users who have it at random:

    R(A) = sum over the values a of A of alpha_a / m,   alpha_a = (records with a) / (users with a)

It is a grouped aggregation, run by the engine that holds the data. A missing value counts as a value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import ndtri

from icefire.core.documents import JsonObject
from icefire.core.errors import DataError, ParameterError
from icefire.core.intervals import mean_of_sample
from icefire.core.seeds import generator
from icefire.core.values import Interval
from icefire.frames import relational
from icefire.frames.engines import Native, columns
from icefire.frames.relational import COUNT, USERS
from icefire.frames.sampling import ValueSample, sample_values

Model = Literal["exact", "mean", "cost", "sampling"]
NO_FACTS = "the table has 0 rows, so there are no facts to know"


@dataclass(frozen=True)
class Identification:
    """Average identification probability of a column, or of several columns known together."""

    columns: tuple[str, ...]
    probability: float
    values: int
    """Number of distinct values."""
    mean_records: float
    """Mean of alpha: mean number of records with a value, per user who has it."""
    cost_model: float
    """The least-cost approximation |D| / m; its relative error is 1 - 1/mean_records."""
    model: Model = "exact"
    interval: Interval | None = None
    sampled: int | None = None
    """Number of values drawn by the sampling model."""
    relative_error: float | None = None
    """Relative standard error of the sampled probability."""
    values_error: float | None = None
    """Relative standard error of `values`; None if that number is exact."""

    def as_dict(self) -> JsonObject:
        result: JsonObject = {
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
        if self.values_error is not None:
            result["values_error"] = self.values_error
        return result


def identification(
    data: Native,
    known: str | Sequence[str],
    user: str | None = None,
    model: Model = "exact",
    sample: int = 10,
    seed: int = 0,
) -> Identification:
    """Average identification probability R of a column, or of several columns known together.

    Without a user column every row is a user of its own. The models `exact` and `mean` compute the same number in two
    ways; `cost` is the approximation |D|/m; `sampling` draws values of the column in one pass over the data, in bounded
    memory, and reports a 90% interval.

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
    if model == "sampling":
        return _sampled(data, names, user, sample, seed)
    records, values, total = _total(data, names, user)
    if records == 0:
        raise DataError(NO_FACTS)
    mean = total / values
    probability = {"exact": total / records, "mean": values * mean / records, "cost": values / records}[model]
    return Identification(names, probability, values, mean, values / records, model)


def _total(data: Native, names: tuple[str, ...], user: str | None) -> tuple[int, int, float]:
    """Number of records, number of distinct values, and the sum of their alpha."""
    if user is None:
        counts = relational.count_by(data, names).select(nw.col(COUNT).sum().alias("records"), nw.len().alias("values"))
        records, values = relational.collect(counts).row(0)
        return int(records or 0), int(values), float(values)
    # Values with the same number of users are summed as integers first, so that engines agree to the last digit.
    sums = pl.concat([_by_users(part, names, user) for part in relational.parts_by_value(data, names)])
    if sums[USERS].n_unique() < sums.height:
        sums = sums.group_by(USERS).agg(pl.all().sum())
    terms = (sums["records"].cast(pl.Float64) / sums[USERS].cast(pl.Float64)).to_list()
    return int(sums["records"].sum()), int(sums["values"].sum()), math.fsum(terms)


def _by_users(data: Native, names: tuple[str, ...], user: str) -> pl.DataFrame:
    """Number of records and of values by the number of users who have a value."""
    same_users = relational.facts_by_value(data, names, user).group_by(USERS)
    return relational.collect(same_users.agg(nw.col(COUNT).sum().alias("records"), nw.len().alias("values")))


def identification_of_sets(
    data: Native, names: Sequence[str] | None = None, user: str | None = None, size: int = 1
) -> list[Identification]:
    """R of every set of `size` columns, the most identifying first."""
    chosen = [name for name in (names if names is not None else columns(data)) if name != user]
    found = [identification(data, known, user) for known in combinations(chosen, size)]
    return sorted(found, key=lambda result: -result.probability)


def dangerous_values(data: Native, known: str | Sequence[str], user: str | None = None, most: int = 10) -> pl.DataFrame:
    """The values that contribute most to R.

    Columns of the result: the known columns, records, users, chance (1/users) and contribution (alpha/m).
    """
    names = [known] if isinstance(known, str) else list(known)
    relational.require_columns(data, [*names, *([user] if user else [])])
    records = relational.row_count(data)
    facts = relational.facts_by_value(data, names, user).with_columns(contribution=_alpha() / records)
    top = facts.sort("contribution", COUNT, *names, descending=[True, True, *[False] * len(names)], nulls_last=True)
    table = relational.collect(top.head(most))
    return table.select(
        *names,
        pl.col(COUNT).cast(pl.Int64).alias("records"),
        pl.col(USERS).cast(pl.Int64).alias("users"),
        (1.0 / pl.col(USERS)).alias("chance"),
        "contribution",
    )


def exposed_users(data: Native, known: str | Sequence[str], user: str, most: int = 10) -> pl.DataFrame:
    """The users who are most identifiable by a random record of theirs.

    Columns of the result: user, records, exposure (mean of 1/users over the user's records).
    """
    names = [known] if isinstance(known, str) else list(known)
    relational.require_columns(data, [*names, user])
    shared = relational.users_per_fact(data, names, user)
    weighted = shared.with_columns(weighted=_alpha())
    sums = weighted.group_by(user).agg(nw.col(COUNT).sum().alias("records"), nw.col("weighted").sum().alias("exposure"))
    exposure = sums.with_columns(exposure=nw.col("exposure") / nw.col("records"))
    top = exposure.sort("exposure", "records", user, descending=[True, True, False], nulls_last=True)
    return relational.collect_sums(top.head(most)).select(user, pl.col("records").cast(pl.Int64), "exposure")


def _alpha() -> nw.Expr:
    return nw.col(COUNT).cast(nw.Float64) / nw.col(USERS)


def _sampled(data: Native, names: tuple[str, ...], user: str | None, size: int, seed: int) -> Identification:
    if size < 2:
        raise ParameterError.of("identification", "sample", "an integer of at least 2", size)
    salt = int(generator(seed, "identification", *names).integers(1 << 63))
    sample = sample_values(data, names, user, size, salt)
    if sample.records == 0:
        raise DataError(NO_FACTS)
    alpha, scale = sample.means, sample.values / sample.records
    interval, error = _interval(alpha, sample)
    return Identification(
        names,
        float(scale * alpha.mean()),
        sample.values,
        float(alpha.mean()),
        scale,
        "sampling",
        Interval(scale * interval.low, scale * interval.high, interval.confidence),
        sample.drawn,
        error,
        None if sample.exact else sample.values_error,
    )


def _interval(alpha: NDArray[np.float64], sample: ValueSample) -> tuple[Interval, float]:
    """90% interval of the mean, widened by the error of the number of values, and the relative standard error of both."""
    mean = float(alpha.mean())
    spread, error = 0.0, 0.0
    if alpha.size >= 2 and alpha.size < sample.values:
        spread = mean_of_sample(alpha, sample.values, confidence=0.9).high - mean
        error = float(alpha.std(ddof=1) / np.sqrt(alpha.size) / mean)
    reach = math.hypot(spread, float(ndtri(0.95)) * mean * sample.values_error)
    # alpha is at least 1, and so is its mean.
    low = 1.0 - float(ndtri(0.95)) * sample.values_error
    return Interval(max(low, mean - reach), mean + reach, 0.9), math.hypot(error, sample.values_error)
