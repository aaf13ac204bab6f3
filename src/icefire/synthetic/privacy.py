"""Differential privacy of tables that differ in one row: budgets, noise, and what attackers can gain at most."""

from __future__ import annotations

import math

import numpy as np

from icefire.synthetic.data import Floats


def largest_advantage(epsilon: float, delta: float = 0.0) -> float:
    """The largest advantage of any membership attack on a method with this budget, whatever the attacker knows.

    >>> round(largest_advantage(1.0), 4), round(largest_advantage(0.0, 0.1), 4)
    (0.4621, 0.1)

    Reference:
        Humphries et al.: Investigating membership inference attacks under data dependencies. 2023.
    """
    odds = math.exp(min(epsilon, 700.0))
    return (odds - 1 + 2 * delta) / (odds + 1)


def concentrated(epsilon: float, delta: float) -> float:
    """The budget rho of zero-concentrated privacy that guarantees (epsilon, delta).

    >>> rho = concentrated(1.0, 1e-6)
    >>> round(rho + 2 * math.sqrt(rho * math.log(1e6)), 9)
    1.0

    Reference:
        Bun, Steinke: Concentrated differential privacy: simplifications, extensions, and lower bounds. 2016.
    """
    log = math.log(1 / delta)
    return (math.sqrt(log + epsilon) - math.sqrt(log)) ** 2


def laplace(counts: Floats, epsilon: float, rng: np.random.Generator) -> Floats:
    """Counts of all rows with noise, rounded to whole numbers. Another row instead of one changes two counts by 1.

    The bits behind the point of a float would tell of which count it was made (Mironov 2012).
    """
    return np.rint(counts + rng.laplace(0.0, 2.0 / epsilon, counts.shape))


def gaussian(counts: Floats, rho: float, rng: np.random.Generator) -> Floats:
    """The same for zero-concentrated privacy: two counts change by 1, so that rho is 1 over the variance."""
    return np.rint(counts + rng.normal(0.0, math.sqrt(1.0 / rho), counts.shape))


def chosen(scores: Floats, sensitivity: float, rho: float, rng: np.random.Generator) -> int:
    """One of several by the exponential mechanism: the place of a score that is nearly the highest.

    Reference:
        McSherry, Talwar: Mechanism design via differential privacy. 2007; Cesar, Rogers: Bounding, concentrating, and
        truncating: unifying privacy loss composition for data analytics. 2021 (epsilon^2 / 8).
    """
    epsilon = math.sqrt(8 * rho)
    # The largest of scores with Gumbel noise is distributed like this.
    return int(np.argmax(epsilon * scores / (2 * sensitivity) + rng.gumbel(size=scores.shape)))
