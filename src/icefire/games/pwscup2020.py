"""PWSCUP 2020 (AMIC): who of a population was in the sample that a synthetic table was made of?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.contest.game import Files
from icefire.core.errors import DataError
from icefire.core.values import BAD_SHARE, Score
from icefire.games._membership import MembershipGame, most, require_rows
from icefire.games._tables import Metric, read_like, read_numbers, require_between, written
from icefire.games._trees import trained
from icefire.synthetic.data import Schema
from icefire.synthetic.encoding import Codes, binned

BINS = 10
NAMED = 100
"""Rows that an attacker names."""


class Pwscup2020(MembershipGame):
    """Name rows of the population that were in the sample."""

    name = "pwscup2020"
    utilities: ClassVar[Mapping[str, Metric]] = {
        "histogram": Metric("Mean over columns of 1 minus the total variation distance, numbers in ten bins."),
        "covariance": Metric(
            "1 minus the relative distance of the covariance matrices, texts as a column for each value."
        ),
        "tree_agreement": Metric(
            "Share of the members for whom decision trees trained on the release and on the members agree, for the target on "
            "which they agree least."
        ),
    }
    tasks: ClassVar[Mapping[str, Metric]] = {
        "named": Metric("Share of the rows named by the attacker that were in the sample.", BAD_SHARE)
    }

    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        members = pl.read_parquet(problem / "members.parquet")
        table = read_like(sent / "published.csv", members)
        require_rows(table, members.height // 10, pl.read_parquet(problem / "population.parquet").height)
        return measured(members, table, self._schema())

    def _scores(self, private: Path, attacker: str, sent: Path) -> Mapping[str, Score]:
        membership, path = self.membership(private), sent / "guess.csv"
        number = min(NAMED, int(membership.sum()))
        rows = read_numbers(path, ["row"], number)
        require_between(path, rows, 1, membership.size, "the rows of the population")
        if np.unique(rows).size < number:
            raise DataError(f"{path.name} names a row twice: name {number} different ones")
        found = int(membership[rows[:, 0] - 1].sum())
        return {"named": Score(found / number, BAD_SHARE, found=found)}

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        confidence = self.confidences(folder, attack, rng)
        # The share of members is known; how many of them are named is fixed.
        number = min(NAMED, round(self._share() * confidence.size))
        return {"guess.csv": written(pl.DataFrame({"row": most(confidence, number, rng) + 1}))}

    def _share(self) -> float:
        share: float = self.registry.make("synthetic", "dataset", self.config.sets[0].source).share
        return share


def measured(members: pl.DataFrame, table: pl.DataFrame, schema: Schema) -> dict[str, float]:
    """The three metrics of a release."""
    names = members.columns
    codes = binned([members, table], names, BINS)
    apart = [
        np.abs(np.subtract(*(np.bincount(part[:, place], minlength=size) / len(part) for part in codes.tables))).sum()
        / 2
        for place, size in enumerate(codes.sizes)
    ]
    targets = [name for name in schema.hidden if name in names]
    agreed = [_agreement(codes.tables[0], codes.tables[1], names.index(name)) for name in targets]
    return {
        "histogram": 1.0 - float(np.mean(apart)),
        "covariance": _covariance(members, table),
        "tree_agreement": min(agreed, default=1.0),
    }


def _agreement(members: Codes, released: Codes, target: int) -> float:
    rest = [place for place in range(members.shape[1]) if place != target]
    first, second = (
        trained(part[:, rest], part[:, target] > 0).shares(members[:, rest]) >= 0.5 for part in (members, released)
    )
    return float((first == second).mean())


def _covariance(members: pl.DataFrame, table: pl.DataFrame) -> float:
    both = [_dummies(part, members) for part in (members, table)]
    scale = both[0].std(axis=0)
    scale[scale == 0] = 1.0
    first, second = (np.cov(part / scale, rowvar=False) for part in both)
    return max(0.0, 1.0 - float(np.linalg.norm(first - second) / np.linalg.norm(first)))


def _dummies(table: pl.DataFrame, like: pl.DataFrame) -> np.ndarray:
    """Numbers, and a column of 0 and 1 for each text that the members have."""
    columns = []
    for name in like.columns:
        if like[name].dtype.is_numeric():
            columns.append(table[name].cast(pl.Float64).fill_null(0.0).to_numpy())
        else:
            columns += [
                (table[name] == value).fill_null(False).to_numpy().astype(float)
                for value in sorted(like[name].unique())
            ]
    return np.stack(columns, axis=1)
