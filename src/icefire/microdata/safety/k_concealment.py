"""How many published rows everybody may be behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import Direction, Score
from icefire.microdata.concealing import graph_of_release
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class KConcealment(Safety):
    """The least number of matches: published rows that a person may be behind in some assignment of everybody.

    For releases that generalize. A k-anonymous release has at least k, and a row that merely covers a person does not count
    if that would leave somebody else without a row.

    Reference:
        Tassa, Mazza, Gionis: k-Concealment: an alternative model of k-type anonymity. 2012.
    """

    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        graph = graph_of_release(release)
        matches, neighbours = graph.matches()[0], graph.neighbours()[0]
        detail = {"mean": float(matches.mean()), "neighbours": int(neighbours.min())}
        return Score(float(matches.min()), Direction.HIGHER_IS_BETTER, detail=detail)
