"""Whom a guess is right about, candidate by candidate: members, and the control group as a measure of chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.synthetic.data import Floats, Guess, Mask, People, Release, chance_columns
from icefire.synthetic.predicates import NOBODY, Cells

TOLERANCE = 0.05
"""How far from the truth, relative to it, a number that counts as inferred may be."""
CLEAR = 0.01
"""Share of the others who may be as suspicious as a member who counts as found."""


def inferred(release: Release, guess: Guess | None, name: str, tolerance: float = TOLERANCE) -> Floats:
    """[candidate]: 1 if a value is guessed right, a number if it is near; or the chance that the guess gives to the truth."""
    truth = release.original.candidates[name]
    if guess is not None and guess.values is not None and name not in guess.values.columns:
        chances = chance_columns(guess.values, name)
        if chances and not truth.dtype.is_numeric():
            return _given_to(truth, guess.values, chances)
    if guess is None or guess.values is None or name not in guess.values.columns:
        raise Undefined(f"the guess does not say what {name!r} is")
    told = guess.values[name]
    if not truth.dtype.is_numeric():
        return truth.eq_missing(told.cast(pl.String)).to_numpy().astype(np.float64)
    near = (told.cast(pl.Float64) - truth.cast(pl.Float64)).abs() <= tolerance * truth.cast(pl.Float64).abs()
    missing = truth.is_null() & told.is_null()
    return (near.fill_null(False) | missing).to_numpy().astype(np.float64)


def _given_to(truth: pl.Series, values: pl.DataFrame, chances: dict[str, str]) -> Floats:
    """[candidate]: the chance of the true text; 0 if it is not among them, or missing."""
    found = np.zeros(len(truth))
    for text, column in chances.items():
        there = truth.eq_missing(text).to_numpy()
        found[there] = values[column].cast(pl.Float64).to_numpy()[there]
    return found


def linked(guess: Guess | None) -> Mask:
    """[candidate]: whether the two halves of their columns lead to the same released row."""
    if guess is None or guess.links is None:
        raise Undefined("the guess links no rows")
    left, right = guess.links
    found = np.zeros(left.shape[0], dtype=np.bool_)
    for column in range(left.shape[1]):
        found |= (right == left[:, column][:, None]).any(axis=1)
    return found


@dataclass(frozen=True)
class SingledOut:
    """Who fulfils predicates alone, among the members and among as many others."""

    members: Mask
    """[predicate]: whether one member alone fulfils it."""
    others: Mask
    """[predicate]: whether one of the others alone does."""
    people: Floats
    """[candidate]: 1 if some predicate singles them out."""
    among: Mask
    """[candidate]: who is looked at."""


def singled_out(release: Release, guess: Guess | None) -> SingledOut:
    """Whom predicates single out. The smaller group decides how many are looked at: among fewer people, more are alone."""
    if guess is None or guess.predicates is None:
        raise Undefined("the guess has no predicates")
    if not guess.predicates:
        raise Undefined("no predicate singles out a row of the release")
    people = release.original
    number, found = min(people.people, people.control.height), []
    hits, among = np.zeros(people.membership.size), np.zeros(people.membership.size, dtype=np.bool_)
    for part in (people.membership, ~people.membership):
        places = np.flatnonzero(part)[:number]
        cells = Cells(people.candidates[places])
        rows = cells.alone(cells.read(guess.predicates))
        found.append(rows != NOBODY)
        among[places] = True
        hits[places[rows[rows != NOBODY]]] = 1.0
    return SingledOut(found[0], found[1], hits, among)


def _clear(confidence: Floats, people: People) -> Floats:
    """[candidate]: 1 if hardly any of the others who are as rare is as suspicious. Rare people look suspicious to some attacks
    whether they are members or not, so that they are compared with each other."""
    clear = np.zeros(confidence.size)
    for alike in (people.rare, ~people.rare):
        others = np.sort(confidence[alike & ~people.membership])
        more = others.size - np.searchsorted(others, confidence[alike], side="left")
        clear[alike] = (more <= CLEAR * others.size) & (others.size > 0)
    return clear


def found(release: Release, guess: Guess) -> Floats:
    """[candidate]: 1 if a guess of any sort is right about them, as far as it is not chance."""
    people = release.original
    if guess.confidence is not None:
        return _clear(guess.confidence, people)
    if guess.values is not None:
        names = [name for name in people.names if name in guess.values.columns or chance_columns(guess.values, name)]
        columns = [inferred(release, guess, name) for name in names]
        return np.asarray(np.mean(columns, axis=0))
    if guess.links is not None:
        return linked(guess).astype(np.float64)
    inside = np.flatnonzero(people.membership)
    cells = Cells(people.candidates[inside])
    rows = cells.alone(cells.read(guess.predicates or ()))
    hits = np.zeros(people.membership.size)
    hits[inside[rows[rows != NOBODY]]] = 1.0
    return hits
