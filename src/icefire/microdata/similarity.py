r"""How well published rows speak for a person, by the columns that an attacker knows.

    K(x, r) = exp( sum_f w_f [f(x) = f(r)] ),    P(v | x) = sum_r K(x, r) [v_r = v] / sum_r K(x, r)

x       a person
r       a published row
f       a known column; of numbers also bands of 3, 9, 27 ... neighbouring values, so that near numbers count as well
w_f     0 to 8; a column that tells nothing of the hidden ones has 0
v_r     what the row holds in a hidden column

The weights are those that predict the hidden columns of a sample of published rows best, each row from the others: they
maximize the sum of log P(v_r | r) over all hidden columns. There is one K for all of them, so that it weighs whole rows: what
it says of several columns together is what a row holds.

Reference:
    Nadaraya: On estimating regression (1964). Aitchison, Aitken: Multivariate binary discrimination by the kernel method
    (1976), for categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import optimize, sparse

from icefire.microdata.beliefs import Candidates, Votes
from icefire.microdata.cells import as_text
from icefire.microdata.data import Microdata
from icefire.microdata.partition import group_equal

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
NOTHING = -1
"""Code of a cell that is nobody's value."""
ASKED, ROWS = 300, 2_000
"""Published rows that are predicted, and from how many others, when the weights are fitted."""
HEAVIEST, BEGINNING, LEAST = 8.0, 1.0, 0.02
"""The largest weight, the one to begin with, and the smallest that makes a difference."""
ROUNDS = 25
"""Most steps of the optimization."""
SLIGHT = 0.01
"""Rows that count less than this share of the mean row are left out: together they count less than this share."""


@dataclass(frozen=True)
class Feature:
    """Something that a person and a row may have in common."""

    people: Ints
    rows: Ints
    """NOTHING where the cell is not a single value that somebody has."""


def find_features(published: Microdata, known: Microdata, names: Sequence[str]) -> list[Feature]:
    """The known columns and their bands, as far as cells hold single values that somebody has."""
    features = []
    for name in names:
        if published.is_numeric(name) and known.is_numeric(name):
            features += _bands(known.column(name), published.column(name))
        else:
            features.append(_equality(as_text(known.column(name)), as_text(published.column(name))))
    return [feature for feature in features if (feature.rows != NOTHING).any()]


def _equality(people: pl.Series, rows: pl.Series) -> Feature:
    values = people.unique().sort(nulls_last=True)
    place = pl.DataFrame({"value": values, "code": np.arange(len(values))})
    codes = [
        pl.DataFrame({"value": texts})
        .join(place, on="value", how="left", nulls_equal=True, maintain_order="left")["code"]
        .fill_null(NOTHING)
        .to_numpy()
        .astype(np.int64)
        for texts in (people, rows)
    ]
    return Feature(codes[0], codes[1])


def _bands(people: pl.Series, rows: pl.Series) -> list[Feature]:
    """Equality, and bands of 3, 9, 27 ... of the numbers that occur; missing numbers have a band of their own."""
    numbers = [column.cast(pl.Float64).fill_null(np.nan).to_numpy() for column in (people, rows)]
    codes = np.unique(np.concatenate(numbers), return_inverse=True)[1].astype(np.int64)
    missing = np.isnan(np.concatenate(numbers))
    last = int(codes[~missing].max(initial=0))
    features, width = [], 1
    while width == 1 or last // width >= 2:
        band = np.where(missing, last + 1, codes // width)
        features.append(Feature(band[: people.len()], band[people.len() :]))
        width *= 3
    return features


def fit_weights(rows: Sequence[Ints], hidden: Sequence[Ints], rng: np.random.Generator) -> Floats:
    """The weight of each feature. `rows` are the features of the published rows, `hidden` their codes in hidden columns."""
    number = hidden[0].size
    asked, others = (rng.permutation(number)[:size] for size in (ASKED, ROWS))
    apart = asked[:, None] != others
    common = np.stack([((f[asked, None] == f[others]) & (f[others] != NOTHING)).ravel() for f in rows])
    common = common.astype(np.float32)
    same = [(codes[asked, None] == codes[others]) & apart for codes in hidden]
    # A row of its own value, as likely as in the whole column, so that no value is impossible.
    shares = [(np.bincount(codes) / number)[codes[asked]] for codes in hidden]

    def loss(weights: Floats) -> tuple[float, Floats]:
        kernel = np.exp((weights.astype(np.float32) @ common).reshape(apart.shape)) * apart
        total = kernel.sum(axis=1, dtype=np.float64) + 1.0
        value, slope = 0.0, np.zeros_like(kernel)
        for equal, share in zip(same, shares, strict=True):
            agreeing = kernel * equal
            right = agreeing.sum(axis=1, dtype=np.float64) + share
            value += float(np.log(right / total).mean())
            slope += agreeing / right[:, None] - kernel / total[:, None]
        return -value, -(common @ slope.ravel()).astype(np.float64) / asked.size

    start = np.full(len(rows), BEGINNING)
    bounds = [(0.0, HEAVIEST)] * len(rows)
    fit = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": ROUNDS})
    return np.asarray(fit.x, dtype=np.float64)


def weigh_rows(people: Sequence[Ints], rows: Sequence[Ints], weights: Floats) -> sparse.csr_array:
    """[person, row]: K relative to the largest of the person, of the rows that count."""
    logarithms = np.zeros((people[0].size, rows[0].size), dtype=np.float32)
    for asked, held, weight in zip(people, rows, weights.tolist(), strict=True):
        if weight > 0:
            logarithms += (asked[:, None] == held) * np.float32(weight)
    logarithms -= logarithms.max(axis=1, initial=0.0, keepdims=True)
    kernel = np.exp(logarithms, out=logarithms)
    counts = kernel >= SLIGHT * kernel.mean(axis=1, keepdims=True)
    places = np.flatnonzero(counts)
    ends = np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
    return sparse.csr_array((kernel.ravel()[places], places % rows[0].size, ends), shape=kernel.shape, dtype=np.float64)


def find_similar(
    published: Microdata, known: Microdata, hidden: Sequence[str], rng: np.random.Generator
) -> Candidates | None:
    """The rows that speak for each person; None if no known column was published with single values."""
    features = find_features(published, known, [name for name in known.schema.names if name in published.schema.names])
    if not features or published.height < 2:
        return None
    weights = fit_weights([f.rows for f in features], [hidden_codes(published, name) for name in hidden], rng)
    features = [feature for feature, weight in zip(features, weights, strict=True) if weight >= LEAST]
    weights = weights[weights >= LEAST]
    if not features:
        return None
    first_person, _, group_of = group_equal([f.people for f in features])
    first_row, _, class_of = group_equal([f.rows - NOTHING for f in features])
    kernel = weigh_rows([f.people[first_person] for f in features], [f.rows[first_row] for f in features], weights)
    return Candidates(kernel, group_of, class_of)


def hidden_codes(published: Microdata, name: str) -> Ints:
    """[row]: the published value, or the tenth of an amount."""
    votes = Votes.of(published, name)
    codes = np.full(published.height, votes.width, dtype=np.int64)
    # Of a cell that stands for several values, one of them.
    codes[votes.rows] = votes.bands[votes.values]
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)
