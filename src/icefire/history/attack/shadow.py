"""What shadow releases teach, for attackers who know the method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Self

import numpy as np
import polars as pl
from scipy import sparse
from scipy.special import log_softmax

from icefire.core.errors import InputError, TooLarge, Undefined
from icefire.core.matching import Match, match_dense
from icefire.core.parameters import AtLeast
from icefire.core.pipeline import Pipeline
from icefire.core.scores import Floats, Similarity
from icefire.core.shadow import Cases, choice_weights
from icefire.core.similarity import tf_idf
from icefire.history.attack._matchings import likeliest
from icefire.history.attack._similarity import Block, SimilarityAttack, blocks, item_profiles
from icefire.history.attack.evidence import Evidence
from icefire.history.attack.idf_jaccard import IdfJaccard
from icefire.history.attack.jensen_shannon import JensenShannon
from icefire.history.attack.posterior import Posterior
from icefire.history.attack.record_matching import RecordMatching
from icefire.history.attack.tf_idf import TfIdf
from icefire.history.concealing import covering
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.facets import Facets, Matrix
from icefire.history.roles import InformedAttack

EXERCISES, TAUGHT = 4, 200_000
"""Shadow releases that are practised on, and pairs of a pseudonym and a customer in each."""
MOST = 5_000_000
"""Largest number of pairs of a pseudonym and a customer, over all periods."""
BY_ITEMS = (IdfJaccard(), TfIdf(), JensenShannon())
"""Attacks whose similarities of items are evidence."""


@dataclass(frozen=True)
class Shadow(InformedAttack):
    """Make releases of the known records with the known steps and seeds of one's own, and learn from those who is who.

    Evidence about a pseudonym and a customer are the scores of other attacks, and how many of the published records, cell by
    cell, came out the same for the customer in the shadow releases. How much each piece of evidence counts is learned from
    further shadow releases, whose pseudonyms are known (conditional logit). It needs no statement about what becomes of a
    record, so any method can be attacked; where `informed` applies, that is exact and this an estimate.

    Parameters:
        shadows: number of shadow releases that teach what records become; four more are practised on.

    Example:
        Whoever repeats the generalization knows the cells.

        >>> import numpy as np
        >>> from icefire.history.anonymize.generalize import Generalize
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", "bob 2011-01-03 cup", "cid 2011-01-10 tea")
        >>> step = Generalize(date="week")
        >>> release = step.anonymize(known, np.random.default_rng(1))
        >>> guess = Shadow().knowing([step]).attack(release.published, known, np.random.default_rng(0))
        >>> guess.table.tolist() == release.pseudonyms.tolist()
        True

    Reference:
        Shokri, Stronati, Song, Shmatikov: Membership inference attacks against machine learning models. 2017, for the idea of
        shadow models.
    """

    shadows: Annotated[int, AtLeast(1)] = 3
    estimates: ClassVar[bool] = True

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        return [cls()]

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        if not knowledge.complete:
            raise Undefined("shadow releases need all records of the customers, and some are not known")
        if (published.present.sum(axis=0) * knowledge.present.sum(axis=0)).sum() > MOST:
            raise TooLarge(f"there are more than {MOST:,} pairs of a pseudonym and a customer to compare")
        made = [self._release(knowledge, rng) for _ in range(EXERCISES + self.shadows)]
        exercises, lessons = made[:EXERCISES], made[EXERCISES:]
        compared = _Comparison(published, knowledge, lessons)
        practice = [_Comparison(release.published, knowledge, lessons) for release in exercises]
        sides = (compared, *practice)
        if any(side.by_records is None for side in sides):
            for side in sides:
                side.by_records = None
        rooms = tuple(stars for stars in (False, True) if all(stars in side.rooms for side in sides))
        for side in sides:
            side.rooms = rooms
        prior = compared.prior
        cases = [_cases(release, side, rng) for release, side in zip(exercises, practice, strict=True)]
        # Several pieces of evidence together, or one alone: what is right most often where the truth is known. What is learned
        # is judged on a release that it was not learned from.
        parts = [[case for j in range(EXERCISES) if j != i for case in cases[j]] for i in range(EXERCISES + 1)]
        learned = [choice_weights(part, prior) for part in parts]
        choices = [
            (decision, weights)
            for decision in DECISIONS
            for weights in (learned, *([given] * len(learned) for given in (prior, *np.eye(prior.size))))
        ]
        hits = [
            sum(practice[i].hits(exercises[i], decision, weights[i], rng) for i in range(EXERCISES))
            for decision, weights in choices
        ]
        decision, weights = choices[int(np.argmax(hits))]
        return compared.decided(decision, weights[-1], rng)

    def _release(self, knowledge: History, rng: np.random.Generator) -> Release:
        try:
            return Pipeline(self.known_steps).anonymize(knowledge, rng)
        except InputError as error:
            raise Undefined(f"the steps cannot be taken with what is known: {error}") from error


@dataclass(frozen=True)
class _Decision(SimilarityAttack):
    """Decides by weighted scores."""

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        assert isinstance(facets, _Comparison), "made by `Shadow`"
        scores = facets.scores(block)
        return likeliest(scores, rng) if self.assign == "sinkhorn" else match_dense(scores, self.assign, rng)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        return BY_ITEMS[0].similarity(left, right)


DECISIONS = (_Decision("sinkhorn"), _Decision("assignment"))


def _cases(exercise: Release, practice: _Comparison, rng: np.random.Generator) -> list[Cases]:
    """The pseudonyms of a shadow release, and whose they are."""
    cases, pairs = [], 0
    for at in rng.permutation(len(practice.blocks)):
        block = practice.blocks[at]
        if pairs > TAUGHT:
            break
        owners = exercise.owners[np.ix_(block.pseudonyms, block.periods)].max(axis=1)
        right = np.searchsorted(block.users, owners)
        evidence = practice.tables(block)
        rows = rng.permutation(owners.size)[: max(1, TAUGHT // block.users.size)]
        listed = np.ones((rows.size, block.users.size), dtype=np.bool_)
        cases.append(Cases(evidence[rows], listed, np.where(owners == NONE, NONE, right)[rows]))
        pairs += listed.size
    return cases


class _Comparison(Facets):
    """Scores of every pseudonym and customer by several attacks, and by what records became in shadow releases."""

    def __init__(self, published: History, knowledge: History, lessons: list[Release]) -> None:
        super().__init__(published, knowledge)
        self.weights: Floats = np.ones(0)
        self._tables: dict[tuple[bytes, bytes], Floats] = {}
        self.by_records: Facets | None
        try:
            self.by_records = RecordMatching().facets(published, knowledge)
        except Undefined:
            self.by_records = None
        self._cells = _whole_records(published, lessons)
        self.rooms: tuple[bool, ...] = (False, True) if published.shared.any() else (False,)
        self._edges: sparse.csr_array | None = None
        try:
            self._edges = covering(knowledge, published)
        except Undefined:
            self.rooms = ()

    def decided(self, decision: _Decision, weights: Floats, rng: np.random.Generator) -> Guess:
        self.weights = weights
        table = np.full((len(self.knowledge.users), len(self.knowledge.periods)), NONE, dtype=np.int64)
        owners = np.full(len(self.published.users), NONE, dtype=np.int64)
        for block in self.blocks:
            decision._answer(block, self, table, owners, rng)
        return Guess(table, owners)

    def hits(self, release: Release, decision: _Decision, weights: Floats, rng: np.random.Generator) -> int:
        """How many pseudonyms of a release whose owners are known are told right."""
        told = self.decided(decision, weights, rng).table
        return int(((told == release.table) & (release.table != NONE)).sum())

    def scores(self, block: Block) -> Floats:
        """[pseudonym, user]: weighted."""
        scores: Floats = self.tables(block) @ self.weights
        if (self.weights == self.prior).all():
            return scores
        # Odds against a stranger: 0 says nothing.
        return np.asarray(log_softmax(scores, axis=1) + np.log(scores.shape[1]))

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks(self.published, self.knowledge, link=True, habits=False)

    @property
    def prior(self) -> Floats:
        """The weight of each table to begin with: odds are believed, until it is learned that others know better."""
        raw = [0.0] * (len(BY_ITEMS) + 1) + ([] if self.by_records is None else [1.0]) + [0.0]
        raw += [0.0] * len(self.rooms)
        return np.array(raw + [0.0] * len(raw))

    def tables(self, block: Block) -> Floats:
        """[pseudonym, user, table]: scores, and the same scores relative to the customer's mean."""
        # A block may be asked for again with some of its pseudonyms.
        key = block.periods.tobytes(), block.pseudonyms.tobytes()
        if key not in self._tables:
            self._tables[key] = np.stack(self._compared(block), axis=2)
        return self._tables[key]

    def _by_room(self, stars: bool, block: Block) -> Floats:
        """[pseudonym, user]: which pseudonyms have room for a customer's records."""
        found = np.zeros((block.pseudonyms.size, block.users.size))
        for period in block.periods:
            assert self._edges is not None
            users, pseudonyms, scores = Posterior(stars=stars).scores(
                self._edges, self.published, self.knowledge, int(period)
            )
            rows, columns = np.isin(pseudonyms, block.pseudonyms), np.isin(users, block.users)
            at = np.ix_(
                np.searchsorted(block.pseudonyms, pseudonyms[rows]), np.searchsorted(block.users, users[columns])
            )
            found[at] += scores[columns][:, rows].T
        return found

    def _compared(self, block: Block) -> list[Floats]:
        left, right = item_profiles(self, block)
        found = [attack.similarity(left, right).dense() for attack in BY_ITEMS]
        found.append(Evidence().scores(self, block))
        if self.by_records is not None:
            found.append(RecordMatching().scores(self.by_records, block))
        tokens, shown, repeated = self._cells
        inside = np.isin(tokens, block.periods)
        pair = tf_idf(shown[block.pseudonyms][:, inside], repeated[block.users][:, inside])
        found.append(np.asarray((pair[0] @ pair[1].T).todense()))
        found += [self._by_room(stars, block) for stars in self.rooms]
        # Some customers resemble everybody.
        return [*found, *(table - table.mean(axis=0, keepdims=True) for table in found)]


