"""Risk of re-identification of each record, and its summary.

Everything is computed from the sizes of equivalence classes: of the sample (f) and of the population (F). Functions take arrays
and know nothing of tables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import hyp2f1

from icefire.core.documents import Json
from icefire.microdata.cells import Codes, Floats

SMALL, TERMS = 20, 40
"""Largest class for which the hypergeometric function is computed by scipy, and terms of its series beyond."""


@dataclass(frozen=True)
class Risks:
    """Probabilities of re-identification of records, in short.

    >>> sizes, classes = np.array([1, 4]), np.array([2, 1])
    >>> risks = Risks.of(1 / sizes, sizes * classes, threshold=0.5)
    >>> risks.maximum, risks.mean, risks.expected, round(risks.share, 4)
    (1.0, 0.5, 3.0, 0.3333)
    """

    records: int
    above: int
    """Records whose risk exceeds a threshold."""
    expected: float
    """Expected number of records that are re-identified, if every record is tried."""
    maximum: float

    @classmethod
    def of(cls, values: Floats, records: Codes, threshold: float) -> Risks:
        """The risks of so many records each."""
        # 1/5 is not above 0.2, whatever the last digit says.
        above = int(records[values > threshold * (1 + 1e-12)].sum())
        return cls(int(records.sum()), above, float(values @ records), float(values[records > 0].max(initial=0.0)))

    @classmethod
    def together(cls, parts: Sequence[Risks]) -> Risks:
        """The risks of all records of several tables."""
        records, above = (sum(numbers) for numbers in zip(*((part.records, part.above) for part in parts), strict=True))
        return cls(records, above, math.fsum(part.expected for part in parts), max(part.maximum for part in parts))

    @property
    def share(self) -> float:
        """Share of records whose risk exceeds the threshold."""
        return self.above / self.records

    @property
    def mean(self) -> float:
        """Marketer risk: the expected share of records that are re-identified."""
        return self.expected / self.records

    def detail(self) -> dict[str, Json]:
        return {"maximum": self.maximum, "mean": self.mean, "expected re-identifications": self.expected}


def individual_risk(sizes: NDArray[np.number], population: NDArray[np.number]) -> Floats:
    """E[1/F | f]: the expected risk of a record whose class has f rows in the sample and about so many in the population.

    F given f is negative binomial with success probability p = f / population, which makes the expectation
    p/f * 2F1(1, 1; f + 1; 1 - p). For f = 1 that is p/(1-p) log(1/p). If the sample is the population, it is 1/f.

    >>> individual_risk(np.array([1, 2, 3]), np.array([50, 2, 30])).round(5).tolist()
    [0.07984, 0.5, 0.04637]

    Reference: Benedetti, Franconi: Statistical and technological solutions for controlled data dissemination. 1998; Franconi,
    Polettini: Individual risk estimation in mu-Argus: a review. PSD 2004.
    """
    share = np.minimum(sizes / population, 1.0)
    small = sizes <= SMALL
    expected = np.where(small, hyp2f1(1.0, 1.0, np.minimum(sizes, SMALL) + 1.0, 1.0 - share), 1.0)
    # scipy's function fails for large classes, where few terms of its series are enough: the last one is below 1e-15.
    rest, sizes_left = 1.0 - share[~small], sizes[~small]
    term = np.ones(rest.size)
    for place in range(1, TERMS):
        term = term * rest * place / (sizes_left + place)
        expected[~small] += term
    return np.asarray(share / sizes * expected, dtype=np.float64)


def household_risk(risks: Floats, households: Codes) -> Floats:
    """The probability that at least one member of each record's household is re-identified, members being independent.

    >>> household_risk(np.array([0.5, 0.5, 0.1]), np.array([0, 0, 1])).tolist()
    [0.75, 0.75, 0.1]
    """
    with np.errstate(divide="ignore"):
        safe = np.bincount(households, np.log1p(-risks))
    return np.asarray(-np.expm1(safe))[households]
