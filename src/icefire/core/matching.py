"""Matching of rows to columns: by the best score, by assignment or by a Sinkhorn plan.

Small tables of scores are matched as a whole. Of tables that would not fit into memory, only the best candidates of each row
are kept. The best scores and the assignment are the same either way; a Sinkhorn plan is then one over the candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core import memory
from icefire.core.assignment import best_assignment
from icefire.core.bipartite import largest_matching
from icefire.core.budget import Asked
from icefire.core.scores import NONE as NONE
from icefire.core.scores import Floats, Ints, Scores

Assign = Literal["argmax", "assignment", "sinkhorn"]
ROUNDS = 60
ALIKE = 1e-12
"""Costs that differ by a smaller share are equal."""
DIGITS = 30
"""Binary digits of a score that count: sums differ in their last ones from machine to machine."""
CANDIDATES, LONG = 30, 100
"""Length of candidate lists, and of those of a transport plan that stands in for one over all pairs."""
TURNS = 10
"""How often rows ask for a free column before those that are left are sorted out."""
PART = 1_000
"""Rows that are matched at a time where they share no candidates with others, roughly."""
PROBED = 200
"""Number of rows by which the unit of scores is estimated, where not all scores are at hand."""
UNLIKELY = 0.01
"""Entries of a transport plan up to this are left out."""


@dataclass(frozen=True)
class Match:
    """The best partner of each row and of each column, NONE where there is none."""

    rows: Ints
    columns: Ints


def match(scores: Scores, how: Assign, rng: np.random.Generator, least: float = -np.inf) -> Match:
    """Match rows and columns; a score has to be above `least` to count."""
    height, width = scores.shape
    if not height or not width:
        return Match(np.full(height, NONE), np.full(width, NONE))
    if memory.fits(height, width) and not (how == "argmax" and scores.indexed):
        return match_dense(scores.dense(), how, rng, least)
    if how == "argmax":
        return Match(*scores.best(rng))
    if how == "sinkhorn":
        return balanced(scores, rng)[0]
    rows = best_assignment(scores, rng)
    columns = np.full(width, NONE)
    columns[rows[rows != NONE]] = np.flatnonzero(rows != NONE)
    if least == -np.inf:
        # Whoever is left over has the least score with everybody who is.
        free_rows, free_columns = (rng.permutation(np.flatnonzero(side == NONE)) for side in (rows, columns))
        pairs = min(free_rows.size, free_columns.size)
        rows[free_rows[:pairs]], columns[free_columns[:pairs]] = free_columns[:pairs], free_rows[:pairs]
    return Match(rows, columns)


def asked_match(scores: Scores, asked: Asked, rng: np.random.Generator, least: float = -np.inf) -> Match:
    """The best columns of some rows and the best rows of some columns, each among all; NONE for the others."""
    height, width = scores.shape
    found = Match(np.full(height, NONE), np.full(width, NONE))
    rows, columns = asked.pseudonyms, asked.people
    found.rows[rows] = match(scores.take(rows, np.arange(width)), "argmax", rng, least).rows
    found.columns[columns] = match(scores.take(np.arange(height), columns), "argmax", rng, least).columns
    return found


def match_dense(scores: Floats, how: Assign, rng: np.random.Generator, least: float = -np.inf) -> Match:
    """Match the rows and columns of a full matrix of scores; a score has to be above `least` to count."""
    height, width = scores.shape
    # Ties go to the first row or column, so the order must not tell anything.
    row_order, column_order = rng.permutation(height), rng.permutation(width)
    mixed = _rounded(scores[np.ix_(row_order, column_order)])
    if how == "assignment":
        # scipy.optimize takes longer to import than most commands take to run.
        from scipy.optimize import linear_sum_assignment

        chosen_rows, chosen_columns = linear_sum_assignment(mixed, maximize=True)
        rows, columns = np.full(height, NONE), np.full(width, NONE)
        rows[chosen_rows], columns[chosen_columns] = chosen_columns, chosen_rows
    else:
        plan = sinkhorn(mixed) if how == "sinkhorn" else mixed
        rows, columns = plan.argmax(axis=1), plan.argmax(axis=0)
    rows = np.where(mixed[np.arange(height), rows] > least, rows, NONE)
    columns = np.where(mixed[columns, np.arange(width)] > least, columns, NONE)
    return put_back(Match(rows, columns), row_order, column_order)


def _rounded(scores: Floats) -> Floats:
    """Scores by which ties are ties on every machine."""
    largest = float(np.abs(scores, where=np.isfinite(scores), out=np.zeros_like(scores)).max(initial=0.0))
    unit = 2.0 ** (np.frexp(largest)[1] - DIGITS)
    return np.asarray(np.rint(scores / unit) * unit)


def put_back(found: Match, row_order: Ints, column_order: Ints) -> Match:
    """The matching in the order before rows and columns were permuted."""
    rows, columns = np.full(row_order.size, NONE), np.full(column_order.size, NONE)
    rows[row_order] = np.where(found.rows == NONE, NONE, column_order[found.rows])
    columns[column_order] = np.where(found.columns == NONE, NONE, row_order[found.columns])
    return Match(rows, columns)


def sinkhorn(scores: Floats, logarithms: bool = False) -> Floats:
    """A transport plan from scores: the entries of each member of the smaller side add up to 1, those of the larger side
    to at most 1.

    If scores are not logarithms of likelihoods, their unit is taken from the scores themselves: the typical lead of a row's
    best over its mean is ten units.
    """
    height, width = scores.shape
    if height > width:
        return sinkhorn(scores.T, logarithms).T
    lead = 10.0 if logarithms else np.median(scores.max(axis=1) - scores.mean(axis=1))
    heat = scores * (10.0 / lead) if lead > 0 else scores
    plan: Floats = np.exp(heat - heat.max(axis=1, keepdims=True))
    for _ in range(ROUNDS):
        plan /= np.maximum(plan.sum(axis=0, keepdims=True), 1.0)
        plan /= np.maximum(plan.sum(axis=1, keepdims=True), 1e-300)
    return plan


def balanced(scores: Scores, rng: np.random.Generator) -> tuple[Match, sparse.csr_array]:
    """The best partners by a Sinkhorn plan, and the likely entries of the plan.

    Of large tables, it is a plan over the best candidates of each row.
    """
    if memory.fits(*scores.shape):
        table = scores.dense()
        return match_dense(table, "sinkhorn", rng), likely(sinkhorn(table))
    near, values = scores.nearest(LONG, rng)
    plan = _listed_plan(near, values, scores.shape[1], _lead(scores, rng))
    return _peaks(plan, rng), likely(plan)


def transport(scores: Scores, rng: np.random.Generator, logarithms: bool = False) -> sparse.csr_array | Floats:
    """A Sinkhorn plan; of large tables, one over the best candidates of each row."""
    if memory.fits(*scores.shape):
        return sinkhorn(scores.dense(), logarithms)
    near, values = scores.nearest(LONG, rng)
    return _listed_plan(near, values, scores.shape[1], 10.0 if logarithms else _lead(scores, rng))


def _lead(scores: Scores, rng: np.random.Generator) -> float:
    """The typical lead of a row's best over its mean, as `sinkhorn` takes it, by some of the rows."""
    height, width = scores.shape
    rows = rng.permutation(height)[:PROBED]
    top, total = np.full(rows.size, -np.inf), np.zeros(rows.size)
    step = memory.step(rows.size)
    for begin in range(0, width, step):
        part = scores.part(rows, np.arange(begin, min(begin + step, width)))
        top, total = np.maximum(top, part.max(axis=1)), total + part.sum(axis=1)
    return float(np.median(top - total / width)) or 1.0


