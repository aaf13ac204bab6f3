"""The conformance suite: what every method must do, ours and outsiders' alike.

    from icefire.checks import check
    check(MyAttack())

raises AssertionError, saying what is wrong, unless the method is deterministic per seed, leaves its input untouched,
returns the right shape, and answers (or says why it cannot) on awkward data: one row or one record, missing values.
Methods that need parameters are given as instances. A kind brings its own example data (`Kind.examples`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np

from icefire.core.data import Original
from icefire.core.errors import IcefireError, Undefined
from icefire.core.examples import AnyExamples
from icefire.core.formats import AnyFormat, Format
from icefire.core.kinds import Kind
from icefire.core.registry import Registry
from icefire.core.roles import (
    Anonymizer,
    AnyAnonymizer,
    AnyAttack,
    AnyDataset,
    AnySafety,
    AnyUtility,
    Attack,
    Dataset,
    InformedAttack,
    Method,
    Metric,
    Safety,
    Utility,
)
from icefire.core.values import Score

T = TypeVar("T")


def check(method: Method) -> None:
    """Run every check that fits the method's role."""
    assert method.summary(), f"{type(method).__name__} needs a docstring whose first line says what it does"
    kind = Registry().kind(method.kind)
    examples = kind.examples()
    match method:
        case Anonymizer():
            _check_anonymizer(method, examples)
        case Attack():
            _check_attack(method, kind, examples)
        case Utility():
            _check_utility(method, examples)
        case Safety():
            _check_safety(method, examples)
        case Dataset():
            _check_dataset(method, examples)
        case Format():
            _check_format(method, examples)
        case _:
            raise AssertionError(f"{method.name} has no role: derive it from a role of its kind")


def _answer(method: Method, name: str, call: Callable[[], T]) -> tuple[T] | None:
    """The answer, or None where the method says that it has none. An answer may be None itself, which is wrong."""
    try:
        return (call(),)
    except IcefireError as error:
        assert str(error).strip(), f"{method.name} refuses the data {name} without saying why"
        plain_enough = name == "plain" and not (isinstance(method, Safety) and isinstance(error, Undefined))
        assert not plain_enough, f"{method.name} refuses plain data: {error}"
        return None


def _check_anonymizer(method: AnyAnonymizer, examples: AnyExamples) -> None:
    for name, original in examples.originals().items():
        before = examples.content(original)
        answer, repeated = (
            _answer(method, name, lambda: method.anonymize(original, np.random.default_rng(5)))  # noqa: B023
            for _ in range(2)
        )
        assert examples.content(original) == before, f"{method.name} changes its input"
        if answer is None or repeated is None:
            assert answer == repeated, f"{method.name} differs between runs with one seed"
            continue
        (first,), (again,) = answer, repeated
        assert isinstance(first, examples.release_type), f"{method.name} must return a Release"
        same = examples.release_content(first) == examples.release_content(again)
        assert same, f"{method.name} differs between runs with the same seed"
        examples.check_release(method, original, first)
    if method.deterministic:
        _check_deterministic(method, examples)
    examples.check_likelihood(method)
    order = examples.order(method.anonymize(examples.large(), np.random.default_rng(5)))
    assert order < 0.3, f"{method.name} leaves rows in the order of the original: end with {examples.last_step}"


def _check_deterministic(method: AnyAnonymizer, examples: AnyExamples) -> None:
    """Whoever repeats it on the same data with another seed gets the same, up to order and names."""
    original = examples.originals()["plain"]
    first, other = (method.anonymize(original, np.random.default_rng(seed)) for seed in (1, 2))
    same = examples.nameless_content(first) == examples.nameless_content(other)
    assert same, f"{method.name} says that it is deterministic, but differs with the seed"


