from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.frames import sampling
from icefire.frames.sampling import ValueSample, row_hashes, sample_values
from icefire.frames.sources import Engine, open_table
from icefire.knowledge import identification

ROWS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["a", "b", "c", None]), st.integers(-2, 3)), min_size=1, max_size=40
)


def table(rows: list[tuple[int, str | None, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"user": pl.Int64, "x": pl.String, "y": pl.Int64}, orient="row")


@given(ROWS, st.integers(1, 8), st.integers(0, 40))
def test_against_a_list_of_all_values(rows: list[tuple[int, str | None, int]], size: int, cut: int) -> None:
    frame = table(rows)
    facts = frame.select("x", "y")
    hashes = row_hashes(facts, 5).tolist()
    by_value: dict[int, list[int]] = {}
    for value, (user, _, _) in zip(hashes, rows, strict=True):
        by_value.setdefault(value, []).append(user)
    expected = [len(by_value[v]) / len(set(by_value[v])) for v in sorted(by_value)[:size]]
    whole, first, second = (ValueSample(size, 5) for _ in range(3))
    whole.add(frame, ["x", "y"], "user")
    first.add(frame[:cut], ["x", "y"], "user")
    second.add(frame[cut:], ["x", "y"], "user")
    carried = ValueSample(size, 5)
    carried.add_frame(pl.concat([first.to_frame(), second.to_frame()]))
    first.merge(second)
    counted = ValueSample(size, 5)
    counted.add_frame(carried.to_frame(final=True))
    assert counted.to_frame(final=True).height <= 1 + 2 * min(len(rows), facts.n_unique())
    for sample in (whole, first, carried, counted):
        assert sample.means.tolist() == expected
        assert (sample.records, sample.values, sample.drawn) == (len(rows), facts.n_unique(), len(expected))


def test_hashes_are_distinct_and_uniform() -> None:
    numbers = pl.Series("n", range(200_000))
    texts = (numbers % 1000).cast(pl.String) + "/" * 20 + numbers.cast(pl.String)
    for column in (numbers, numbers / 7, numbers.cast(pl.String), texts):
        hashes = row_hashes(column.to_frame(), 0)
        assert np.unique(hashes).size == 200_000
        assert np.unique(np.concatenate([hashes, row_hashes(column.to_frame(), 1)])).size == 400_000
        for bits in (hashes >> np.uint64(56), hashes & np.uint64(255)):
            counts = np.bincount(bits.astype(np.int64), minlength=256)
            # 255 degrees of freedom: 340 is exceeded once in 3,000 times.
            assert ((counts - 200_000 / 256) ** 2 / (200_000 / 256)).sum() < 340
    assert row_hashes(pl.DataFrame({"x": [0.0]}), 0) == row_hashes(pl.DataFrame({"x": [-0.0]}), 0)


def test_texts_are_hashed_the_same_in_any_block(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"t": ["", "é", "x" * 100, "seven77", "eight888", "nine99999", "x" * 101]})
    whole = row_hashes(frame, 0)
    assert np.unique(whole).size == frame.height
    monkeypatch.setattr(sampling, "BLOCK", 10)
    assert row_hashes(frame, 0).tolist() == whole.tolist()
    # The hash must not change between releases, or samples with the same seed would.
    assert whole[:2].tolist() == EXPECTED


EXPECTED = [5197578548964807871, 2829088938555675094]


def test_more_values_than_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of values is estimated, and the interval holds R as often as it says."""
    monkeypatch.setattr(sampling, "HASHES", 400)
    rng = np.random.default_rng(0)
    value = rng.integers(0, 5000, 20_000)
    frame = pl.DataFrame({"user": (value * 31 + rng.integers(0, 2 + value % 5)) % 997, "x": value})
    exact = identification(frame, "x", "user")
    drawn = [identification(frame, "x", "user", "sampling", 200, seed) for seed in range(300)]
    errors = [result.values / exact.values - 1 for result in drawn]
    assert drawn[0].values_error == pytest.approx(398**-0.5)
    assert np.mean(errors) == pytest.approx(0, abs=4 * 398**-0.5 / 300**0.5)
    assert np.std(errors) == pytest.approx(398**-0.5, rel=0.2)
    covered = np.mean(
        [result.interval.low <= exact.probability <= result.interval.high for result in drawn if result.interval]
    )
    assert 0.85 <= covered <= 0.95
    assert np.mean([result.probability for result in drawn]) == pytest.approx(exact.probability, rel=0.015)


TYPES = pl.DataFrame(
    {
        "user": [1, 1, 2, 2, 3, 3],
        "day": [date(2020, 1, 1), date(1960, 5, 2), None, date(2020, 1, 1), date(2020, 1, 2), date(2020, 1, 3)],
        "when": [datetime(2020, 1, 1, 12, 0, 0, 5), None, datetime(1960, 1, 1), *[datetime(2021, 1, 1)] * 3],
        "yes": [True, False, None, True, True, False],
        "small": pl.Series([1, -2, None, 3, 3, 3], dtype=pl.Int16),
        "single": pl.Series([0.5, -0.0, 0.0, None, 1e30, 1e-30], dtype=pl.Float32),
        "money": pl.Series([Decimal("1.50"), Decimal("2.00"), None, *[Decimal("1.50")] * 3], dtype=pl.Decimal(10, 2)),
        "text": ["", None, "é", "x", "x", "long" * 9],
    }
)  # fmt: skip


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_every_type_is_hashed_alike(tmp_path: Path, engine: Engine, request: pytest.FixtureRequest) -> None:
    if engine == "spark":
        request.getfixturevalue("spark").conf.set("spark.sql.session.timeZone", "UTC")
    pytest.importorskip("duckdb")
    TYPES.write_parquet(tmp_path / "t.parquet")
    for name in TYPES.columns[1:]:
        ours = sample_values(TYPES, [name], "user", 2, 9)
        theirs = sample_values(open_table(tmp_path / "t.parquet", engine), [name], "user", 2, 9)
        assert ours.to_frame(final=True).sort(pl.all()).rows() == theirs.to_frame(final=True).sort(pl.all()).rows(), (
            name
        )


def test_times_of_day() -> None:
    assert np.unique(row_hashes(pl.DataFrame({"t": [time(1), time(2), None]}), 0)).size == 3
