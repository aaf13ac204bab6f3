"""Rank swapping, and how likely it says its moves are."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
import pytest
from scipy import stats

from icefire.checks import check
from icefire.microdata.anonymize.swap import Swap
from icefire.microdata.attack.informed import Informed
from icefire.microdata.attack.rank import Rank
from icefire.microdata.data import Microdata, Schema

Rng = np.random.default_rng
Moves = Literal["window", "normal"]


def column(values: list[int] | list[float]) -> Microdata:
    return Microdata(pl.DataFrame({"pay": values}), Schema(qi=[], sa=["pay"]))


def moves_of(step: Swap, size: int, seed: int) -> np.ndarray:
    """Published minus original rank of every row of a column without ties."""
    release = step.anonymize(column(list(range(size))), Rng(seed))
    return np.asarray(release.published.frame["pay"].to_numpy() - release.rows)


def test_normal_moves_are_those_of_the_paper() -> None:
    """Up or down by N(p/2, p/2), away from the ends: the mixture of two normal distributions."""
    step, size = Swap(window=0.05, moves="normal"), 20_000
    release = step.anonymize(column(list(range(size))), Rng(1))
    inside = (release.rows > 3_000) & (release.rows < size - 3_000)
    moves = np.sort((release.published.frame["pay"].to_numpy() - release.rows)[inside])
    half = 0.05 * size / 2
    law = (stats.norm.cdf(moves, half, half) + stats.norm.cdf(moves, -half, half)) / 2
    assert np.abs(law - np.arange(moves.size) / moves.size).max() < 0.02
    assert np.abs(moves).max() > 0.1 * size, "there is no window"


def test_normal_moves_are_seven_thirds_as_long() -> None:
    normal, window = (
        np.mean([np.abs(moves_of(Swap(0.04, moves=moves), 4_000, seed)).mean() for seed in range(5)])
        for moves in ("normal", "window")
    )
    assert normal / window == pytest.approx(7 / 3, rel=0.03)


@pytest.mark.parametrize("moves", ["window", "normal"])
@pytest.mark.parametrize("window", [0.0, 0.05, 0.3])
def test_the_likelihood_is_how_often_it_happens(moves: Moves, window: float) -> None:
    """At the ends of the column as well as in its middle, with ties."""
    rng = Rng(0)
    original = column(np.sort(rng.integers(0, 20, 150)).tolist())
    step = Swap(window, moves=moves)
    values = original.domain("pay").values
    counts = np.zeros((len(values), len(values)))
    for _ in range(1_000):
        release = step.anonymize(original, rng)
        np.add.at(
            counts,
            (original.domain("pay").encode(release.published.frame["pay"]), original.codes("pay")[release.rows]),
            1,
        )
    cells = original.domain("pay").read(pl.Series(values))
    stated = step.likelihood(original, "pay", cells)
    assert stated is not None
    distance = np.abs(stated[cells.codes] - counts / counts.sum(axis=0)).sum(axis=0) / 2
    assert distance.max() < 0.04


@pytest.mark.parametrize("window", [0.05, 0.3])
def test_normal_swapping_conforms(window: float) -> None:
    check(Swap(window, moves="normal"))


def test_who_knows_the_moves_finds_more_and_normal_moves_of_one_length_less() -> None:
    values = Rng(5).multivariate_normal(np.zeros(5), 0.7 * np.eye(5) + 0.3, 400)
    original = Microdata(pl.DataFrame(values, schema=list("abcde")), Schema(qi=[], sa=list("abcde")))
    shares: dict[tuple[str, str], float] = {}
    for step in (Swap(0.35), Swap(0.15, moves="normal")):
        for seed in range(4):
            release = step.anonymize(original, Rng(seed))
            for attack in (Rank(), Informed().knowing([step])):
                found = attack.attack(release.published, original, Rng(seed)).found(release.rows) / 400 / 4
                shares[step.moves, attack.name] = shares.get((step.moves, attack.name), 0.0) + found
    assert shares["window", "informed"] > shares["window", "rank"] + 0.05
    assert shares["normal", "informed"] > shares["normal", "rank"]
    assert shares["normal", "informed"] < shares["window", "informed"]
