"""The kind of data with places over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from icefire.core.chapters import Chapter, Language
from icefire.core.judged import Judged
from icefire.core.kinds import Kind
from icefire.trace.examples import TraceExamples


class TraceKind(Kind):
    """Places over time."""

    name: ClassVar[str] = "trace"
    headline_utility: ClassVar[str] = "closeness"
    headline_safety: ClassVar[str] = "worst_of_both"
    attackers_hold_original: ClassVar[bool] = False
    levels: ClassVar[tuple[str, ...]] = ("other-days",)

    def examples(self) -> TraceExamples:
        return TraceExamples()

    def chapter(self, judged: Sequence[Judged], recipe: str, language: Language) -> Chapter:
        from icefire.trace.report import chapter

        return chapter(judged, recipe, language)
