"""The conformance suite: what every method must do, ours and outsiders' alike.

    from icefire.checks import check
    check(MyAttack())

raises AssertionError, saying what is wrong, unless the method is deterministic per seed, leaves its input untouched,
returns the right shape, and answers (or says why it cannot) on awkward data: one row or one record, missing values.
Methods that need parameters are given as instances. The data of each kind is in a module of its name.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from icefire.checks.examples import Examples
from icefire.core.errors import IcefireError, Undefined
from icefire.core.roles import Anonymizer, Attack, Dataset, Method, Safety, Utility
from icefire.core.values import Direction, Score


def check(method: Method) -> None:
    """Run every check that fits the method's role."""
    assert method.summary(), f"{type(method).__name__} needs a docstring whose first line says what it does"
    roles: dict[type[Method], Callable[[Any, Examples], None]] = {
        Anonymizer: _check_anonymizer,
        Attack: _check_attack,
        Utility: _check_utility,
        Safety: _check_safety,
        Dataset: _check_dataset,
    }
    examples: Examples = import_module(f"icefire.checks.{method.kind}").EXAMPLES
    next(run for role, run in roles.items() if isinstance(method, role))(method, examples)


def _answer(method: Method, name: str, call: Callable[[], Any]) -> Any:
    """The answer, or None where the method says that it has none."""
    try:
        return call()
    except IcefireError as error:
        assert str(error).strip(), f"{method.name} refuses the data {name} without saying why"
        plain_enough = name == "plain" and not (isinstance(method, Safety) and isinstance(error, Undefined))
        assert not plain_enough, f"{method.name} refuses plain data: {error}"
        return None


def _check_anonymizer(method: Any, examples: Examples) -> None:
    for name, original in examples.originals().items():
        before = examples.content(original)
        first, again = (
            _answer(method, name, lambda: method.anonymize(original, np.random.default_rng(5)))  # noqa: B023
            for _ in range(2)
        )
        assert examples.content(original) == before, f"{method.name} changes its input"
        if first is None:
            continue
        assert isinstance(first, examples.release_type), f"{method.name} must return a Release"
        same = examples.release_content(first) == examples.release_content(again)
        assert same, f"{method.name} differs between runs with one seed"
        examples.check_release(method, original, first)
    order = examples.order(method.anonymize(examples.large(), np.random.default_rng(5)))
    assert order < 0.3, f"{method.name} leaves rows in the order of the original: end with {examples.last_step}"


def _check_attack(method: Any, examples: Examples) -> None:
    for name, original in examples.originals().items():
        release = examples.honest_release(original)
        published, knowledge = examples.published(release), examples.knowledge(original)
        before = examples.content(published), examples.content(original)
        first, again = (
            _answer(method, name, lambda: method.attack(published, knowledge, np.random.default_rng(5)))  # noqa: B023
            for _ in range(2)
        )
        assert examples.content(published) == before[0], f"{method.name} changes what is published"
        assert examples.content(original) == before[1], f"{method.name} changes the attacker's knowledge"
        if first is None:
            continue
        assert isinstance(first, examples.guess_type), f"{method.name} must return a Guess"
        examples.check_guess(method, release, first)
        same = examples.guess_content(first) == examples.guess_content(again)
        assert same, f"{method.name} differs between runs with one seed"
    if method.baseline:
        return
    original = examples.large()
    release = examples.honest_release(original)
    guess = method.attack(examples.published(release), examples.knowledge(original), np.random.default_rng(5))
    hits = examples.hits(release, guess)
    # A random guess finds 1 of some 200 on average, and 6 or more once in 1,700 times.
    assert hits >= 0.03, f"{method.name} finds {hits:.1%} of an unchanged release: no better than a random guess"


def _check_score(method: Method, score: Any) -> None:
    assert isinstance(score, Score), f"{method.name} must return a Score"
    interval = score.interval
    assert interval is None or interval.low <= score.value <= interval.high, (
        f"{method.name}: value outside its interval"
    )


def _check_utility(method: Any, examples: Examples) -> None:
    for name, original in examples.originals().items():
        release = examples.honest_release(original)
        score = _answer(method, name, lambda: method.measure(original, release))  # noqa: B023
        if score is not None:
            _check_score(method, score)
            assert score == method.measure(original, release), f"{method.name} differs between runs"
            best = 0.0 if score.direction is Direction.LOWER_IS_BETTER else 1.0
            assert abs(score.value - best) < 1e-9, f"{method.name} gives {score.value} to an unchanged release"


def _check_safety(method: Any, examples: Examples) -> None:
    for name, original in examples.originals().items():
        release = examples.honest_release(original)
        guess = examples.truth(release) if method.needs_guess else None
        score = _answer(method, name, lambda: method.measure(release, guess))  # noqa: B023
        if score is not None:
            _check_score(method, score)
            assert score == method.measure(release, guess), f"{method.name} differs between runs"


def _check_dataset(method: Any, examples: Examples) -> None:
    first, again = (method.generate(np.random.default_rng(5)) for _ in range(2))
    assert isinstance(first, examples.original_type), f"{method.name} must return {examples.original_type.__name__}"
    assert examples.content(first) == examples.content(again), f"{method.name} differs between runs with one seed"
