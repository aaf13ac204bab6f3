from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import DataError, ParameterError, UnknownName
from icefire.knowledge import _records as records_module
from icefire.knowledge import curve as curve_module
from icefire.knowledge import identification_curve


def by_hand(records: list[tuple[int, str, str]], known: dict[str, int]) -> tuple[float, float, float]:
    """Mean over users and over subsets of their records, by enumeration."""
    users = sorted({user for user, _, _ in records})
    history = {u: {(t, f) for user, t, f in records if user == u} for u in users}
    chances, bits, unique = [], [], []
    for u in users:
        pools = [[(t, f) for user, t, f in records if user == u and t == kind] for kind in known]
        if any(len(pool) < count for pool, count in zip(pools, known.values(), strict=True)):
            continue
        subsets: list[set[tuple[str, str]]] = [set()]
        for pool, count in zip(pools, known.values(), strict=True):
            subsets = [left | set(right) for left in subsets for right in combinations(pool, count)]
        left = [sum(facts <= history[v] for v in users) for facts in subsets]
        chances.append(np.mean([1 / c for c in left]))
        bits.append(np.mean(np.log2(left)))
        unique.append(np.mean([c == 1 for c in left]))
    return float(np.mean(chances)), float(np.mean(bits)), float(np.mean(unique))


RECORDS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(["train", "buy"]), st.sampled_from("abc")), min_size=6, max_size=25
)


@given(RECORDS, st.integers(0, 2), st.integers(0, 2))
def test_against_enumeration(records: list[tuple[int, str, str]], trains: int, buys: int) -> None:
    frame = pl.DataFrame(records, schema=["user", "type", "fact"], orient="row")
    known = {"train": trains, "buy": buys}
    users = {user for user, _, _ in records}
    able = [
        u
        for u in users
        if all(sum(r[0] == u and r[1] == kind for r in records) >= count for kind, count in known.items())
    ]
    if not able:
        with pytest.raises(DataError, match="no user has"):
            identification_curve(frame, "user", ["fact"], [known], type_column="type")
        return
    (point,) = identification_curve(frame, "user", ["fact"], [known], type_column="type")
    if trains + buys == 0:
        assert point.probability == 1 / len(users)
        return
    assert (point.probability, point.bits, point.unicity) == pytest.approx(by_hand(records, known))
    assert point.exact
    assert point.users == len(able)


def test_sampling_agrees_with_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"user": rng.integers(0, 30, 400), "item": rng.zipf(1.6, 400) % 40})
    exact = identification_curve(frame, "user", ["item"], [1, 2])
    monkeypatch.setattr(curve_module, "ENUMERATE", 0)
    monkeypatch.setattr(records_module, "PAIRS", 5000)
    drawn = identification_curve(frame, "user", ["item"], [1, 2], samples=20_000, seed=1)
    for enumerated, sampled in zip(exact, drawn, strict=True):
        assert enumerated.exact
        assert not sampled.exact
        assert sampled.probability_interval is not None
        assert sampled.probability == pytest.approx(enumerated.probability, abs=0.01)
        assert sampled.unicity == pytest.approx(enumerated.unicity, abs=0.015)
        assert sampled.probability_interval.high - sampled.probability_interval.low < 0.02
    assert drawn == identification_curve(frame, "user", ["item"], [1, 2], samples=20_000, seed=1)


def test_the_order_of_records_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines send records in any order."""
    monkeypatch.setattr(curve_module, "ENUMERATE", 0)
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"user": rng.integers(0, 30, 400), "item": rng.zipf(1.6, 400) % 40})
    frame = frame.with_columns(item=pl.when(pl.col("item") > 30).then(None).otherwise("item"))
    expected = identification_curve(frame, "user", ["item"], [1, 3], samples=500)
    assert (
        identification_curve(frame.sample(fraction=1.0, shuffle=True, seed=1), "user", ["item"], [1, 3], samples=500)
        == expected
    )


def test_fewer_subsets_are_drawn_where_facts_are_common(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame({"user": rng.integers(0, 300, 4000), "item": rng.integers(0, 20, 4000)})
    monkeypatch.setattr(curve_module, "ENUMERATE", 0)
    (full,) = identification_curve(frame, "user", ["item"], [3])
    monkeypatch.setattr(curve_module, "WORK", 100_000)
    (bounded,) = identification_curve(frame, "user", ["item"], [3])
    assert full.probability_interval is not None
    assert bounded.probability_interval is not None
    assert bounded.probability_interval.low <= full.probability <= bounded.probability_interval.high
    widths = [point.high - point.low for point in (full.probability_interval, bounded.probability_interval)]
    assert widths[1] > 3 * widths[0]


@given(st.integers(0, 1000), st.integers(1, 4))
def test_drawn_places_are_distinct_and_uniform(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    places = curve_module._distinct_places(np.full(3000, 5), count, rng)
    assert all(len(set(row)) == count for row in places.tolist())
    assert places.min() >= 0
    assert places.max() <= 4
    shares = np.bincount(places.ravel(), minlength=5) / places.size
    assert np.abs(shares - 0.2).max() < 0.05


def test_coarser_facts_identify_less() -> None:
    rng = np.random.default_rng(1)
    day = pl.datetime_range(pl.datetime(2026, 1, 1), pl.datetime(2026, 12, 31), "1h", eager=True)
    frame = pl.DataFrame(
        {
            "user": rng.integers(0, 50, 600),
            "when": day.sample(600, seed=1),
            "price": rng.random(600),
            "item": ["12345"] * 600,
        }
    )
    fine = identification_curve(frame, "user", ["when", "price"], [1])[0]
    coarse = identification_curve(frame, "user", ["when", "price"], [1], coarsen={"when": "1mo", "price": 0.5})[0]
    assert coarse.probability < fine.probability == 1.0
    with pytest.raises(ParameterError, match="cannot coarsen column 'item'"):
        identification_curve(frame, "user", ["item"], [1], coarsen={"item": "1h"})


def test_invalid_arguments_raise() -> None:
    frame = pl.DataFrame({"user": [1, 2], "x": ["a", "b"]})
    with pytest.raises(ParameterError, match="given to select records of type 'train'"):
        identification_curve(frame, "user", ["x"], [{"train": 1}])
    with pytest.raises(ParameterError, match="numbers of at least 0"):
        identification_curve(frame, "user", ["x"], [-1])
    with pytest.raises(UnknownName):
        identification_curve(frame, "user", ["z"], [1])