def likely(plan: Floats | sparse.csr_array) -> sparse.csr_array:
    """The entries of a plan above 1%: the others cost much time and change little."""
    if isinstance(plan, np.ndarray):
        return sparse.csr_array(np.where(plan > UNLIKELY, plan, 0.0))
    kept = plan.copy()
    kept.data[kept.data <= UNLIKELY] = 0.0
    kept.eliminate_zeros()
    return kept


def matching(near: Ints, cost: Floats, width: int) -> Ints:
    """Least-cost matching over candidate lists, the nearest first; -1 fills up a list that is shorter than others.

    As many rows as possible get a partner; the others get -1.
    """
    rows, listed = np.nonzero(near >= 0)
    return sparse_matching(rows, near[rows, listed], cost[rows, listed], (len(near), width))


def sparse_matching(rows: Ints, columns: Ints, cost: Floats, shape: tuple[int, int]) -> Ints:
    """The same over pairs of a row and a column in order of the rows; the first ones of a row are tried first."""
    begins = np.flatnonzero(np.diff(rows, prepend=NONE))
    least = np.repeat(np.minimum.reduceat(cost, begins), np.diff(begins, append=rows.size)) if rows.size else cost
    # Where all rows can have one of their nearest, nothing is cheaper.
    nearest = np.flatnonzero(cost <= least + ALIKE * np.abs(least))
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[nearest], minlength=shape[0]))])
    graph = sparse.csr_array((np.ones(nearest.size, dtype=np.int8), columns[nearest], starts), shape)
    early = nearest[_first_come(rows[nearest], columns[nearest], shape)]
    chosen = np.full(shape[0], NONE)
    chosen[rows[early]] = columns[early]
    chosen = largest_matching(graph, chosen)
    left = chosen < 0
    if left[rows].any():
        label = connected(rows, columns, shape)
        hard = np.flatnonzero(holds(label, left)[rows])
        _solve(chosen, rows[hard], columns[hard], cost[hard], label)
    return chosen


