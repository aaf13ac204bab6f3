"""Evidence of all columns, weighed by how far the release can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core.matching import CANDIDATES, Assign, Match, match_dense, match_listed
from icefire.core.parameters import AtLeast
from icefire.core.scores import Floats, Similarity
from icefire.core.similarity import row_sums
from icefire.history.attack._similarity import Block, SimilarityAttack, binary, item_profiles
from icefire.history.data import NONE, History
from icefire.history.facets import Facets, Matrix

PART = 5_000
SMALL = 2_000_000
"""Up to this many pairs are all compared."""
COMPARED, LISTED = 12.0, 700.0
"""Comparisons that a pair takes by one facet in one round, where all are compared and where candidates are."""
SAMPLE = 20_000
OPTIMISM = 0.8
"""The rate of hits to begin with, before there is a matching to learn from."""
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
    """Evidence of items, dates, times, prices, quantities and their combinations, weighed by how far each can be trusted.

    If a pseudonym belongs to a customer, each fact known of the customer is found in the release with some probability,
    and each published fact among the known ones with another; for strangers both are as frequent as in the population. That
    gives two log-likelihood ratios for every combination of columns. Neither the probabilities nor the weights of the
    combinations are given: the first guess trusts those in which people stand out, and each further round learns both from
    the best matching so far (weights by Fisher's discriminant, since combinations overlap). So a column that the release has
    spoilt, by noisy prices, shifted dates or dummy items, loses its weight by itself.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.
        rounds: how often weights are learned.
        plain: add all ratios as they are. This is the stronger one if half of the records are known or more (in 31 of 32
            comparisons on contest data and generated data; .96 to .59 of the links where 90% of the records were deleted);
            if three records of each customer are known, neither is.

    Example:
        The items of all three are the same; prices and quantities tell them apart.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea 2 1", "bob 2011-01-03 tea 3 5", "cid 2011-01-03 tea 4 9")
        >>> published = records("1 2011-01-03 tea 4 9", "2 2011-01-03 tea 2 1", "3 2011-01-03 tea 3 5")
        >>> guess = Evidence().attack(published, known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['cid', 'ann', 'bob']
    """

    rounds: Annotated[int, AtLeast(1)] = 4
    plain: bool = False
    aliases: ClassVar[tuple[str, ...]] = ("evidence",)

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        # Dummies lose their weight by themselves, so leaving them out beforehand adds nothing.
        made = [variant for variant in super().variants(published, knowledge) if not variant.drop_dummies]
        made = [variant for variant in made if variant.link or variant.assign == "assignment"]
        return made + [replace(variant, plain=True) for variant in made if variant.assign == "assignment"]

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        pairs = _profiles(facets, block)
        height, width = pairs[0][0].shape[0], pairs[0][1].shape[0]
        near = None if height * width <= SMALL else _candidates(self, pairs, rng)
        found: Match | None = None
        for left_over in reversed(range(self.rounds)):
            parts = [part for left, right in pairs for part in _two_way(left, right, found, near)]
            if not parts:
                break
            scores = _added(parts) if self.plain else _weighed(parts, found, near, rng)
            # Pairs that are each other's best are mostly right, even where half of the people have no partner.
            how: Assign = "argmax" if left_over else self.assign
            found = match_dense(scores, how, rng) if near is None else match_listed(near, scores, how, width, rng)
            if left_over:
                found = _mutual(found)
                found = None if (found.rows == NONE).all() else found
        return found or Match(np.full(height, NONE), np.full(width, NONE))

    @property
    def one_by_one(self) -> bool:
        # Weights are learned from the matching of all.
        return False

    def work(self, facets: Facets, block: Block) -> float:
        """Everybody is compared by all facets, or by two of them and then with the candidates found."""
        number = len([facet for facet in FACETS if set(facet) <= set(facets.names)])
        pairs = block.pseudonyms.size * block.users.size
        if pairs <= SMALL:
            return COMPARED * number * self.rounds * pairs
        return LISTED * number * self.rounds * block.pseudonyms.size * CANDIDATES + 2 * super().work(facets, block)

    def scores(self, facets: Facets, block: Block) -> Floats:
        """[pseudonym, user]: all ratios as they are, before anything is learned."""
        pairs = _profiles(facets, block)
        parts = [part for left, right in pairs for part in _two_way(left, right, None, None)]
        return _added(parts) if parts else np.zeros((block.pseudonyms.size, block.users.size))

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        """Who is worth comparing at all, in large populations."""
        return Similarity(left, right, (0.3, 1.0), row_sums(left), row_sums(right))


def _mutual(found: Match) -> Match:
    chosen = found.columns[found.rows] == np.arange(found.rows.size)
    return Match(np.where(chosen & (found.rows != NONE), found.rows, NONE), found.columns)


def _profiles(facets: Facets, block: Block) -> list[tuple[Matrix, Matrix]]:
    usable = [facet for facet in FACETS if set(facet) <= set(facets.names)]
    both = (item_profiles(facets, block, facet) for facet in usable)
    return [(binary(left), binary(right)) for left, right in both]


def _candidates(attack: Evidence, pairs: list[tuple[Matrix, Matrix]], rng: np.random.Generator) -> np.ndarray:
    """The customers worth comparing with each pseudonym: the best by items alone, and by the facet with the rarest values."""
    sizes = [left.nnz / max(1, np.unique(left.indices).size) for left, _ in pairs]
    chosen = {0, int(np.argmin(sizes))}
    number = CANDIDATES // len(chosen)
    lists = [attack.similarity(*pairs[position]).nearest(number, rng)[0] for position in sorted(chosen)]
    near = np.sort(np.hstack(lists), axis=1)
    near[:, 1:][near[:, 1:] == near[:, :-1]] = NONE
    return near


def _two_way(left: Matrix, right: Matrix, found: Match | None, near: np.ndarray | None) -> list[Floats]:
    """Log-likelihood ratios of every pair (or every listed pair) by one facet, looked up from either side."""
    parts = []
    for facts in (right, left):
        base = _frequency(left if facts is right else right)
        hit = OPTIMISM if found is None else _hit_rate(left, right, found, facts, base)
        if hit is not None:
            parts.append(_one_way(left, right, facts, base, hit, near))
    return parts


def _centred(scores: Floats, near: np.ndarray | None) -> Floats:
    """Scores without the mean of their row and column, which says nothing about who belongs to whom, in unit deviation."""
    scores -= scores.mean(axis=1, keepdims=True)
    if near is None:
        scores -= scores.mean(axis=0, keepdims=True)
    spread = scores.std()
    return scores / spread if spread > 0 else scores


def _added(parts: list[Floats], weights: Sequence[float] | NDArray[np.float64] | None = None) -> Floats:
    scores = np.zeros(parts[0].shape)
    for weight, part in zip([1.0] * len(parts) if weights is None else weights, parts, strict=True):
        scores += weight * part
    return scores


def _weighed(parts: list[Floats], found: Match | None, near: np.ndarray | None, rng: np.random.Generator) -> Floats:
    """All parts as one score, each by what it is worth."""
    parts = [_centred(part, near) for part in parts]
    if found is None:
        weights = [_distinctness(part) for part in parts]
        return _added(parts, weights if max(weights) > 1e-9 else None)
    return _added(parts, _discriminant(parts, found, near, rng))


def _distinctness(scores: Floats) -> float:
    """By how much the best of a row typically stands out; a few others may be as good."""
    width = scores.shape[1]
    others = min(max(1, width // 20), width - 1)
    top = np.partition(scores, width - 1 - others, axis=1)
    return float((scores.max(axis=1) - top[:, width - 1 - others]).mean())


def _discriminant(
    parts: list[Floats], found: Match, near: np.ndarray | None, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Fisher's linear discriminant between the pairs of the matching so far and pairs drawn at random."""
    height, width = parts[0].shape
    rows = np.flatnonzero(found.rows != NONE)
    columns = found.rows[rows]
    if near is not None:
        listed = near[rows] == columns[:, None]
        rows, columns = rows[listed.any(axis=1)], listed.argmax(axis=1)[listed.any(axis=1)]
    drawn = rng.integers(0, [[height], [width]], (2, SAMPLE))
    matched, strangers = (np.stack([part[at] for part in parts], axis=1) for at in ((rows, columns), tuple(drawn)))
    spread = sum(np.atleast_2d(np.cov(side, rowvar=False)) for side in (matched, strangers) if len(side) > 1)
    # A small ridge, since facets that overlap entirely would make the system singular.
    spread = spread + 0.02 * np.eye(len(parts))
    weights: NDArray[np.float64] = np.linalg.solve(spread, matched.mean(axis=0) - strangers.mean(axis=0))
    return weights


def _frequency(matrix: Matrix) -> Floats:
    """How likely a fact is found on this side by chance."""
    count = np.bincount(matrix.indices, matrix.data, minlength=matrix.shape[1])
    return np.asarray(np.minimum((count + 0.5) / (matrix.shape[0] + 1.0), 0.999))


def _hit_rate(left: Matrix, right: Matrix, found: Match, facts: Matrix, base: Floats) -> float | None:
    """How often the facts of one side were found on the other, by the matching so far; None if no more than by chance."""
    rows = np.flatnonzero(found.rows != NONE)
    common = left[rows].multiply(right[found.rows[rows]]).sum()
    looked_up = facts[found.rows[rows] if facts is right else rows]
    total = looked_up.sum()
    # Laplace's rule: one more hit and one more miss than seen, so that the rate is never 0 or 1.
    hit = float((common + 1.0) / (total + 2.0))
    chance = float((np.asarray(looked_up.sum(axis=0)).ravel() * base).sum() / max(total, 1.0))
    return hit if hit > 1.01 * chance else None


def _one_way(left: Matrix, right: Matrix, facts: Matrix, base: Floats, hit: float, near: np.ndarray | None) -> Floats:
    """The facts of one side, looked up on the other.

    A fact of the population's frequency f, looked up in its true place, is found with probability `hit`; elsewhere with
    f. Facts found add log(hit / f), facts not found log((1 - hit) / (1 - f)).
    """
    # A fact more frequent than the hit rate is no evidence.
    rate = np.maximum(hit, base)
    missed = np.log((1.0 - np.minimum(rate, 0.9999)) / (1.0 - base))
    gain = np.log(rate / base) - missed
    weighted = facts.copy()
    weighted.data = weighted.data * gain[weighted.indices]
    silent = facts @ missed
    ours, theirs = (left, weighted) if facts is right else (weighted, right)
    if near is None:
        scores: Floats = np.asarray((ours @ theirs.T).todense(), dtype=np.float64)
        scores += silent[None, :] if facts is right else silent[:, None]
        return scores
    listed = np.maximum(near, 0)
    scores = _listed_products(ours, theirs, listed)
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
