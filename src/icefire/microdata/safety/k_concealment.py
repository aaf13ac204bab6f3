"""k-concealment of a published table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy import sparse

from icefire.concealment.audit import audit
from icefire.concealment.finding import Finding
from icefire.concealment.graph import Graph
from icefire.concealment.worlds import effective, effective_matches
from icefire.core.errors import Undefined
from icefire.core.roles import AnyAnonymizer
from icefire.core.values import CROWD, Scale, Score
from icefire.microdata.attack.replay import Replay
from icefire.microdata.concealing import graph_of, graph_of_release
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class KConcealment(Safety):
    """The least number of matches: published rows that a person may be behind in some assignment of all persons.

    For releases that generalize. A k-anonymous release has at least k, and a row that merely covers a person does not count
    if that would leave another person without a row. Matches need not be equally likely: the detail has the effective number
    of people behind a row (the exponential of the entropy of their chances) if all assignments are equally likely.

    Example:
        The first row covers both persons, but the second is needed for the person of 30: each has one match.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"age": [20, 30]}), Schema(qi=["age"]))
        >>> cells = [Microdata(pl.DataFrame({"age": ages}), Schema(qi=["age"])) for ages in (["[20..30]", "30"], ["*", "*"])]
        >>> [KConcealment().measure(Release(people, published, np.arange(2))).value for published in cells]
        [1.0, 2.0]

    Reference:
        Tassa, Mazza, Gionis: k-Concealment: an alternative model of k-type anonymity. 2012.
    """

    scale: ClassVar[Scale] = CROWD
    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        graph = graph_of_release(release)
        matches, neighbours, worth = graph.matches()[0], graph.neighbours()[0], effective_matches(graph)
        detail = {
            "mean": float(matches.mean()),
            "neighbours": int(neighbours.min()),
            "effective matches, mean": float(worth.mean()),
            "effective matches, least": float(worth.min()),
        }
        return self.score(float(matches.min()), detail=detail)

    def audit(
        self,
        release: Release,
        k: int,
        rng: np.random.Generator,
        method: tuple[AnyAnonymizer, ...] | None = None,
    ) -> Finding:
        """All figures, and what one leaked link gives away."""
        graph = graph_of_release(release)
        found = audit(graph, k, rng)
        if method is not None:
            try:
                found = replace(found, informed=_informed(release, graph, method, rng))
            except Undefined as error:
                found = replace(found, not_measured=str(error))
        return found.finding(k)

    def audit_published(self, original: Microdata, published: Microdata, k: int, rng: np.random.Generator) -> Finding:
        """The same without the secret: any perfect matching tells the matches. Leaks are left out."""
        return audit(graph_of(original, published), k, rng, truth=False).finding(k)


def _informed(
    release: Release, graph: Graph, method: tuple[AnyAnonymizer, ...], rng: np.random.Generator
) -> tuple[float, float]:
    """The effective number of matches for whoever knows the quasi-identifiers and repeats the method, mean and least."""
    known = release.original.only(release.original.qi)
    pairs = sparse.csr_array(graph.worlds().T)
    worth = effective(Replay().knowing(method).chances(release.published, known, pairs, rng))
    return float(worth.mean()), float(worth.min())
