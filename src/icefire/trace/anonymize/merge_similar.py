"""Merged traces of similar users."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import DataError
from icefire.core.parameters import AtLeast, Share
from icefire.trace.data import Cells, Floats, Ints, Reference, Release, Traces
from icefire.trace.habits import REACH, chances, kernel, visits
from icefire.trace.roles import Anonymizer

TIE = 1e-9
"""Less than any difference of distances."""


@dataclass(frozen=True)
class MergeSimilar(Anonymizer):
    """Group k users who visit similar places, and publish one region for all of them as long as the utility lasts.

    What is left of the utility above the required one is spent where it hides most: on the times at which the group's users
    are the most recognizable, for the distance that it costs.

    Parameters:
        k: number of users in a group; the last one takes in the rest.
        utility: least utility (s_U) that has to be left.

    Example:
        Users 0 and 1 are neighbours, 2 and 3 are at one place. With utility to spare 0 and 1 are shown at one place, too.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> places = np.array([[0], [1], [9], [9]])
        >>> release = MergeSimilar(k=2, utility=0.9).anonymize(Traces(places, places, Grid(1, 10)), np.random.default_rng(0))
        >>> release.cells.codes.ravel().tolist()
        [0, 0, 9, 9]

    Reference:
        The winning idea of PWS Cup 2019.
    """

    k: Annotated[int, AtLeast(2)] = 5
    utility: Share = 0.7
    aliases: ClassVar[tuple[str, ...]] = ("merging k similar traces",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(k=k, utility=utility) for k in (2, 5) for utility in (0.6, 0.7, 0.8, 0.9)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        codes, groups = original.original, self._groups(original, rng)
        shown = np.where(self._merged(groups)[groups.numbers], groups.medoids[groups.numbers], codes)
        return Release.shuffled(original, Cells(shown, original.grid.regions), rng)

    def price(self, original: Traces, rng: np.random.Generator) -> float:
        """The least gain for its cost that is merged; an attacker can ask for that of other days."""
        groups = self._groups(original, rng)
        taken = self._merged(groups) & (groups.cost > 0)
        return float((groups.gain[taken] / groups.cost[taken]).min(initial=np.inf))

    def _merged(self, groups: _Groups) -> NDArray[np.bool_]:
        """[group, time]: the most gain for its cost first, as long as the utility lasts."""
        order = np.argsort(-(groups.gain / np.maximum(groups.cost, TIE)).ravel(), kind="stable")
        taken = np.zeros(order.size, dtype=np.bool_)
        budget = (1.0 - self.utility) * groups.numbers.size * groups.cost.shape[1]
        taken[order] = np.cumsum(groups.cost.ravel()[order]) <= budget
        return taken.reshape(groups.cost.shape)

    def _groups(self, original: Traces, rng: np.random.Generator) -> _Groups:
        codes = original.original
        if self.k > codes.shape[0]:
            raise DataError(f"{codes.shape[0]} users cannot be merged by {self.k}: choose a smaller k")
        group = similar_groups(original, self.k, rng)
        gaps = np.minimum(original.grid.distances / REACH, 1.0)
        evidence = np.maximum(_ratios(original), 0.0)
        order = np.argsort(group, kind="stable")
        edges = np.searchsorted(group[order], np.arange(group.max() + 2))
        medoids = np.empty((edges.size - 1, codes.shape[1]), dtype=codes.dtype)
        cost, gain = np.empty(medoids.shape), np.empty(medoids.shape)
        for number, (begin, end) in enumerate(itertools.pairwise(edges)):
            members = order[begin:end]
            here = codes[members]
            total = gaps[here[:, None, :], here[None, :, :]].sum(axis=1)
            # Of two members each is as good as the other: a fixed choice would publish one of them unchanged.
            best = (total + TIE * rng.random(total.shape)).argmin(axis=0)
            medoids[number] = np.take_along_axis(here, best[None, :], axis=0)[0]
            cost[number] = total.min(axis=0)
            gain[number] = evidence[members].sum(axis=0)
        return _Groups(group, medoids, cost, gain)


@dataclass(frozen=True)
class _Groups:
    """Who would be merged, and for what."""

    numbers: Ints
    """[user]: the group."""
    medoids: NDArray[np.integer]
    """[group, time]: the region that is published for all."""
    cost: Floats
    """[group, time]: the utility that this takes."""
    gain: Floats
    """[group, time]: how recognizable the users are."""


def similar_groups(original: Traces, k: int, rng: np.random.Generator) -> Ints:
    """[user]: the group. Repeatedly a random user and the k - 1 nearest who are left; the last group takes in the rest."""
    places = _visited(original.knowledge)
    left = rng.permutation(places.shape[0])
    group = np.empty(left.size, dtype=np.int64)
    number = 0
    while left.size >= 2 * k:
        nearest = np.argsort(-(places[left] @ places[left[0]]), kind="stable")[:k]
        group[left[nearest]] = number
        left = np.delete(left, nearest)
        number += 1
    group[left] = number
    return group


def similarities(knowledge: Reference) -> Floats:
    """[user, user]: how similar the places are that they visit, by which groups are made."""
    places = _visited(knowledge)
    return np.asarray(places @ places.T)


def _visited(knowledge: Reference) -> Floats:
    places = visits(knowledge) @ kernel(knowledge, 1.0)
    return np.asarray(places / np.linalg.norm(places, axis=1, keepdims=True))


def _ratios(original: Traces) -> Floats:
    """[user, time]: log-likelihood ratio of a cell under its user's habits against the population's."""
    knowledge, codes = original.knowledge, original.original
    found = np.empty(codes.shape)
    users = np.arange(codes.shape[0])[:, None]
    for slot, profile, crowd in chances(knowledge):
        times = np.flatnonzero(knowledge.published_slots == slot)
        here = codes[:, times]
        found[:, times] = np.log(profile[users, here] / crowd[here])
    return found
