"""Population uniques, estimated from the class sizes of a sample.

`classes[i]` classes of the sample have `sizes[i]` records each. The estimates are numbers of people who are unique in the
population.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy.optimize import brentq, minimize, root
from scipy.special import digamma, gammaln, lambertw

from icefire.core.errors import Undefined
from icefire.microdata.cells import Codes, Floats

Model = Literal["pitman", "zayatz", "snb"]
SMALL = 0.1
"""The largest sampling fraction at which the decision rule trusts Pitman's model."""
BOUNDS = ((-20.0, 35.0), (-20.0, 20.0))
"""Ends of log(theta + alpha) and of the logit of alpha, between which the parameters of Pitman's model are searched."""
LARGE = 1e5
"""From here on, log gamma is as good as linear over a step of 1 around its middle (to 1e-11)."""


@dataclass(frozen=True)
class Sample:
    """The class sizes of a sample, ascending, and how many classes have each; and the number of people in the population."""

    sizes: Codes
    classes: Codes
    population: int

    def __post_init__(self) -> None:
        if self.population < self.records:
            raise Undefined(
                f"the population of {self.population:,} people is smaller than the table of {self.records:,} rows"
            )

    @property
    def records(self) -> int:
        return int(self.sizes @ self.classes)

    @property
    def fraction(self) -> float:
        return self.records / self.population

    def number(self, size: int) -> int:
        """How many classes have this size."""
        return int(self.classes[self.sizes == size].sum())


def population_uniques(sample: Sample, model: Model) -> float:
    """The number of people who are unique in the population; Undefined if the model does not fit the sample."""
    if sample.number(1) == 0 or sample.fraction == 1.0:
        return float(sample.number(1))
    return _MODELS[model](sample)


def decided_uniques(sample: Sample) -> tuple[float, Model]:
    """The estimate that the decision rule of Dankar et al. takes, and whose it is.

    Pitman's model up to a sampling fraction of 0.1; the smaller one of Zayatz and slide negative binomial beyond. Zayatz stands
    in for a model that does not fit.
    """
    zayatz = population_uniques(sample, "zayatz")
    other: Model = "pitman" if sample.fraction <= SMALL else "snb"
    try:
        found = population_uniques(sample, other)
    except Undefined:
        return zayatz, "zayatz"
    return (found, other) if other == "pitman" or found <= zayatz else (zayatz, "zayatz")


def _zayatz(sample: Sample) -> float:
    """Class sizes of the sample stand for those of the population; a class is drawn once with hypergeometric probability."""
    rows, people = sample.records, sample.population
    steps = np.arange(1, int(sample.sizes.max()))
    # Probability that none of the other members of a class is drawn.
    alone = np.cumprod(np.concatenate([[1.0], np.maximum(people - rows - steps + 1, 0) / (people - steps)]))
    once = sample.sizes * (rows / people) * alone[sample.sizes - 1]
    uniques = sample.number(1)
    still_unique = uniques * (rows / people) / float(sample.classes @ once)
    return uniques * still_unique / sample.fraction


def _pitman(sample: Sample) -> float:
    """Pitman's sampling formula with parameters of maximum likelihood."""
    return pitman_uniques(*_pitman_parameters(sample), sample.population)


def pitman_uniques(theta: float, alpha: float, people: int) -> float:
    """Expected number of people who are unique: N times the product of (theta + alpha + i - 1) / (theta + i) for i below N.

    For N far above theta that is about gamma(theta + 1) / gamma(theta + alpha) * N^alpha.
    """
    return float(people * np.exp(_log_rise(theta + people, alpha - 1) - _log_rise(theta + 1, alpha - 1)))


def _log_rise(start: float, step: float) -> float:
    """log(gamma(start + step) / gamma(start)) for |step| of at most 1."""
    if start > LARGE:
        # The difference of two huge numbers would lose all digits.
        return float(step * digamma(start + step / 2))
    return float(gammaln(start + step) - gammaln(start))