def _check_attack(method: AnyAttack, kind: Kind, examples: AnyExamples) -> None:
    # What it is made for, if that is not what attackers usually know.
    plain = examples.originals()["plain"]
    # Nothing but order and names is changed in an honest release.
    made = examples.honest_release
    shown = made(plain).published
    known = {level: kind.known(plain, level) for level in (kind.usual_level, *kind.levels)}
    suited = (level for level, people in known.items() if method.uses(people) and method.variants(shown, people))
    level = next(suited, kind.usual_level)
    step = method.made_for
    if isinstance(method, InformedAttack):
        method = method.knowing(() if step is None else (step,))
    if step is not None:
        made = partial(step.anonymize, rng=np.random.default_rng(4))
    for name, original in examples.originals().items():
        try:
            release = made(original)
        except IcefireError:
            # The step it is made for may refuse data that are too small for it.
            assert name != "plain", f"{method.name} is made for a step that refuses plain data"
            continue
        published, knowledge = release.published, kind.known(original, level)
        before = examples.content(published), examples.content(original)
        answer, repeated = (
            _answer(method, name, lambda: method.attack(published, knowledge, np.random.default_rng(5)))  # noqa: B023
            for _ in range(2)
        )
        assert examples.content(published) == before[0], f"{method.name} changes what is published"
        assert examples.content(original) == before[1], f"{method.name} changes the attacker's knowledge"
        if answer is None or repeated is None:
            assert answer == repeated, f"{method.name} differs between runs with one seed"
            continue
        (first,), (again,) = answer, repeated
        assert isinstance(first, examples.guess_type), f"{method.name} must return a Guess"
        examples.check_guess(method, release, first)
        same = examples.guess_content(first) == examples.guess_content(again)
        assert same, f"{method.name} differs between runs with the same seed"
    if method.baseline:
        return
    original = examples.large()
    release = made(original)
    guess = method.attack(release.published, kind.known(original, level), np.random.default_rng(5))
    hits = examples.hits(release, guess)
    # A random guess finds 1 of some 200 on average, and 6 or more once in 1,700 times.
    assert hits >= 0.03, f"{method.name} finds {hits:.1%} of an easy release: no better than a random guess"


def _check_score(method: Metric, score: object) -> None:
    assert isinstance(score, Score), f"{method.name} must return a Score: return self.score(value)"
    assert score.scale == method.scale, f"{method.name} must measure on its own scale: return self.score(value)"
    interval = score.interval
    assert interval is None or interval.low <= score.value <= interval.high, (
        f"{method.name}: value outside its interval"
    )


def _check_utility(method: AnyUtility, examples: AnyExamples) -> None:
    for name, original in examples.originals().items():
        release = examples.honest_release(original)
        answer = _answer(method, name, lambda: method.measure(original, release))  # noqa: B023
        if answer is not None:
            (score,) = answer
            _check_score(method, score)
            assert score == method.measure(original, release), f"{method.name} differs between runs"
            best = method.scale.best
            assert abs(score.value - best) < 1e-9, f"{method.name} gives {score.value} to an unchanged release"


def _check_safety(method: AnySafety, examples: AnyExamples) -> None:
    for name, original in examples.originals().items():
        release = examples.honest_release(original)
        guess = examples.truth(release, method.judges) if method.needs_guess else None
        answer = _answer(method, name, lambda: method.measure(release, guess))  # noqa: B023
        if answer is not None:
            (score,) = answer
            _check_score(method, score)
            assert score == method.measure(release, guess), f"{method.name} differs between runs"


def _check_dataset(method: AnyDataset, examples: AnyExamples) -> None:
    first, again = (method.generate(np.random.default_rng(5)) for _ in range(2))
    assert isinstance(first, examples.original_type), f"{method.name} must return {examples.original_type.__name__}"
    assert examples.content(first) == examples.content(again), f"{method.name} differs between runs with the same seed"


def _held(method: AnyFormat, original: Original, folder: Path) -> Original:
    """The original as the format reads it back."""
    method.write_original(original, folder)
    read: Original = method.read_original(folder)
    return read


def _check_format(method: AnyFormat, examples: AnyExamples) -> None:
    """Plain data read back as they were written, guesses always do, and an attacker's files need no secret."""
    for name, given in examples.originals().items():
        with TemporaryDirectory() as scratch:
            folder = Path(scratch)
            # A format may have no place for some columns, and lose them once.
            held = _answer(method, name, lambda: _held(method, given, folder))  # noqa: B023
            if held is None:
                continue
            (original,) = held
            assert original.people == given.people, f"{method.name} loses people"
            release = examples.honest_release(original)
            if _answer(method, name, lambda: method.write_release(release, folder, {})) is None:  # noqa: B023
                continue
            again = method.read_release(folder)
            # A format may demand columns that other data lack, and fill them.
            same = name != "plain" or examples.release_content(again) == examples.release_content(release)
            assert same, f"{method.name} reads another release than it has written"
            guess, path = examples.truth(again), method.guess_path(folder, "check")
            knowledge = again.original.knowledge
            method.write_guess(guess, path, again.published, knowledge)
            assert path in method.guesses(folder), f"{method.name} does not find the guess it has written"
            read = method.read_guess(path, again.published, knowledge)
            same = examples.guess_content(read) == examples.guess_content(guess)
            assert same, f"{method.name} reads another guess than it has written"
            kept = {file for pattern in (*method.published_files, *method.known_files) for file in folder.glob(pattern)}
            for file in set(folder.iterdir()) - kept:
                file.unlink()
            published, _ = method.read_handout(folder)
            same = examples.content(published) == examples.content(again.published)
            assert same, f"{method.name} hands out something else than was published"
