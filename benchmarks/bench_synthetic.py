"""Singling out, linkability and inference beside anonymeter, on the same tables; the nearest of a million rows to a million.

Processor time. Peers get the same numbers of attacks; figures agree up to their intervals.
"""

from __future__ import annotations

import resource
import time
import warnings
from collections.abc import Callable

import numpy as np
import polars as pl
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

from icefire.core.seeds import generator
from icefire.datasets.cohort import Cohort
from icefire.synthetic import _tree
from icefire.synthetic.anonymize.gaussian_copula import GaussianCopula
from icefire.synthetic.attack.linkage import Linkage
from icefire.synthetic.attack.multivariate import Multivariate
from icefire.synthetic.attack.neighbours import Neighbours
from icefire.synthetic.attack.univariate import Univariate
from icefire.synthetic.data import People, Release
from icefire.synthetic.encoding import points
from icefire.synthetic.nearest import nearest
from icefire.synthetic.roles import Attack, Safety
from icefire.synthetic.safety.attribute_advantage import AttributeAdvantage
from icefire.synthetic.safety.linkability import Linkability
from icefire.synthetic.safety.singling_out import SinglingOut

ROWS, ATTACKS = 15_000, 2_000
MILLION = 1_000_000
LEAST = 1.0
"""Seconds that each is measured for, at least."""


def spent(call: Callable[[], object], least: float = 0.0) -> tuple[float, object]:
    """Processor time of a call, the mean of as many as take so many seconds."""
    begin, calls = time.process_time(), 0
    while not calls or time.process_time() - begin < least:
        result = call()
        calls += 1
    return (time.process_time() - begin) / calls, result


def ours(release: Release, attack: Attack, metric: Safety) -> str:
    """All candidates, 30,000, where the peer looks at 2,000 members and 2,000 others."""
    people = release.original
    score = metric.measure(release, attack.attack(release.published, people.known(attack.level), generator(0)))
    assert score.interval is not None
    return f"{score.value:.3f} ({score.interval.low:.3f} - {score.interval.high:.3f})"


def peer(evaluator: SinglingOutEvaluator, **how: str) -> str:
    risk = evaluator.evaluate(**how).risk()
    return f"{risk.value:.3f} ({risk.ci[0]:.3f} - {risk.ci[1]:.3f})"


def compare(people: People, release: Release) -> None:
    ori, syn, control = (table.to_pandas() for table in (people.members, release.published, people.control))
    halves = tuple(list(half) for half in people.known("halves").halves)
    facts = list(people.facts)

    def single(**how: int) -> SinglingOutEvaluator:
        return SinglingOutEvaluator(ori, syn, n_attacks=500, control=control, seed=0, **how)

    rows: list[tuple[str, Attack, Safety, Callable[[], str]]] = [
        ("univariate", Univariate(), SinglingOut(), lambda: peer(single(), mode="univariate")),
        ("multivariate", Multivariate(), SinglingOut(), lambda: peer(single(n_cols=3), mode="multivariate")),
        (
            "linkability",
            Linkage(),
            Linkability(),
            lambda: peer(LinkabilityEvaluator(ori, syn, halves, n_attacks=ATTACKS, n_neighbors=1, control=control)),
        ),
        (
            "inference",
            Neighbours(),
            AttributeAdvantage(),
            lambda: peer(InferenceEvaluator(ori, syn, facts, "diagnosis", n_attacks=ATTACKS, control=control)),
        ),
    ]
    for name, attack, metric, other in rows:
        ours(release, attack, metric)  # compiled once
        mine, told = spent(lambda attack=attack, metric=metric: ours(release, attack, metric), LEAST)  # type: ignore[misc]
        theirs, said = spent(other, LEAST)
        print(f"{name}: icefire {mine:.3f} s, {told}; anonymeter {theirs:.2f} s, {said}; ratio {theirs / mine:.0f}")


def million(rows: int) -> None:
    people = Cohort(n=rows, others=rows).generate(generator(1))
    extra = [pl.Series(f"x{place}", generator(2, place).normal(size=rows)) for place in range(4)]
    again = [pl.Series(f"x{place}", generator(3, place).normal(size=rows)) for place in range(4)]
    tables = [people.members.with_columns(extra), people.control.with_columns(again)]
    begin = time.perf_counter()
    space = points(tables, tables[0].columns)
    took, _ = spent(lambda: nearest(space))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    wall = time.perf_counter() - begin
    print(f"nearest of {rows:,} to {rows:,} rows, 15 columns: {took:.0f} s ({wall:.0f} s on the clock), {peak:.1f} GB")


def main() -> None:
    warnings.simplefilter("ignore")
    _tree.search(np.zeros((2, 1), np.float32), np.zeros((2, 1), np.float32), np.array([False]), 1)
    people = Cohort(n=ROWS).generate(generator(1))
    release = GaussianCopula().anonymize(people, generator(2))
    compare(people, release)
    million(MILLION)


if __name__ == "__main__":
    main()
