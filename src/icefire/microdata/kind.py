"""The kind of data with one row per person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import ClassVar

from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.errors import UnknownName
from icefire.core.judged import Judged
from icefire.core.kinds import Kind
from icefire.core.seeds import generator
from icefire.frames import relational
from icefire.microdata.data import Microdata
from icefire.microdata.examples import MicrodataExamples

CHOICES = 50
"""Choices of columns among which the typical one is found."""


class MicrodataKind(Kind):
    """One row per person."""

    name: ClassVar[str] = "microdata"
    headline_utility: ClassVar[str] = "information_loss"
    headline_safety: ClassVar[str] = "re_identification"

    levels: ClassVar[tuple[str, ...]] = ("qi", "qi+2", EVERYTHING)

    def known(self, original: Microdata, level: str) -> Microdata:
        """`qi` knows the quasi-identifiers of everybody; `qi+2` two more columns, those that tell most people apart;
        `qi+2:typical` two that tell as many apart as two columns usually do."""
        if level == EVERYTHING:
            return original
        found = re.fullmatch(r"qi(?:\+(\d+)(:typical)?)?", level)
        if found is None:
            raise UnknownName.of("attacker of microdata", level, ("qi", "qi+N", "qi+N:typical", EVERYTHING))
        choose = _typical if found[2] else _telling
        return original.only([*original.qi, *choose(original, int(found[1] or 0))])

    def examples(self) -> MicrodataExamples:
        return MicrodataExamples()

    def chapter(self, judged: Sequence[Judged], recipe: str, language: Language) -> Chapter:
        from icefire.microdata.report import chapter

        return chapter(judged, recipe, language)


def _alone(original: Microdata, names: Sequence[str]) -> int:
    """How many people no other equals in the quasi-identifiers and these columns."""
    return int((relational.class_sizes(original.native, [*original.qi, *names]) == 1).sum())


def _typical(original: Microdata, number: int) -> Sequence[str]:
    """So many sensitive columns that tell the median number of people apart, of all choices or of many random ones."""
    number = min(number, len(original.sa))
    if comb(len(original.sa), number) <= CHOICES:
        choices = list(combinations(original.sa, number))
    else:
        rng = generator(0, "attacker", f"qi+{number}:typical")
        choices = [tuple(rng.permutation(original.sa)[:number].tolist()) for _ in range(CHOICES)]
    ordered = sorted(choices, key=lambda names: _alone(original, names))
    return ordered[(len(ordered) - 1) // 2]


def _telling(original: Microdata, number: int) -> list[str]:
    """So many sensitive columns, each the one that leaves the most rows alone in their class with those before it."""
    chosen: list[str] = []
    while len(chosen) < min(number, len(original.sa)):
        left = [name for name in original.sa if name not in chosen]
        alone = [_alone(original, [*chosen, name]) for name in left]
        chosen.append(left[max(range(len(left)), key=alone.__getitem__)])
    return chosen
