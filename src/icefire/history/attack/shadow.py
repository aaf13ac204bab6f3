"""What shadow releases teach, for attackers who know the method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
import polars as pl
from scipy import sparse

from icefire.core.errors import InputError, Undefined
from icefire.core.matching import Assign, Match, match_dense
from icefire.core.parameters import AtLeast
from icefire.core.pipeline import Pipeline
from icefire.core.shadow import Cases, choice_weights
from icefire.core.similarity import tf_idf
from icefire.history.attack._similarity import Block, SimilarityAttack, blocks, item_profiles
from icefire.history.attack.evidence import Evidence
from icefire.history.attack.idf_jaccard import IdfJaccard
from icefire.history.attack.jensen_shannon import JensenShannon
from icefire.history.attack.record_matching import RecordMatching
from icefire.history.attack.tf_idf import TfIdf
from icefire.history.attackers import limited
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.facets import Facets, Matrix
from icefire.history.matching import Floats, Similarity
from icefire.history.roles import InformedAttack

TAUGHT = 200_000
"""Pairs of a pseudonym and a customer of a shadow release that are practised on."""
BY_ITEMS = (IdfJaccard(), TfIdf(), JensenShannon())
"""Attacks whose similarities of items are evidence."""


@dataclass(frozen=True)
class Shadow(SimilarityAttack, InformedAttack):
    """Make releases of the known records with the known steps and seeds of one's own, and learn from those who is who.

    Evidence about a pseudonym and a customer are the scores of other attacks, and how many of the published records, cell by
    cell, came out the same for the customer in the shadow releases. How much each piece of evidence counts is learned from
    a shadow release, whose pseudonyms are known (conditional logit). It needs no statement about what becomes of a record,
    so any method can be attacked; where `informed` applies, that is exact and this an estimate.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.
        shadows: number of shadow releases that teach what records become; one more is practised on.

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

    assign: Assign = "assignment"
    shadows: Annotated[int, AtLeast(1)] = 3
    estimates: ClassVar[bool] = True

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        return [cls()]

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        known = limited(knowledge, rng, self.records, self.share, self.periods, self.characters)
        if not known.complete:
            raise Undefined("shadow releases need all records of the customers, and some are not known")
        exercise, *lessons = (self._release(known, rng) for _ in range(self.shadows + 1))
        compared = _Comparison(published, known, lessons, self.drop_dummies)
        practice = _Comparison(exercise.published, known, lessons, self.drop_dummies)
        if not (compared.by_records and practice.by_records):
            compared.by_records = practice.by_records = None
        cases = _cases(exercise, practice, self.link, rng)
        compared.weights = choice_weights(cases, np.ones(cases[0].evidence.shape[2]) if cases else np.ones(0))
        table = np.full((len(known.users), len(known.periods)), NONE, dtype=np.int64)
        owners = np.full(len(published.users), NONE, dtype=np.int64)
        for block in blocks(published, known, self.link, self.habits):
            self._answer(block, compared, table, owners, rng)
        return Guess(table, owners)

    def _release(self, knowledge: History, rng: np.random.Generator) -> Release:
        try:
            return Pipeline(self.known_steps).anonymize(knowledge, rng)
        except InputError as error:
            raise Undefined(f"the steps cannot be taken with what is known: {error}") from error

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        assert isinstance(facets, _Comparison), "made by `attack`"
        return match_dense(np.stack(facets.tables(block), axis=2) @ facets.weights, self.assign, rng)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        """By items alone; the scores of `match` do not need it."""
        return BY_ITEMS[0].similarity(left, right)


def _cases(exercise: Release, practice: _Comparison, link: bool, rng: np.random.Generator) -> list[Cases]:
    """The pseudonyms of a shadow release, and whose they are."""
    known = exercise.original
    cases, pairs = [], 0
    parts = blocks(exercise.published, known, link, habits=False)
    for at in rng.permutation(len(parts)):
        block = parts[at]
        if pairs > TAUGHT:
            break
        owners = exercise.owners[np.ix_(block.pseudonyms, block.periods)].max(axis=1)
        right = np.searchsorted(block.users, owners)
        evidence = np.stack(practice.tables(block), axis=2)
        rows = rng.permutation(owners.size)[: max(1, TAUGHT // block.users.size)]
        listed = np.ones((rows.size, block.users.size), dtype=np.bool_)
        cases.append(Cases(evidence[rows], listed, np.where(owners == NONE, NONE, right)[rows]))
        pairs += listed.size
    return cases


class _Comparison(Facets):
    """Scores of every pseudonym and customer by several attacks, and by what records became in shadow releases."""

    def __init__(self, published: History, knowledge: History, lessons: list[Release], drop_dummies: bool) -> None:
        super().__init__(published, knowledge, drop_dummies)
        self.weights = np.ones(0)
        self.by_records: Facets | None
        try:
            self.by_records = RecordMatching().facets(published, knowledge)
        except Undefined:
            self.by_records = None
        self._cells = _whole_records(published, lessons)

    def tables(self, block: Block) -> list[Floats]:
        """[pseudonym, user] scores."""
        left, right = item_profiles(self, block)
        found = [attack.similarity(left, right).dense() for attack in BY_ITEMS]
        found.append(Evidence().scores(self, block))
        if self.by_records is not None:
            found.append(RecordMatching().scores(self.by_records, block))
        tokens, shown, repeated = self._cells
        inside = np.isin(tokens, block.periods)
        pair = tf_idf(shown[block.pseudonyms][:, inside], repeated[block.users][:, inside])
        found.append(np.asarray((pair[0] @ pair[1].T).todense()))
        return found


def _whole_records(published: History, lessons: list[Release]) -> tuple[Ints, Matrix, Matrix]:
    """Records as a whole: the period of each different one, how often pseudonyms have it, [pseudonym, record], and how often it
    came out for each user in shadow releases, [user, record]."""
    columns = [name for name in published.frame.columns if name not in ("user", "invoice")]
    tables = [published, *(release.published for release in lessons)]
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
