"""k-concealment: verification of a million records against one pass of scipy's components over the same graph, and what the
limit to candidates costs. Losses and risks are in bench_worth.py."""

from __future__ import annotations

import resource
import time

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from timing import ADULT_QI, adult

from icefire.concealment.designs import design
from icefire.concealment.graph import Graph
from icefire.concealment.neighbours import nearest
from icefire.microdata.concealing import space_of
from icefire.microdata.data import Microdata, Schema

DOMAINS = (80, 60, 40, 30, 20)
"""Values of five columns."""


def release(records: int, width: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Records at random, each released as a range around its value in every column, so that no two boxes need be equal."""
    rng = np.random.default_rng(seed)
    values = np.stack([rng.integers(0, size, records) for size in DOMAINS], axis=1)
    cells, fits = [], []
    for column, size in enumerate(DOMAINS):
        low = np.clip(values[:, column] - rng.integers(0, width + 1, records), 0, size - 1)
        high = np.clip(values[:, column] + rng.integers(0, width + 1, records), 0, size - 1)
        ranges, code = np.unique(low * size + high, return_inverse=True)
        cells.append(code)
        place = np.arange(size)
        fits.append((ranges[:, None] // size <= place) & (place <= ranges[:, None] % size))
    return values, np.stack(cells, axis=1), fits


def gap_of_candidates(people: Microdata) -> None:
    """What the limit to the nearest candidates costs, where the dense optimum can be had."""
    space = space_of(people, people.qi)
    for k in (2, 5, 10):
        costs = {}
        for count in (20, 40, people.height - 1):
            found = design(space, nearest(space, count), k, "flow")
            costs[count] = space.pair_loss(np.repeat(np.arange(space.size), k), found.ravel()).sum()
        dense = costs[people.height - 1]
        print(
            f"flow, {people.height:,} rows, k = {k}: "
            + ", ".join(f"{c} candidates {v / dense - 1:+.2%}" for c, v in costs.items())
        )


def verification() -> None:
    for records, width in ((100_000, 3), (1_000_000, 2), (1_000_000, 5)):
        values, cells, fits = release(records, width)
        begin = time.perf_counter()
        graph = Graph.of_cells(values, cells, fits, np.arange(records))
        built = time.perf_counter() - begin
        begin = time.perf_counter()
        least = graph.matches()[0].min()
        verified = time.perf_counter() - begin
        edges = sparse.coo_array(graph.edges)
        height, size = graph.edges.shape[0], sum(graph.edges.shape)
        rows = np.concatenate([edges.row, height + graph.released])
        columns = np.concatenate([height + edges.col, graph.records[graph.owners]])
        plain = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=(size, size))
        begin = time.perf_counter()
        connected_components(plain, directed=True, connection="strong")
        floor = time.perf_counter() - begin
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{records:,} records, {graph.edges.nnz:,} edges: built in {built:.1f} s, verified in {verified:.1f} s "
            f"(scipy's components alone {floor:.1f} s: {verified / floor:.1f} x), least {least}, {memory:.1f} GB at most"
        )


def main() -> None:
    verification()
    sample = adult(2_000).select(ADULT_QI)
    gap_of_candidates(Microdata(sample, Schema(qi=ADULT_QI)))


if __name__ == "__main__":
    main()
