"""The kind of data with one row per person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.errors import UnknownName
from icefire.core.judged import Judged
from icefire.core.kinds import Kind
from icefire.frames import relational
from icefire.microdata.data import Microdata
from icefire.microdata.examples import MicrodataExamples


class MicrodataKind(Kind):
    """One row per person."""

    name: ClassVar[str] = "microdata"
    headline_utility: ClassVar[str] = "information_loss"
    headline_safety: ClassVar[str] = "re_identification"

    levels: ClassVar[tuple[str, ...]] = ("qi", "qi+2", EVERYTHING)

    def known(self, original: Microdata, level: str) -> Microdata:
        """`qi` knows the quasi-identifiers of everybody, `qi+2` two more columns: those that tell most people apart."""
        if level == EVERYTHING:
            return original
        found = re.fullmatch(r"qi(?:\+(\d+))?", level)
        if found is None:
            raise UnknownName.of("attacker of microdata", level, self.levels)
        return original.only([*original.qi, *_telling(original, int(found[1] or 0))])

    def examples(self) -> MicrodataExamples:
        return MicrodataExamples()

    def chapter(self, judged: Sequence[Judged], recipe: str, language: Language) -> Chapter:
        from icefire.microdata.report import chapter

        return chapter(judged, recipe, language)


def _telling(original: Microdata, number: int) -> list[str]:
    """So many sensitive columns, each the one that leaves the most rows alone in their class with those before it."""
    chosen: list[str] = []
    while len(chosen) < min(number, len(original.sa)):
        left = [name for name in original.sa if name not in chosen]
        alone = [
            int((relational.class_sizes(original.native, [*original.qi, *chosen, name]) == 1).sum()) for name in left
        ]
        chosen.append(left[max(range(len(left)), key=alone.__getitem__)])
    return chosen
