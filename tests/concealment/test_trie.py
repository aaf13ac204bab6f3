"""Records near boxes against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from icefire.concealment import trie as module
from icefire.concealment.trie import Trie


@given(st.integers(0, 10**6), st.sampled_from([4_000_000, 5]), st.sampled_from([100_000_000, 0]))
def test_all_records_within_a_bound(seed: int, part: int, table: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.unique(rng.integers(0, 4, (12, 3)), axis=0)
    cells = np.column_stack([rng.integers(0, 3, 9), rng.integers(0, 2, 9), rng.integers(-1, 4, 9)])
    tables = [rng.integers(0, 3, (3, 4)) / 2, rng.integers(0, 2, (2, 4)).astype(np.float64)]
    price, bounds = 0.75, rng.integers(0, 5, 9) / 2
    before = module.PART, module.TABLE
    module.PART, module.TABLE = part, table
    try:
        found = Trie(list(values.T), list(cells.T), [*tables, price])
        near = [
            pair for n in found.within(np.arange(9), bounds) for pair in zip(n.boxes, n.records, n.costs, strict=True)
        ]
    finally:
        module.PART, module.TABLE = before
    expected = {}
    for b, cell in enumerate(cells):
        for r, value in enumerate(values):
            cost = tables[0][cell[0], value[0]] + tables[1][cell[1], value[1]]
            cost += price if cell[2] >= 0 and cell[2] != value[2] else 0.0
            if cost <= bounds[b]:
                expected[b, r] = cost
    assert len(near) == len(expected)
    assert {(int(b), int(r)): float(c) for b, r, c in near} == expected
