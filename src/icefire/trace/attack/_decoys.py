"""What the attacks on decoys share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from icefire.core import memory
from icefire.core.errors import Undefined
from icefire.core.matching import Match, match, match_dense, match_listed
from icefire.core.roles import AnyAnonymizer
from icefire.core.scores import NONE, Table
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.attack._channels import after, rehearsal
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Cells, Floats, Ints, Reference


@dataclass(frozen=True)
class DecoySteps:
    """The step that is attacked, and those around it."""

    before: tuple[AnyAnonymizer, ...]
    decoys: Decoys
    after: tuple[AnyAnonymizer, ...]

    def price(self, knowledge: Reference, rng: np.random.Generator) -> float:
        """The price at which the step would keep the required utility of reference days."""
        return self.decoys.price(after(self.before, rehearsal(knowledge, rng), rng), rng)


def decoys_among(steps: Sequence[AnyAnonymizer], published: Cells, randomized: bool) -> DecoySteps:
    """Of the steps of this version the one that moves cells most; Undefined if there is none, or if it cannot be undone."""
    used = [(place, step) for place, step in enumerate(steps) if isinstance(step, Decoys)]
    if not used:
        raise Undefined("no step of the release is decoys")
    own = [(place, step) for place, step in used if step.randomized == randomized]
    if not own:
        raise Undefined(
            "these decoys are not drawn at random: decoy_inversion undoes them"
            if randomized
            else "these decoys are drawn at random: decoy_likelihood is made for them"
        )
    if published.shape[0] < 2:
        raise Undefined("there is one user only, who has no decoy")
    place, step = min(own, key=lambda choice: choice[1].utility)
    return DecoySteps(tuple(steps[:place]), step, tuple(steps[place + 1 :]))


def likely_decoys(published: Cells, knowledge: Reference, tries: int, rng: np.random.Generator) -> Ints:
    """[pseudonym, try]: the users whom each trace resembles most; the first are all different."""
    likeness = SlotLikelihood().compared(published, knowledge)
    first = match(likeness, "assignment", rng).rows
    if not isinstance(likeness, Table):
        near = likeness.nearest(tries, rng)[0]
        order = np.argsort(near != first[:, None], axis=1, kind="stable")
        near = np.take_along_axis(near, order, axis=1)
        # Whoever is not among the nearest takes the last place.
        near = np.where((near[:, :1] == first[:, None]), near, np.roll(near, 1, axis=1))
        near[:, 0] = first
        return near
    scores = likeness.values.copy()
    scores[np.arange(first.size), first] = np.inf
    return np.argsort(-scores, axis=1, kind="stable")[:, :tries]


def matched(owners: Ints, chances: Floats, users: int, rng: np.random.Generator) -> Match:
    """The best one-to-one matching by [pseudonym, candidate]; an owner may be a candidate with several decoys."""
    if memory.fits(owners.shape[0], users):
        scores = np.full((owners.shape[0], users), chances.min() - 1.0)
        rows = np.repeat(np.arange(owners.shape[0]), owners.shape[1])
        np.maximum.at(scores, (rows, owners.ravel()), chances.ravel())
        return match_dense(scores, "assignment", rng)
    order = np.lexsort((-chances, owners), axis=1)
    near, values = np.take_along_axis(owners, order, axis=1), np.take_along_axis(chances, order, axis=1)
    near[:, 1:][near[:, 1:] == near[:, :-1]] = NONE
    return _completed(match_listed(near, values, "assignment", users, rng), rng)


def _completed(found: Match, rng: np.random.Generator) -> Match:
    """The same matching with those who are left over as partners of each other."""
    rows, columns = np.full(found.rows.size, NONE), found.columns.copy()
    rows[columns[columns != NONE]] = np.flatnonzero(columns != NONE)
    free_rows, free_columns = (rng.permutation(np.flatnonzero(side == NONE)) for side in (rows, columns))
    pairs = min(free_rows.size, free_columns.size)
    rows[free_rows[:pairs]], columns[free_columns[:pairs]] = free_columns[:pairs], free_rows[:pairs]
    return Match(rows, columns)


def decoys_of(users: Ints, owners: Ints, decoys: Ints, chances: Floats) -> Ints:
    """The decoy of each pseudonym with which the user assigned to it is likeliest."""
    best = np.where(owners == users[:, None], chances, -np.inf).argmax(axis=1)
    return np.asarray(decoys[np.arange(users.size), best])
