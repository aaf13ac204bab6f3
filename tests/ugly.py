"""Data as ugly as files are, and the whole of what is measured on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl

from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.errors import InputError, Undefined
from icefire.core.kinds import Kind
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Assessment, Criterion
from icefire.evaluation.runs import AttackRun, Outcome

REGISTRY = Registry()
MINUTES = 0.003
"""Budget of an attack: those that would take longer are sampled or left out."""
MIXED = ["1", "a", "*", "{a|b}", "[1..3]", "2020-01-01", "", "NA", "-0", "1e5"]


def _words(*values: str) -> Callable[[np.random.Generator, int], pl.Series]:
    return lambda rng, rows: pl.Series(rng.choice(list(values), rows))


COLUMNS: dict[str, Callable[[np.random.Generator, int], pl.Series]] = {
    "integers": lambda rng, rows: pl.Series(rng.integers(0, 50, rows)),
    "numbers of one's own": lambda rng, rows: pl.Series(rng.permutation(rows)),
    "texts of one's own": lambda rng, rows: pl.Series([f"{place:07}" for place in rng.permutation(rows)]),
    "categories": _words("a", "b", "c"),
    "an enumeration": lambda rng, rows: pl.Series(rng.choice(["a", "b", "c"], rows)).cast(pl.Categorical),
    "empty texts": _words("", " ", "a"),
    "mixed texts": _words(*MIXED),
    "one text": _words("x"),
    "one number": lambda rng, rows: pl.Series([5.5] * rows),
    "dates": lambda rng, rows: pl.Series(
        [date(1940, 1, 1) + timedelta(int(day)) for day in rng.integers(0, 20_000, rows)]
    ),
    "moments": lambda rng, rows: pl.Series(
        [datetime(1940, 1, 1) + timedelta(seconds=int(second)) for second in rng.integers(0, 2_000_000_000, rows)]
    ),
    "times of day": lambda rng, rows: pl.Series([time(int(hour)) for hour in rng.integers(0, 24, rows)]),
    "decimals": lambda rng, rows: pl.Series(
        [Decimal(int(cents)).scaleb(-2) for cents in rng.integers(0, 20_000, rows)], dtype=pl.Decimal(12, 2)
    ),
    "truth values": lambda rng, rows: pl.Series(rng.random(rows) < 0.5),
    "reals": lambda rng, rows: pl.Series(rng.normal(size=rows)),
    "short reals": lambda rng, rows: pl.Series(rng.normal(size=rows), dtype=pl.Float32),
    "short integers": lambda rng, rows: pl.Series(rng.integers(-100, 100, rows), dtype=pl.Int8),
    "unsigned integers": lambda rng, rows: pl.Series(rng.integers(0, 200, rows), dtype=pl.UInt8),
    "long integers": lambda rng, rows: pl.Series(rng.integers(2**62, 2**63 - 1, rows)),
    "long unsigned integers": lambda rng, rows: pl.Series(rng.integers(0, 2**63 - 1, rows), dtype=pl.UInt64),
    "tiny reals": lambda rng, rows: pl.Series(rng.normal(size=rows) * 1e-300),
    "large reals": lambda rng, rows: pl.Series(rng.normal(size=rows) * 1e90),
    "no numbers": lambda rng, rows: pl.Series([None] * rows, dtype=pl.Float64),
    "no texts": lambda rng, rows: pl.Series([None] * rows, dtype=pl.String),
    "nothing": lambda rng, rows: pl.Series([None] * rows, dtype=pl.Null),
}


def column(name: str, rows: int, missing: float, seed: int) -> pl.Series:
    rng = np.random.default_rng(seed)
    values = COLUMNS[name](rng, rows)
    return pl.select(pl.when(pl.Series(rng.random(rows) >= missing)).then(values)).to_series()


def check_outcome(outcome: Outcome) -> None:
    method, score = outcome.method, outcome.score
    if score is None:
        assert outcome.reason.strip(), f"{method.step()} has neither a score nor a reason"
        return
    if method.name == "identification_test":
        # 1 is unsafe, and as the contest of 2018 counts, more is more than that.
        return
    # A utility metric may be beyond the value at which nothing is left, and chance may be less than no risk.
    end = score.scale.best if method.role == "utility" else score.scale.worst
    beyond = score.value - end if end >= max(score.scale.best, score.scale.worst) else end - score.value
    assert beyond <= 1e-9, f"{method.step()} is {score.value}, beyond its scale"
    assert score.interval is None or score.interval.low <= score.value <= score.interval.high, method.step()


def check_run(run: AttackRun) -> None:
    assert run.guess is not None or run.reason.strip(), f"{run.attack.step()} gives neither a guess nor a reason"
    budget = "--budget allows more" in run.reason
    assert not run.incomplete or budget, f"{run.attack.step()} did not come to its end: {run.reason}"
    assert run.guess is None or run.outcomes, f"{run.attack.step()} is not judged"
    for outcome in run.outcomes:
        check_outcome(outcome)


def judged(kind: Kind, original: Any, steps: Sequence[str], levels: Sequence[str] = ()) -> Assessment | None:
    """Everything that can be measured on a release, and checked; None where the steps refuse the data, in words.

    What fails by a fault of ours is a warning, and warnings are errors in tests.
    """
    made = tuple(REGISTRY.make(kind.name, "anonymize", step) for step in steps)
    try:
        release = Pipeline(made).anonymize(original, generator(1, "anonymize"))
    except (InputError, Undefined) as error:
        if not str(error).strip():
            raise AssertionError(f"{steps} refuse without saying why") from error
        return None
    levels = levels or kind.levels_of(original)
    assessment = assess(
        REGISTRY,
        kind,
        release,
        [Attacker(kind.known(original, level), level, made or None) for level in levels],
        method=made,
        criterion=Criterion((levels[0],)),
        seed=1,
        budget=Budget(MINUTES),
        name="ugly",
        steps=" ".join(steps),
    )
    for outcome in (*assessment.utility, *assessment.safety):
        check_outcome(outcome)
    for run in assessment.runs:
        check_run(run)
    assert assessment.decision in ("release", "do_not_release", "inconclusive")
    return assessment