def holds(label: Ints, some: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[row]: whether some of the rows have its label."""
    found = np.zeros(int(label.max(initial=0)) + 1, dtype=np.bool_)
    found[label[some]] = True
    return np.asarray(found[label])


def _solve(chosen: Ints, rows: Ints, columns: Ints, cost: Floats, label: Ints) -> None:
    """Fill in the cheapest columns of rows, part by part: rows of different labels share no candidates."""
    some = np.unique(rows)
    part_of = np.full(chosen.size, NONE)
    part_of[some] = _parts(label[some])
    by_part = np.argsort(part_of[rows], kind="stable")
    rows, columns, cost = rows[by_part], columns[by_part], cost[by_part]
    ends = np.searchsorted(part_of[rows], np.arange(part_of.max(initial=NONE) + 2))
    place = np.empty(int(columns.max(initial=0)) + 1, dtype=np.int64)
    for begin, end in pairwise(ends.tolist()):
        part = slice(begin, end)
        first = np.diff(rows[part], prepend=NONE) != 0
        own, row = rows[part][first], np.cumsum(first) - 1
        others = np.unique(columns[part])
        place[others] = np.arange(others.size)
        found = _cheapest(row, place[columns[part]], cost[part], (own.size, others.size))
        chosen[own] = np.where(found == NONE, NONE, others[found])


def _first_come(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Ints:
    """Pairs that share neither row nor column, nearly as many as possible: rows ask for a free column at random.

    At first, they ask for the first of theirs. Rows come in order.
    """
    rng = np.random.default_rng(0)
    found, live = np.full(shape[0], NONE), np.arange(rows.size)
    free = np.ones(shape[1], dtype=np.bool_)
    for turn in range(TURNS):
        begins = np.flatnonzero(np.diff(rows[live], prepend=NONE))
        counts = np.diff(begins, append=live.size)
        asked = live[begins + (rng.random(begins.size) * counts * (turn > 0)).astype(np.int64)]
        _, served = np.unique(columns[asked], return_index=True)
        served = asked[served]
        found[rows[served]] = served
        free[columns[served]] = False
        live = live[free[columns[live]] & (found[rows[live]] == NONE)]
        if not live.size:
            break
    return np.asarray(found[found != NONE], dtype=np.int64)


def _parts(label: Ints) -> Ints:
    """[row]: a part of the rows that shares no candidates with others. The solver takes the square of their number."""
    _, place, sizes = np.unique(label, return_inverse=True, return_counts=True)
    _, part = np.unique((np.cumsum(sizes) - sizes) // PART, return_inverse=True)
    return np.asarray(part[place], dtype=np.int64)


def connected(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Ints:
    """[row]: the same number for rows that share columns, directly or by way of other rows. Pairs come in order of rows."""
    from scipy.sparse.csgraph import connected_components

    size = sum(shape)
    # Ready for use: to sort the pairs and to make 32 bits of 64 would take most of the time.
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))]).astype(np.int32)
    graph = sparse.csr_array((np.ones(rows.size), (shape[0] + columns).astype(np.int32), starts), (size, size))
    return np.asarray(connected_components(graph, directed=False)[1][: shape[0]], dtype=np.int64)


def _cheapest(rows: Ints, columns: Ints, cost: Floats, shape: tuple[int, int]) -> Ints:
    height, width = shape
    # A private dummy column for every row makes a full matching possible whatever the lists are.
    dummies, price = np.arange(height), 10.0 * float(cost.max(initial=0.0)) + 1.0
    chosen = full_matching(
        np.concatenate([rows, dummies]),
        np.concatenate([columns, width + dummies]),
        np.concatenate([cost, np.full(height, price)]),
        (height, width + height),
    )
    return np.where(chosen < width, chosen, NONE)


def full_matching(
    rows: NDArray[np.integer], columns: NDArray[np.integer], cost: Floats, shape: tuple[int, int]
) -> Ints:
    """The column of every row, at least total cost over the listed pairs, which have to allow a full matching."""
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # scipy's solver may not terminate on nearly equal costs, so they are rounded to integers; 0 would mean "no edge".
    low, high = float(cost.min()), float(cost.max())
    whole = np.rint((cost - low) * (1e9 / (high - low) if high > low else 0.0)) + 1.0
    graph = sparse.csr_array((whole, (rows, columns)), shape=shape)
    return np.asarray(min_weight_full_bipartite_matching(graph)[1], dtype=np.int64)


def one_to_one(near: Ints, cost: Floats, width: int) -> Ints:
    """Like `matching`, but a row whose candidates are all taken gets its nearest candidate."""
    partner = matching(near, cost, width)
    return np.where(partner < 0, near[:, 0], partner)


def match_listed(near: Ints, scores: Floats, how: Assign, width: int, rng: np.random.Generator) -> Match:
    """Match rows and columns given the candidate columns of each row (NONE fills up a list) and their scores."""
    height = near.shape[0]
    # Ties go to the first row or column, so the order must not tell anything.
    row_order, column_order = rng.permutation(height), rng.permutation(width)
    place = np.empty(width, dtype=np.int64)
    place[column_order] = np.arange(width)
    mixed, values = near[row_order], scores[row_order]
    mixed = np.where(mixed == NONE, NONE, place[mixed])
    order = np.lexsort((rng.random(mixed.shape), np.where(mixed == NONE, np.inf, -values)), axis=1)
    mixed, values = np.take_along_axis(mixed, order, axis=1), np.take_along_axis(values, order, axis=1)
    if how == "assignment":
        found = _listed_assignment(mixed, values, width)
    elif how == "sinkhorn":
        found = _peaks(_listed_plan(mixed, values, width), rng)
    else:
        rows, at = np.nonzero(mixed != NONE)
        found = Match(mixed[:, 0], _peak(mixed[rows, at], rows, values[rows, at], width, rng))
    return put_back(found, row_order, column_order)


def _listed_assignment(near: Ints, scores: Floats, width: int) -> Match:
    partner = matching(near, scores.max(initial=0.0) - scores, width)
    columns = np.full(width, NONE)
    columns[partner[partner != NONE]] = np.flatnonzero(partner != NONE)
    return Match(np.where(partner == NONE, near[:, 0], partner), columns)


def _peaks(plan: sparse.csr_array, rng: np.random.Generator) -> Match:
    entries = plan.tocoo()
    rows, columns = (side.astype(np.int64) for side in entries.coords)
    height, width = plan.shape
    return Match(_peak(rows, columns, entries.data, height, rng), _peak(columns, rows, entries.data, width, rng))


def _listed_plan(near: Ints, scores: Floats, width: int, lead: float | None = None) -> sparse.csr_array:
    """A transport plan over candidate lists, the best first."""
    rows, place = np.nonzero(near != NONE)
    values = scores[rows, place]
    lead = (float(np.median(scores[:, 0] - scores.mean(axis=1))) or 1.0) if lead is None else lead
    heat = np.exp((values - scores[rows, 0]) * (10.0 / lead))
    columns = near[rows, place]
    few = near.shape[0] <= width
    for _ in range(ROUNDS):
        heat /= np.maximum(np.bincount(columns, heat, minlength=width), 1.0 if few else 1e-300)[columns]
        heat /= np.maximum(np.bincount(rows, heat, minlength=near.shape[0]), 1e-300 if few else 1.0)[rows]
    return sparse.csr_array((heat, (rows, columns)), shape=(near.shape[0], width))


def _peak(rows: Ints, columns: Ints, values: Floats, height: int, rng: np.random.Generator) -> Ints:
    """The column of the largest value of each row, ties at random."""
    order = np.lexsort((rng.random(rows.size), values, rows))
    found = np.full(height, NONE)
    found[rows[order]] = columns[order]
    return found
