"""Places that are learned beyond what is known without the release, and what is left of visits, trips and distances."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.attackers import Attacker
from icefire.core.questions import Question
from icefire.core.registry import Registry
from icefire.datasets.walks import Walks
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Criterion, Status
from icefire.trace.attack.known_points import KnownPoints
from icefire.trace.attack.visit_prob import VisitProb
from icefire.trace.attackers import known_points
from icefire.trace.data import Cells, Guess, Release, Traces
from icefire.trace.grid import Grid
from icefire.trace.kind import TraceKind
from icefire.trace.safety.place_disclosure import PlaceDisclosure
from icefire.trace.utility.travel_distance import TravelDistance
from icefire.trace.utility.trips import Trips
from icefire.trace.utility.visits_by_place import VisitsByPlace

KIND = TraceKind()


def small(seed: int, days: int = 2) -> Traces:
    rng = np.random.default_rng(seed)
    sensitive = rng.random(12) < 0.3
    grid = Grid(rows=3, columns=4, cell_width=0.7, cell_height=0.9)
    day = 3
    reference, original = (rng.integers(0, 12, (5, day * number)) for number in (days, 2))
    return Traces(reference, original, grid, sensitive=sensitive, day=day)


def disclosed_by_brute_force(walks: Traces, traces: np.ndarray, known: np.ndarray | None) -> float:
    truth, gaps = walks.original, np.minimum(walks.grid.distances / 2.0, 1.0)
    users, times = truth.shape
    hidden = np.ones(truth.shape, dtype=bool) if known is None else ~known

    def near(guess: np.ndarray) -> list[float]:
        found = []
        for user in range(users):
            weights = [10.0 if walks.sensitive[truth[user, t]] else 1.0 for t in range(times)]
            told = [t for t in range(times) if hidden[user, t]]
            if told:
                worth = sum(weights[t] * (1 - gaps[truth[user, t], guess[user, t]]) for t in told)
                found.append(worth / sum(weights[t] for t in told))
        return found

    crowd = np.zeros_like(truth)
    for user in range(users):
        for t in range(times):
            others = [truth[other, t] for other in range(users) if other != user]
            loss = [
                sum((10.0 if walks.sensitive[place] else 1.0) * gaps[place, choice] for place in others)
                for choice in range(12)
            ]
            crowd[user, t] = int(np.argmin(np.round(loss, 9)))
    guesses = [crowd]
    if known is not None:
        nearest = np.zeros_like(truth)
        for user in range(users):
            for t in range(times):
                points = np.flatnonzero(known[user])
                nearest[user, t] = truth[user, min(points, key=lambda p: abs(p - t))] if points.size else 0
        guesses.append(nearest)
    elif walks.reference.size:
        habits = np.zeros_like(truth)
        for user in range(users):
            for t in range(times):
                same = [p for k, p in enumerate(walks.reference[user]) if k % walks.day == t % walks.day]
                habits[user, t] = min(same, key=lambda p: round(sum(gaps[p, q] for q in same), 9))
        guesses.append(habits)
    base = max((near(guess) for guess in guesses), key=np.mean)
    return max(0.0, float(np.mean(near(traces)) - np.mean(base)))


@pytest.mark.parametrize("seed", range(20))
def test_the_score_is_that_of_brute_force(seed: int) -> None:
    rng, walks = np.random.default_rng(seed), small(seed)
    traces = np.where(rng.random(walks.original.shape) < 0.7, walks.original, rng.integers(0, 12, walks.original.shape))
    known = None if seed % 2 else rng.random(traces.shape) < 0.3
    release = Release(walks, walks.cells, np.arange(5))
    score = PlaceDisclosure().measure(release, Guess(traces=traces.astype(np.int32), known=known))
    assert score.value == pytest.approx(disclosed_by_brute_force(walks, traces, known))


def shuffled(walks: Traces, cells: Cells, seed: int) -> Release:
    return Release.shuffled(walks, cells, np.random.default_rng(seed))


def test_traces_under_pseudonyms_are_learned_by_who_knows_four_points() -> None:
    walks = Walks(n=40).generate(np.random.default_rng(1))
    release = shuffled(walks, walks.cells, 1)
    attackers = [Attacker(KIND.known(walks, level), level) for level in ("points:4", "all")]
    result = assess(Registry(), KIND, release, attackers, attacks=[KnownPoints()], criterion=Criterion(), seed=1)
    assert result.decision == "do_not_release"
    found = {(f.question, f.level): f for f in result.findings if f.risk is not None}
    learned = found[Question.WHAT, "points:4"]
    assert learned.status is Status.EXCEEDS
    assert learned.risk is not None
    assert learned.risk.score is not None
    found_right = learned.risk.score.detail["found"]
    assert isinstance(found_right, float)
    assert found_right > 0.95
    assert learned.risk.found == pytest.approx(1.0 - learned.risk.chance, abs=0.05)
    # Whoever knows all places has nothing to learn.
    assert (Question.WHAT, "all") not in found


def test_permuted_traces_are_safe_from_names_and_not_from_places() -> None:
    walks = Walks(n=40).generate(np.random.default_rng(1))
    guess = Guess(np.roll(np.arange(40), 1), walks.original.astype(np.int32))
    score = PlaceDisclosure().measure(Release(walks, walks.cells, np.arange(40)), guess)
    assert score.interval is not None
    assert score.interval.low > 0.2


def test_of_places_that_are_independent_of_people_nothing_is_learned() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        walks = Walks(n=20, days=2).generate(rng)
        cells = Cells(rng.integers(0, walks.grid.regions, walks.cells.shape), walks.grid.regions)
        release = shuffled(walks, cells, seed)
        guesses = [
            VisitProb().attack(release.published, walks.knowledge, rng),
            KnownPoints().attack(release.published, known_points(walks, 4), rng),
        ]
        for guess in guesses:
            score = PlaceDisclosure().measure(release, guess)
            assert score.interval is not None
            assert score.interval.low == 0.0, seed


@pytest.mark.parametrize("seed", range(5))
def test_trips_and_distances_are_those_of_brute_force(seed: int) -> None:
    rng, walks = np.random.default_rng(seed), small(seed)
    starts, members = np.array([0, 2, 5]), np.array([0, 3, 1, 2, 7])
    codes = rng.integers(-1, 14, walks.cells.shape)
    release = Release(walks, Cells(codes, 12, starts, members), np.arange(5))

    def spread(code: int) -> list[tuple[int, float]]:
        inside = [code] if code < 12 else members[starts[code - 12] : starts[code - 11]].tolist()
        return [(place, 1 / len(inside)) for place in inside]

    def tables(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        visits, moves = np.zeros(12), np.zeros((12, 12))
        for trace in cells:
            for time, code in enumerate(trace):
                if code < 0:
                    continue
                for place, share in spread(code):
                    visits[place] += share
                    if time % 3 < 2 and trace[time + 1] >= 0:
                        for other, part in spread(trace[time + 1]):
                            moves[place, other] += share * part
        return visits / visits.sum(), moves

    (visits, moves), (shown, moved) = tables(walks.original), tables(codes)
    assert VisitsByPlace().measure(walks, release).value == pytest.approx(np.abs(visits - shown).sum() / 2)
    lengths = [(table * walks.grid.distances).sum() / table.sum() for table in (moves, moved)]
    error = abs(lengths[1] - lengths[0]) / lengths[0]
    assert TravelDistance().measure(walks, release).value == pytest.approx(error)
    for table in (moves, moved):
        np.fill_diagonal(table, 0.0)
    apart = np.abs(moves / moves.sum() - moved / moved.sum()).sum() / 2
    assert Trips().measure(walks, release).value == pytest.approx(apart)
