"""How many pseudonyms everybody may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.concealment.finding import Finding
from icefire.core.documents import JsonObject
from icefire.core.errors import DataError, InputError, Undefined
from icefire.core.values import CROWD, Scale, Score
from icefire.history.concealing import Hidden, hidden
from icefire.history.data import Guess, History, Release
from icefire.history.roles import Safety


@dataclass(frozen=True)
class KConcealment(Safety):
    """The least number of pseudonyms that a customer may have in a period, and of published records a record may be behind.

    For releases that generalize and hold every record once. What counts was seen in a world in which everybody has a
    pseudonym and every record a place; the detail has both levels, and the records' matches if all have to fit together.
    """

    scale: ClassVar[Scale] = CROWD
    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        try:
            found = hidden(release, np.random.default_rng(0))
        except DataError as error:
            raise Undefined(str(error)) from error
        return self.score(float(found.k), detail=found.as_dict())

    def audit(self, release: Release, k: int, rng: np.random.Generator) -> Finding:
        """All figures; DataError where the release does more than generalize."""
        found = hidden(release, rng)
        figures: dict[str, float | str] = {"records": release.published.height, **found.as_dict()}
        document: JsonObject = {"k": k, "k-concealed": found.k, **found.as_dict()}
        return Finding(found.k, tuple(figures.items()), document, _verdict(found, release, k))

    def audit_published(self, original: History, published: History, k: int, rng: np.random.Generator) -> Finding:
        raise InputError("the worlds of a history are searched from the truth on: leave --without-secret out")


def _verdict(found: Hidden, release: Release, k: int) -> str:
    if found.k >= k:
        return f"The release is {found.k}-concealed, people and records."
    least = int(found.people.argmin())
    user, period = (int(side[least]) for side in found.where)
    name, label = release.original.users[user], release.original.periods.labels[period]
    people, records = int((found.people < k).sum()), int((found.records < k).sum())
    return (
        f"The release is not {k}-concealed: {people:,} of {found.people.size:,} customers (by period) may have fewer "
        f"pseudonyms, the first is {name!r} in {label} with {found.people[least]}; {records:,} of "
        f"{found.records.size:,} records may be behind fewer published ones."
    )
