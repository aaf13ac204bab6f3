"""The grid on which numbers are published.

The last bits of `value + error` can come from few values: doubles of a drawn error skip most
numbers, and other ones for every value (Mironov). So whatever a step computes as a float is rounded
to a multiple of a power of ten before it is published. Between two points of the grid lie so many
doubles that each point can come from every value that the error reaches.

    decimals = min(own + extra, floor(-log10(max(FINEST x spread, DOUBLES x largest number))))

own: the decimals that a column has, as its schema declares or nearly all its values show. spread:
the standard deviation of the error or, without an error, of the column. No single person decides:
what is taken from the data are a power of ten of the spread and the decimals of nearly all values.
Where even that is too much, steps and schemas take the number of decimals.

Reference:
    Mironov: On significance of the least significant bits for differential privacy. CCS 2012;
    NIST SP 800-226: Guidelines for evaluating differential privacy guarantees. 2025.
"""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from icefire.core.parameters import Between

Floats = NDArray[np.float64]
FINEST = 1e-8
"""Finest step, relative to the spread: errors of 53 bits reach each point near their middle in some
ten million ways."""
DOUBLES = 1e-12
"""The same, relative to the largest number: some thousand doubles lie between two points."""
AVERAGE = 2
"""Decimals that averages have more than their column: those of whole numbers, such as 0 and 1,
would not tell much without."""
MOST = 15
"""Most decimals that are looked for in a column; doubles have no more."""
NEARLY_ALL = 0.95
"""Share of a column that has its decimals: what one person holds must not decide."""
FULL: Final = "full"
Decimals: TypeAlias = Annotated[int, Between(-300, MOST)] | Literal["full"] | None
"""A number of decimals; None goes by the rule above. "full" publishes all bits, as version 0.1 did:
they give people away."""


def own_decimals(values: ArrayLike) -> int | None:
    """The decimals that nearly all numbers have; None if they are doubles of full precision.

    >>> own_decimals([12.5, 3.25, np.nan]), own_decimals([1.0, 200.0]), own_decimals(np.sqrt([2, 3, 5]))
    (2, 0, None)
    """
    numbers = _present(values)
    for decimals in range(MOST + 1):
        if not numbers.size or (rounded(numbers, decimals) == numbers).mean() >= NEARLY_ALL:
            return decimals
    return None


def decimals_of(values: ArrayLike, spread: float, extra: int = 0, declared: int | None = None) -> int:
    """The decimals of what is published of a column.

    >>> prices, lengths = [12.5, 3.25, 700.0], np.sqrt([2, 3, 5])
    >>> decimals_of(prices, spread=30), decimals_of(lengths, spread=0.05), decimals_of(prices, spread=30, extra=AVERAGE)
    (2, 9, 4)
    """
    numbers = _present(values)
    own = own_decimals(numbers) if declared is None else declared
    least = max(FINEST * spread, DOUBLES * float(np.abs(numbers).max(initial=0.0)))
    finest = math.floor(-math.log10(least)) if least > 0 else MOST
    return finest if own is None else min(own + extra, finest)


def rounded(values: ArrayLike, decimals: int) -> Floats:
    """The nearest points of the grid, each as the double that is written with the fewest digits.

    >>> rounded([0.1 + 0.2, -0.04, 1234.5678], 1).tolist(), rounded([1234.5678], -2).tolist()
    ([0.3, 0.0, 1234.6], [1200.0])
    """
    numbers, power = np.asarray(values, dtype=np.float64), 10.0 ** abs(decimals)
    points = np.rint(numbers * power) / power if decimals >= 0 else np.rint(numbers / power) * power
    # Minus zero would tell on which side of it a number was.
    return np.asarray(points + 0.0)


def is_full(values: ArrayLike) -> bool:
    """Whether numbers have all their bits: they lie on no grid that leaves many doubles between its
    points.

    >>> is_full(np.sqrt([2, 3, 5])), is_full([0.001, 12.5]), is_full(rounded(np.sqrt([2, 3, 5]), 9))
    (True, False, False)
    """
    numbers = _present(values)
    if not numbers.size:
        return False
    decimals = own_decimals(numbers)
    return decimals is None or 10.0**-decimals < 0.1 * DOUBLES * float(np.median(np.abs(numbers)))


def _present(values: ArrayLike) -> Floats:
    numbers = np.asarray(values, dtype=np.float64)
    return numbers[~np.isnan(numbers)]
