"""l-diversity and t-closeness against direct computations."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from icefire.frames import relational
from icefire.microdata.constraints import (
    Counts,
    Floats,
    distance_to_whole,
    distinct,
    entropy,
    largest_gain,
    largest_log_ratio,
    largest_share,
    recursive,
)
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.safety._sensitive import Coding
from icefire.microdata.safety.alpha_k_anonymity import AlphaKAnonymity
from icefire.microdata.safety.t_closeness import TCloseness


@st.composite
def classed_values(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    rows = draw(st.integers(1, 80))
    classes = np.unique(rng.integers(0, draw(st.integers(1, 8)), rows), return_inverse=True)[1]
    return classes, np.unique(rng.integers(0, draw(st.integers(1, 12)), rows), return_inverse=True)[1]


@given(classed_values(), st.integers(2, 4))
def test_by_class(data: tuple[np.ndarray, np.ndarray], l: int) -> None:  # noqa: E741
    classes, values = data
    number, width = int(classes.max()) + 1, int(values.max()) + 1
    counts = Counts.of_rows(classes, values, number)
    whole = np.bincount(values) / values.size
    for c in range(number):
        mine = values[classes == c]
        share = np.bincount(mine, minlength=width) / mine.size
        present = share[share > 0]
        assert distinct(counts)[c] == present.size
        assert entropy(counts)[c] == pytest.approx(np.exp(-(present * np.log(present)).sum()))
        ordered = np.sort(np.bincount(mine))[::-1]
        tail = ordered[l - 1 :].sum()
        assert recursive(counts, l)[c] == pytest.approx(ordered[0] / tail if tail else np.inf)
        assert distance_to_whole(counts, whole, ordered=False)[c] == pytest.approx(np.abs(share - whole).sum() / 2)
        assert largest_share(counts)[c] == share.max()
        assert largest_gain(counts, whole)[c] == pytest.approx(max(0.0, (share / whole).max() - 1))
        gap = np.abs(np.log(share / whole)).max() if (share > 0).all() else np.inf
        assert largest_log_ratio(counts, whole)[c] == pytest.approx(gap)
        if width > 1:
            # The earth mover's distance along 0, 1, ..., m-1 scaled to [0, 1].
            expected = wasserstein_distance(range(width), range(width), share, whole) / (width - 1)
            assert distance_to_whole(counts, whole, ordered=True)[c] == pytest.approx(expected, abs=1e-12)


def sensitive_counts(people: Microdata, name: str) -> tuple[Counts, Floats]:
    """How often each value occurs in each class, and in the whole table."""
    coding = Coding.of(Release(people, people, np.arange(people.height)), name)
    parts: list[Counts] = []

    def keep(pairs: pl.DataFrame) -> float:
        parts.append(coding.counts(pairs))
        return 0.0

    relational.fold_classes(people.native, people.qi, name, keep)
    return parts[0], coding.whole


def test_the_worked_examples_of_t_closeness() -> None:
    """Li et al. 2007: salaries 3K..11K; {3,4,5}K is 0.375 away from all, {6,8,11}K is 0.167."""
    frame = pl.DataFrame({"zip": ["a"] * 3 + ["b"] * 3 + ["c"] * 3, "pay": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
    people = Microdata(frame, Schema(["zip"], ["pay"]))
    counts, whole = sensitive_counts(people, "pay")
    assert {0.375, 0.1667} <= set(distance_to_whole(counts, whole, ordered=True).round(4).tolist())
    assert TCloseness().measure(Release(people, people, np.arange(9))).value == pytest.approx(0.375)


def test_missing_sensitive_values_are_values() -> None:
    frame = pl.DataFrame({"zip": ["a", "a", "b", "b"], "ill": ["y", None, None, None]})
    people = Microdata(frame, Schema(["zip"], ["ill"]))
    counts, whole = sensitive_counts(people, "ill")
    assert sorted(distinct(counts).tolist()) == [1, 2]
    assert whole.tolist() == [0.25, 0.75]


def test_what_was_counted_for_one_metric_serves_the_next_and_no_other_original() -> None:
    people = Microdata(pl.DataFrame({"sex": list("ffmm"), "ill": list("yynn")}), Schema(["sex"], ["ill"]))
    other = Microdata(pl.DataFrame({"sex": list("ffmm"), "ill": list("ynnn")}), Schema(["sex"], ["ill"]))
    published = Microdata(people.frame, people.schema)
    fresh = [TCloseness().measure(Release(table, people.take(range(4)), np.arange(4))) for table in (people, other)]
    for _ in range(2):
        assert [TCloseness().measure(Release(table, published, np.arange(4))) for table in (people, other)] == fresh
    assert fresh[0] != fresh[1]
    assert AlphaKAnonymity().measure(Release(people, published, np.arange(4))).value == 1.0


def test_what_was_counted_is_forgotten_with_the_table() -> None:
    people = Microdata(pl.DataFrame({"sex": list("ffmm"), "ill": list("yynn")}), Schema(["sex"], ["ill"]))
    TCloseness().measure(Release(people, people, np.arange(4)))
    gone = weakref.ref(people)
    del people
    gc.collect()
    assert gone() is None
