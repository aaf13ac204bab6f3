"""What the attacks on decoys share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.matching import match_dense
from icefire.core.roles import AnyAnonymizer
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Cells, Floats, Ints, Reference


def decoys_among(steps: Sequence[AnyAnonymizer], published: Cells) -> Decoys:
    """The step that has to be undone; Undefined if there is none, or if it cannot be undone."""
    used = [step for step in steps if isinstance(step, Decoys)]
    if not used:
        raise Undefined("no step of the release is decoys")
    if not published.exact:
        raise Undefined("decoys cannot be undone where cells are sets or deleted")
    if published.shape[0] < 2:
        raise Undefined("there is one user only, who has no decoy")
    return used[-1]


def likely_decoys(published: Cells, knowledge: Reference, tries: int, rng: np.random.Generator) -> Ints:
    """[pseudonym, try]: the users whom each trace resembles most; the first are all different."""
    likeness = SlotLikelihood().scores(published, knowledge)
    first = likeness.copy()
    first[np.arange(first.shape[0]), match_dense(likeness, "assignment", rng).rows] = np.inf
    return np.argsort(-first, axis=1, kind="stable")[:, :tries]


def best_scores(owners: Ints, chances: Floats, users: int) -> Floats:
    """[pseudonym, user]: the best of [pseudonym, candidate]; an owner may be a candidate with several decoys."""
    scores = np.full((owners.shape[0], users), chances.min() - 1.0)
    rows = np.repeat(np.arange(owners.shape[0]), owners.shape[1])
    np.maximum.at(scores, (rows, owners.ravel()), chances.ravel())
    return scores


def decoys_of(users: Ints, owners: Ints, decoys: Ints, chances: Floats) -> Ints:
    """The decoy of each pseudonym with which the user assigned to it is likeliest."""
    best = np.where(owners == users[:, None], chances, -np.inf).argmax(axis=1)
    return np.asarray(decoys[np.arange(users.size), best])
