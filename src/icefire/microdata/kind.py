"""The kind of data with one row per person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from icefire.core.chapters import Chapter, Language
from icefire.core.judged import Judged
from icefire.core.kinds import Kind
from icefire.microdata.examples import MicrodataExamples


class MicrodataKind(Kind):
    """One row per person."""

    name: ClassVar[str] = "microdata"
    headline_utility: ClassVar[str] = "information_loss"
    headline_safety: ClassVar[str] = "re_identification"

    def examples(self) -> MicrodataExamples:
        return MicrodataExamples()

    def chapter(self, judged: Sequence[Judged], recipe: str, language: Language) -> Chapter:
        from icefire.microdata.report import chapter

        return chapter(judged, recipe, language)
