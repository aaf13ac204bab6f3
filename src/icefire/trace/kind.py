"""The kind of data with places over time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.errors import UnknownName
from icefire.core.judged import Judged
from icefire.core.kinds import Kind
from icefire.trace.attackers import known_points
from icefire.trace.data import Reference, Traces
from icefire.trace.examples import TraceExamples


class TraceKind(Kind):
    """Places over time."""

    name: ClassVar[str] = "trace"
    headline_utility: ClassVar[str] = "closeness"
    headline_safety: ClassVar[str] = "worst_of_both"
    attackers_hold_original: ClassVar[bool] = False
    levels: ClassVar[tuple[str, ...]] = ("other-days", "points:4", EVERYTHING)
    usual_level: ClassVar[str] = "other-days"

    def known(self, original: Traces, level: str) -> Reference:
        """`other-days` knows the reference traces; `points:4` where each user was at four random published times, and nothing
        else; `all` the original traces, and does not know whose pseudonym is whose."""
        if level == self.usual_level:
            return original.knowledge
        if level == EVERYTHING:
            return known_points(original, original.cells.shape[1])
        if found := re.fullmatch(r"points:([1-9]\d*)", level):
            return known_points(original, int(found[1]))
        raise UnknownName.of("attacker of trace", level, ("other-days", "points:N", EVERYTHING))

    def measured(self, level: str) -> tuple[str, ...] | None:
        """Whoever knows where everybody was has nothing to infer."""
        return ("id_safety",) if level == EVERYTHING else None

    def examples(self) -> TraceExamples:
        return TraceExamples()

    def chapter(self, judged: Sequence[Judged], recipe: str, language: Language) -> Chapter:
        from icefire.trace.report import chapter

        return chapter(judged, recipe, language)
