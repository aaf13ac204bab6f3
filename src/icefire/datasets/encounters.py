"""Patients with what was done for them, of whom a sample is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from scipy.special import expit

from icefire.core.parameters import AtLeast, Share
from icefire.core.seeds import generator
from icefire.datasets.census import sampled
from icefire.synthetic.data import People, Schema
from icefire.synthetic.roles import Dataset
from icefire.synthetic.schema import Column

RACES = ("asian", "black", "hawaiian", "native", "other", "white")
FLAGS = ("asthma", "stroke", "obesity", "depression")
SCHEMA = Schema(
    ("stroke",),
    {
        "gender": Column(values=("F", "M")),
        "age": Column(low=0, high=110),
        "race": Column(values=RACES),
        "ethnicity": Column(values=("hispanic", "nonhispanic")),
        "encounters": Column(low=0, high=500),
        "procedures": Column(low=0, high=500),
        "medications": Column(low=0, high=300),
        "immunizations": Column(low=0, high=60),
        "allergies": Column(low=0, high=15),
        "devices": Column(low=0, high=10),
        "systolic": Column(low=70, high=220),
        "diastolic": Column(low=40, high=140),
        "bmi": Column(low=10, high=60, decimals=1),
        "weight": Column(low=2, high=200, decimals=1),
        **{flag: Column(values=("0", "1")) for flag in FLAGS},
    },
)


@dataclass(frozen=True)
class Encounters(Dataset):
    """Patients of a region, with encounters, treatments and diagnoses, of whom a share is sampled.

    Parameters:
        n: number of patients in the region.
        share: share of them who are members of the sample.
        world: the region, which is the same whoever samples it.

    Example:
        >>> import numpy as np
        >>> Encounters(n=100).generate(np.random.default_rng(0))
        People(10 members, 90 others, 18 columns)

    Reference:
        The shape of the data of PWSCUP 2025.
    """

    n: Annotated[int, AtLeast(2)] = 2000
    share: Share = 0.1
    world: Annotated[int, AtLeast(0)] = 0

    def generate(self, rng: np.random.Generator) -> People:
        table = _patients(self.n, generator(self.world, "encounters"))
        return People(*sampled(table, self.share, rng), SCHEMA)


def _patients(number: int, rng: np.random.Generator) -> pl.DataFrame:
    age = np.clip(rng.gamma(3.2, 13, number), 0, 110).round()
    male = rng.random(number) < 0.5
    frailty = rng.gamma(2, 0.5, number)
    encounters = np.minimum(rng.poisson(6 + 0.35 * age * frailty), 500)
    bmi = np.clip(np.where(age < 18, 15 + 0.5 * age, rng.normal(27.5, 4.5, number)), 10, 60).round(1)
    weight = np.clip(bmi * np.where(age < 18, 0.5 + 0.07 * age, np.where(male, 1.76, 1.62)) ** 2, 2, 200).round(1)
    systolic = np.clip(rng.normal(98 + 0.42 * age + 0.5 * (bmi - 25), 11, number), 70, 220).round()
    obese = (bmi >= 30).astype(np.int64)
    stroke = rng.random(number) < expit(0.06 * (age - 95) + 0.03 * (systolic - 130) + 0.4 * frailty)
    chances = {"asthma": 0.07 + 0.05 * (age < 20), "depression": 0.05 + 0.04 * frailty}
    return pl.DataFrame(
        {
            "gender": np.where(male, "M", "F"),
            "age": age.astype(np.int64),
            "race": rng.choice(RACES, number, p=[0.2, 0.1, 0.05, 0.02, 0.03, 0.6]),
            "ethnicity": np.where(rng.random(number) < 0.12, "hispanic", "nonhispanic"),
            "encounters": encounters,
            "procedures": np.minimum(rng.poisson(0.6 * encounters * frailty), 500),
            "medications": np.minimum(rng.poisson(1 + 0.05 * age * frailty), 300),
            "immunizations": np.minimum(rng.poisson(np.where(age < 18, 12, 6), number), 60),
            "allergies": np.minimum(rng.poisson(0.3, number), 15),
            "devices": np.minimum(rng.poisson(0.01 * age * frailty / 2), 10),
            "systolic": systolic.astype(np.int64),
            "diastolic": np.clip(0.55 * systolic + rng.normal(11, 6, number), 40, 140).round().astype(np.int64),
            "bmi": bmi,
            "weight": weight,
            "asthma": (rng.random(number) < chances["asthma"]).astype(np.int64).astype(str),
            "stroke": stroke.astype(np.int64).astype(str),
            "obesity": obese.astype(str),
            "depression": (rng.random(number) < chances["depression"]).astype(np.int64).astype(str),
        }
    )
