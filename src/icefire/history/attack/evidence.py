"""All the evidence that records hold, weighed by how far the release can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.history.attack._similarity import Block, SimilarityAttack, binary, item_profiles, row_sums
from icefire.history.data import NONE
from icefire.history.facets import Facets, Matrix
from icefire.history.matching import (
    CANDIDATES,
    DENSE,
    Assign,
    Floats,
    Match,
    Similarity,
    match,
    match_dense,
    match_listed,
)

PART = 5_000
FACETS = (
    ("item",),
    ("item", "date"),
    ("item", "price"),
    ("item", "quantity"),
    ("item", "price", "quantity"),
    ("item", "date", "price", "quantity"),
    ("date", "quantity"),
    ("date", "time"),
    ("date",),
)


@dataclass(frozen=True)
class Evidence(SimilarityAttack):
    """Evidence of items, dates, prices, quantities and their combinations, added up as log-likelihood ratios.

    If a pseudonym belongs to a customer, each fact known of the customer is found in the release with some probability,
    and each published fact among the known ones with another; for strangers both are as frequent as in the population.
    The probabilities are not given: they are estimated for every facet from the best matching so far, round after round.
    So a facet that the release has spoilt (noisy prices, shifted dates, dummy items) loses its weight by itself.
    """

    rounds: Annotated[int, AtLeast(1)] = 4
    aliases: ClassVar[tuple[str, ...]] = ("evidence",)

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        pairs = _profiles(facets, block)
        start = _first_similarity(*pairs[0])
        height, width = start.shape
        dense = height * width <= DENSE
        near = None if dense else start.nearest(CANDIDATES, rng)[0]
        found = match(start, "assignment", rng)
        for left_over in reversed(range(self.rounds)):
            scores = np.zeros((height, width)) if near is None else np.zeros(near.shape)
            for left, right in pairs:
                scores += _two_way(left, right, found, near)
            how: Assign = "assignment" if left_over else self.assign
            found = match_dense(scores, how, rng) if near is None else match_listed(near, scores, how, width, rng)
        return found

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        return _first_similarity(left, right)


def _profiles(facets: Facets, block: Block) -> list[tuple[Matrix, Matrix]]:
    usable = [facet for facet in FACETS if set(facet) <= set(facets.names)]
    both = (item_profiles(facets, block, facet) for facet in usable)
    return [(binary(left), binary(right)) for left, right in both]


def _first_similarity(left: Matrix, right: Matrix) -> Similarity:
    return Similarity(left, right, (0.3, 1.0), row_sums(left), row_sums(right))


def _two_way(left: Matrix, right: Matrix, found: Match, near: np.ndarray | None) -> Floats:
    """Log-likelihood ratio of every pair (or every listed pair) by one facet."""
    rows = np.flatnonzero(found.rows != NONE)
    common = left[rows].multiply(right[found.rows[rows]]).tocsr()
    scores = _one_way(left, right, common, found.rows[rows], right, near)
    return scores + _one_way(left, right, common, rows, left, near)


def _one_way(
    left: Matrix, right: Matrix, common: Matrix, owners: np.ndarray, facts: Matrix, near: np.ndarray | None
) -> Floats:
    """The facts of one side, looked up on the other.

    A fact of the population's frequency f, looked up in its true place, is found with probability `hit`; elsewhere with
    f. Facts found add log(hit / f), facts not found log((1 - hit) / (1 - f)).
    """
    other = left if facts is right else right
    base = (np.bincount(other.indices, other.data, minlength=other.shape[1]) + 0.5) / (other.shape[0] + 1.0)
    base = np.minimum(base, 0.999)
    total = facts[owners].sum()
    # One fact more found and one more missed than seen, since no rate is ever 0 or 1.
    hit = (common.sum() + 1.0) / (total + 2.0)
    chance = float((np.asarray(facts[owners].sum(axis=0)).ravel() * base).sum() / max(total, 1.0))
    if hit <= chance * 1.01:
        return np.zeros((left.shape[0], right.shape[0]) if near is None else near.shape)
    # A fact more frequent than the rate of hits says nothing for anybody.
    rate = np.maximum(hit, base)
    missed = np.log((1.0 - np.minimum(rate, 0.9999)) / (1.0 - base))
    gain = np.log(rate / base) - missed
    weighted = facts.copy()
    weighted.data = weighted.data * gain[weighted.indices]
    silent = facts @ missed
    one, two = (left, weighted) if facts is right else (weighted, right)
    if near is None:
        scores: Floats = np.asarray((one @ two.T).todense(), dtype=np.float64)
        scores += silent[None, :] if facts is right else silent[:, None]
        return scores
    listed = np.maximum(near, 0)
    scores = _listed_products(one, two, listed)
    scores += silent[listed] if facts is right else silent[:, None]
    return scores


def _listed_products(left: Matrix, right: Matrix, columns: np.ndarray) -> Floats:
    """Products of each row of the left side with its listed rows of the right side, a part at a time."""
    products = np.empty(columns.shape)
    for begin in range(0, columns.shape[0], PART):
        part = columns[begin : begin + PART]
        rows = np.repeat(np.arange(begin, begin + part.shape[0]), part.shape[1])
        products[begin : begin + PART] = row_sums(left[rows].multiply(right[part.ravel()]).tocsr()).reshape(part.shape)
    return products
