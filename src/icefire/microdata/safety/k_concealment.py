"""k-concealment of a published table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.concealment.audit import audit
from icefire.concealment.finding import Finding
from icefire.core.values import CROWD, Scale, Score
from icefire.microdata.concealing import graph_of, graph_of_release
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class KConcealment(Safety):
    """The least number of matches: published rows that a person may be behind in some assignment of all persons.

    For releases that generalize. A k-anonymous release has at least k, and a row that merely covers a person does not count
    if that would leave another person without a row.

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
        matches, neighbours = graph.matches()[0], graph.neighbours()[0]
        detail = {"mean": float(matches.mean()), "neighbours": int(neighbours.min())}
        return self.score(float(matches.min()), detail=detail)

    def audit(self, release: Release, k: int, rng: np.random.Generator) -> Finding:
        """All figures, and what one leaked link gives away."""
        return audit(graph_of_release(release), k, rng).finding(k)

    def audit_published(self, original: Microdata, published: Microdata, k: int, rng: np.random.Generator) -> Finding:
        """The same without the secret: any perfect matching tells the matches. Leaks are left out."""
        return audit(graph_of(original, published), k, rng, truth=False).finding(k)
