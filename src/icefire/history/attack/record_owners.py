r"""The owner of each published record.

    P(u | j)  =  a(u, j) n(u, j) / sum_v a(v, j) n(v, j),    a(u, j) = mean over L in L_j of a(u, L)

j is a published record and L_j what it stands under: its pseudonyms, or the list of them taken for a pseudonym of its own.
a(u, L) is the probability that customer u is behind L, from the likelihood of all records under L (record matching). n(u, j)
counts the records of u that j may have been made from, where all records are known; 1 where only some are.

Lists are read in the way that fits them:

about as many as customers   each list is a customer's, who have one each, as with pseudonyms; where there are fewer lists
                             than pseudonyms, some have several owners, more likely those with many records
far fewer                    several customers share a list: a(u, L) = w(u, L) / sum_v w(v, L), where w(u, .) is the
                             probability of each list for the records of u
far more                     each record has a list of its own, which is read as the pseudonyms in it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import polars as pl
from scipy import sparse
from scipy.special import softmax

from icefire.history.attack._matchings import UNMATCHED, Floats, partners
from icefire.history.attack._similarity import Block, blocks
from icefire.history.attack.record_matching import RecordMatching
from icefire.history.attackers import limited
from icefire.history.data import NONE, Claims, Guess, History, Ints
from icefire.history.facets import UNKNOWN, Facets

FEWER, MORE = 0.5, 1.5
"""Lists for each customer of a period, below and above which a list is not one customer's."""
DOUBT = 1e-3
"""Probability that what a record stands under says nothing about its owner."""
MATCHED = 0.5
"""Share of the published records that have to equal known ones in the columns that are compared."""
PORTION = 5_000_000
"""Pairs of a published record and a customer that are worked out at a time."""


@dataclass(frozen=True)
class RecordOwners(RecordMatching):
    """Name the owner of each single record, by what it stands under and by what it says.

    A list of pseudonyms hides which of them is right, but not which records stand under the same list. Whoever knows a few
    records of somebody finds their list, and with it the other records.

    Parameters:
        assign, rounds, invoices: as for record matching.
        link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see Jaccard.

    Example:
        Both tents stand under the same list as ann's tea, the only record of hers that is known.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> lines = ["{1|2} 2011-01-03 tea", "{1|2} 2011-01-05 tent", "{1|2} 2011-01-09 tent"]
        >>> published = records(*lines, "{1|2|3} 2011-01-03 cup", "{2|3} 2011-01-03 pen")
        >>> known = records("ann 2011-01-03 tea", "bob 2011-01-03 cup", "cid 2011-01-03 pen")
        >>> known.complete = False
        >>> guess = RecordOwners().attack(published, known, np.random.default_rng(0))
        >>> known.users.gather(guess.claims.owners).to_list()
        ['ann', 'ann', 'ann', 'bob', 'cid']

    Reference:
        Fellegi, Sunter: A theory for record linkage. 1969. Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity:
        privacy beyond k-anonymity. 2007, for what a group gives away although its members cannot be told apart.
    """

    aliases: ClassVar[tuple[str, ...]] = ("record owners",)

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        return [variant for variant in super().variants(published, knowledge) if variant.link]

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        known = limited(knowledge, rng, self.records, self.share, self.periods, self.characters)
        labelled = _lists_as_pseudonyms(published)
        joined = labelled is not published
        facets = self.facets(labelled, known)
        self._asked(facets, rng)
        contents = _Contents.of(facets) if known.complete else None
        owners, confidence = np.full(published.height, NONE), np.zeros(published.height)
        table = np.full((len(known.users), len(known.periods)), NONE)
        for block in blocks(labelled, known, self.link, self.habits):
            chance = self._chances(facets, block, joined, rng)
            if joined:
                chance *= _sole(published, labelled, block)[:, None]
            else:
                _name_pseudonyms(labelled, known, block, chance, table)
            for records, likely in _by_record(labelled, block, chance):
                if contents is not None:
                    possible = contents.owners(records)[:, block.users]
                    known_ones = np.any(possible, axis=1, keepdims=True)
                    likely = np.where(known_ones, (likely + DOUBT) * possible, likely)
                    likely /= np.maximum(likely.sum(axis=1, keepdims=True), 1e-300)
                best = likely.argmax(axis=1)
                confidence[records] = likely[np.arange(records.size), best]
                owners[records] = np.where(confidence[records] > 0, block.users[best], NONE)
        guess = Guess.of_table(table, len(published.users))
        return replace(guess, claims=Claims(owners, confidence, known))

    def _chances(self, facets: Facets, block: Block, joined: bool, rng: np.random.Generator) -> Floats:
        """[pseudonym or list, user]: the probability that the user is behind it."""
        scores = self.scores(facets, block)
        here = facets.knowledge.present[np.ix_(block.users, block.periods)].any(axis=1)
        if joined and block.pseudonyms.size < FEWER * here.sum():
            weights = softmax(scores, axis=0)
            return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300))
        # Ties go to the first row or column, so the order must not tell anything.
        rows, columns = (rng.permutation(size) for size in scores.shape)
        mixed = scores[np.ix_(rows, columns)]
        # Who has no record that fits shows how likely it is that the owner is not among those who are known.
        strangers = -UNMATCHED if facets.knowledge.complete else np.log(max(scores.shape[0] - scores.shape[1], 1))
        chance = np.empty_like(scores)
        chance[np.ix_(rows, columns)] = partners(mixed, mixed.min(axis=1) + strangers)
        return chance


