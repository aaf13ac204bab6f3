"""Detection of a false pseudonym table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.intervals import wilson
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.attack._similarity import Block, blocks
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.roles import Safety
from icefire.history.safety._fits import Fits, Floats, integrated

LEVELS = ((8.0, 0.0, 0.3), (4.0, 0.1, 1.0), (2.0, 0.2, 2.0))
"""Log odds that exchanged owners gain on the average; the share of such owners that honest releases do not exceed; and what is
added to it for each share of records that list several pseudonyms: their cells are made to fit others, too."""
HALF = 0.25
"""Share of the gain that each half of the records has to show."""
SHOWN = 5
"""Number of links in the evidence."""


@dataclass(frozen=True)
class FalseOwners(Safety):
    """Share of pseudonyms whose claimed customer looks false: with owners exchanged, the records fit far better.

    A defender who rotates the owners in the pseudonym table, and the row map with them, leaves the records as they are and
    makes every right guess count as wrong. Here the published records of each pseudonym are compared with the original ones
    of all customers, and a log-likelihood says how well each customer fits. Noise, moved dates, deleted records, dummies and
    generalization make all customers fit worse, and the true one as well as the best, up to chance. So owners are exchanged
    only where that gains clearly more than chance does, and where the gain shows in both halves of the records.

    The detail says `flagged` when some owners clearly look false (by 8 log odds each), or many less clearly (by 4 each of 10%,
    or 2 each of 20%); more are allowed where records list several pseudonyms (k-concealment), and the more, the fewer customers
    there are. Where records are too few or too coarse to tell customers apart, nothing is flagged; `telling` is the share of
    pseudonyms that some customer fits better than most by 8 log odds. A person decides what to make of it.

    Parameters:
        sample: how many pseudonyms are compared with one another at most, of each period (or of periods that share
            pseudonyms).

    Example:
        >>> import numpy as np
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import example
        >>> log = example(20, 10)
        >>> honest = Release.made(log, log.frame, np.arange(log.height), np.random.default_rng(0))
        >>> lie = Release(log, honest.published, np.roll(honest.pseudonyms, 1, axis=0), np.full(log.height, -1))
        >>> FalseOwners().measure(honest).detail["flagged"], FalseOwners().measure(lie).detail["flagged"]
        (False, True)
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("false owners",)
    sample: Annotated[int, AtLeast(10)] = 500

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        if not release.published.height:
            raise Undefined("no record was published")
        # Seeded from the whole table, so that a cheater cannot adapt to the sample.
        rng = generator(0, "false_owners", hashlib.sha256(release.pseudonyms.tobytes()).hexdigest())
        fits, halves = Fits(release.published, release.original, rng), _halves(release.published, rng)
        claims = [_Claims.of(release, fits, halves, block, self.sample, rng) for block in _blocks(release)]
        links = sum(claim.pseudonyms.size for claim in claims)
        if not links:
            raise Undefined("there is no pseudonym in a period of which customers have records")
        shared = float(release.published.shared.mean())
        moves: list[tuple[_Claims, Ints, Ints]] = []
        for gain, share, more in LEVELS:
            found = [(claim, *claim.exchanged(gain)) for claim in claims]
            number = _number(found)
            # Cells that fit others as well fit some of them better by chance, and among few customers these are a large share.
            least = wilson(number, links).low if shared else number / links
            if least > share + more * shared and number > _number(moves):
                moves = found
        number = _number(moves)
        evidence = [line for claim, rows, columns in moves for line in claim.lines(release, rows, columns)]
        evidence.sort(key=lambda line: -line[0])
        detail: dict[str, Json] = {
            "flagged": number > 0,
            "links that look false": number,
            "links looked at": links,
            "telling": sum(claim.telling for claim in claims) / links,
            "first": [line for _, line in evidence[:SHOWN]],
        }
        return self.score(number / links, wilson(number, links), detail=detail)


