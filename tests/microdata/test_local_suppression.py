"""Local suppression against a textbook greedy and the true optimum."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import DataError, ParameterError
from icefire.core.seeds import generator
from icefire.datasets.households import Households
from icefire.microdata.anonymize.local_suppression import LocalSuppression
from icefire.microdata.attack.replay import Replay
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.re_identification import ReIdentification
from icefire.microdata.schema import Column
from icefire.microdata.suppression import suppressed

Rng = np.random.default_rng
Row = tuple[int, ...]
SMALL = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1)), min_size=4, max_size=7)
LARGER = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 3), st.integers(0, 1)), min_size=10, max_size=60
)


def textbook(rows: Sequence[Row], k: int, weights: Sequence[float]) -> float:
    """What it costs to suppress one column after the other, the least important first, in all rows that are still in classes of
    fewer than k. A rest is suppressed together with as many rows of the largest class as it lacks."""
    distinct = [len({row[column] for row in rows}) for column in range(len(weights))]
    order = sorted(range(len(weights)), key=lambda column: (weights[column], -distinct[column]))
    cells: list[list[int | None]] = [list(row) for row in rows]
    for column in [None, *order]:
        sizes = Counter(map(tuple, cells))
        for row in [row for row in cells if sizes[tuple(row)] < k]:
            if column is not None:
                row[column] = None
    sizes = Counter(map(tuple, cells))
    rest = [row for row in cells if sizes[tuple(row)] < k]
    if rest:
        (largest, size) = max(sizes.items(), key=lambda item: item[1])
        lacking = k - len(rest) if size - (k - len(rest)) >= k else size
        rest += [row for row in cells if tuple(row) == largest][:lacking]
        for row in rest:
            row[:] = [None] * len(row)
    assert min(Counter(map(tuple, cells)).values()) >= k
    # A column that is the same everywhere need not be suppressed.
    return sum(
        weights[column] for row in cells for column, cell in enumerate(row) if cell is None and distinct[column] > 1
    )


def optimum(rows: Sequence[Row], k: int, weights: Sequence[float]) -> float:
    """The least cost of all partitions into classes of at least k rows."""

    @cache
    def best(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        first, *others = sorted(left)
        found = float("inf")
        for chosen in range(1 << len(others)):
            part = [first, *(row for place, row in enumerate(others) if chosen >> place & 1)]
            if len(part) >= k and (len(part) == len(left) or len(left) - len(part) >= k):
                found = min(found, cost(part) + best(left - frozenset(part)))
        return found

    def cost(part: list[int]) -> float:
        differ = [len({rows[row][column] for row in part}) > 1 for column in range(len(weights))]
        return len(part) * sum(weight for weight, wide in zip(weights, differ, strict=True) if wide)

    return best(frozenset(range(len(rows))))


def cost_of(rows: Sequence[Row], k: int, weights: Sequence[float]) -> float:
    """What ours costs, once it is clear that k holds."""
    table = np.array(rows)
    hidden, _ = suppressed(list(table.T), k, np.array(weights))
    shown = np.where(hidden, -1, table)
    assert np.unique(shown, axis=0, return_counts=True)[1].min() >= k
    return float((hidden @ np.array(weights)).sum())


@given(SMALL, st.integers(2, 4), st.sampled_from([(1.0, 1.0, 1.0), (1.0, 2.5, 0.5)]))
def test_between_the_optimum_and_the_textbook(rows: list[Row], k: int, weights: tuple[float, ...]) -> None:
    ours = cost_of(rows, k, weights)
    assert optimum(rows, k, weights) - 1e-9 <= ours <= textbook(rows, k, weights) + 1e-9


@given(LARGER, st.integers(2, 8), st.sampled_from([(1.0, 1.0, 1.0, 1.0), (3.0, 1.0, 0.25, 1.5)]))
def test_never_more_than_the_textbook(rows: list[Row], k: int, weights: tuple[float, ...]) -> None:
    assert cost_of(rows, k, weights) <= textbook(rows, k, weights) + 1e-9


def test_near_the_optimum() -> None:
    """A few percent above the least possible number of cells; the textbook is about 25% above."""
    found: dict[str, float] = defaultdict(float)
    for seed in range(30):
        rows = [tuple(map(int, row)) for row in Rng(seed).integers(0, [3, 3, 2, 2], (9, 4))]
        weights = [1.0] * 4
        for name, method in ("ours", cost_of), ("textbook", textbook), ("least", optimum):
            found[name] += method(rows, 3, weights)
    assert found["ours"] <= 1.08 * found["least"] < 1.15 * found["least"] < found["textbook"]


@pytest.mark.parametrize("k", [2, 5, 10])
def test_households(k: int) -> None:
    people = Households(n=400).generate(generator(1, "data"))
    release = LocalSuppression(k=k).anonymize(people, Rng(0))
    assert KAnonymity(copies=False).measure(release).value >= k
    rows = list(zip(*[people.codes(name).tolist() for name in people.qi], strict=True))
    hidden = sum((release.published.frame[name].cast(pl.String) == "*").sum() for name in people.qi)
    assert hidden <= textbook(rows, k, [1.0] * len(people.qi))
    kept = people.frame[release.rows]
    for name in people.qi:
        shown = release.published.frame[name].cast(pl.String)
        assert ((shown == kept[name].cast(pl.String)) | (shown == "*")).all()


def table(frame: pl.DataFrame, **importance: float) -> Microdata:
    columns = {name: Column(importance=value) for name, value in importance.items()}
    return Microdata(frame, Schema(frame.columns, columns=columns))


def stars(release: Release) -> dict[str, int]:
    return {
        name: int((column.cast(pl.String) == "*").sum()) for name, column in release.published.frame.to_dict().items()
    }


def test_importance_says_which_column_is_suppressed() -> None:
    frame = pl.DataFrame({"age": [20, 20, 30, 30], "town": ["a", "b", "a", "b"]})
    assert stars(LocalSuppression(k=2).anonymize(table(frame, age=2), Rng(0))) == {"age": 0, "town": 4}
    assert stars(LocalSuppression(k=2).anonymize(table(frame, town=2), Rng(0))) == {"age": 4, "town": 0}


def test_missing_is_a_value_and_is_not_what_is_suppressed() -> None:
    frame = pl.DataFrame({"age": [20, 20, None, None, 40], "sex": ["f"] * 5})
    release = LocalSuppression(k=2).anonymize(table(frame), Rng(0))
    assert KAnonymity().measure(release).value >= 2
    assert stars(release) == {"age": 3, "sex": 0}
    assert release.published.frame["age"].null_count() in (0, 2)


def test_few_rows_are_borrowed_from_a_large_class() -> None:
    """One odd row of a thousand costs k cells, not a thousand; and who is borrowed is drawn."""
    frame = pl.DataFrame({"age": [20] * 999 + [87], "sex": ["f"] * 1000})
    borrowed = set()
    for seed in range(3):
        release = LocalSuppression(k=5).anonymize(table(frame), Rng(seed))
        assert stars(release) == {"age": 5, "sex": 0}
        hidden = release.rows[(release.published.frame["age"] == "*").to_numpy()]
        assert 999 in hidden
        borrowed |= set(hidden.tolist())
    assert len(borrowed) > 9


def test_the_chances_of_equal_rows_are_stated() -> None:
    frame = pl.DataFrame({"age": [20] * 7 + [87]})
    release, chances = LocalSuppression(k=3).repeated(table(frame), Rng(0))
    odd = int(np.flatnonzero(release.rows == 7)[0])
    assert chances.toarray()[odd].tolist() == [0.0] * 7 + [1.0]
    other = int(np.flatnonzero(release.rows != 7)[0])
    assert chances.toarray()[other].tolist() == pytest.approx([1 / 7] * 7 + [0.0])
    assert chances.sum(axis=1).tolist() == pytest.approx([1.0] * 8)


def test_whoever_repeats_it_finds_no_more_than_one_in_k() -> None:
    people = Households(n=120).generate(generator(2, "data"))
    known = people.only(people.qi)
    step = LocalSuppression(k=5)
    release = step.anonymize(people, Rng(0))
    guess = Replay(runs=3).knowing([step]).attack(release.published, known, Rng(1))
    score = ReIdentification().measure(release, guess)
    assert score.value < 1 / 5 + 0.05


def test_what_cannot_be_done_is_refused() -> None:
    with pytest.raises(ParameterError, match="at most the number of rows, 2"):
        LocalSuppression(k=3).anonymize(table(pl.DataFrame({"age": [1, 2]})), Rng(0))
    with pytest.raises(DataError, match="at least one QI column"):
        LocalSuppression(k=2).anonymize(Microdata(pl.DataFrame({"pay": [1, 2]}), Schema([], ["pay"])), Rng(0))
    with pytest.raises(DataError, match="rename it"):
        LocalSuppression(k=2).anonymize(table(pl.DataFrame({"town": ["*", "a", "b", "c"]})), Rng(0))
