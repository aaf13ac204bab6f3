"""Base of the attacks by similarity: they compare what pseudonyms bought with what customers are known to have bought."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.budget import Asked, current
from icefire.core.matching import Assign, Match, asked_match, match
from icefire.core.parameters import AtLeast, Share
from icefire.core.scores import Similarity
from icefire.core.similarity import shared
from icefire.history.attackers import limited
from icefire.history.data import NONE, Guess, History, Ints
from icefire.history.facets import Facets, Matrix, facets_of, has_suspicious
from icefire.history.roles import Attack

PAIR, ONE_TO_ONE = 6.0, 12.0
"""Comparisons that something takes which a pseudonym and a user have in common, and where all people are matched."""


@dataclass(frozen=True)
class Block:
    """Periods joined by pseudonyms, the pseudonyms seen there, and the customers who may be behind them."""

    periods: Ints
    pseudonyms: Ints
    users: Ints
    stable: bool
    """Whether one pseudonym a customer is enough."""

    def asked(self, asked: Asked) -> Asked:
        """The places of the pseudonyms and users that are asked for."""
        sides = (self.pseudonyms, asked.pseudonyms), (self.users, asked.people)
        rows, columns = (np.flatnonzero(np.isin(mine, wanted)) for mine, wanted in sides)
        return Asked(rows, columns)


def blocks(published: History, knowledge: History, link: bool, habits: bool) -> list[Block]:
    """One block for every chain of periods that share pseudonyms; without linking, one for every period.

    A customer takes part where records are known: of these periods or, with habits, of any.
    """
    present, known = published.present, knowledge.present
    found = []
    for periods in _chains(present) if link else np.arange(present.shape[1])[:, None]:
        pseudonyms = np.flatnonzero(present[:, periods].any(axis=1))
        inside = known[:, periods].any(axis=1) | (habits & known.any(axis=1))
        users = np.flatnonzero(inside)
        if pseudonyms.size and users.size:
            found.append(Block(periods, pseudonyms, users, pseudonyms.size <= len(knowledge.users)))
    return found


def _chains(present: np.ndarray) -> list[Ints]:
    """Connected periods: two are joined where a pseudonym occurs in both."""
    shared = present.T.astype(np.int64) @ present
    group = np.arange(shared.shape[0])
    for period in range(shared.shape[0]):
        for other in np.flatnonzero(shared[period]):
            group[group == group[other]] = group[period]
    return [np.flatnonzero(group == number) for number in np.unique(group)]


@dataclass(frozen=True)
class SimilarityAttack(Attack):
    """Base of the attacks by similarity, with the parameters that all of them take; Jaccard explains them."""

    assign: Assign = "argmax"
    link: bool = True
    drop_dummies: bool = False
    habits: bool = False
    records: Annotated[int, AtLeast(1)] | None = None
    share: Share = 1.0
    periods: tuple[str, ...] = ()
    characters: Annotated[int, AtLeast(1)] | None = None
    on_engine: ClassVar[bool] = True

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        made = [cls(assign=assign) for assign in ("argmax", "assignment", "sinkhorn")]
        if (published.present.sum(axis=1) > 1).any():
            made += [replace(variant, link=False) for variant in made]
        if has_suspicious(published, knowledge):
            made += [replace(variant, drop_dummies=True) for variant in made if variant.assign != "sinkhorn"]
        if not knowledge.complete:
            made += [replace(variant, habits=True) for variant in made]
        return made

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        known = limited(knowledge, rng, self.records, self.share, self.periods, self.characters)
        facets = self.facets(published, known)
        facets.asked = self._asked(facets, rng)
        table = np.full((len(known.users), len(known.periods)), NONE, dtype=np.int64)
        owners = np.full(len(published.users), NONE, dtype=np.int64)
        for block in blocks(published, known, self.link, self.habits):
            self._answer(block, facets, table, owners, rng)
        return Guess(table, owners, asked=facets.asked)

    def _asked(self, facets: Facets, rng: np.random.Generator) -> Asked | None:
        """Whom to look for; None if everybody. Where people compete for pseudonyms, a sample would find less than there is."""
        published, known = facets.published, facets.knowledge
        work = sum(self.work(facets, block) for block in blocks(published, known, self.link, self.habits))
        if self.one_by_one:
            return current().ask(len(published.users), len(known.users), work, rng)
        current().require(work)
        return None

    @property
    def one_by_one(self) -> bool:
        """Whether the answer about a pseudonym or a user does not depend on the answers about others."""
        return self.assign == "argmax"

    def work(self, facets: Facets, block: Block) -> float:
        """Comparisons that it takes to match a block, roughly."""
        pair = PAIR if self.one_by_one else ONE_TO_ONE
        return pair * shared(*item_profiles(facets, block))

    def facets(self, published: History, knowledge: History) -> Facets:
        """What `match` compares."""
        return facets_of(published, knowledge, self.drop_dummies)

    def _answer(self, block: Block, facets: Facets, table: Ints, owners: Ints, rng: np.random.Generator) -> None:
        found = self.match(facets, block, rng)
        owners[block.pseudonyms] = np.where(found.rows == NONE, NONE, block.users[found.rows])
        partner = np.where(found.columns == NONE, NONE, block.pseudonyms[found.columns])
        published, known = facets.published.present, facets.knowledge
        for period in block.periods:
            if block.stable:
                chosen = np.where((partner != NONE) & published[partner, period], partner, NONE)
            else:
                chosen = self._within(block, facets, int(period), rng)
            if known.complete:
                chosen = np.where(known.present[block.users, period], chosen, NONE)
            table[block.users, period] = chosen

    def _within(self, block: Block, facets: Facets, period: int, rng: np.random.Generator) -> Ints:
        """The best pseudonym of each user among those of one period, where a user may have several in the block."""
        inside = block.pseudonyms[facets.published.present[block.pseudonyms, period]]
        found = self.match(facets, replace(block, pseudonyms=inside), rng)
        return np.where(found.columns == NONE, NONE, inside[found.columns])

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        similarity = self.similarity(*item_profiles(facets, block))
        if facets.asked is None:
            return match(similarity, self.assign, rng, least=0.0)
        return asked_match(similarity, block.asked(facets.asked), rng, least=0.0)

    @abstractmethod
    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        """How alike pseudonyms and users are, from how often they bought each item."""


def item_profiles(facets: Facets, block: Block, columns: tuple[str, ...] = ("item",)) -> tuple[Matrix, Matrix]:
    """Rows for the pseudonyms and the users of a block; who is not known in its periods is known by all periods."""
    left, right = facets.profiles(columns, block.periods)
    left, right = left[block.pseudonyms], right[block.users]
    empty = np.diff(right.indptr) == 0
    if empty.any() and not facets.knowledge.complete:
        _, anytime = facets.profiles(columns)
        anytime = anytime[block.users]
        right = right + anytime.multiply(empty[:, None]).tocsr()
    for matrix in (left, right):
        matrix.sort_indices()
    return left, right


def binary(matrix: Matrix) -> Matrix:
    """1 where something was bought; a share where a published item may be several things."""
    made = matrix.copy()
    np.minimum(made.data, 1.0, out=made.data)
    return made