@dataclass(frozen=True)
class _Claims:
    """The claimed owner of each pseudonym of a block, and how well all owners fit.

    Columns are the owners in the order of their pseudonyms, then customers without a pseudonym, and if only a sample is
    looked at, for each pseudonym an owner outside of it, who is taken to fit like anybody.
    """

    block: Block
    pseudonyms: Ints
    customers: Ints
    """The customer of each column, NONE outside of the sample."""
    fit: Floats
    """[pseudonym, column]: log-likelihood of all records."""
    half_fits: tuple[Floats, Floats]

    @classmethod
    def of(
        cls,
        release: Release,
        fits: Fits,
        halves: NDArray[np.bool_],
        block: Block,
        sample: int,
        rng: np.random.Generator,
    ) -> _Claims:
        pseudonyms, whole = block.pseudonyms, block.pseudonyms.size <= sample
        if not whole:
            pseudonyms = np.sort(rng.choice(pseudonyms, sample, replace=False))
        claimed = release.owners[:, block.periods].max(axis=1)
        owners, others = claimed[pseudonyms], np.setdiff1d(block.users, claimed)
        if others.size > sample:
            others = np.sort(rng.choice(others, sample, replace=False))
        customers = np.concatenate([owners, others])
        users, column = np.unique(customers, return_inverse=True)
        scores = np.sum([fits.scores(int(period), pseudonyms, users, halves) for period in block.periods], axis=0)
        parts = [integrated(part)[:, column] for part in (scores.sum(axis=1), scores[:, 0], scores[:, 1])]
        if not whole:
            parts = [np.hstack([part, _anybody(part)]) for part in parts]
            customers = np.concatenate([customers, np.full(pseudonyms.size, NONE)])
        return cls(block, pseudonyms, customers, parts[0], (parts[1], parts[2]))

    @property
    def telling(self) -> int:
        """Number of pseudonyms of which some customer fits clearly better than most."""
        fit = self.fit[:, self.customers != NONE]
        return int((fit.max(axis=1) - np.median(fit, axis=1) > LEVELS[0][0]).sum())

    def exchanged(self, gain: float) -> tuple[Ints, Ints]:
        """Pseudonyms whose owners are exchanged in the likeliest assignment, and the columns they get.

        Owners that stay get `gain` more, so every cycle of exchanges gains that much for each of its pseudonyms.
        """
        rows = np.arange(self.pseudonyms.size)
        worth = self.fit.copy()
        worth[rows, rows] += gain
        _, columns = linear_sum_assignment(worth, maximize=True)
        width = self.customers.size
        edges = sparse.coo_array((np.ones(rows.size), (rows, columns)), shape=(width, width))
        _, cycle = connected_components(edges, directed=False)
        cycle, moved = cycle[: rows.size], columns != rows
        shown = moved
        for fit in self.half_fits:
            gained = np.where(moved, fit[rows, columns] - fit[rows, rows] - HALF * gain, 0.0)
            shown = shown & (np.bincount(cycle, gained) > 0)[cycle]
        return rows[shown], columns[shown]

    def lines(self, release: Release, rows: Ints, columns: Ints) -> Iterator[tuple[float, dict[str, Json]]]:
        """The evidence: customers whose claimed pseudonym fits worse than another one, with the log odds."""
        names, labels = release.published.users, release.original.periods.labels
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            customer = int(self.customers[column])
            if customer == NONE:
                continue
            name = int(self.pseudonyms[row])
            period = self.block.periods[release.published.present[name, self.block.periods].argmax()]
            claimed = names[int(self.pseudonyms[column])] if column < self.pseudonyms.size else "DEL"
            line: dict[str, Json] = {"customer": release.original.users[customer], "period": labels[period]}
            yield (
                float(self.fit[row, column] - self.fit[row, row]),
                {**line, "claimed pseudonym": claimed, "fits better": names[name]},
            )


def _number(moves: list[tuple[_Claims, Ints, Ints]]) -> int:
    return sum(rows.size for _, rows, _ in moves)


def _anybody(fit: Floats) -> Floats:
    """A column for each row, which only it can take: the fit of an ordinary customer."""
    made = np.full((fit.shape[0], fit.shape[0]), -1e12)
    np.fill_diagonal(made, np.median(fit, axis=1))
    return made


def _blocks(release: Release) -> Iterator[Block]:
    """Periods that share pseudonyms; single periods where a pseudonym changes its owner."""
    apart = blocks(release.published, release.original, link=False, habits=False)
    for block in blocks(release.published, release.original, link=True, habits=False):
        owners = release.owners[np.ix_(block.pseudonyms, block.periods)]
        if ((owners == NONE) | (owners == owners.max(axis=1, keepdims=True))).all():
            yield block
        else:
            yield from (single for single in apart if single.periods[0] in block.periods)


def _halves(published: History, rng: np.random.Generator) -> NDArray[np.bool_]:
    """A random half of the records of each pseudonym and period, by holders of records."""
    holders = published.holders
    group = holders.users * len(published.periods) + published.period_codes[holders.records]
    order = np.lexsort((rng.random(group.size), group))
    made = np.zeros(group.size, dtype=np.bool_)
    made[order[1::2]] = True
    return made
