"""Artificial microdata of households: composition, income and spending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.parameters import AtLeast
from icefire.microdata.data import Microdata
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.roles import Dataset
from icefire.microdata.schema import Column, Schema

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_LABELS: dict[str, list[str]] = {
    "region": ["Hokkaido", "Tohoku", "Kanto", "Hokuriku", "Chubu", "Kinki", "Chugoku", "Shikoku", "Kyushu", "Okinawa"],
    "city_size": ["metropolis", "large city", "medium city", "small city", "village"],
    "dwelling": ["own house", "own flat", "private rent", "public rent", "company housing", "boarding"],
    "built": ["before 1971", "1971-1980", "1981-1990", "1991-2000", "2001-2010", "after 2010"],
    "sex": ["male", "female"],
    "marital": ["married", "never married", "widowed", "divorced"],
    "working": ["employed", "self-employed", "not working"],
    "industry": [
        "none",
        "farming",
        "fishing",
        "mining",
        "construction",
        "manufacturing",
        "utilities",
        "transport",
        "trade",
        "finance",
        "services",
        "education",
        "health",
        "government",
    ],
    "occupation": [
        "none",
        "manual",
        "skilled",
        "clerical",
        "sales",
        "technical",
        "professional",
        "manager",
        "executive",
        "security",
        "farmer",
        "artist",
    ],
    "company_size": ["none", "1-4", "5-29", "30-499", "500-999", "1000 or more", "government"],
}
_GROUPS: dict[str, list[str]] = {
    "region": ["north", "north", "east", "east", "central", "west", "west", "west", "south", "south"],
    "city_size": ["city", "city", "town", "town", "town"],
    "dwelling": ["owned", "owned", "rented", "rented", "rented", "rented"],
    "built": ["old", "old", "middle", "middle", "new", "new"],
    "industry": ["none", "primary", "primary", "primary", "secondary", "secondary", "secondary"] + ["tertiary"] * 7,
    "occupation": ["none", "blue", "blue", "white", "white", "white", "white", "lead", "lead", "blue", "blue", "white"],
    "company_size": ["none", "small", "small", "medium", "large", "large", "large"],
    "marital": ["married", "single", "single", "single"],
}  # fmt: skip
SPENDING = [
    "food",
    "housing",
    "utilities",
    "furniture",
    "clothing",
    "medical",
    "transport",
    "education",
    "recreation",
    "other",
]
PARTS = (40, 8, 6, 16, 18, 9, 14, 6, 18, 14)
"""How many kinds of spending each of the ten consists of in the large table: 149 in all."""
SOURCES = 34
"""Sources of income in the large table."""
_BASE = np.log([72_000, 21_000, 20_000, 8_500, 11_000, 11_500, 38_000, 9_000, 27_000, 48_000])
_INCOME_ELASTICITY = np.array([0.45, 0.35, 0.25, 0.6, 0.8, 0.4, 0.75, 0.9, 0.85, 0.9])
_MEMBER_ELASTICITY = np.array([0.65, 0.15, 0.5, 0.3, 0.4, 0.25, 0.35, 0.6, 0.2, 0.15])
_SPREAD = np.array([0.28, 0.9, 0.32, 0.95, 0.7, 0.85, 0.75, 0.8, 0.65, 0.6])


@dataclass(frozen=True)
class Households(Dataset):
    """Households with 14 quasi-identifiers and 11 amounts (income and ten kinds of spending), or 183 in detail.

    Generated like Japan's educational pseudo-microdata: amounts are drawn from a multivariate log-normal distribution whose
    mean depends on the cell of a cross tabulation (age band x members x employment). Amounts are correlated, spending has
    heavy tails, and some equivalence classes are rare, as in real data. QI are integer codes with labels; ages are five-year
    bands.

    Parameters:
        n: number of households; the large table of 2015 has 32,027.
        amounts: "few", or "all" for 149 kinds of spending and 34 sources of income, as in the large table: the ten kinds of
            spending and the income split up, with many zeros.

    Example:
        >>> import numpy as np
        >>> table = Households(n=100).generate(np.random.default_rng(1))
        >>> table.height, len(table.qi), len(table.sa)
        (100, 14, 11)
        >>> large = Households(n=100, amounts="all").generate(np.random.default_rng(1))
        >>> len(large.qi), len(large.sa), sum(name.startswith("income") for name in large.sa)
        (14, 183, 34)
    """

    n: Annotated[int, AtLeast(1)] = 8333
    amounts: Literal["few", "all"] = "few"

    def generate(self, rng: np.random.Generator) -> Microdata:
        people = _people(self.n, rng)
        amounts = _amounts(people, rng)
        if self.amounts == "all":
            amounts = _in_detail(amounts, rng)
        frame = pl.DataFrame({name: people[name] for name in _QI} | amounts)
        columns = {name: _column(name) for name in _QI}
        return Microdata(frame, Schema(_QI, tuple(amounts), {name: c for name, c in columns.items() if c is not None}))


_QI = (
    "region", "city_size", "members", "children", "earners", "dwelling", "built",
    "sex", "age", "marital", "working", "industry", "occupation", "company_size",
)  # fmt: skip


def _column(name: str) -> Column | None:
    if name == "age":
        return Column("numeric", hierarchy=Hierarchy(widths=(10, 20, 40)))
    if name in ("members", "children", "earners"):
        return Column("numeric", hierarchy=Hierarchy(widths=(2, 4)))
    labels = {str(code): label for code, label in enumerate(_LABELS[name], start=1)}
    groups = _GROUPS.get(name)
    hierarchy = None if groups is None else Hierarchy.mapping({str(i): g for i, g in enumerate(groups, start=1)})
    return Column("categorical", labels=labels, hierarchy=hierarchy)


def _draw(rng: np.random.Generator, weights: Sequence[Sequence[float]] | Floats, rows: Ints) -> Ints:
    """A random category, counted from 1, for each row; `rows` is the row of `weights` to use."""
    table = np.asarray(weights, dtype=np.float64)
    cumulative = np.cumsum(table / table.sum(axis=1, keepdims=True), axis=1)
    below = (rng.random(rows.size)[:, None] > cumulative[rows]).sum(axis=1)
    return np.asarray(1 + np.minimum(below, table.shape[1] - 1))


def _people(n: int, rng: np.random.Generator) -> dict[str, Ints]:
    one_group = np.zeros(n, dtype=np.int64)
    age = np.clip(np.round(rng.normal(52, 15, n) + rng.exponential(2, n)), 18, 95).astype(np.int64)
    band = np.digitize(age, [30, 45, 60, 70])
    sex = _draw(rng, [[80, 20], [88, 12], [90, 10], [86, 14], [72, 28]], band)
    marital = _draw(rng, [[35, 60, 0.3, 4], [72, 20, 0.7, 7], [80, 10, 2, 8], [77, 6, 10, 7], [62, 4, 29, 5]], band)
    marital = np.where(
        (sex == 2) & (marital == 1) & (rng.random(n) < 0.75), _draw(rng, [[0, 4, 3, 3]], one_group), marital
    )
    partner = (marital == 1).astype(np.int64)
    children = _draw(rng, [[70, 18, 9, 2, 0.3], [24, 26, 37, 11, 1.5], [52, 26, 18, 3.5, 0.4], [90, 8, 2, 0.2, 0.05]],
                     np.minimum(band, 3)) - 1  # fmt: skip
    children = np.where(partner == 1, children, np.minimum(children, (rng.random(n) < 0.15) * children))
    elders = (_draw(rng, [[88, 9, 2.5, 0.4]], one_group) - 1) * (band > 0)
    members = 1 + partner + children + elders
    working = _draw(rng, [[90, 6, 4], [88, 10, 2], [82, 14, 4], [42, 16, 42], [8, 9, 83]], band)
    idle = (working == 3).astype(np.int64)
    industry = np.where(idle == 1, 1, _industry(rng, working))
    occupation = np.where(idle == 1, 1, _occupation(rng, industry, age))
    company = np.where(idle == 1, 1, _company(rng, working, industry))
    earners = (1 - idle) + (rng.random(n) < 0.45) * partner * (band < 4) + (rng.random(n) < 0.12 * elders)
    region = _draw(rng, [[4.5, 7, 34, 4, 14, 17, 6, 3, 9.5, 1]], one_group)
    city = _draw(rng, [[30, 28, 20, 14, 8], [10, 30, 28, 20, 12]], np.isin(region, [3, 6]).astype(np.int64) ^ 1)
    dwelling = _draw(rng, [[10, 4, 62, 6, 14, 4], [42, 15, 30, 5, 7, 0.6], [66, 12, 14, 5, 3, 0.2], [78, 9, 7, 6, 0.1, 0.05]],
                     np.minimum(band, 3))  # fmt: skip
    built = _draw(
        rng, [[6, 12, 18, 26, 26, 12], [2, 8, 18, 30, 28, 14], [8, 14, 24, 26, 20, 8]], np.digitize(dwelling, [2, 3])
    )
    return {
        "region": region, "city_size": city, "members": members, "children": children, "earners": earners.astype(np.int64),
        "dwelling": dwelling, "built": built, "sex": sex, "age": age // 5 * 5, "marital": marital, "working": working,
        "industry": industry, "occupation": occupation, "company_size": company,
    }  # fmt: skip


def _industry(rng: np.random.Generator, working: Ints) -> Ints:
    weights = [
        [0, 0.6, 0.15, 0.1, 8, 22, 1.4, 9, 17, 4.5, 20, 5, 7, 5],
        [0, 18, 2.5, 0.05, 15, 8, 0.1, 4, 24, 1, 25, 1, 3, 0.01],
    ]
    return _draw(rng, weights, np.minimum(working - 1, 1))


def _occupation(rng: np.random.Generator, industry: Ints, age: Ints) -> Ints:
    primary = [0, 8, 5, 3, 2, 2, 0.5, 2, 1.5, 0.05, 75, 0.02]
    secondary = [0, 34, 26, 14, 5, 12, 3, 4, 2, 0.3, 0.01, 0.3]
    tertiary = [0, 17, 10, 24, 16, 8, 14, 6, 2.4, 2, 0.1, 0.8]
    young = np.array([primary, secondary, tertiary])
    older = young * np.array([1, 0.9, 1, 0.9, 0.9, 0.9, 1, 2.2, 2.5, 1, 1, 1])
    group = np.digitize(industry, [5, 8])
    return _draw(rng, np.vstack([young, older]), group + 3 * (age >= 45))


def _company(rng: np.random.Generator, working: Ints, industry: Ints) -> Ints:
    weights = np.array([[0, 7, 20, 36, 9, 27, 1], [0, 78, 19, 2.6, 0.2, 0.2, 0], [0, 0.2, 2, 6, 2, 2, 88]])
    return _draw(rng, weights, np.where(industry == 14, 2, np.minimum(working - 1, 1)))


def _amounts(people: Mapping[str, Ints], rng: np.random.Generator) -> dict[str, Ints]:
    n = people["age"].size
    cells = (
        30 * np.minimum(people["members"] - 1, 5)
        + 3 * np.digitize(people["age"], np.arange(25, 70, 5))
        + people["working"]
        - 1
    )
    size = 30 * 6
    shift, spread = rng.normal(0, 0.06, (size, 11)), np.exp(rng.normal(0, 0.08, (size, 11)))
    # A common factor, the propensity to spend, correlates the ten kinds of spending.
    noise = rng.standard_normal((n, 11))
    propensity = rng.standard_normal(n)
    age = people["age"]
    log_income = (
        np.log(4_300_000)
        - 0.0009 * (age - 52) ** 2 * (age < 60)
        - 0.10 * np.clip((age - 60) / 10, 0, 3)
        + np.array([-0.45, 0.0, 0.30, 0.48, 0.6, 0.7])[np.minimum(people["earners"], 5)]
        + np.array([0.0, -0.12, -0.28])[people["working"] - 1]
        + 0.28 * np.isin(people["occupation"], [7, 8]) + 0.75 * (people["occupation"] == 9)
        + 0.16 * (people["company_size"] >= 5) - 0.05 * people["city_size"] - 0.22 * (people["sex"] == 2)
        + shift[cells, 0] + 0.42 * spread[cells, 0] * noise[:, 0]
    )  # fmt: skip
    log_spending = (
        _BASE
        + _INCOME_ELASTICITY * (log_income - np.log(4_300_000))[:, None]
        + _MEMBER_ELASTICITY * np.log(people["members"] / 2.5)[:, None]
        + shift[cells, 1:]
        + _SPREAD * spread[cells, 1:] * (0.5 * propensity[:, None] + np.sqrt(0.75) * noise[:, 1:])
    )
    spending = np.exp(log_spending)
    spending[:, 1] *= np.where(np.isin(people["dwelling"], [1, 2]), 0.35, 2.4)
    spending[:, 7] *= np.where(people["children"] > 0, 1.0 + people["children"], 0.02)
    columns = [np.exp(log_income), *spending.T]
    return {
        name: np.round(values).astype(np.int64) for name, values in zip(["income", *SPENDING], columns, strict=True)
    }


def _in_detail(amounts: Mapping[str, Ints], rng: np.random.Generator) -> dict[str, Ints]:
    """The spending and the income of each household, split into parts that add up to them."""
    split = {name: PARTS[place] for place, name in enumerate(SPENDING)} | {"income": SOURCES}
    return {
        f"{name}_{part + 1:02}": column
        for name, parts in split.items()
        for part, column in enumerate(_parts(amounts[name], parts, rng).T)
    }


def _parts(total: Ints, number: int, rng: np.random.Generator) -> Ints:
    """[household, part]: parts of an amount. The first are common; the further ones are rarer, and mostly 0."""
    rank = np.arange(number)
    there = rng.random((total.size, number)) < 0.95 / (1 + rank / 6)
    there[:, 0] = True
    weights = there * rng.lognormal(0.0, 0.8, (total.size, number)) / (1 + rank)
    # Rounding down the sums so far keeps the total.
    ends = np.floor(total[:, None] * np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True) + 1e-6)
    ends[:, -1] = total
    return np.asarray(np.diff(ends, axis=1, prepend=0.0), dtype=np.int64)
