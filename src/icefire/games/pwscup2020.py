"""PWSCUP 2020 (AMIC): who of a population was in the sample that a synthetic table was made of?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.contest.game import Files, HandoutFiles
from icefire.core.errors import DataError
from icefire.core.values import BAD_SHARE, Score
from icefire.games._health import apart, dummies
from icefire.games._membership import MembershipGame, most, require_rows
from icefire.games._tables import SCHEMA, Metric, read_like, read_numbers, require_between, written
from icefire.synthetic.data import Schema
from icefire.synthetic.encoding import Binned, binned
from icefire.synthetic.schema import read_schema
from icefire.synthetic.trees import grow, indicators

BINS = 10
DEPTH, LEAF = 5, 0.02
"""Of decision trees: splits above a leaf, and the share of the rows that a leaf has at least."""
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
        return measured(members, table, read_schema(problem / SCHEMA))

    def _scores(self, private: Path, attacker: str, sent: Path) -> Mapping[str, Score]:
        membership, path = self.membership(private), sent / "guess.csv"
        number = min(NAMED, int(membership.sum()))
        rows = read_numbers(path, ["row"], number)
        require_between(path, rows, 1, membership.size)
        if np.unique(rows).size < number:
            raise DataError(f"{path.name} names a row twice: name {number} different ones")
        found = int(membership[rows[:, 0] - 1].sum())
        return {"named": Score(found / number, BAD_SHARE, found=found)}

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        handout = super()._published(problem, sent, private, attackers, rng)
        number = min(NAMED, int(self.membership(private).sum()))
        return HandoutFiles({**handout.public, "number.csv": written(pl.DataFrame({"rows": [number]}))})

    @staticmethod
    def _named(folder: Path) -> int:
        """How many rows are to be named."""
        return int(read_numbers(folder / "number.csv", ["rows"], 1)[0, 0])

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        confidence = self.confidences(folder, attack, rng)
        return {"guess.csv": written(pl.DataFrame({"row": most(confidence, self._named(folder), rng) + 1}))}


def measured(members: pl.DataFrame, table: pl.DataFrame, schema: Schema) -> dict[str, float]:
    """The three metrics of a release."""
    names = members.columns
    codes = binned([members, table], names, BINS)
    targets = [name for name in schema.hidden if name in names]
    agreed = [
        _agreement(codes, [members[each].dtype == pl.String for each in names], names.index(name)) for name in targets
    ]
    return {
        "histogram": 1.0 - float(np.mean(apart(codes))),
        "covariance": _covariance(members, table),
        "tree_agreement": min(agreed, default=1.0),
    }


def _agreement(codes: Binned, categorical: list[bool], target: int) -> float:
    """Share of the members for whom the trees of both tables say the same."""
    rest = [place for place in range(len(codes.sizes)) if place != target]
    sizes, texts = [codes.sizes[place] for place in rest], [categorical[place] for place in rest]
    said = []
    for part in codes.tables:
        classes = indicators(part[:, target].astype(np.int64), codes.sizes[target])
        tree = grow(part[:, rest], sizes, texts, classes, max(5, round(LEAF * len(part))), DEPTH)
        leaves = tree.leaves(part[:, rest])
        votes = np.stack([np.bincount(leaves, each, minlength=tree.columns.size) for each in classes.T], axis=1)
        said.append(votes.argmax(axis=1)[tree.leaves(codes.tables[0][:, rest])])
    return float((said[0] == said[1]).mean())


def _covariance(members: pl.DataFrame, table: pl.DataFrame) -> float:
    first, second = (np.cov(dummies(part, members), rowvar=False) for part in (members, table))
    return max(0.0, 1.0 - float(np.linalg.norm(first - second) / np.linalg.norm(first)))
