"""The conformance suite: what every method must do, ours and outsiders' alike.

    from icefire.checks import check
    check(MyAttack())

raises AssertionError, saying what is wrong, unless the method is deterministic per seed, leaves its input untouched,
returns the right shape, and answers (or says why it cannot) on a table of one row and on a table with missing values.
Methods that need parameters are given as instances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from icefire.core.errors import IcefireError, Undefined
from icefire.core.roles import Anonymizer, Attack, Dataset, Method, Safety, Utility
from icefire.core.values import Score
from icefire.microdata.data import Guess, Microdata, Release, check_rows
from icefire.microdata.schema import Column, Schema


def check(method: Method) -> None:
    """Run every check that fits the method's role."""
    assert method.summary(), f"{type(method).__name__} needs a docstring whose first line says what it does"
    assert method.kind == "microdata", f"no conformance checks for the kind {method.kind!r} yet"
    roles: dict[type[Method], Callable[[Any], None]] = {
        Anonymizer: _check_anonymizer,
        Attack: _check_attack,
        Utility: _check_utility,
        Safety: _check_safety,
        Dataset: _check_dataset,
    }
    next(run for role, run in roles.items() if isinstance(method, role))(method)


def example(rows: int = 60, missing: bool = False, seed: int = 0) -> Microdata:
    """A small table with numeric, ordered and categorical columns."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 70, rows),
            "sex": rng.choice(["f", "m"], rows),
            "school": rng.choice(["low", "middle", "high"], rows),
            "pay": rng.lognormal(8, 0.6, rows).round(2),
            "ill": rng.choice(["no", "yes"], rows),
        }
    )
    if missing:
        gaps = rng.random((rows, 2)) < 0.2
        frame = frame.with_columns(
            age=pl.when(pl.Series(gaps[:, 0])).then(None).otherwise("age"),
            sex=pl.when(pl.Series(gaps[:, 1])).then(None).otherwise("sex"),
        )
    school = Column("ordered", order=("low", "middle", "high"))
    return Microdata(frame, Schema(("age", "sex", "school"), ("pay", "ill"), {"school": school}))


def _tables() -> dict[str, Microdata]:
    return {"plain": example(), "with missing values": example(missing=True), "of one row": example(1)}


def _honest_release(table: Microdata) -> Release:
    return Release.shuffled(table, table.frame, np.arange(table.height), np.random.default_rng(1))


def _answer(method: Method, name: str, call: Callable[[], Any]) -> Any:
    """The answer, or None where the method says that it has none."""
    try:
        return call()
    except IcefireError as error:
        assert str(error).strip(), f"{method.name} refuses the table {name} without saying why"
        plain_enough = name == "plain" and not (isinstance(method, Safety) and isinstance(error, Undefined))
        assert not plain_enough, f"{method.name} refuses a plain table: {error}"
        return None


def _check_anonymizer(method: Any) -> None:
    for name, table in _tables().items():
        before = table.frame.clone()
        first, again = (
            _answer(method, name, lambda: method.anonymize(table, np.random.default_rng(5)))  # noqa: B023
            for _ in range(2)
        )
        assert table.frame.equals(before), f"{method.name} changes its input"
        if first is None:
            continue
        assert isinstance(first, Release), f"{method.name} must return a Release"
        assert first.published.frame.equals(again.published.frame), f"{method.name} differs between runs with one seed"
        assert np.array_equal(first.rows, again.rows), f"{method.name} differs between runs with one seed"
        unknown = set(first.published.frame.columns) - set(table.frame.columns)
        assert not unknown, f"{method.name} adds columns: {unknown}"
    _check_order(method)


def _check_order(method: Any) -> None:
    """Row order must say nothing: published rows do not stand in the order of their originals."""
    release = method.anonymize(example(400), np.random.default_rng(5))
    if release.rows.size > 100:
        order = abs(float(np.corrcoef(np.arange(release.rows.size), release.rows)[0, 1]))
        assert order < 0.3, f"{method.name} leaves rows in the order of the original: end with Release.shuffled"


def _check_attack(method: Any) -> None:
    for name, table in _tables().items():
        release = _honest_release(table)
        before = release.published.frame.clone(), table.frame.clone()
        first, again = (
            _answer(method, name, lambda: method.attack(release.published, table, np.random.default_rng(5)))  # noqa: B023
            for _ in range(2)
        )
        assert release.published.frame.equals(before[0]), f"{method.name} changes the published table"
        assert table.frame.equals(before[1]), f"{method.name} changes the attacker's knowledge"
        if first is None:
            continue
        assert isinstance(first, Guess), f"{method.name} must return a Guess"
        check_rows(first.rows, release.published.height, table.height, f"the guess of {method.name}")
        assert np.array_equal(first.rows, again.rows), f"{method.name} differs between runs with one seed"
    table = example(200)
    release = _honest_release(table)
    hits = (method.attack(release.published, table, np.random.default_rng(5)).rows == release.rows).mean()
    # A random guess finds 1 row of 200 on average, and 6 or more once in 1,700 times.
    assert hits >= 0.03, f"{method.name} finds {hits:.1%} of an unchanged table: no better than a random guess"


def _check_score(method: Method, score: Any) -> None:
    assert isinstance(score, Score), f"{method.name} must return a Score"
    interval = score.interval
    assert interval is None or interval.low <= score.value <= interval.high, (
        f"{method.name}: value outside its interval"
    )


def _check_utility(method: Any) -> None:
    for name, table in _tables().items():
        release = _honest_release(table)
        score = _answer(method, name, lambda: method.measure(table, release))  # noqa: B023
        if score is not None:
            _check_score(method, score)
            assert score == method.measure(table, release), f"{method.name} differs between runs"
            assert abs(score.value) < 1e-9, f"{method.name} finds a loss of {score.value} in an unchanged table"


def _check_safety(method: Any) -> None:
    for name, table in _tables().items():
        release = _honest_release(table)
        guess = Guess(release.rows) if method.needs_guess else None
        score = _answer(method, name, lambda: method.measure(release, guess))  # noqa: B023
        if score is not None:
            _check_score(method, score)
            assert score == method.measure(release, guess), f"{method.name} differs between runs"


def _check_dataset(method: Any) -> None:
    first, again = (method.generate(np.random.default_rng(5)) for _ in range(2))
    assert isinstance(first, Microdata), f"{method.name} must return Microdata"
    assert first.frame.equals(again.frame), f"{method.name} differs between runs with one seed"