def _pitman_parameters(sample: Sample) -> tuple[float, float]:
    """theta > -alpha and 0 < alpha < 1, where the likelihood is largest."""
    if sample.number(1) == sample.records:
        raise Undefined("every row is unique: Pitman's model has no likeliest parameters")
    number, rows = int(sample.classes.sum()), sample.records

    def parameters(point: Floats) -> tuple[float, float]:
        alpha = 1 / (1 + np.exp(-point[1]))
        return float(np.exp(point[0]) - alpha), float(alpha)

    def loss(point: Floats) -> float:
        theta, alpha = parameters(point)
        ratio = theta / alpha
        new = (number - 1) * np.log(alpha) + gammaln(number + ratio) - gammaln(1 + ratio)
        old = sample.classes @ (gammaln(sample.sizes - alpha) - gammaln(1 - alpha))
        return float(gammaln(rows + theta) - gammaln(1 + theta) - new - old) / rows

    def slopes(point: Floats) -> tuple[float, float]:
        theta, alpha = parameters(point)
        ratio = theta / alpha
        new = (digamma(number + ratio) - digamma(1 + ratio)) / alpha
        by_theta = new - (digamma(rows + theta) - digamma(1 + theta))
        repeats = sample.classes @ (digamma(sample.sizes - alpha) - digamma(1 - alpha))
        return float(by_theta), float((number - 1 - theta * new) / alpha - repeats)

    starts = [np.array([np.log(number * scale), 0.0]) for scale in (0.01, 0.1, 1.0)]
    tried = [minimize(loss, start, method="Nelder-Mead", bounds=BOUNDS) for start in starts]
    near = min(tried, key=lambda found: float(found.fun))
    if any(abs(value - end) < 0.1 for value, ends in zip(near.x, BOUNDS, strict=True) for end in ends):
        # The likelihood grows towards a limit of the model, where its slopes do not vanish.
        return parameters(near.x)
    exact = root(slopes, near.x, tol=1e-12)
    return parameters(exact.x if exact.success and loss(exact.x) <= near.fun + 1e-9 else near.x)


def _slide_negative_binomial(sample: Sample) -> float:
    return snb_uniques(sample, _number_of_classes(sample))


def snb_uniques(sample: Sample, number: float) -> float:
    """The slide negative binomial model: F - 1 is negative binomial in each of so many classes of the population.

    Its parameters alpha and beta are those at which the expected numbers of classes with 1 and with 2 sampled people are the
    observed ones. For a given beta, the first equation gives alpha by Lambert's function; then beta is searched.
    """
    fraction, once, twice = sample.fraction, sample.number(1), sample.number(2)
    if twice == 0:
        raise Undefined("no class has two rows: the slide negative binomial model cannot be fitted")

    def alphas(beta: Floats | float, branch: int) -> Floats:
        rest = (1 - fraction) * (1 - beta)
        odds = rest / (1 - rest)
        rate = np.log(beta / (1 - rest)) / odds
        with np.errstate(invalid="ignore"):
            found = lambertw(rate * once / (number * fraction) * np.exp(rate), branch) / rate
        return np.asarray(np.where(np.abs(found.imag) < 1e-12, (found.real - 1) / odds, np.nan))

    def excess(log_beta: Floats | float, branch: int) -> Floats:
        """By how much the second expectation exceeds the observation, as a logarithm; NaN where there is no alpha."""
        beta = np.exp(log_beta)
        alpha, rest = alphas(beta, branch), (1 - fraction) * (1 - beta)
        scale = number * fraction**2 * (1 - beta) / (2 * (1 - rest) ** 2)
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = np.log(scale * alpha * (2 - (1 - alpha) * rest)) + alpha * np.log(beta / (1 - rest))
        return np.asarray(np.where(alpha > 0, expected - np.log(twice), np.nan))

    grid = -np.geomspace(1e-6, 50.0, 2_000)
    found: list[tuple[float, float]] = []
    for branch in (0, -1):
        values = excess(grid, branch)
        for place in np.flatnonzero(values[1:] * values[:-1] <= 0):
            log_beta = brentq(lambda at, of: float(excess(at, of)), grid[place + 1], grid[place], args=(branch,))
            found.append((float(np.exp(log_beta)), float(alphas(np.exp(log_beta), branch))))
    if not found:
        raise Undefined("the slide negative binomial model has no parameters that fit the classes of one and two rows")
    # If there are several, the one that comes nearest to the size of the population.
    beta, alpha = min(found, key=lambda at: abs(np.log(number * (1 + at[1] * (1 - at[0]) / at[0]) / sample.population)))
    return float(min(number * beta**alpha, sample.population))


def _number_of_classes(sample: Sample) -> float:
    """How many classes the population has, by the modified estimator of Shlosser (D_Sh3 of Haas and Stokes 1998)."""
    q, sizes, classes = sample.fraction, sample.sizes.astype(np.float64), sample.classes
    unseen = (1 - q) ** sizes
    slope = (sizes * q**2 * (1 - q**2) ** (sizes - 1)) @ classes
    gain = ((1 - q**2) ** sizes - unseen) @ classes
    ratio = (unseen @ classes) / ((sizes * q * (1 - q) ** (sizes - 1)) @ classes)
    return float(classes.sum() + sample.number(1) * slope / gain * ratio**2)


_MODELS: dict[Model, Callable[[Sample], float]] = {
    "pitman": _pitman,
    "zayatz": _zayatz,
    "snb": _slide_negative_binomial,
}
assert set(_MODELS) == set(get_args(Model))
