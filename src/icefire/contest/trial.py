"""A trial of a re-identification contest: its data are opened, and every metric is measured on them."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from icefire.contest.config import Config, Dataset
from icefire.contest.sources import source_of
from icefire.core.data import Original, Release
from icefire.core.errors import IcefireError, InputWarning, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry, Role
from icefire.core.strictfile import Fault, KeyPath
from icefire.evaluation.runs import score_of
from icefire.evaluation.tuning import Requirement

PEOPLE = 200
"""Attacks are tried on so many people."""


def trial(registry: Registry, config: Config) -> Iterator[Fault]:
    """Data that cannot be opened, and metrics that have no value on them, whatever the release."""
    for position, dataset in enumerate(config.sets):
        here: KeyPath = ("sets", position)
        try:
            made: Original = source_of(dataset, registry, config.kind, None).generate(np.random.default_rng(0))
        except IcefireError as error:
            yield (*here, "source"), str(error)
            continue
        try:
            original = _dealt(registry, config, dataset, made)
        except IcefireError as error:
            yield (*here, "columns" if dataset.columns else "source"), str(error)
            continue
        release = unchanged(original)
        yield from _measured(registry, config, dataset, release, here)
        yield from _attacked(registry, config, dataset, original, here)
        _warn_of_constants(registry, config, dataset, original)


def unchanged(original: Original) -> Release:
    """A release in which people lose their names and nothing else: if a metric has no value on it, it has none at all."""
    release, rng = original.begin(np.random.default_rng(0))
    return release.finished(rng)


def undefined(registry: Registry, kind: str, role: Role, step: str, release: Release) -> str | None:
    """Why a metric that needs no guess has no value on a release; None if it has one."""
    data = (release.original, release) if role == "utility" else (release, None)
    try:
        score_of(registry.make(kind, role, step), *data)  # type: ignore[arg-type]
    except Undefined as error:
        return f"{step} has no value on these data: {error}"
    return None


def _dealt(registry: Registry, config: Config, dataset: Dataset, made: Original) -> Original:
    """The data as teams will have them: with the columns that are dealt, written and read again."""
    files = registry.format(config.kind, config.format)
    if dataset.columns:
        made = registry.kind(config.kind).with_columns(made, dataset.columns)
    with tempfile.TemporaryDirectory() as name:
        files.write_original(made, Path(name))
        read: Original = files.read_original(Path(name))
    return read


def _measured(registry: Registry, config: Config, dataset: Dataset, release: Release, here: KeyPath) -> Iterator[Fault]:
    wanted: list[tuple[str, Role, str]] = [("utility", "utility", step) for step in dataset.utility]
    wanted += [("safety", "safety", step) for step in dataset.safety]
    for text in dataset.require:
        rule = Requirement.parse(text, registry, registry.kind(config.kind))
        wanted.append(("require", rule.role, rule.metric))
    for key, role, step in wanted:
        reason = undefined(registry, config.kind, role, step, release)
        if reason is not None:
            yield (*here, key), reason


def _attacked(
    registry: Registry, config: Config, dataset: Dataset, original: Original, here: KeyPath
) -> Iterator[Fault]:
    """Tasks whose metric has no value on the guess of any of their baselines."""
    rng, kind = np.random.default_rng(0), registry.kind(config.kind)
    release = unchanged(original.sample(PEOPLE, rng))
    for position, task in enumerate(dataset.tasks):
        reasons = []
        for step in task.baselines:
            try:
                known = release.original.knowledge
                if task.attacker is not None:
                    known = kind.known(release.original, task.attacker)
                guess = registry.make(kind.name, "attack", step).attack(release.published, known, rng)
                score_of(registry.make(kind.name, "safety", task.metric), release, guess)
            except Undefined as error:
                reasons.append(f"{step}: {error}")
        if reasons and len(reasons) == len(task.baselines):
            yield (*here, "tasks", position, "baselines"), f"none of them has a value on these data: {reasons[0]}"


def _warn_of_constants(registry: Registry, config: Config, dataset: Dataset, original: Original) -> None:
    """Warn of utility metrics that are the same whatever is done to the data: they would not tell teams apart."""
    rng = np.random.default_rng(0)
    sample = original.sample(PEOPLE, rng)
    releases = [unchanged(sample)]
    for bot in config.bots:
        steps = tuple(registry.make(config.kind, "anonymize", step) for step in bot.defend)
        with suppress(IcefireError):
            releases.append(Pipeline(steps).anonymize(sample, rng))
    for step in dataset.utility if len(releases) > 2 else ():
        with suppress(IcefireError):
            values = {score_of(registry.make(config.kind, "utility", step), sample, each).value for each in releases}
            if len(values) == 1:
                warnings.warn(
                    f"{step} is {values.pop():.6g} for the unchanged data and for the releases of all bots: "
                    "it may not tell teams apart",
                    InputWarning,
                    stacklevel=2,
                )
