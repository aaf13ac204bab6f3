"""Identification by several known records, of one sort or of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from icefire.knowledge.curve import TYPE, identification_curve, with_types
from icefire.study.measure import Measure, Setting, Value


@dataclass(frozen=True)
class Curve(Measure):
    """Identification probability, remaining bits and unicity by what is known.

    Parameters:
        user: the column that says whose record it is.
        facts: columns that are known together.
        known: records known of each sort, such as {ride = 1, shop = 1}; empty if nothing is known.
        types: the column whose text before the slash is the sort of a record.
        coarsen: columns to generalize first.
    """

    kinds: ClassVar[tuple[str, ...]] = ("table",)

    user: str
    facts: tuple[str, ...]
    known: Mapping[str, int]
    types: str
    coarsen: Mapping[str, float]

    def measure(self, setting: Setting) -> Iterator[Value]:
        frame = with_types(setting.data, self.types)
        coarsen = {name: int(width) if float(width).is_integer() else width for name, width in self.coarsen.items()}
        known = {sort: int(number) for sort, number in self.known.items() if int(number)}
        (point,) = identification_curve(
            frame, self.user, self.facts, [known or 0], type_column=TYPE, coarsen=coarsen, seed=setting.seed
        )
        yield Value("probability", point.probability)
        yield Value("bits", point.bits)
        yield Value("unicity", point.unicity)
