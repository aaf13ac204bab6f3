"""Health check-ups with a diagnosis of diabetes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from scipy.special import expit

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import People, Schema
from icefire.synthetic.roles import Dataset
from icefire.synthetic.schema import Column

RACES = ("asian", "black", "hispanic", "mexican", "other", "white")
SCHOOLS = ("college", "graduate", "less", "secondary", "some")
STATES = ("cohabiting", "divorced", "married", "never", "separated", "widowed")
SCHEMA = Schema(
    ("diabetes",),
    {
        "gender": Column(values=("f", "m")),
        "age": Column(low=20, high=80),
        "race": Column(values=RACES),
        "education": Column(values=SCHOOLS),
        "marital": Column(values=STATES),
        "bmi": Column(low=13, high=75, decimals=1),
        "depression": Column(values=("no", "yes")),
        "poverty": Column(values=("no", "yes")),
        "activity": Column(values=("q1", "q2", "q3", "q4")),
        "insured": Column(values=("no", "yes")),
        "site": Column(values=("clinic", "mobile")),
        "diabetes": Column(values=("no", "yes")),
    },
)


@dataclass(frozen=True)
class Checkups(Dataset):
    """Health check-ups of adults, with a diagnosis of diabetes that depends on the other columns.

    Parameters:
        n: number of people in the table.
        others: number of people of the same population who are not in it.

    Example:
        >>> import numpy as np
        >>> Checkups(n=50, others=20).generate(np.random.default_rng(0))
        People(50 members, 20 others, 12 columns)

    Reference:
        The shape of the data of PWSCUP 2021 and 2022.
    """

    n: Annotated[int, AtLeast(1)] = 1000
    others: Annotated[int, AtLeast(1)] = 500

    def generate(self, rng: np.random.Generator) -> People:
        table = _people(self.n + self.others, rng)
        return People(table[: self.n], table[self.n :], SCHEMA)


def _people(number: int, rng: np.random.Generator) -> pl.DataFrame:
    age = rng.integers(20, 81, number)
    male = rng.random(number) < 0.48
    race = rng.choice(len(RACES), number, p=[0.12, 0.2, 0.12, 0.17, 0.04, 0.35])
    school = rng.choice(len(SCHOOLS), number, p=[0.3, 0.24, 0.22, 0.11, 0.13])
    marital = np.where(
        age < 28,
        rng.choice([1, 2, 3], number, p=[0.2, 0.2, 0.6]),
        rng.choice(6, number, p=[0.13, 0.08, 0.56, 0.12, 0.03, 0.08]),
    )
    bmi = np.clip(np.exp(rng.normal(3.34 + 0.0008 * age, 0.21, number)), 13, 75).round(1)
    poor = rng.random(number) < np.where(school >= 3, 0.35, 0.16)
    active = (
        np.clip(rng.normal(2.4 - 0.012 * (age - 50) - 0.02 * (bmi - 29), 1.1, number), 0, 3).round().astype(np.int64)
    )
    sad = rng.random(number) < 0.06 + 0.06 * poor
    insured, mobile = rng.random(number) < 0.98 - 0.1 * poor, rng.random(number) < 0.05
    ill = rng.random(number) < expit(0.055 * (age - 68) + 0.085 * (bmi - 29) - 0.15 * active + 0.2 * (race == 1))
    yes = np.array(["no", "yes"])
    return pl.DataFrame(
        {
            "gender": np.where(male, "m", "f"),
            "age": age,
            "race": np.array(RACES)[race],
            "education": np.array(SCHOOLS)[school],
            "marital": np.array(STATES)[marital],
            "bmi": bmi,
            "depression": yes[sad.astype(int)],
            "poverty": yes[poor.astype(int)],
            "activity": np.array(["q1", "q2", "q3", "q4"])[active],
            "insured": yes[insured.astype(int)],
            "site": np.where(mobile, "mobile", "clinic"),
            "diabetes": yes[ill.astype(int)],
        }
    )
