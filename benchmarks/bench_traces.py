"""The contest's sample attacks against per-cell Python loops, the whole suite on 2,000 x 400 cells, and growth with users."""

from __future__ import annotations

import math
import random
import resource
import time

import numpy as np
from scipy.optimize import linear_sum_assignment
from timing import line, timed

from icefire.core.attackers import Attacker
from icefire.core.registry import Registry
from icefire.datasets.walks import Walks
from icefire.evaluation.runs import run_attacks
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.attack.home_prob import HomeProb
from icefire.trace.attack.random_guess import RandomGuess
from icefire.trace.attack.visit_prob import FLOOR, VisitProb
from icefire.trace.data import Cells, Reference, Release, Traces

SAMPLES = (RandomGuess(), VisitProb(), HomeProb())


def ours(published: Cells, knowledge: Reference) -> None:
    """I1-I3 and T1-T3: a guess answers both."""
    for attack in SAMPLES:
        attack.attack(published, knowledge, np.random.default_rng(0))


def loops(published: list[list[int]], reference: list[list[int]], regions: int, day: int = 20) -> None:
    """The same six answers cell by cell, as the contest's programs were written."""
    rng = random.Random(0)
    users, times = len(reference), len(reference[0])
    [rng.randrange(users) for _ in published]
    [[rng.randrange(regions) for _ in trace] for trace in published]
    for chosen in ([t for t in range(times) if rng.random() < 0.1], [t for t in range(times) if t % day < 2]):
        known = [t for t in range(times) if t % day < 2] if chosen and chosen[-1] % day < 2 else range(times)
        profiles = []
        for trace in reference:
            visits: dict[int, float] = {}
            for t in known:
                visits[trace[t]] = visits.get(trace[t], 0.0) + 1.0 / len(known)
            profiles.append({region: math.log(share) for region, share in visits.items()})
        floor = math.log(FLOOR)
        scores = [[sum(profile.get(trace[t], floor) for t in chosen) for profile in profiles] for trace in published]
        [max(range(users), key=row.__getitem__) for row in scores]
        left = set(range(users))
        for row, trace in zip(scores, published, strict=True):
            left.remove(max(left, key=row.__getitem__))
            list(trace)


def released(people: Traces) -> Release:
    return Release.shuffled(people, people.cells, np.random.default_rng(1))


def main() -> None:
    people = Walks(n=2_000, days=2).generate(np.random.default_rng(0))
    release = released(people)
    published = release.published.codes.tolist(), people.reference.tolist()
    looped, _ = timed(lambda: loops(*published, people.grid.regions))
    own, _ = timed(lambda: ours(release.published, people.knowledge), repeat=3)
    line("I1-I3 and T1-T3 on 80,000 cells", own, "per-cell loops", looped)
    registry = Registry()
    for days in (2, 20):
        people = Walks(n=2_000, days=days).generate(np.random.default_rng(0))
        release = released(people)
        begin = time.perf_counter()
        runs = run_attacks(registry, registry.kind("trace"), release.published, Attacker(people.knowledge), 0)
        print(
            f"every attack on 2,000 x {people.cells.shape[1]}: {time.perf_counter() - begin:.0f} s for {len(runs)} attacks"
        )
    for users in (2_000, 5_000, 10_000, 20_000, 40_000):
        one_to_one(users)


def one_to_one(users: int) -> None:
    """count_vectors, one to one; scipy's assignment on the table of all scores beside it, as long as that fits."""
    people = Walks(n=users, days=2).generate(np.random.default_rng(0))
    release = released(people)
    attack = CountVectors(assign="assignment")
    begin = time.process_time()
    guess = attack.attack(release.published, people.knowledge, np.random.default_rng(0))
    taken = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    what = f"count_vectors, one to one, {users:,} users x 40 ({peak:.1f} GB)"
    if users > 5_000:
        print(f"{what}: {taken:.1f} s")
        return
    begin = time.process_time()
    scores = attack.scores(release.published, people.knowledge)
    best = linear_sum_assignment(scores, maximize=True)
    line(what, taken, "all scores and scipy's assignment", time.process_time() - begin)
    rows = np.arange(users)
    assert np.isclose(scores[rows, guess.users].sum(), scores[best].sum(), rtol=1e-9), "the same total"


if __name__ == "__main__":
    main()
