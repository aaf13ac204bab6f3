"""Different items among some records: Pr(y|x) and E(y|x)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from icefire.core.parameters import AtLeast
from icefire.history.theory.distinct import distinct_distribution, expected_distinct
from icefire.study.measure import Measure, Setting, Value


@dataclass(frozen=True)
class Distinct(Measure):
    """The distribution of the number of different items (`probability` by `y`), its mean and its mode.

    Parameters:
        records: x.
        items: l, all equally likely.
    """

    records: Annotated[int, AtLeast(0)]
    items: Annotated[int, AtLeast(1)]

    def measure(self, setting: Setting) -> Iterator[Value]:
        distribution = distinct_distribution(self.records, self.items)
        yield Value("mean", expected_distinct(self.records, self.items))
        yield Value("mode", float(distribution.argmax()))
        for number, share in enumerate(distribution):
            if share > 1e-6:
                yield Value("probability", float(share), {"y": number})
