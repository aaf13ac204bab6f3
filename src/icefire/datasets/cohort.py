"""Synthetic patients, some of whom are members of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from scipy.special import expit

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import People, Schema
from icefire.synthetic.roles import Dataset
from icefire.synthetic.schema import Column, Survival

REGIONS = ("north", "east", "south", "west", "islands")
JOBS = ("office", "shop", "factory", "farm", "school", "none")
DIAGNOSES = ("none", "diabetes", "heart", "asthma", "cancer", "rare")
SCHEMA = Schema(
    ("diagnosis",),
    {
        "age": Column(low=0, high=110),
        "sex": Column(values=("f", "m")),
        "region": Column(values=REGIONS),
        "job": Column(values=JOBS),
        "height": Column(low=120, high=220, decimals=1),
        "weight": Column(low=30, high=200, decimals=1),
        "pressure": Column(low=70, high=240),
        "smoker": Column(values=("no", "yes")),
        "visits": Column(low=0, high=100),
        "cost": Column(low=0, high=100_000, decimals=2),
        "diagnosis": Column(values=DIAGNOSES),
    },
)
TIMED = Schema(
    SCHEMA.hidden,
    {**SCHEMA.columns, "years": Column(low=0, high=10, decimals=2), "died": Column(values=("no", "yes"))},
    Survival("years", "died", ("yes",)),
)
DEADLY = {"none": 1.0, "diabetes": 1.5, "heart": 2.5, "asthma": 1.1, "cancer": 5.0, "rare": 8.0}
"""By how much a diagnosis raises the hazard."""


@dataclass(frozen=True)
class Cohort(Dataset):
    """Synthetic patients of one population: members of a study, others as control, and a few who differ from all.

    Weight, pressure, visits, cost and diagnosis depend on each other and on age; diagnosis is hidden.

    Parameters:
        n: number of members.
        others: number of people in the control group; as many as members if left out.
        outliers: number of members who differ from all others: the first rows.
        follow_up: whether they were watched for up to ten years: the columns `years` and `died`.

    Example:
        >>> import numpy as np
        >>> Cohort(n=50, others=20).generate(np.random.default_rng(0))
        People(50 members, 20 others, 11 columns)
    """

    n: Annotated[int, AtLeast(1)] = 1000
    others: Annotated[int, AtLeast(1)] | None = None
    outliers: Annotated[int, AtLeast(0)] = 0
    follow_up: bool = False

    def generate(self, rng: np.random.Generator) -> People:
        table = _patients(self.n + (self.others or self.n), rng)
        if self.outliers:
            table = _unusual(table, min(self.outliers, self.n), rng)
        schema = SCHEMA
        if self.follow_up:
            table, schema = _watched(table, rng), TIMED
        return People(table[: self.n], table[self.n :], schema)


def _patients(number: int, rng: np.random.Generator) -> pl.DataFrame:
    age = np.clip(rng.gamma(6, 9, number), 18, 95).round()
    male = rng.random(number) < 0.48
    region = rng.choice(len(REGIONS), number, p=[0.3, 0.3, 0.2, 0.19, 0.01])
    job = np.where(age > 67, 5, rng.choice(len(JOBS), number, p=[0.4, 0.2, 0.2, 0.05, 0.1, 0.05]))
    height = np.where(male, 171, 158) + rng.normal(0, 6, number) - 0.05 * (age - 40)
    weight = (height / 100) ** 2 * np.exp(rng.normal(3.12, 0.13, number))
    burden = weight / (height / 100) ** 2 / 5 + age / 25
    smoker = rng.random(number) < np.where(male, 0.25, 0.1)
    pressure = 90 + 4 * burden + 5 * smoker + rng.normal(0, 11, number)
    ill = expit(
        np.stack([burden - 7.5, 0.05 * (pressure - 150) + smoker, np.full(number, -2.5), age / 30 - 4.5], axis=1)
    )
    chances = np.column_stack([np.ones(number), ill, np.full(number, 0.004)])
    draws = rng.random(number)[:, None] * chances.sum(axis=1, keepdims=True)
    diagnosis = (np.cumsum(chances, axis=1) < draws).sum(axis=1)
    visits = rng.poisson(1 + 0.4 * burden + 4 * (diagnosis > 0))
    cost = rng.lognormal(5, 0.7, number) * (1 + visits) * np.array([1, 1.5, 3, 1.2, 6, 9])[diagnosis]
    return pl.DataFrame(
        {
            "age": age.astype(np.int64),
            "sex": np.where(male, "m", "f"),
            "region": np.array(REGIONS)[region],
            "job": np.array(JOBS)[job],
            "height": np.clip(height, 120, 220).round(1),
            "weight": np.clip(weight, 30, 200).round(1),
            "pressure": np.clip(pressure, 70, 240).round().astype(np.int64),
            "smoker": np.where(smoker, "yes", "no"),
            "visits": np.minimum(visits, 100),
            "cost": np.minimum(cost, 100_000).round(2),
            "diagnosis": np.array(DIAGNOSES)[diagnosis],
        }
    )


def _watched(table: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """The table with the years until death, or until somebody was lost from view; at most ten."""
    hazard = 0.004 * np.exp(0.06 * (table["age"].to_numpy() - 40)) * np.where(table["smoker"] == "yes", 1.8, 1.0)
    hazard *= table["diagnosis"].replace_strict(DEADLY).to_numpy()
    death, lost = rng.exponential(1 / hazard), np.minimum(rng.exponential(25, table.height), 10)
    return table.with_columns(
        years=pl.Series(np.minimum(death, lost).round(2)), died=pl.Series(np.where(death <= lost, "yes", "no"))
    )


def _unusual(table: pl.DataFrame, number: int, rng: np.random.Generator) -> pl.DataFrame:
    """The table with people in its first rows whose values hardly anybody else has, nor together."""
    first = pl.DataFrame(
        {
            "age": rng.integers(96, 110, number),
            "sex": rng.choice(["f", "m"], number),
            "region": ["islands"] * number,
            "job": ["farm"] * number,
            "height": rng.uniform(205, 220, number).round(1),
            "weight": rng.uniform(30, 40, number).round(1),
            "pressure": rng.integers(220, 240, number),
            "smoker": ["yes"] * number,
            "visits": rng.integers(80, 100, number),
            "cost": rng.uniform(80_000, 100_000, number).round(2),
            "diagnosis": ["rare"] * number,
        }
    )
    return pl.concat([first, table[number:]])