def _lists_as_pseudonyms(published: History) -> History:
    """The records under each list of pseudonyms as those of one pseudonym, unless most records have a list of their own."""
    if not published.shared.any():
        return published
    frame = published.frame
    labels = frame["user"].rank("dense").to_numpy().astype(np.int64)
    lists = np.unique(np.stack([published.period_codes, labels]), axis=1).shape[1]
    if lists > MORE * published.present.sum():
        return published
    return History(frame.with_columns(user=pl.Series(labels)), published.schema, periods=published.periods)


def _sole(published: History, labelled: History, block: Block) -> Floats:
    """[list]: the probability that a record under it is that of the owner who was found.

    Every pseudonym is somebody's, so that some lists have several owners if there are more pseudonyms than lists. More
    likely those with many records.
    """
    pseudonyms = published.present[:, block.periods].any(axis=1).sum()
    sizes = np.bincount(labelled.user_codes[np.isin(labelled.period_codes, block.periods)])[block.pseudonyms]
    more = max(0, pseudonyms - block.pseudonyms.size) * sizes / sizes.sum()
    return np.asarray(1.0 / (1.0 + more))


def _name_pseudonyms(published: History, known: History, block: Block, chance: Floats, table: Ints) -> None:
    """Write the likeliest pseudonym of each customer into [user, period], where that is likelier than none."""
    for period in block.periods:
        here = np.where(published.present[block.pseudonyms, period][:, None], chance, 0.0)
        sure = here.max(axis=0, initial=0.0) > 1.0 - here.sum(axis=0)
        if known.complete:
            sure &= known.present[block.users, period]
        table[block.users, period] = np.where(sure, block.pseudonyms[here.argmax(axis=0)], NONE)


def _by_record(published: History, block: Block, chance: Floats) -> Iterator[tuple[Ints, Floats]]:
    """The published records of a block in portions, and [record, user]: the mean chance over what a record stands under."""
    holders = published.holders
    inside = np.isin(published.period_codes[holders.records], block.periods)
    records, rows = np.unique(holders.records[inside], return_inverse=True)
    labels = np.searchsorted(block.pseudonyms, holders.users[inside])
    shape = records.size, block.pseudonyms.size
    share = sparse.csr_array((holders.weights[inside], (rows, labels)), shape=shape)
    step = max(1, PORTION // max(1, block.users.size))
    for begin in range(0, records.size, step):
        yield records[begin : begin + step], np.asarray(share[begin : begin + step] @ chance)


@dataclass(frozen=True)
class _Contents:
    """Which known records equal a published one in the columns that were not changed."""

    shown: sparse.csr_array
    """[published record, token]"""
    known: sparse.csr_array
    """[token, user]: how many records."""

    @classmethod
    def of(cls, facets: Facets) -> _Contents:
        """By all columns, or without those for which hardly any record is found again, one after the other."""
        columns = facets.names
        found = cls._by(facets, columns)
        while found.matched < MATCHED and len(columns) > 1:
            choices = [tuple(name for name in columns if name != out) for out in columns]
            tables = [cls._by(facets, choice) for choice in choices]
            best = int(np.argmax([table.matched for table in tables]))
            columns, found = choices[best], tables[best]
        return found

    @classmethod
    def _by(cls, facets: Facets, columns: tuple[str, ...]) -> _Contents:
        side, codes = facets.tokens(columns)
        width = 1 + int(max(side.codes.max(initial=0), codes.max(initial=0)))
        told, held = side.codes != UNKNOWN, codes != UNKNOWN
        rows = side.records[told], side.codes[told]
        shown = sparse.csr_array((np.ones(rows[0].size), rows), shape=(facets.published.height, width))
        users = codes[held], facets.knowledge.user_codes[held]
        known = sparse.csr_array((np.ones(users[0].size), users), shape=(width, len(facets.knowledge.users)))
        known.sum_duplicates()
        return cls(shown, known)

    @property
    def matched(self) -> float:
        """Share of the published records that equal some known one."""
        there = np.diff(self.known.indptr) > 0
        return float((self.shown @ there.astype(np.float64) > 0).mean())

    def owners(self, records: Ints) -> Floats:
        """[record, user]: how many of the user's records equal it."""
        return np.asarray((self.shown[records] @ self.known).todense())
