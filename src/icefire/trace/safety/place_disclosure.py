r"""What else is learned: where people were at times that the attacker did not know.

    disclosed = 1 / |U|  sum_{u in U} (c_u - b_u)
    c_u       = sum_t w_ut (1 - min(d(x_ut, g_ut) / radius, 1)) / sum_t w_ut,    t: times that are not known of u

x_ut is where u was, g_ut the guess, d the distance and w_ut the weight of the place: c_u is one minus the s_T of u. b_u is the
same for a guess without the release (baseline): the best of these, for all users alike,

crowd    the place that is nearest to everybody else at that time, u left out
habits   the middle one of the places of u at that time of other days, for attackers who know other days
before   the known point of u that is nearest in time, for attackers who know points of the published days
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from icefire.core.documents import JsonObject
from icefire.core.errors import Undefined
from icefire.core.intervals import mean_of_sample
from icefire.core.parameters import Above
from icefire.core.values import BAD_SHARE, Interval, Scale, Score
from icefire.trace.data import SENSITIVE_WEIGHT, Floats, Guess, Ints, Release, Traces
from icefire.trace.roles import Safety


@dataclass(frozen=True)
class PlaceDisclosure(Safety):
    """How much nearer to their places people are guessed with the release than without it, at times that were not known.

    1 is a guess that is right everywhere where nothing could be guessed before, 0 one that is not nearer. What people who are
    at such places do in general is no harm done by the release and does not count (baseline).

    Parameters:
        radius: kilometres from which on a guess is worth nothing, as for s_T.
        weight: what a sensitive region weighs, as for s_T.

    Example:
        All four are found. Without the release, each would be guessed to be where most others are: right for three.

        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> places = np.array([[0], [9], [9], [9]])
        >>> walks = Traces(np.zeros((4, 0)), places, Grid(rows=1, columns=10, cell_width=1.0))
        >>> guess = Guess(traces=places.astype(np.int32))
        >>> score = PlaceDisclosure().measure(Release(walks, walks.cells, [0, 1, 2, 3]), guess)
        >>> score.value, score.detail["baseline"]
        (0.25, 0.75)

    Reference:
        PWS Cup 2019, for s_T. Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in
        synthetic data. 2023, for the difference from what is known without the person.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    radius: Annotated[float, Above(0)] = 2.0
    weight: Annotated[float, Above(0)] = SENSITIVE_WEIGHT
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "this metric judges a guess"
        guess.check(release.published, release.original)
        if not guess.traces.size:
            raise Undefined("the guess names users and no regions")
        original = release.original
        people = np.arange(original.people) if guess.asked is None else guess.asked.people
        hidden = np.ones(original.original.shape, dtype=np.bool_) if guess.known is None else ~guess.known
        people = people[hidden[people].any(axis=1)]
        if not people.size:
            raise Undefined("every place is known already: there is nothing to learn")
        gaps = np.minimum(original.grid.distances / self.radius, 1.0)
        weights = hidden * np.where(original.sensitive[original.original], self.weight, 1.0)

        def near(places: NDArray[np.integer]) -> Floats:
            """[person]: how near guessed places are, 0 to 1."""
            worth = weights * (1.0 - gaps[original.original, places])
            return np.asarray(worth[people].sum(axis=1) / weights[people].sum(axis=1))

        found = near(guess.traces)
        before = [near(places) for places in self._without_release(original, guess.known, gaps)]
        baseline = max(before, key=lambda worth: float(worth.mean()))
        gain = found - baseline
        value = max(0.0, float(gain.mean()))
        detail: JsonObject = {"baseline": float(baseline.mean()), "found": float(found.mean())}
        if guess.asked is not None:
            detail["people sampled"] = int(people.size)
        return self.score(value, _interval(gain), detail=detail)

    def _without_release(self, original: Traces, known: NDArray[np.bool_] | None, gaps: Floats) -> list[Ints]:
        """[user, time]: guesses that need no release."""
        guesses = [_crowd(original, gaps * np.where(original.sensitive, self.weight, 1.0)[:, None])]
        if known is not None:
            guesses.append(_nearest_known(original, known))
        elif original.reference.size:
            guesses.append(_habits(original, gaps))
        return guesses


def _interval(gain: Floats) -> Interval | None:
    if gain.size < 2:
        return None
    around = mean_of_sample(gain)
    return Interval(min(1.0, max(0.0, around.low)), min(1.0, max(0.0, around.high)))


def _crowd(original: Traces, loss: Floats) -> Ints:
    """The place of least loss for everybody else at that time."""
    truth = original.original
    best = np.empty(truth.shape, dtype=np.int64)
    for time in range(truth.shape[1]):
        there, counts = np.unique(truth[:, time], return_counts=True)
        total = counts @ loss[there]
        # Rounded, or sums in another order would decide ties.
        choice = np.round(total[None, :] - loss[there], 9).argmin(axis=1)
        best[:, time] = choice[np.searchsorted(there, truth[:, time])]
    return best


def _nearest_known(original: Traces, known: NDArray[np.bool_]) -> Ints:
    """The known point that is nearest in time, the earlier one of two; where nothing is known, any place."""
    truth, times = original.original, np.arange(original.original.shape[1])
    best = np.zeros(truth.shape, dtype=np.int64)
    for user in np.flatnonzero(known.any(axis=1)):
        points = np.flatnonzero(known[user])
        best[user] = truth[user, points[np.abs(times[:, None] - points).argmin(axis=1)]]
    return best


def _habits(original: Traces, gaps: Floats) -> Ints:
    """Of the places at that time of other days, the one that is nearest to all of them."""
    slots = (original.times[0] - 1) % original.day
    best = np.zeros(original.original.shape, dtype=np.int64)
    for slot in np.unique(original.published_slots):
        days = np.flatnonzero(slots == slot)
        places = original.reference[:, days if days.size else np.arange(slots.size)].astype(np.int64)
        total = np.zeros(places.shape)
        for day in range(places.shape[1]):
            total += gaps[places, places[:, [day]]]
        middle = np.take_along_axis(places, np.round(total, 9).argmin(axis=1)[:, None], axis=1)
        best[:, original.published_slots == slot] = middle
    return best
