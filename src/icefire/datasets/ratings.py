"""Ratings of films by people with names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import People, Schema
from icefire.synthetic.roles import Dataset
from icefire.synthetic.schema import Column

BASIC = ("name", "gender", "age", "occupation", "zip")
FILMS = tuple(f"film{number:02d}" for number in range(1, 47))
JOBS = (
    "artist",
    "clerk",
    "doctor",
    "driver",
    "farmer",
    "nurse",
    "retired",
    "seller",
    "student",
    "teacher",
    "technician",
)
SCHEMA = Schema(
    (),
    {
        "name": Column("categorical"),
        "gender": Column(values=("F", "M")),
        "age": Column(low=10, high=90),
        "occupation": Column(values=JOBS),
        "zip": Column("categorical"),
        **{film: Column(low=0, high=5) for film in FILMS},
    },
)


@dataclass(frozen=True)
class Ratings(Dataset):
    """Ratings of 46 films, 1 to 5 and 0 for those not seen, with name, gender, age, occupation and postal code of people.

    Parameters:
        n: number of people in the table.
        others: number of people who are not in it.

    Example:
        >>> import numpy as np
        >>> Ratings(n=20, others=5).generate(np.random.default_rng(0))
        People(20 members, 5 others, 51 columns)

    Reference:
        The shape of the data of PWSCUP 2024.
    """

    n: Annotated[int, AtLeast(1)] = 1000
    others: Annotated[int, AtLeast(1)] = 100

    def generate(self, rng: np.random.Generator) -> People:
        number = self.n + self.others
        age = np.clip(rng.gamma(6, 6, number), 10, 90).round().astype(np.int64)
        job = np.where(age > 66, JOBS.index("retired"), rng.integers(0, len(JOBS), number))
        job = np.where((age > 17) | (job == JOBS.index("retired")), job, JOBS.index("student"))
        # Tastes go with age and job, so that ratings tell of people, and films of each other.
        taste = rng.normal(0, 1, (number, 4)) + np.stack([(age - 36) / 20, job % 3 - 1, job % 2, 0 * age], axis=1)
        appeal = rng.normal(0, 0.7, (4, len(FILMS)))
        liked = 3.3 + 0.45 * taste @ appeal + rng.normal(0, 0.9, (number, len(FILMS)))
        seen = rng.random((number, len(FILMS))) < rng.beta(2, 3, len(FILMS)) + 0.05 * (age[:, None] < 30)
        table = pl.DataFrame(
            {
                "name": [f"person{place:06d}" for place in rng.permutation(number)],
                "gender": rng.choice(["F", "M"], number),
                "age": age,
                "occupation": np.array(JOBS)[job],
                "zip": [f"{code:03d}" for code in (1000 * rng.beta(1, 4, number)).astype(int)],
                **dict(zip(FILMS, np.where(seen, np.clip(liked.round(), 1, 5), 0).astype(np.int64).T, strict=True)),
            }
        )
        return People(table[: self.n], table[self.n :], SCHEMA)
