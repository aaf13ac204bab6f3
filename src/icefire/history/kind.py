"""The kind of data with many records per person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from icefire.core.chapters import Chapter, Language
from icefire.core.judged import Judged
from icefire.core.kinds import Kind
from icefire.history.examples import HistoryExamples


class HistoryKind(Kind):
    """Many records per person."""

    name: ClassVar[str] = "history"
    headline_utility: ClassVar[str] = "utility_2017"
    headline_safety: ClassVar[str] = "extended_month_matching"

    def examples(self) -> HistoryExamples:
        return HistoryExamples()

    def chapter(self, judged: Sequence[Judged], recipe: str, language: Language) -> Chapter:
        from icefire.history.report import chapter

        return chapter(judged, recipe, language)
