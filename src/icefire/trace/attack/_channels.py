"""What steps make of regions, one after the other; learned from simulations where a step does not say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from icefire.core.errors import InputError, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.roles import AnyAnonymizer
from icefire.trace.data import Cells, Floats, Ints, Reference, Release, Traces
from icefire.trace.roles import Anonymizer

DOUBT = 100.0
"""How many observations of a region it is worth that cells may move alike everywhere."""


def channel_of(steps: Sequence[AnyAnonymizer], knowledge: Reference, rng: np.random.Generator) -> Floats:
    """[true region, published region]: what the steps make of a region, one after the other."""
    channel = np.eye(knowledge.grid.regions)
    for place, step in enumerate(steps):
        assert isinstance(step, Anonymizer)
        try:
            stated = step.channel(knowledge)
        except Undefined:
            if knowledge.points is not None:
                raise
            stated = _simulated(steps[:place], step, knowledge, rng)
        if stated is not None:
            channel = channel @ stated
    if not np.isfinite(channel).all():
        raise Undefined("the likelihoods of the steps are not finite")
    return channel


def require_a_statement(steps: Sequence[AnyAnonymizer], knowledge: Reference) -> None:
    """Raise Undefined if there are steps and none says what becomes of a region."""
    reason = None
    for step in steps:
        assert isinstance(step, Anonymizer)
        try:
            step.channel(knowledge)
        except Undefined as error:
            reason = error
        else:
            return
    if reason is not None:
        raise reason


def appearances(published: Cells, channel: Floats | None = None) -> sparse.csr_array:
    """[code, region]: the probability that a region is published as the code, up to a factor of the code.

    `channel` is what later steps make of the region; without one the code shows the region itself, or is a set that holds it.
    """
    if channel is None or np.array_equal(channel, np.eye(len(channel))):
        return published.spread
    return sparse.csr_array(published.spread @ channel.T)


def rehearsal(knowledge: Reference, rng: np.random.Generator) -> Traces:
    """Traces like those that were released: one half of the reference days is known, the other in place of the published
    ones. Of days that are known as well, users would seem to keep to their habits more than they do."""
    known, kept_back = halves(knowledge, rng)
    return as_original(known, kept_back, (known.slots + 1, known.published_slots + 1))


def as_original(knowledge: Reference, original: Ints, times: tuple[Ints, Ints]) -> Traces:
    """Traces that an attacker makes up, of the users who are known."""
    day = int(max(labels.max() for labels in times))
    return Traces(knowledge.regions, original, knowledge.grid, sensitive=knowledge.sensitive, day=day, times=times)


def after(steps: Sequence[AnyAnonymizer], original: Traces, rng: np.random.Generator) -> Traces:
    """What the steps make of traces that an attacker made up."""
    return original.with_cells(rehearse(steps, original, rng).cells)


def rehearse(steps: Sequence[AnyAnonymizer], original: Traces, rng: np.random.Generator) -> Release:
    """A release of traces that an attacker made up, by the steps."""
    try:
        return Pipeline(tuple(steps)).anonymize(original, rng)
    except InputError as error:
        raise Undefined(f"the steps cannot be taken with reference traces: {error}") from error


def _simulated(
    before: Sequence[AnyAnonymizer], step: AnyAnonymizer, knowledge: Reference, rng: np.random.Generator
) -> Floats:
    return learned([rehearse([step], after(before, rehearsal(knowledge, rng), rng), rng)], knowledge, DOUBT)


def learned(releases: Iterable[Release], knowledge: Reference, doubt: float) -> Floats:
    """[true region, published region]: how often a region became another in releases whose secret is known.

    Rare regions are treated as if they were moved by as much as others.
    """
    grid = knowledge.grid
    counts = sum((moves_of(release) for release in releases), np.zeros((grid.regions, grid.regions)))
    row, column = np.divmod(np.arange(grid.regions), grid.columns)
    moves = (
        (row[None, :] - row[:, None] + grid.rows) * (2 * grid.columns)
        + column[None, :]
        - column[:, None]
        + grid.columns
    )
    usual = np.bincount(moves.ravel(), counts.ravel(), minlength=4 * grid.regions)
    possible = np.bincount(moves.ravel(), minlength=4 * grid.regions)
    alike = ((usual + 1e-3) / np.maximum(possible, 1))[moves]
    alike /= alike.sum(axis=1, keepdims=True)
    return np.asarray((counts + doubt * alike) / (counts.sum(axis=1, keepdims=True) + doubt))


def moves_of(release: Release) -> Floats:
    """[true region, published region]: how often; a set counts for its members in equal shares."""
    true, shown = release.original.original, release.cells.codes
    there = shown >= 0
    shape = (release.original.grid.regions, release.cells.spread.shape[0])
    codes = sparse.csr_array((np.ones(int(there.sum())), (true[there], shown[there])), shape=shape)
    return np.asarray((codes @ release.cells.spread).todense())


def _days(slots: Ints) -> list[Ints]:
    """The times of each day."""
    return np.split(np.arange(slots.size), np.flatnonzero(np.diff(slots) <= 0) + 1)


def halves(knowledge: Reference, rng: np.random.Generator) -> tuple[Reference, Ints]:
    """Half of the reference days as knowledge, and the other half in place of the published days; a single day is both."""
    days = _days(knowledge.slots)
    order = rng.permutation(len(days))
    half = len(days) // 2
    parts = (order[half:], order[:half]) if half else (order, order)
    first, second = (np.concatenate([days[day] for day in np.sort(part)]) for part in parts)
    kept_back = replace(knowledge, regions=knowledge.regions[:, second], slots=knowledge.slots[second])
    return replace(knowledge, regions=knowledge.regions[:, first], slots=knowledge.slots[first]), days_like_known(
        kept_back, rng
    )


def days_like_known(knowledge: Reference, rng: np.random.Generator) -> Ints:
    """[user, published time]: where each user was on reference days, drawn anew for each published day."""
    days = _days(knowledge.slots)
    drawn = np.empty((knowledge.users, knowledge.published_slots.size), dtype=np.int64)
    users = np.arange(knowledge.users)
    for times in _days(knowledge.published_slots):
        gaps = [np.abs(knowledge.slots[day][:, None] - knowledge.published_slots[times][None, :]) for day in days]
        # [day, time]: the reference time of the same, or the nearest, time of day.
        nearest = np.stack([day[gap.argmin(axis=0)] for day, gap in zip(days, gaps, strict=True)])
        chosen = nearest[rng.integers(0, len(days), knowledge.users)]
        drawn[:, times] = knowledge.regions[users[:, None], chosen]
    return drawn
