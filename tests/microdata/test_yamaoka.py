"""The detector flags the cheat and no honest release, on generated and on real data."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from icefire.core.budget import Budget
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.distances import features
from icefire.microdata.linkage import Linkage
from icefire.microdata.safety.yamaoka import Yamaoka

HONEST = [
    [],
    ["noise(scale=0.01)"],
    ["noise(scale=0.5)"],
    ["noise(scale=1.0, distribution=laplace)"],
    ["noise(scale=0.3, unit=factor)"],
    ["mondrian(k=5)"],
    ["mondrian(k=50)"],
    ["swap(window=0.05)"],
    ["swap(window=0.5)"],
    ["pram(keep=0.7)"],
    ["pram(keep=0.2)"],
    ["resample"],
    ["microaggregate(k=5)"],
    ["microaggregate(k=30)"],
    ["drop_columns(columns=[age, sex])", "microaggregate(k=5)"],
    ["drop_rows(outliers=0.1)"],
    ["top_bottom_code(upper=0.9)"],
    ["round(base=1000)"],
    ["noise(scale=0.3)", "pram(keep=0.6)", "mondrian(k=10)"],
]
CHEATS = [[], ["noise(scale=0.01)"], ["noise(scale=0.05)"], ["noise(scale=0.1)"], ["mondrian(k=5)"]]


def release(registry: Registry, table: Microdata, steps: list[str]) -> Release:
    pipeline = Pipeline(tuple(registry.make("microdata", "anonymize", step) for step in steps))
    return pipeline.anonymize(table, np.random.default_rng(2))


def cheat(honest: Release, share: float = 1.0) -> Release:
    rows = honest.rows.copy()
    lied = np.random.default_rng(3).choice(rows.size, int(share * rows.size), replace=False)
    rows[lied] = np.roll(rows[lied], 1)
    return Release(honest.original, honest.published, rows)


@pytest.fixture(scope="module")
def households() -> Microdata:
    return Households(4000).generate(np.random.default_rng(1))


@pytest.fixture(scope="module")
def adults(adult: Microdata) -> Microdata:
    return adult.sample(8000, np.random.default_rng(1))


@pytest.mark.parametrize("steps", HONEST, ids=lambda steps: " ".join(steps) or "nothing")
@pytest.mark.parametrize("data", ["households", "adults"])
def test_honest_releases_are_not_flagged(
    registry: Registry, request: pytest.FixtureRequest, data: str, steps: list[str]
) -> None:
    score = Yamaoka().measure(release(registry, request.getfixturevalue(data), steps))
    assert not score.detail["flagged"], score


@pytest.mark.parametrize("steps", CHEATS, ids=lambda steps: " ".join(steps) or "nothing")
@pytest.mark.parametrize("data", ["households", "adults"])
def test_the_cheat_is_flagged(registry: Registry, request: pytest.FixtureRequest, data: str, steps: list[str]) -> None:
    score = Yamaoka().measure(cheat(release(registry, request.getfixturevalue(data), steps)))
    assert score.detail["flagged"], score
    assert score.value > 0.85


@pytest.mark.parametrize("data", ["households", "adults"])
def test_lying_about_a_part_is_flagged_and_estimated(
    registry: Registry, request: pytest.FixtureRequest, data: str
) -> None:
    score = Yamaoka().measure(cheat(release(registry, request.getfixturevalue(data), ["noise(scale=0.05)"]), share=0.3))
    assert score.detail["flagged"]
    assert score.value == pytest.approx(0.3, abs=0.08)


@pytest.mark.parametrize("steps", CHEATS[:4], ids=lambda steps: " ".join(steps) or "nothing")
def test_declaring_everybodys_neighbour_is_flagged(registry: Registry, households: Microdata, steps: list[str]) -> None:
    distances = Linkage(features(households, households), np.random.default_rng(0))
    near, _ = distances.neighbours(2)
    neighbour = np.where(near[:, 0] == np.arange(households.height), near[:, 1], near[:, 0])
    honest = release(registry, households, steps)
    lie = Release(households, honest.published, neighbour[honest.rows])
    assert Yamaoka().measure(lie).detail["flagged"]


def test_nobody_can_lie_around_the_sample(registry: Registry, households: Microdata) -> None:
    honest = release(registry, households, [])
    for seed in range(5):
        spared = np.random.default_rng(seed).choice(households.height, 1000, replace=False)
        lied = np.setdiff1d(np.arange(households.height), spared)
        rows = honest.rows.copy()
        rows[lied] = np.roll(rows[lied], 1)
        assert Yamaoka().measure(Release(households, honest.published, rows)).detail["flagged"]


def test_a_table_beyond_recognition_is_not_blamed(registry: Registry, households: Microdata) -> None:
    step = f"pram(keep=0.0, columns={list(households.schema.names)})"
    score = Yamaoka().measure(release(registry, households, [step]))
    assert score.value > 0.85
    assert not score.detail["flagged"]


@pytest.mark.parametrize(
    "steps",
    [
        [],
        ["noise(scale=0.5)"],
        ["mondrian(k=5)"],
        ["pram(keep=0.2)"],
        ["resample"],
        ["drop_columns(columns=[age, sex])", "swap(window=0.05)"],
        ["noise(scale=0.3)", "pram(keep=0.6)", "mondrian(k=10)"],
    ],
    ids=" ".join,
)
def test_distances_are_those_of_all_pairs(registry: Registry, households: Microdata, steps: list[str]) -> None:
    made = release(registry, _with_gaps(households), steps)
    rows = np.random.default_rng(5).choice(made.published.height, 50, replace=False)
    columns = [column.of(rows) for column in features(made.published, made.original)]
    linkage, everybody = Linkage(columns, np.random.default_rng(0)), np.arange(made.original.height)
    pairs = np.sum([column.block(np.arange(50), everybody) for column in columns], axis=0)
    assert linkage.smallest() == pytest.approx(pairs.min(axis=1), abs=1e-9)
    declared = linkage.pairs(np.arange(50), made.rows[rows])
    assert declared == pytest.approx(pairs[np.arange(50), made.rows[rows]], abs=1e-9)
    bounds = declared + np.linspace(0.1, 9.0, 50)
    assert linkage.share_below(bounds, everybody) == pytest.approx((pairs < bounds[:, None]).mean(axis=1))


def test_fewer_rows_are_looked_at_where_that_takes_too_long(registry: Registry, households: Microdata) -> None:
    honest = release(registry, households, ["pram(keep=0.7)"])
    with Budget(minutes=0.0003).spent():
        fair, false = Yamaoka().measure(honest), Yamaoka().measure(cheat(release(registry, households, [])))
    looked = fair.detail["rows looked at"]
    assert isinstance(looked, int)
    assert looked < 1000
    assert not fair.detail["flagged"]
    assert false.detail["flagged"]


def _with_gaps(table: Microdata) -> Microdata:
    """Some numbers and some categories are missing, and one column has more values than are told apart."""
    rng = np.random.default_rng(8)
    columns = [
        pl.when(pl.Series(rng.random(table.height) < 0.1)).then(None).otherwise(pl.col(name)).alias(name)
        for name in table.schema.names[::2]
    ]
    names = pl.Series("name", [f"n{number}" for number in rng.integers(0, 3000, table.height)])
    frame = table.frame.with_columns(*columns, names)
    return Microdata(frame, Schema(table.qi, (*table.sa, "name"), table.schema.columns))
