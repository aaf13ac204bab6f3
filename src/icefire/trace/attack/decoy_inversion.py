"""An attack that inverts decoys, for attackers who know the method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from icefire.core import memory
from icefire.core.budget import current
from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.roles import AnyAnonymizer
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.attack import _work
from icefire.trace.attack._channels import channel_of
from icefire.trace.attack._decoys import DecoySteps, decoys_among, decoys_of, likely_decoys, matched
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints, Reference
from icefire.trace.grid import Grid
from icefire.trace.habits import REACH, Singles, chances, losses
from icefire.trace.predictions import Predictions
from icefire.trace.roles import InformedAttack

SCREENED = 150
"""Number of times by which candidates are screened, and of pseudonyms that give the price; more change little."""
SLIP = 1e-4
"""Probability of a cell that a candidate cannot have published: the price is not known exactly."""
ROUNDING = 1e-4
"""Differences of this size may be due to single precision."""
SPARED = 0.9
"""Share of traces in which no more cells are moved than are passed over."""
MOST_MOVED = 0.5
"""Share of moved cells beyond which bounds say nothing."""
PART = 1_000
"""Number of candidates that are examined together."""
TABLES = 4
"""Tables of pseudonyms and owners that are held while finalists are chosen."""


@dataclass(frozen=True)
class DecoyInversion(InformedAttack):
    """Invert `decoys(randomized=false)`: find the users and the places for which the published cells are optimal.

    The published cell is the region r with the largest pull(r) - price * gap(true, r), where the pull is the log-probability
    of r for the decoy, less `away` times that for the owner, and the gap is min(distance / 2 km, 1). The gap is a metric, so
    a published cell c would be published as itself: pull(c) >= pull(r) - price * gap(c, r) for every r. Hence the price is at
    least (pull(r) - pull(c)) / gap(c, r). Only the right owner and decoy make this bound small at all times.

    The decoy is the user whom the trace resembles. The owners with the smallest bounds are compared by the probability, under
    their habits, of the regions that are published as what was seen; these regions give the places as well. Deleted cells say
    nothing, a set may be any of its members, and as many of the largest bounds are passed over as later steps move cells.

    Parameters:
        tries: number of decoys to try for a pseudonym, the likeliest first, until one fits.
        finalists: number of pairs of owner and decoy to compare by probability.

    Example:
        The published traces look like those of other users, and every owner is found.

        >>> import numpy as np
        >>> from icefire.datasets.walks import Walks
        >>> from icefire.trace.attack.slot_likelihood import SlotLikelihood
        >>> walks = Walks(n=30, days=10, rows=8, columns=8).generate(np.random.default_rng(0))
        >>> method = Decoys(utility=0.7, randomized=False)
        >>> release = method.anonymize(walks, np.random.default_rng(1))
        >>> attacks = SlotLikelihood(), DecoyInversion().knowing([method])
        >>> guesses = [a.attack(release.published, walks.knowledge, np.random.default_rng(2)) for a in attacks]
        >>> [int((guess.users == release.owners).sum()) for guess in guesses]
        [0, 30]
    """

    tries: Annotated[int, AtLeast(1)] = 20
    finalists: Annotated[int, AtLeast(1)] = 8
    aliases: ClassVar[tuple[str, ...]] = ("inversion of decoys",)
    made_for: ClassVar[AnyAnonymizer | None] = Decoys(randomized=False)
    # With a few dozen cells per user, as in the examples of the conformance suite, many pairs fit every cell.
    baseline: ClassVar[bool] = True

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        steps = decoys_among(self.known_steps, published, randomized=False)
        current().require(_work.inverted(published, knowledge, SCREENED))
        scene = _Scene(published, knowledge, steps, rng)
        owners, decoys, price = self._candidates(scene, likely_decoys(published, knowledge, self.tries, rng), rng)
        chance = scene.log_likelihoods(owners, decoys, price)
        found = matched(owners, chance, knowledge.users, rng)
        decoy = decoys_of(found.rows, owners, decoys, chance)
        return Guess(found.rows, scene.places(found.columns, decoy[found.columns], price))

    def _candidates(self, scene: _Scene, tried: Ints, rng: np.random.Generator) -> tuple[Ints, Ints, float]:
        """[pseudonym, candidate]: the owners and decoys with the least bounds on the price; and the price."""
        count = tried.shape[0]
        kept = min(self.finalists, count - 1)
        best = _Finalists.none(count, kept)
        times = np.sort(rng.permutation(scene.codes.shape[1])[:SCREENED])
        unsettled = np.arange(count)
        for decoy in tried.T:
            step = memory.step((TABLES + scene.moved(times.size)) * scene.knowledge.users)
            for begin in range(0, unsettled.size, step):
                rows = unsettled[begin : begin + step]
                best.enter(rows, decoy[rows], scene.bounds(rows, decoy[rows], times))
            # The bounds of right pairs lie closely below the price, those of the wrong decoy far above.
            usual = np.quantile(best.bounds[:, 0], 0.25)
            unsettled = np.flatnonzero(best.bounds[:, 0] > 1.1 * usual)
        settled = np.setdiff1d(np.arange(count), unsettled)[:SCREENED]
        least = scene.pair_bounds(settled, best.owners[settled], best.decoys[settled]).min(axis=1)
        return best.owners, best.decoys, float(np.quantile(least, 0.9))


@dataclass(frozen=True)
class _Finalists:
    """[pseudonym, candidate]: pairs of owner and decoy, and their bounds on the price, the least first."""

    owners: Ints
    decoys: Ints
    bounds: Singles

    @classmethod
    def none(cls, count: int, kept: int) -> _Finalists:
        nobody = np.zeros((count, kept), dtype=np.int64)
        return cls(nobody, nobody.copy(), np.full((count, kept), np.inf, dtype=np.float32))

    def enter(self, rows: Ints, decoy: Ints, bounds: Singles) -> None:
        """Compare the owners of some pseudonyms, whose bounds with one decoy are [pseudonym, owner], with those so far."""
        owners = np.broadcast_to(np.arange(bounds.shape[1]), bounds.shape)
        decoys = np.broadcast_to(decoy[:, None], bounds.shape)
        every = np.hstack([self.bounds[rows], bounds])
        order = every.argsort(axis=1, kind="stable")[:, : self.bounds.shape[1]]
        self.bounds[rows] = np.take_along_axis(every, order, axis=1)
        self.owners[rows] = np.take_along_axis(np.hstack([self.owners[rows], owners]), order, axis=1)
        self.decoys[rows] = np.take_along_axis(np.hstack([self.decoys[rows], decoys]), order, axis=1)


class _Scene:
    """A release with what is known of its users, and the map of `decoys` for pairs of owner and decoy."""

    def __init__(self, published: Cells, knowledge: Reference, steps: DecoySteps, rng: np.random.Generator) -> None:
        self.codes = published.codes.astype(np.int64)
        self.knowledge = knowledge
        self.away = np.float32(steps.decoys.away)
        self.members = _members(published)
        self.gaps: Singles = np.minimum(knowledge.grid.distances / REACH, 1.0).astype(np.float32)
        self.near = [np.flatnonzero((row > 0) & (row < 1)) for row in self.gaps]
        self.before: Singles = channel_of(steps.before, knowledge, rng).astype(np.float32)
        self.share_moved = 1.0 - float(np.diag(channel_of(steps.after, knowledge, rng)).mean())
        """Share of the cells that later steps move."""
        if self.share_moved > MOST_MOVED:
            raise Undefined("later steps move most cells, so that hardly a cell is what decoys chose")
        self.logs: dict[int, Singles] = {s: np.log(p).astype(np.float32) for s, p, _ in chances(knowledge)}
        self.habits: dict[int, Singles] = {s: p.astype(np.float32) for s, p, _ in Predictions(knowledge, rng)()}

    def moved(self, times: int) -> int:
        """So many cells of a trace later steps have moved at most, but for one trace in ten."""
        return int(np.argmax(bdtr(np.arange(times + 1), times, self.share_moved) >= SPARED))

    def bounds(self, rows: Ints, decoys: Ints, times: Ints) -> Singles:
        """[pseudonym, owner]: least price at which the cells of pseudonyms can come from an owner with the given decoy.

        Regions from 2 km on are left out, so the price may be higher. As many cells as later steps may have moved are spared.
        """
        found = np.zeros((self.moved(times.size) + 1, rows.size, self.knowledge.users), dtype=np.float32)
        for slot, logs in self.logs.items():
            by_region = np.ascontiguousarray(logs.T)
            for time in times[self.knowledge.published_slots[times] == slot]:
                cells = self.codes[rows, time]
                for cell in np.unique(cells[cells != NOTHING]):
                    regions = self._regions(cell)
                    slopes = [self._slopes(by_region, region) for region in regions]
                    for row in np.flatnonzero(cells == cell):
                        bound = [(s[:, decoys[row], None] - self.away * s).max(axis=0, initial=0.0) for s in slopes]
                        _enter(found[:, row], np.minimum.reduce(bound))
        # Nobody is their own decoy.
        found[-1][np.arange(rows.size), decoys] = np.inf
        return np.asarray(found[-1])

    def pair_bounds(self, rows: Ints, owners: Ints, decoys: Ints) -> Singles:
        """[pseudonym, candidate]: the same at all times, for pairs of owner and decoy."""
        found = np.zeros((self.moved(self.codes.shape[1]) + 1, *owners.shape), dtype=np.float32)
        for slot, logs in self.logs.items():
            times = np.flatnonzero(self.knowledge.published_slots == slot)
            for place, row in enumerate(rows):
                by_region = (logs[decoys[place]] - self.away * logs[owners[place]]).T
                cells = self.codes[row, times]
                for cell in cells if len(found) > 1 else np.unique(cells):
                    if cell != NOTHING:
                        regions = self._regions(cell)
                        bound = [self._slopes(by_region, region).max(axis=0, initial=0.0) for region in regions]
                        _enter(found[:, place], np.minimum.reduce(bound))
        return np.asarray(found[-1])

    def _regions(self, code: int) -> Ints:
        """What a code stands for: any of these was published before they were merged."""
        return np.unique(self.members[code])

    def _slopes(self, by_region: Singles, cell: int) -> Singles:
        """[region nearby, column]: how fast values grow from the cell to other regions."""
        near = self.near[cell]
        return np.asarray((by_region[near] - by_region[cell]) / self.gaps[cell, near][:, None])

    def log_likelihoods(self, owners: Ints, decoys: Ints, price: float) -> Floats:
        """[pseudonym, candidate]: log-probability of the published cells."""
        rows = np.repeat(np.arange(owners.shape[0]), owners.shape[1])
        found = np.zeros(rows.size)
        for begin in range(0, rows.size, PART):
            part = slice(begin, begin + PART)
            for slot, habit in self.habits.items():
                expected = habit[owners.ravel()[part]] @ self.before
                for _, shown in self._sources(slot, rows[part], owners.ravel()[part], decoys.ravel()[part], price):
                    chance = np.einsum("ur,ur->u", expected, shown)
                    found[part] += np.log(np.maximum(chance, SLIP))
        return found.reshape(owners.shape)

    def places(self, pseudonyms: Ints, decoys: Ints, price: float) -> NDArray[np.int32]:
        """[user, time]: the region of least expected loss among those that are published as what was seen."""
        users = np.arange(pseudonyms.size)
        guess = np.empty(self.codes.shape, dtype=np.int32)
        loss = losses(self.knowledge)
        for slot, belief in self.habits.items():
            for time, shown in self._sources(slot, pseudonyms, users, decoys, price):
                told = belief * (shown.astype(np.float32) @ self.before.T)
                silent = told.sum(axis=1) <= SLIP
                # Where hardly anything fits, the true region is likely to be near.
                cells = self.members[self.codes[pseudonyms[silent], time], 0]
                told[silent] = belief[silent] * (1.0 - self.gaps[cells])
                guess[:, time] = (told @ loss).argmin(axis=1)
        return guess

    def _sources(
        self, slot: int, rows: Ints, owners: Ints, decoys: Ints, price: float
    ) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """For each time of a time of day, [pair, region]: whether the region is published as the cell that was seen.

        Every region may be behind a deleted cell.
        """
        logs = self.logs[slot]
        pull = logs[decoys] - self.away * logs[owners]
        best = dilated(pull, price, self.knowledge.grid) - np.float32(ROUNDING)
        for time in np.flatnonzero(self.knowledge.published_slots == slot):
            codes = self.codes[rows, time]
            shown = np.broadcast_to((codes == NOTHING)[:, None], best.shape)
            for cells in self.members[codes].T:
                worth = np.take_along_axis(pull, cells[:, None], axis=1)
                shown = shown | (worth - np.float32(price) * self.gaps[cells] >= best)
            yield int(time), shown


def _members(published: Cells) -> Ints:
    """[code, place]: the regions that a code stands for; small sets name one of them several times."""
    sizes = np.diff(published.starts)
    found = np.repeat(np.arange(published.regions + sizes.size)[:, None], max(1, sizes.max(initial=1)), axis=1)
    for number, size in enumerate(sizes):
        inside = published.members[published.starts[number] : published.starts[number] + size]
        found[published.regions + number] = np.resize(inside, found.shape[1])
    return found


def _enter(largest: Singles, values: Singles) -> None:
    """Put values, [column], among the largest ones so far, [place, column], the largest first."""
    for place in range(len(largest)):
        less = np.minimum(largest[place], values)
        np.maximum(largest[place], values, out=largest[place])
        values = less


def dilated(pull: Singles, price: float, grid: Grid) -> Singles:
    """[pair, true region]: the largest of pull(r) - price * gap(true region, r) over all regions r.

    >>> line = Grid(rows=1, columns=3, cell_width=1.0)
    >>> dilated(np.array([[0, 0, 9]], dtype=np.float32), 4.0, line).tolist()
    [[5.0, 7.0, 9.0]]
    """
    high, wide = (int(REACH // size) for size in (grid.cell_height, grid.cell_width))
    high, wide = min(high, grid.rows - 1), min(wide, grid.columns - 1)
    field = np.pad(
        pull.reshape(-1, grid.rows, grid.columns), ((0, 0), (high, high), (wide, wide)), constant_values=-np.inf
    )
    best = np.broadcast_to(pull.max(axis=1)[:, None, None] - np.float32(price), (len(pull), grid.rows, grid.columns))
    best = best.copy()
    for down in range(2 * high + 1):
        for right in range(2 * wide + 1):
            gap = np.hypot((down - high) * grid.cell_height, (right - wide) * grid.cell_width) / REACH
            if gap < 1:
                shifted = field[:, down : down + grid.rows, right : right + grid.columns]
                np.maximum(best, shifted - np.float32(price * gap), out=best)
    return np.asarray(best.reshape(pull.shape))
