"""Attacks and metrics of histories: Jaccard against scipy's plain product and a pandas loop, E1 and E2 against loops over
dictionaries, and how time and memory grow with the number of customers."""

from __future__ import annotations

import resource
import sys
from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from timing import LIMIT, line, timed, timed_apart

from icefire.core import _index
from icefire.core.pipeline import Pipeline
from icefire.core.scores import Similarity
from icefire.datasets.purchases import Purchases
from icefire.history.anonymize.delete_records import DeleteRecords
from icefire.history.attack.jaccard import Jaccard
from icefire.history.data import NONE, History, Release
from icefire.history.facets import Facets
from icefire.history.utility.quantity_similarity import QuantitySimilarity
from icefire.history.utility.small_quantity_similarity import SmallQuantitySimilarity


def sets(rows: int, seed: int, items: int = 2_781, size: int = 65) -> sparse.csr_array:
    """Customers with 65 items each, popular ones more often."""
    rng = np.random.default_rng(seed)
    popularity = np.cumsum((np.arange(items) + 22.0) ** -1.01)
    drawn = np.searchsorted(popularity / popularity[-1], rng.random((rows, 2 * size)), side="right")
    chosen = [np.unique(line)[:size] for line in drawn]
    ends = np.cumsum([0, *(line.size for line in chosen)])
    return sparse.csr_array((np.ones(ends[-1]), np.concatenate(chosen), ends), shape=(rows, items))


def similarity(left: sparse.csr_array, right: sparse.csr_array) -> Similarity:
    totals = [np.asarray(side.sum(axis=1)).ravel() for side in (left, right)]
    return Similarity(left, right, (1.0, 1.0), *totals)


def plain_product(left: sparse.csr_array, right: sparse.csr_array) -> np.ndarray:
    """scipy's product of all with all, a thousand rows at a time."""
    sizes = [np.asarray(side.sum(axis=1)).ravel() for side in (left, right)]
    best = np.empty(left.shape[0], dtype=np.int64)
    for begin in range(0, left.shape[0], 1000):
        common = (left[begin : begin + 1000] @ right.T).tocsr()
        rows = np.repeat(np.arange(common.shape[0]), np.diff(common.indptr))
        common.data = common.data / (sizes[0][begin + rows] + sizes[1][common.indices] - common.data)
        best[begin : begin + 1000] = np.asarray(common.argmax(axis=1)).ravel()
    return best


def pandas_loop(published: History, original: History) -> list[str]:
    """For each pseudonym, every customer's set in turn."""
    one, two = (frame.frame.to_pandas().groupby("user")["item"].agg(set) for frame in (published, original))
    return [max(two.index, key=lambda name: len(own & two[name]) / len(own | two[name])) for own in one]


def loop_e(original: pd.DataFrame, published: pd.DataFrame, scoring: Any) -> float:
    """E1 or E2 with dictionaries."""

    def similarities(frame: pd.DataFrame) -> dict[tuple[str, str], float]:
        total = frame.groupby(["user", "item"])["quantity"].sum()
        users: dict[str, dict[str, float]] = defaultdict(dict)
        for (user, item), quantity in total.items():
            if scoring(quantity) > 0:
                users[user][item] = scoring(quantity)
        norm: dict[str, float] = defaultdict(float)
        dot: dict[tuple[str, str], float] = defaultdict(float)
        for bought in users.values():
            for item, score in bought.items():
                norm[item] += score * score
            for item, other in combinations(sorted(bought), 2):
                dot[item, other] += bought[item] * bought[other]
        return {pair: value / (norm[pair[0]] * norm[pair[1]]) ** 0.5 for pair, value in dot.items()}

    before, after = similarities(original), similarities(published)
    lost = sum(abs(value - after.get(pair, 0.0)) for pair, value in before.items())
    return min(lost / sum(before.values()), 1.0)


def jaccard_of(rows: int) -> tuple[float, float, float]:
    """In a process of its own: seconds, share found, peak memory in GB."""
    left = sets(rows, 1)
    order = np.random.default_rng(2).permutation(rows)
    alike = similarity(left[order], left)
    # Compiled once and for all; what is measured is the search.
    _index.best_columns(left[:9], left[:9], (np.ones(9), np.ones(9)), (1.0, 1.0), False, 1, np.zeros(9))
    seconds, found = timed(lambda: alike.nearest(1, np.random.default_rng(0))[0][:, 0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return seconds, float((found == order).mean()), peak


def compare_jaccard(release: Release, original: History) -> None:
    attack = Jaccard()
    ours, guess = timed(lambda: attack.attack(release.published, original, np.random.default_rng(0)), repeat=5)
    theirs, names = timed(lambda: pandas_loop(release.published, original))
    named = [original.users[int(owner)] if owner != NONE else None for owner in guess.owners]
    assert np.mean([guess == name for guess, name in zip(named, names, strict=True)]) > 0.99
    line(f"Jaccard attack, {len(original.users)} customers", ours, "pandas loop", theirs)
    left, right = Facets(release.published, original).profiles(("item",))
    for side in (left, right):
        side.data[:] = 1.0
    ours, _ = timed(lambda: similarity(left, right).dense(), repeat=5)
    floor, _ = timed(lambda: (left @ right.T).toarray(), repeat=5)
    line("  all similarities", ours, "scipy's product alone", floor)


def compare_utility(release: Release, original: History) -> None:
    before, after = original.frame.to_pandas(), release.published.frame.to_pandas()
    for metric, scoring in (
        (QuantitySimilarity(), lambda q: min(q // 12, 6)),
        (SmallQuantitySimilarity(), lambda q: q if q <= 11 else 0),
    ):
        ours, score = timed(lambda: metric.measure(original, release), repeat=3)  # noqa: B023
        theirs, expected = timed(lambda: loop_e(before, after, scoring))  # noqa: B023
        assert abs(score.value - expected) < 1e-9
        line(f"{metric.title()}, {original.height:,} records", ours, "loops over dictionaries", theirs)


def growth(most: int) -> None:
    print(
        f"{'customers':>10} {'seconds':>9} {'found':>7} {'memory':>9}   scipy's plain product, a thousand rows at a time"
    )
    for rows in (400, 1_000, 4_000, 10_000, 30_000, 100_000):
        if rows > most:
            break
        # A new interpreter for each, so that memory is its own.
        _, result = timed_apart(10 * LIMIT, jaccard_of, rows)
        seconds, found, peak = result
        peer = ""
        if rows <= 10_000:
            theirs, _ = timed_apart(LIMIT, plain_product, sets(rows, 1), sets(rows, 1))
            peer = f"not done within {LIMIT:.0f} s" if theirs is None else f"{theirs:.3f} s: {theirs / seconds:.1f} x"
        print(f"{rows:>10,} {seconds:>9.3f} {found:>7.1%} {peak:>6.2f} GB   {peer}", flush=True)


def main() -> None:
    original = Purchases().generate(np.random.default_rng(0))
    release = Pipeline((DeleteRecords(share=0.2),)).anonymize(original, np.random.default_rng(1))
    compare_jaccard(release, original)
    compare_utility(release, original)
    growth(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)


if __name__ == "__main__":
    main()
