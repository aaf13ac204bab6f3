"""A census-like population, of which a sample is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from scipy.special import expit

from icefire.core.parameters import AtLeast, Share
from icefire.core.seeds import generator
from icefire.synthetic.data import People, Schema
from icefire.synthetic.roles import Dataset
from icefire.synthetic.schema import Column

WORK = ("private", "public", "self-employed", "none")
EDUCATION = ("school", "college", "bachelor", "master")
MARITAL = ("single", "married", "divorced", "widowed")
HOMES = ("house", "flat", "shared", "other")
SCHEMA = Schema(
    ("income", "married"),
    {
        "age": Column(low=15, high=99),
        "sex": Column(values=("f", "m")),
        "work": Column(values=WORK),
        "education": Column(values=EDUCATION),
        "status": Column(values=MARITAL),
        "home": Column(values=HOMES),
        "hours": Column(low=0, high=80),
        "children": Column(low=0, high=9),
        "married": Column(values=("no", "yes")),
        "income": Column(values=("high", "low")),
    },
)


@dataclass(frozen=True)
class Census(Dataset):
    """A population as of a census, of which a share is sampled.

    Parameters:
        n: number of people in the population.
        share: share of them who are members of the sample.
        world: the population, which is the same whoever samples it.

    Example:
        >>> import numpy as np
        >>> first, second = (Census(n=100).generate(np.random.default_rng(seed)) for seed in (0, 1))
        >>> first, sorted(first.candidates.rows()) == sorted(second.candidates.rows())
        (People(10 members, 90 others, 10 columns), True)

    Reference:
        The shape of the data of PWSCUP 2020.
    """

    n: Annotated[int, AtLeast(2)] = 2000
    share: Share = 0.1
    world: Annotated[int, AtLeast(0)] = 0

    def generate(self, rng: np.random.Generator) -> People:
        table = _population(self.n, generator(self.world, "census"))
        return People(*sampled(table, self.share, rng), SCHEMA)


def sampled(table: pl.DataFrame, share: float, rng: np.random.Generator) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Members, at least one, and all others, at least one."""
    number = min(max(1, round(share * table.height)), table.height - 1)
    order = rng.permutation(table.height)
    return table[order[:number]], table[order[number:]]


def _population(number: int, rng: np.random.Generator) -> pl.DataFrame:
    age = np.clip(rng.gamma(7, 6, number), 15, 99).round()
    male = rng.random(number) < 0.49
    schooling = np.clip(rng.normal(1.2, 1, number) - (age < 22), 0, 3).round().astype(np.int64)
    working = rng.random(number) < np.where((age > 17) & (age < 67), 0.85, 0.15)
    work = np.where(working, rng.choice(3, number, p=[0.7, 0.18, 0.12]), 3)
    wed = rng.random(number) < expit((age - 30) / 6) * 0.75
    status = np.where(wed, 1, np.where(rng.random(number) < expit((age - 60) / 8), 3, 2 * (age > 30)))
    hours = np.where(working, np.clip(rng.normal(38, 10, number), 1, 80), 0).round()
    children = np.where(age > 20, rng.poisson(0.4 + 1.1 * wed), 0)
    rich = rng.random(number) < expit(0.9 * schooling + 0.05 * hours + 0.6 * wed + 0.02 * age - 5.2)
    home = np.where(
        wed, rng.choice(4, number, p=[0.6, 0.3, 0.02, 0.08]), rng.choice(4, number, p=[0.2, 0.5, 0.25, 0.05])
    )
    return pl.DataFrame(
        {
            "age": age.astype(np.int64),
            "sex": np.where(male, "m", "f"),
            "work": np.array(WORK)[work],
            "education": np.array(EDUCATION)[schooling],
            "status": np.array(MARITAL)[status],
            "home": np.array(HOMES)[home],
            "hours": hours.astype(np.int64),
            "children": np.minimum(children, 9),
            "married": np.where(wed, "yes", "no"),
            "income": np.where(rich, "high", "low"),
        }
    )
