"""The last bits of published numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self, get_args

import numpy as np
from scipy.special import logsumexp

from icefire.core.errors import Undefined
from icefire.core.grid import FULL, is_full
from icefire.core.parameters import Above
from icefire.core.roles import AnyAnonymizer
from icefire.core.seeds import generator
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.attack._doubles import TRIES, Distribution, Floats, Law, Unit
from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import Feature, Ints
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Attack

MISS = 40.0
"""What it costs that nothing near makes the published bits: a platform may round otherwise now and
then."""
UNITS = (-1, 0, 1)
"""Last places by which a standard deviation differs with the order of the rows."""
PAIRS = 1e7
"""Pairs of cells to learn from: some seconds."""
LEAST = 5
"""Least rows to learn from, and least columns where there are many people."""
ROUNDS = 10
"""How often it is learned what the unit of each column is."""
WIDTH, SCALES = 4.0, 12
"""Standard errors around the estimate of a scale, and how many round numbers in there are tried."""
KURTOSIS = 5.0
"""Of Laplace errors less 1: the variance of a square, relative to its own square."""


@dataclass(frozen=True)
class FloatBits(Attack):
    """Ask which people's values can become exactly the published bits.

    Whoever publishes `value + error` as it was computed gives people away, however large the error:
    a double can be made from few values, as errors of 53 bits leave gaps, and every column excludes
    people. Of numbers on a grid, as all anonymizers here publish them, nothing is learned. Scale,
    unit and distribution are found by their likelihood where they are not given.

    Parameters:
        scale, unit, distribution: as of the step `noise`, of one step that changed all columns.
        match: "nearest" decides row by row; "assignment" uses every person at most once, at the
            largest total likelihood.

    Example:
        Errors ten times as large as the amounts, published with all bits and on a grid.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.anonymize.noise import Noise
        >>> from icefire.microdata.data import Microdata, Schema
        >>> lengths = np.random.default_rng(0).normal(size=(100, 30))
        >>> people = Microdata(pl.DataFrame(lengths), Schema(qi=[]))
        >>> step = Noise(scale=10, distribution="uniform", decimals="full")
        >>> release = step.anonymize(people, np.random.default_rng(1))
        >>> guess = FloatBits().attack(release.published, people, np.random.default_rng(2))
        >>> round(guess.found(release.rows))
        100
        >>> release = Noise(scale=10, distribution="uniform").anonymize(people, np.random.default_rng(1))
        >>> FloatBits().attack(release.published, people, np.random.default_rng(2))
        Traceback (most recent call last):
            ...
        icefire.core.errors.Undefined: no numbers were computed and published with all their bits

    Reference:
        Mironov: On significance of the least significant bits for differential privacy. CCS 2012.
    """

    made_for: ClassVar[AnyAnonymizer | None] = Noise(scale=1.0, distribution="uniform", decimals=FULL)
    scale: Annotated[float, Above(0)] | None = None
    unit: Unit | None = None
    distribution: Distribution | None = None
    match: Match = "nearest"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Self]:
        return [cls(), cls(match="assignment")] if _computed(published, knowledge) else [cls()]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        key = type(self), self.scale, self.unit, self.distribution
        linkage = Linkage(knowledge.once(published, key, lambda: self._learned(published, knowledge)), rng)
        linkage.columns *= TRIES * len(UNITS)
        return linkage.match(self.match, published, knowledge)

    def _learned(self, published: Microdata, knowledge: Microdata) -> list[_Bits]:
        """The columns, under the law that makes what was published most likely."""
        names = _computed(published, knowledge)
        if not names:
            raise Undefined("no numbers were computed and published with all their bits")
        laws = list(self._laws(published, knowledge, names))
        if not laws:
            raise Undefined("the published numbers vary less than the known ones: no error was added to them")
        order = generator(0, self.name).permutation(published.height)
        cells = PAIRS / (knowledge.height * len(UNITS))
        rows = order[: int(cells / len(names))]
        few = order[: max(LEAST, rows.size // 10)]
        some = names[: max(LEAST, int(cells / few.size))]
        law = max(laws, key=lambda law: _evidence([_bits(published, knowledge, name, law).of(few) for name in some]))
        columns = [_bits(published, knowledge, name, law) for name in names]
        if rows.size >= LEAST:
            columns = _with_units(columns, rows)
        if np.median(_fewest_misses([column.of(few) for column in columns])) > 0:
            raise Undefined(
                "the bits of the published numbers are not those of values with errors of one scale and distribution"
            )
        return columns

    def _laws(self, published: Microdata, knowledge: Microdata, names: Sequence[str]) -> Iterator[Law]:
        for unit in get_args(Unit) if self.unit is None else (self.unit,):
            pairs = [(_numbers(published, name), _numbers(knowledge, name)) for name in names]
            for scale in _scales(pairs, unit) if self.scale is None else (self.scale,):
                for distribution in get_args(Distribution) if self.distribution is None else (self.distribution,):
                    yield Law(distribution, scale, unit)


@dataclass(frozen=True)
class _Bits(Feature):
    """A column: how surprising its published bits are, given the known values."""

    published: Floats
    known: Floats
    law: Law
    spread: float
    shares: tuple[float, ...]
    """How likely the unit of the errors is each of `UNITS` last places off."""
    reference: float
    """Logarithm of the size of published numbers, so that what likelihoods count does not depend on
    the unit of the column."""

    @property
    def height(self) -> int:
        return self.published.size

    @property
    def width(self) -> int:
        return self.known.size

    def of(self, rows: Ints) -> Self:
        return replace(self, published=self.published[rows])

    @property
    def alike(self) -> Ints:
        return np.unique(self.published, return_inverse=True)[1]

    @property
    def scale(self) -> Floats:
        return np.full(self.height, MISS)

    def pairs(self, rows: Ints, people: Ints) -> Floats:
        return self._cost(self.published[rows], self.known[people])

    def block(self, rows: Ints, people: Ints) -> Floats:
        return self._cost(self.published[rows][:, None], self.known[people])

    def by_unit(self) -> Floats:
        """[unit, published row, original row]: likelihoods."""
        return np.stack([np.exp(-self._surprise(self.published[:, None], self.known, unit)) for unit in UNITS])

    def _cost(self, published: Floats, known: Floats) -> Floats:
        likely = [(unit, share) for unit, share in zip(UNITS, self.shares, strict=True) if share > 0]
        parts = [self._surprise(published, known, unit) - math.log(share) for unit, share in likely]
        return np.minimum(-logsumexp(-np.stack(parts), axis=0), MISS) * self.weight

    def _surprise(self, published: Floats, known: Floats, unit: int) -> Floats:
        spread = self.spread + unit * float(np.spacing(self.spread))
        return self.law.surprise(published, known, spread) - self.reference


def _numbers(table: Microdata, name: str) -> Floats:
    return table.column(name).cast(float).to_numpy().astype(np.float64)


def _computed(published: Microdata, knowledge: Microdata) -> list[str]:
    """Amounts that were published with all bits, and are not those of the people."""
    shared = [name for name in knowledge.numeric if name in published.numeric]
    floats = [name for name in shared if published.column(name).dtype.is_float()]
    return [
        name
        for name in floats
        if is_full(_numbers(published, name))
        and np.isin(_numbers(published, name), _numbers(knowledge, name)).mean() < 0.5
    ]


def _bits(published: Microdata, knowledge: Microdata, name: str, law: Law) -> _Bits:
    known, shown = _numbers(knowledge, name), _numbers(published, name)
    reference = math.log(float(np.nanstd(shown)) or 1.0)
    fixed, shares = 1.0, (0.0, 1.0, 0.0)
    if law.unit == "deviation":
        there = known[~np.isnan(known)]
        mean = math.fsum(there) / there.size
        fixed, shares = math.sqrt(math.fsum((there - mean) ** 2) / max(there.size - 1, 1)), (0.2, 0.6, 0.2)
    return _Bits(name, 1.0, shown, known, law, fixed, shares, reference)


def _scales(pairs: Sequence[tuple[Floats, Floats]], unit: Unit) -> list[float]:
    """Round numbers that the scale of the errors may be, the roundest first: published numbers vary
    by as much more."""
    squares, errors = np.array([_excess(published, known, unit) for published, known in pairs]).T
    weights = 1.0 / errors**2
    middle, error = float(squares @ weights / weights.sum()), WIDTH / math.sqrt(weights.sum())
    if middle + error <= 0:
        return []
    high = math.sqrt(middle + error)
    low = max(math.sqrt(max(middle - error, 0.0)), high / 10)
    size = 10.0 ** math.floor(math.log10(high))
    # Those of one digit, of two with a 5 at the end, and all of two.
    steps = [*np.arange(1, 10), *np.arange(1.5, 10), *np.arange(1.0, 10, 0.1)]
    tried = [float(f"{step * power:.2g}") for step in steps for power in (size, size / 10)]
    return list(dict.fromkeys(scale for scale in tried if low <= scale <= high))[:SCALES]


def _excess(published: Floats, known: Floats, unit: Unit) -> tuple[float, float]:
    """The square of the scale, as one column shows it, and its standard error."""
    before, after = (np.nanmean(v**2) if unit == "factor" else np.nanvar(v) for v in (known, published))
    base = 1.0 if unit == "absolute" else float(before) or 1.0
    rows = min(published.size, known.size)
    return float(after - before) / base, float(after) / base * math.sqrt(KURTOSIS / rows) or 1.0


def _costs(columns: Sequence[_Bits]) -> Floats:
    everybody, rows = np.arange(columns[0].width), np.arange(columns[0].height)
    return np.asarray(np.sum([column.block(rows, everybody) for column in columns], axis=0), dtype=np.float64)


def _evidence(columns: Sequence[_Bits]) -> float:
    """The logarithm of how likely a law makes the rows."""
    return float(logsumexp(-_costs(columns), axis=1).sum())


def _fewest_misses(columns: Sequence[_Bits]) -> Ints:
    """[published row]: in how many columns even the likeliest person does not fit."""
    everybody, rows = np.arange(columns[0].width), np.arange(columns[0].height)
    misses = np.sum([column.block(rows, everybody) >= MISS for column in columns], axis=0)
    return np.asarray(misses.min(axis=1), dtype=np.int64)


def _with_units(columns: Sequence[_Bits], rows: Ints) -> list[_Bits]:
    """The columns with what some rows tell of their units, by expectation and maximization."""
    if columns[0].law.unit != "deviation":
        return list(columns)
    likely = [column.of(rows).by_unit() for column in columns]
    shares = np.array([column.shares for column in columns])
    least = math.exp(-MISS)
    for _ in range(ROUNDS):
        mixed = [np.maximum(np.tensordot(share, table, 1), least) for share, table in zip(shares, likely, strict=True)]
        total = np.sum(np.log(mixed), axis=0)
        behind = np.exp(total - logsumexp(total, axis=1, keepdims=True))
        for place, (table, mix) in enumerate(zip(likely, mixed, strict=True)):
            found = shares[place] * (table / mix * behind).sum(axis=(1, 2))
            shares[place] = found / found.sum() if found.sum() > 0 else shares[place]
    return [replace(column, shares=tuple(share.tolist())) for column, share in zip(columns, shares, strict=True)]
