"""PWSCUP 2025: a table and a model go out; attackers say which tenth of a population both were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
from scipy.stats import kruskal

from icefire.contest.game import Files, HandoutFiles
from icefire.contest.measures import HITS, packed
from icefire.core.errors import DataError
from icefire.core.values import BAD_SHARE, Score
from icefire.games._health import largest_gap, numbers_of
from icefire.games._membership import MembershipGame, most, require_rows
from icefire.games._tables import Metric, read_like, read_numbers, require_between, written
from icefire.synthetic.model import FILE, model_json, read_model, train
from icefire.synthetic.regression import Coefficients, Terms, logistic

REGRESSED, PREDICTED, POSITIVE = "asthma", "stroke", "1"
ROUNDS = 8
"""Trees of a bot's model."""
LEVEL = 0.05
"""Below it, a rank test says that groups differ."""


class Pwscup2025(MembershipGame):
    """Say who is in the sample, for the whole population, with as many ones as the sample has people."""

    name = "pwscup2025"
    needed = (REGRESSED, PREDICTED)
    utilities: ClassVar[Mapping[str, Metric]] = {
        "statistics": Metric(
            "1 minus the largest difference of a statistic of numbers, a share of texts or a correlation."
        ),
        "regression": Metric(
            "How far the intervals of the coefficients of the regression of asthma overlap, on the mean."
        ),
        "rank_tests": Metric("Share of the rank tests of numbers by groups that say the same of the release."),
        "model": Metric("Share of the members whose stroke the model predicts rightly."),
    }
    tasks: ClassVar[Mapping[str, Metric]] = {"members": Metric("Share of the members who are found.", BAD_SHARE)}
    released = ("published.csv", FILE)

    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        members = pl.read_parquet(problem / "members.parquet")
        table = read_like(sent / "published.csv", members)
        require_rows(table, members.height, members.height)
        if not (sent / FILE).is_file():
            raise DataError(f"{FILE} is missing")
        model = read_model(sent / FILE, members)
        if model.target != PREDICTED:
            raise DataError(f"model.json must predict {PREDICTED}, not {model.target}")
        right = (model.predicted(members) == members[PREDICTED]).to_numpy()
        return {**measured(members, table), "model": float(right.mean())}

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        handout = super()._published(problem, sent, private, attackers, rng)
        # Whom an answer has found goes into the log by places that say nothing.
        np.save(private / "places.npy", rng.permutation(int(self.membership(private).sum())))
        return HandoutFiles({**handout.public, FILE: (sent / FILE).read_bytes()})

    def _scores(self, private: Path, attacker: str, sent: Path) -> Mapping[str, Score]:
        membership, path = self.membership(private), sent / "guess.csv"
        number = int(membership.sum())
        said = read_numbers(path, ["member"], membership.size)
        require_between(path, said, 0, 1)
        if said.sum() != number:
            raise DataError(f"{path.name} has {said.sum()} ones: exactly {number} are expected")
        hits = said[membership, 0] == 1
        found = np.zeros(number, dtype=np.bool_)
        found[np.load(private / "places.npy")] = hits
        share = float(hits.mean())
        return {"members": Score(share, BAD_SHARE, found=int(hits.sum()), detail={HITS: packed(found)})}

    def _defended(self, folder: Path, steps: Sequence[str], rng: np.random.Generator) -> Files:
        files = super()._defended(folder, steps, rng)
        return {**files, FILE: model_json(train(self.dealt(folder).members, PREDICTED, ROUNDS)).encode()}

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        confidence = self.confidences(folder, attack, rng)
        number = pl.read_csv(folder / "published.csv").height
        said = np.zeros(confidence.size, dtype=np.int64)
        said[most(confidence, number, rng)] = 1
        return {"guess.csv": written(pl.DataFrame({"member": said}))}


def measured(members: pl.DataFrame, table: pl.DataFrame) -> dict[str, float]:
    """The metrics of the table."""
    return {
        "statistics": max(0.0, 1 - _statistics(members, table)),
        "regression": float(_coefficients(members, members).overlap(_coefficients(table, members)).mean()),
        "rank_tests": float(np.mean(_differ(members, members) == _differ(table, members))),
    }


def _statistics(members: pl.DataFrame, table: pl.DataFrame) -> float:
    """The largest difference. Means, deviations and quartiles are scaled to the range that each has over the columns."""
    names = numbers_of(members)
    worst = 0.0
    both = [part.select(names).to_numpy().astype(np.float64) for part in (members, table)]
    summaries = [
        np.stack([part.mean(axis=0), part.std(axis=0, ddof=1), *np.quantile(part, [0.25, 0.5, 0.75], axis=0)])
        for part in both
    ]
    scaled = [
        (rows - rows.min(axis=1, keepdims=True)) / _positive(np.ptp(rows, axis=1, keepdims=True)) for rows in summaries
    ]
    worst = max(worst, largest_gap(*scaled))
    for name in (column for column in members.columns if column not in names):
        for value in {*members[name].unique(), *table[name].unique()}:
            shares = [(part[name] == value).sum() / part.height for part in (members, table)]
            worst = max(worst, abs(shares[0] - shares[1]))
    first, second = (np.asarray(np.corrcoef(_varied(part), rowvar=False)) for part in both)
    return max(worst, largest_gap(first, second))


def _varied(cells: np.ndarray) -> np.ndarray:
    """The same without a column of one value alone, whose correlation is 0."""
    steady = cells.std(axis=0) == 0
    return np.where(steady, np.arange(len(cells))[:, None] % 2, cells) if steady.any() else cells


def _positive(values: np.ndarray) -> np.ndarray:
    return np.where(values > 0, values, 1.0)


def _coefficients(table: pl.DataFrame, like: pl.DataFrame) -> Coefficients:
    terms = Terms.of(like, [name for name in like.columns if name != REGRESSED])
    return logistic(terms.matrix(table), (table[REGRESSED] == POSITIVE).to_numpy().astype(np.float64))


def _differ(table: pl.DataFrame, like: pl.DataFrame) -> np.ndarray:
    """[test]: whether a number differs between the groups of a column (Kruskal and Wallis)."""
    names = numbers_of(like)
    found = []
    for group in (name for name in like.columns if name not in names):
        for name in names:
            parts = [part[name].to_numpy() for part in table.partition_by(group)]
            varied = len(parts) > 1 and np.unique(np.concatenate(parts)).size > 1
            found.append(varied and float(kruskal(*parts).pvalue) < LEVEL)
    return np.array(found)
