"""Pairs of users behind pairs of traces that were merged, for attackers who know the method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.budget import current
from icefire.core.errors import Undefined
from icefire.core.matching import match_dense
from icefire.core.parameters import AtLeast
from icefire.core.roles import AnyAnonymizer
from icefire.trace.anonymize.merge_similar import MergeSimilar, similarities
from icefire.trace.attack import _work
from icefire.trace.attack._channels import after, appearances, channel_of, rehearsal
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints, Reference
from icefire.trace.habits import REACH, Singles, chances, losses
from icefire.trace.predictions import Predictions
from icefire.trace.roles import InformedAttack

SLIP = 0.02
"""Probability that a time was merged, or not, against the rule: its price is not known exactly."""
LISTED = 20
"""Users who are looked at for two traces: so many by the merged cells, and so many by all."""
PRICES = 0.25, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0
"""Prices that are compared, in units of the last one; and how often."""
ROUNDS = 3
LIMITS = 0.005, 1e6
"""Prices that are low and high enough: at the least, all times are merged at which there is any evidence."""
UNLIKELY = -60.0
"""Logarithm of the probability of whoever is not among the candidates."""


@dataclass(frozen=True)
class MergedTwins(InformedAttack):
    """Pair the traces that `merge_similar(k=2)` merged, and find the pairs of users who make both likeliest.

    Users i and j at x and y are merged if evidence_i(x) + evidence_j(y) >= price * gap(x, y), where the evidence is the
    log-likelihood ratio of the place for its user (at least 0) and the gap min(distance / 2 km, 1). Then one of the places is
    published for both, with even chances. Otherwise both are published, and look less like their users than places usually
    do, by which attacks that do not know the rule are misled. With the probabilities P of the users' places,

        P(c for both) = (P_i(c) P(j where it is merged with c) + P_j(c) P(i where it is merged with c)) / 2
        P(c, d) = P_i(c) P_j(d) where that is not merged, else 0.

    Twins are the traces that agree most often. Their users are likely to visit similar regions, since groups are made so: the
    r-th nearest of a random user is the nearest of those who are left with probability 1 / (r (r + 1)). The price is first
    that of a rehearsal on reference days, then the one under which the likeliest pairs are likeliest. Steps before and
    after are channels; where one of the cells is deleted, the other counts by itself.

    Parameters:
        finalists: number of pairs of users to compare by their exact likelihood, for each pair of traces.

    Example:
        What was merged misleads those who do not know the rule.

        >>> import numpy as np
        >>> from icefire.datasets.walks import Walks
        >>> from icefire.trace.attack.slot_likelihood import SlotLikelihood
        >>> walks = Walks(n=30, days=8, rows=16, columns=16).generate(np.random.default_rng(0))
        >>> method = MergeSimilar(k=2, utility=0.7)
        >>> release = method.anonymize(walks, np.random.default_rng(1))
        >>> attacks = SlotLikelihood(), MergedTwins().knowing([method])
        >>> guesses = [a.attack(release.published, walks.knowledge, np.random.default_rng(2)) for a in attacks]
        >>> [int((guess.users == release.owners).sum()) for guess in guesses]
        [0, 30]
    """

    finalists: Annotated[int, AtLeast(1)] = 60
    aliases: ClassVar[tuple[str, ...]] = ("twins among merged traces",)
    made_for: ClassVar[AnyAnonymizer | None] = MergeSimilar(k=2)

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        place, method = _merging(self.known_steps)
        if published.shape[0] < 3:
            raise Undefined("fewer than three traces: there are no two pairs to tell apart")
        current().require(_work.twins(published, knowledge, self.finalists, ROUNDS))
        steps = self.known_steps
        scene = _Scene(published, knowledge, steps[:place], steps[place + 1 :], rng)
        usual = method.price(after(steps[:place], rehearsal(knowledge, rng), rng), rng)
        price = float(np.clip(usual, *LIMITS))
        twins = _twins(published)
        lists = [scene.candidates(pair, self.finalists) for pair in twins]
        for _ in range(ROUNDS):
            chances = [scene.log_likelihoods(pair, pairs, price) for pair, pairs in zip(twins, lists, strict=True)]
            best = [pairs[:, [odds.max(axis=0).argmax()]] for pairs, odds in zip(lists, chances, strict=True)]
            last, price = price, scene.likeliest_price(twins, best, price)
            if price == last:
                break
        users = match_dense(_marginals(twins, lists, chances, published.shape[0]), "assignment", rng).rows
        return Guess(users, scene.places(users, twins, price))


def _merging(steps: tuple[AnyAnonymizer, ...]) -> tuple[int, MergeSimilar]:
    """The step that has to be undone, the one that moves cells most, and its place among the steps."""
    used = [(place, step) for place, step in enumerate(steps) if isinstance(step, MergeSimilar)]
    if not used:
        raise Undefined("no step of the release is merge_similar")
    twins = [(place, step) for place, step in used if step.k == 2]
    if not twins:
        raise Undefined("merge_similar made groups of more than two, and this attack is made for pairs")
    return min(twins, key=lambda choice: choice[1].utility)


def _twins(published: Cells) -> list[tuple[int, int]]:
    """Pairs of traces that agree at most times, the most alike first; each trace is in one pair at most."""
    count, times = published.shape
    width = published.spread.shape[0]
    rows, columns = np.nonzero(published.codes != NOTHING)
    cells = columns * np.int64(width) + published.codes[rows, columns]
    shown = sparse.csr_array((np.ones(rows.size, dtype=np.float32), (rows, cells)), shape=(count, times * width))
    same = sparse.triu(shown @ shown.T, k=1).tocoo()
    free = np.ones(count, dtype=np.bool_)
    found = []
    for entry in np.argsort(-same.data, kind="stable"):
        first, second = int(same.row[entry]), int(same.col[entry])
        if free[first] and free[second]:
            free[[first, second]] = False
            found.append((first, second))
    return found


def _marginals(twins: list[tuple[int, int]], lists: list[Ints], chances: list[Floats], count: int) -> Floats:
    """[pseudonym, user]: logarithm of the probability, given the candidates of every pair."""
    found = np.full((count, count), UNLIKELY)
    for (first, second), (users, others), odds in zip(twins, lists, chances, strict=True):
        posterior = odds - np.logaddexp.reduce(odds, axis=None)
        for one, other, logs in ((users, others, posterior[0]), (others, users, posterior[1])):
            np.logaddexp.at(found[first], one, logs)
            np.logaddexp.at(found[second], other, logs)
    return found


@dataclass(frozen=True)
class _Slot:
    """What is known of a time of day."""

    times: Ints
    habit: Singles
    """[user, region]: where users are expected."""
    before: Singles
    """[user, region]: the same as the merging begins."""
    shown: Singles
    """[user, code]: how likely it is that a place is published as the code if it is not merged, up to a factor of the code."""
    ratio: Singles
    """[user, code]: the same against the crowd."""
    evidence: Singles
    """[user, region]."""
    seen: Singles
    """[user, code]: the evidence of what a code stands for."""


class _Scene:
    """A release with what is known of its users, and the likelihoods of pairs of users for pairs of traces."""

    def __init__(
        self,
        published: Cells,
        knowledge: Reference,
        before: tuple[AnyAnonymizer, ...],
        later: tuple[AnyAnonymizer, ...],
        rng: np.random.Generator,
    ) -> None:
        self.codes = published.codes.astype(np.int64)
        self.knowledge = knowledge
        self.channel: Singles = channel_of(before, knowledge, rng).astype(np.float32)
        moved = channel_of(later, knowledge, rng)
        self.slip = min(0.5, SLIP + 2 * (1.0 - float(np.diag(moved).mean())))
        self.looks = appearances(published, moved).astype(np.float32)
        """[code, region]: the probability that a region is published as the code, up to a factor of the code."""
        share = sparse.csr_array(self.looks / np.maximum(self.looks.sum(axis=1), 1e-30)[:, None])
        gaps = np.minimum(knowledge.grid.distances / REACH, 1.0).astype(np.float32)
        self.gaps: Singles = np.asarray(share @ gaps)
        """[code, region]."""
        self.between: Singles = np.asarray(share @ self.gaps.T)
        """[code, code]."""
        expected = {slot: (habit, crowd) for slot, habit, crowd in Predictions(knowledge, rng)()}
        self.slots = [
            self._slot(slot, *expected[slot], np.log(profile / usual), share)
            for slot, profile, usual in chances(knowledge)
        ]
        alike = similarities(knowledge)
        np.fill_diagonal(alike, -np.inf)
        rank = np.argsort(np.argsort(-alike, axis=1, kind="stable"), axis=1) + 1.0
        self.prior = np.log(1 / (rank * (rank + 1)) + 1 / (rank * (rank + 1)).T)
        """[user, user]: log-probability to be in one group, up to a number."""

    def _slot(self, slot: int, habit: Floats, crowd: Floats, ratio: Floats, share: sparse.csr_array) -> _Slot:
        belief = habit.astype(np.float32)
        before = belief @ self.channel
        evidence = np.maximum(ratio, 0.0).astype(np.float32)
        shown = np.maximum((self.looks @ before.T).T, np.float32(1e-30))
        usual = self.looks @ (crowd.astype(np.float32) @ self.channel)
        times = np.flatnonzero(self.knowledge.published_slots == slot)
        return _Slot(times, belief, before, shown, shown / usual, evidence, np.asarray((share @ evidence.T).T))

    def candidates(self, pair: tuple[int, int], finalists: int) -> Ints:
        """[first or second, candidate]: the likeliest pairs of users, in any order, by rough likelihoods."""
        merged, every = [], []
        for slot in self.slots:
            first, second = self.codes[list(pair)][:, slot.times]
            same = (first == second) & (first != NOTHING)
            merged.append(slot.ratio[:, first[same]])
            every += [slot.ratio[:, codes[codes != NOTHING]] for codes in (first, second)]
        found = []
        for ratios in (np.hstack(merged), np.hstack(every)):
            likely = np.argsort(-np.log(0.5 + 0.5 * ratios).sum(axis=1), kind="stable")[:LISTED]
            one, other = (likely[side] for side in np.triu_indices(likely.size, 1))
            rough = np.log(0.5 * (ratios[one] + ratios[other])).sum(axis=1) + self.prior[one, other]
            best = np.argsort(-rough, kind="stable")[: -(-finalists // 2)]
            found.append(np.sort(np.stack([one[best], other[best]]), axis=0))
        return np.asarray(np.unique(np.hstack(found), axis=1))

    def log_likelihoods(self, pair: tuple[int, int], users: Ints, price: float) -> Floats:
        """[order, candidate]: log-probability of two traces, if their users are a candidate's, in this order or the other."""
        found = np.tile(self.prior[users[0], users[1]], (2, 1))
        for slot in self.slots:
            codes = self.codes[list(pair)][:, slot.times]
            together = (codes[0] == codes[1]) & (codes[0] != NOTHING)
            apart = (codes[0] != codes[1]) & (codes != NOTHING).all(axis=0)
            found += self._merged(slot, codes[0][together], users, price)[2].sum(axis=1)
            for side in (0, 1):
                alone = codes[side][(codes[side] != NOTHING) & (codes[1 - side] == NOTHING)]
                single = [chance.sum(axis=1) for chance in self._merged(slot, alone, users, price)[:2]]
                found += np.stack(single if side == 0 else single[::-1])
            for order, (one, other) in enumerate((users, users[::-1])):
                found[order] += self._separate(slot, codes[:, apart], one, other, price).sum(axis=1)
        return found

    def _merged(self, slot: _Slot, codes: Ints, users: Ints, price: float) -> tuple[Floats, Floats, Floats]:
        """[candidate, cell], logarithms: the cell is published for the first user, for the second one; for both."""
        one, other = users
        own, others = slot.shown[one][:, codes], slot.shown[other][:, codes]
        first, second = (
            np.clip(self._meets(slot, codes, both, price), self.slip, 1 - self.slip) for both in (users, users[::-1])
        )
        both = 0.5 * (own * first + others * second)
        return np.log(both + own * (1 - first)), np.log(both + others * (1 - second)), np.log(both)

    def _meets(self, slot: _Slot, codes: Ints, users: Ints, price: float) -> Floats:
        """[candidate, cell]: probability that the cell of one user is merged with wherever the other one is."""
        one, other = users
        found = np.empty((one.size, codes.size))
        for place, code in enumerate(codes):
            enough = slot.evidence[other] + slot.seen[one, code][:, None] >= np.float32(price) * self.gaps[code]
            found[:, place] = np.einsum("pr,pr->p", slot.before[other], enough)
        return found

    def _separate(self, slot: _Slot, codes: Ints, one: Ints, other: Ints, price: float) -> Floats:
        """[candidate, time]: log-probability that both cells are published, one for each."""
        rest = slot.seen[one][:, codes[0]] + slot.seen[other][:, codes[1]]
        allowed = rest < price * self.between[codes[0], codes[1]]
        chance = slot.shown[one][:, codes[0]] * slot.shown[other][:, codes[1]]
        return np.asarray(np.log(chance * np.where(allowed, 1 - self.slip, self.slip) + 1e-30))

    def likeliest_price(self, twins: list[tuple[int, int]], users: list[Ints], price: float) -> float:
        """The price under which the given users are likeliest."""
        prices = [price * factor for factor in PRICES]
        chances = [
            sum(float(self.log_likelihoods(pair, two, one).max()) for pair, two in zip(twins, users, strict=True))
            for one in prices
        ]
        return prices[int(np.argmax(chances))]

    def places(self, users: Ints, twins: list[tuple[int, int]], price: float) -> NDArray[np.int32]:
        """[user, time]: the region of least expected loss."""
        twin = np.arange(users.size)
        for first, second in twins:
            twin[[first, second]] = second, first
        guess = np.empty((users.size, self.codes.shape[1]), dtype=np.int32)
        loss = losses(self.knowledge)
        for time, slot, told in self._sources(users, twin, price):
            posterior = np.maximum(slot.habit[users] * (told @ self.channel.T), 1e-30)
            guess[users, time] = (posterior / posterior.sum(axis=1, keepdims=True) @ loss).argmin(axis=1)
        return guess

    def _sources(self, users: Ints, twin: Ints, price: float) -> Iterator[tuple[int, _Slot, Singles]]:
        """For each time, [pseudonym, region]: how likely what is published is if its user was there."""
        others = users[twin]
        for slot in self.slots:
            for time in slot.times:
                codes = self.codes[:, time]
                told = np.ones((users.size, self.knowledge.grid.regions), dtype=np.float32)
                there = np.flatnonzero(codes != NOTHING)
                told[there] = self.looks[codes[there]].toarray()
                both = there[(codes[there] == codes[twin[there]]) & (twin[there] != there)]
                # One's own place, or the other's, with one's own where it is merged with that.
                for pseudonym in both:
                    code, user, other = codes[pseudonym], users[pseudonym], others[pseudonym]
                    enough = slot.evidence[other] + slot.seen[user, code] >= price * self.gaps[code]
                    away = slot.evidence[user] + slot.seen[other, code] >= price * self.gaps[code]
                    told[pseudonym] *= slot.before[other] @ enough
                    told[pseudonym] += slot.shown[other, code] * away
                yield int(time), slot, told
