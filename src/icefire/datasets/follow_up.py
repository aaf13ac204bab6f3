"""People who are followed for years, until an illness begins or the study ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast, Share
from icefire.synthetic.data import People, Schema
from icefire.synthetic.roles import Dataset
from icefire.synthetic.schema import Column, Survival

YEARS = 10.0
TESTS = {"bmi": (10, 55), "sbp": (40, 250), "tg": (1, 3000), "hdl": (10, 160), "alt": (0.1, 700), "fpg": (40, 400)}
SCHEMA = Schema(
    ("time",),
    {
        "age": Column(low=40, high=74),
        "sex": Column(values=("f", "m")),
        "smoker": Column(values=("no", "yes")),
        "type": Column(values=("common", "rare")),
        **{name: Column(low=low, high=high, decimals=1) for name, (low, high) in TESTS.items()},
        "onset": Column(values=("0", "1")),
        "death": Column(values=("0", "1")),
        "time": Column(low=0, high=YEARS, decimals=2),
    },
    Survival("time", "onset", ("1",)),
)


@dataclass(frozen=True)
class FollowUp(Dataset):
    """A cohort followed for ten years: tests at the beginning, onset of diabetes or death, and when; few have a rare type.

    `time` is hidden: the years until the onset, the death or the end of the study, whatever came first.

    Parameters:
        n: number of people in the cohort.
        others: number of people of the same population, as many as n if left out.
        rare: share of people of the rare type.

    Example:
        >>> import numpy as np
        >>> FollowUp(n=50).generate(np.random.default_rng(0))
        People(50 members, 50 others, 13 columns)

    Reference:
        The shape of the data of PWSCUP 2026.
    """

    n: Annotated[int, AtLeast(1)] = 1000
    others: Annotated[int, AtLeast(1)] | None = None
    rare: Share = 0.04

    def generate(self, rng: np.random.Generator) -> People:
        table = _cohort(self.n + (self.others or self.n), self.rare, rng)
        return People(table[: self.n], table[self.n :], SCHEMA)


def _cohort(number: int, share: float, rng: np.random.Generator) -> pl.DataFrame:
    age = rng.integers(40, 75, number)
    male, smoker, rare = rng.random(number) < 0.5, rng.random(number) < 0.2, rng.random(number) < share
    burden = rng.normal(0, 1, number) + 1.5 * rare
    tests = {
        "bmi": 23.5 + 2.4 * burden + rng.normal(0, 1.8, number),
        "sbp": 112 + 0.4 * (age - 40) + 5 * burden + rng.normal(0, 12, number),
        "tg": np.exp(4.6 + 0.25 * burden + 0.1 * male + rng.normal(0, 0.45, number)),
        "hdl": 64 - 5 * burden - 8 * male + rng.normal(0, 11, number),
        "alt": np.exp(2.9 + 0.2 * burden + 0.15 * male + 1.1 * rare + rng.normal(0, 0.4, number)),
        "fpg": 94 + 0.15 * (age - 40) + 4 * burden + 25 * rare + rng.normal(0, 7, number),
    }
    hazard = 0.008 * np.exp(
        0.03 * (age - 55) + 0.05 * (tests["fpg"] - 97) + 0.08 * (tests["bmi"] - 23.5) + 0.4 * smoker
    )
    dying = 0.006 * np.exp(0.09 * (age - 57) + 0.5 * smoker)
    begins, dies = rng.exponential(1 / hazard), rng.exponential(1 / dying)
    time = np.minimum(np.minimum(begins, dies), YEARS)
    return pl.DataFrame(
        {
            "age": age,
            "sex": np.where(male, "m", "f"),
            "smoker": np.where(smoker, "yes", "no"),
            "type": np.where(rare, "rare", "common"),
            **{name: np.clip(values, *TESTS[name]).round(1) for name, values in tests.items()},
            "onset": ((begins <= dies) & (begins < YEARS)).astype(np.int64).astype(str),
            "death": ((dies < begins) & (dies < YEARS)).astype(np.int64).astype(str),
            "time": time.round(2),
        }
    )
