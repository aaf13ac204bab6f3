"""k-concealment of a published history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from icefire.concealment.finding import Finding
from icefire.concealment.worlds import effective
from icefire.core.documents import JsonObject
from icefire.core.errors import DataError, InputError, Undefined
from icefire.core.roles import AnyAnonymizer
from icefire.core.values import CROWD, Scale, Score
from icefire.history.attack.replay import Replay
from icefire.history.concealing import Hidden, hidden
from icefire.history.data import Guess, History, Release
from icefire.history.roles import Safety


@dataclass(frozen=True)
class KConcealment(Safety):
    """The least number of pseudonyms that a customer may have in a period, and of published records a record may be behind.

    For releases that generalize and hold every record once. A pseudonym counts for a customer if all customers can have
    pseudonyms and all records find places at the same time. The detail has both levels, and how many published records
    each record may be behind if all have to fit together.

    Example:
        Each customer may have either pseudonym, and each record be behind either published one.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-03 cup")
        >>> shown = records("1 2011-01-03 {cup|tea}", "2 2011-01-03 {cup|tea}")
        >>> KConcealment().measure(Release(log, shown, [[0], [1]], [0, 1])).value
        2.0

    Reference:
        Tassa, Mazza, Gionis: k-Concealment: an alternative model of k-type anonymity. 2012.
    """

    scale: ClassVar[Scale] = CROWD
    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        try:
            found = hidden(release, np.random.default_rng(0))
        except DataError as error:
            raise Undefined(str(error)) from error
        return self.score(float(found.k), detail=found.as_dict())

    def audit(
        self,
        release: Release,
        k: int,
        rng: np.random.Generator,
        method: tuple[AnyAnonymizer, ...] | None = None,
    ) -> Finding:
        """All figures; DataError where the release does more than generalize."""
        found = hidden(release, rng)
        figures: dict[str, float | str] = {**found.as_dict(), **_informed(release, method, rng)}
        document: JsonObject = {"k": k, "k-concealed": found.k, **figures}
        shown = ("records", release.published.height), *figures.items()
        return Finding(found.k, shown, document, _verdict(found, release, k))

    def audit_published(self, original: History, published: History, k: int, rng: np.random.Generator) -> Finding:
        raise InputError("the worlds of a history are searched from the truth on: leave --without-secret out")


def _informed(
    release: Release, method: tuple[AnyAnonymizer, ...] | None, rng: np.random.Generator
) -> dict[str, float | str]:
    """The effective number of customers behind a pseudonym for whoever repeats the method, or why there is none."""
    who = "effective customers of a pseudonym for whoever repeats the method"
    if method is None:
        return {who: "not measured: the method is not known"}
    try:
        chances = Replay().knowing(method).chances(release.published, release.original, rng)
    except Undefined as error:
        return {who: f"not measured: {error}"}
    worth = effective(sparse.csr_array(chances))
    return {f"{who}, least": float(worth.min()), f"{who}, mean": float(worth.mean())}


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