def _whole_records(published: History, lessons: list[Release]) -> tuple[Ints, Matrix, Matrix]:
    """Records as a whole: the period of each different one, how often pseudonyms have it, [pseudonym, record], and how often it
    came out for each user in shadow releases, [user, record]."""
    tables = [published, *(release.published for release in lessons)]
    shared = set.intersection(*(set(table.frame.columns) for table in tables)) - {"user", "invoice"}
    columns = [name for name in published.frame.columns if name in shared]
    texts = [
        table.frame.select(pl.concat_str(pl.col(columns).cast(pl.String).fill_null(""), separator="\x1f")).to_series()
        for table in tables
    ]
    keys = pl.concat([pl.DataFrame({"text": t, "period": s.period_codes}) for t, s in zip(texts, tables, strict=True)])
    codes = keys.select(pl.struct("period", "text").rank("dense")).to_series().to_numpy().astype(np.int64) - 1
    width = int(codes.max()) + 1
    periods = np.empty(width, dtype=np.int64)
    periods[codes] = keys["period"].to_numpy()
    holders, ends = published.holders, np.cumsum([table.height for table in tables])
    first = codes[: ends[0]][holders.records]
    shown = sparse.csr_array((holders.weights, (holders.users, first)), shape=(len(published.users), width))
    owners = np.concatenate([release.record_owners for release in lessons])
    rest = codes[ends[0] :]
    there = owners != NONE
    shape = (len(lessons[0].original.users), width)
    repeated = sparse.csr_array((np.ones(int(there.sum())), (owners[there], rest[there])), shape=shape)
    return periods, shown, repeated
