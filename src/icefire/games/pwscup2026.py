"""PWSCUP 2026: a cohort with event times and a rare type; attackers ask who is in it, and when their event happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.contest.config import Dataset
from icefire.contest.game import Files, HandoutFiles
from icefire.contest.measures import Measure, Measures, NoScore
from icefire.core.errors import DataError, Undefined
from icefire.core.values import BAD_SHARE, Score
from icefire.frames.files import as_numbers, read_table
from icefire.games._health import apart, correlations
from icefire.games._membership import MembershipGame, require_rows
from icefire.games._tables import SCHEMA, Metric, read_like, written
from icefire.synthetic.data import Floats, Mask
from icefire.synthetic.encoding import binned, points
from icefire.synthetic.nearest import nearest
from icefire.synthetic.ranking import Roc
from icefire.synthetic.regression import Terms, cox
from icefire.synthetic.survival import Curve

OUTCOMES = ("onset", "death", "time")
RARE = "type"
CLOSE, FALSE = 0.5, 0.01
"""Years within which an event time is right; share of others who may be accused."""
FEW = 5
"""Bins of numbers of the rare type."""
NOBODY = "there is nobody of this type to find"
CONFIDENCE, TIMES = "confidence.csv", "times.csv"


class Pwscup2026(MembershipGame):
    """Say how sure you are that people are in the cohort, and when the event of some of them happened."""

    name = "pwscup2026"
    needed = (RARE, *OUTCOMES)
    utilities: ClassVar[Mapping[str, Metric]] = {
        "general": Metric("The lesser of two: 1 minus the mean distance of distributions, and of correlations."),
        "specific": Metric(
            "The lesser of two: agreement of the survival curves, and of the intervals of hazard ratios."
        ),
        "rare": Metric("The same people of the rare type: their share, and the distributions of their values."),
        "valid": Metric("Share of the rows that are no copies: neither of each other nor of somebody in the cohort."),
    }
    tasks: ClassVar[Mapping[str, Metric]] = {
        "members": Metric("Share of the cohort found while 1 in 100 of the others is accused.", BAD_SHARE),
        "rare_members": Metric("The same among people of the rare type.", BAD_SHARE),
        "times": Metric("Share of the event times that are right to half a year.", BAD_SHARE),
        "rare_times": Metric("The same among people of the rare type.", BAD_SHARE),
    }
    answered = (CONFIDENCE, TIMES)

    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        members = pl.read_parquet(problem / "members.parquet")
        table = read_like(sent / "published.csv", members)
        require_rows(table, members.height // 2, 2 * members.height)
        if table.null_count().sum_horizontal()[0]:
            raise DataError("published.csv has empty cells")
        return measured(members, table)

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        handout = super()._published(problem, sent, private, attackers, rng)
        members = pl.read_parquet(problem / "members.parquet")
        watched = members.filter((pl.col("onset") == "1") | (pl.col("death") == "1"))
        watched = watched[rng.permutation(watched.height)]
        watched.write_parquet(private / "watched.parquet")
        population = pl.read_parquet(problem / "population.parquet")
        # Times are what attackers are after: the population is handed out without outcomes.
        known = [name for name in population.columns if name not in OUTCOMES]
        return HandoutFiles(
            {
                **handout.public,
                "population.csv": written(population.select(known)),
                "people.csv": written(watched.select(known)),
            }
        )

    def judge(self, dataset: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        if not any((sent / name).is_file() for name in self.answered):
            raise DataError(f"an answer is {CONFIDENCE}, {TIMES} or both")
        scores = self._scores(private, attacker, sent)
        return {
            task.name: scores.get(task.metric, NoScore("no answer to this task was sent")) for task in dataset.tasks
        }

    def _scores(self, private: Path, attacker: str, sent: Path) -> Measures:
        scores: dict[str, Measure] = {}
        if (sent / CONFIDENCE).is_file():
            rare = (pl.read_parquet(private / "population.parquet")[RARE] == "rare").to_numpy()
            sure, membership = _answer(sent / CONFIDENCE, "confidence", rare.size), self.membership(private)
            scores |= {"members": _found(sure, membership), "rare_members": _found(sure[rare], membership[rare])}
        if (sent / TIMES).is_file():
            watched = pl.read_parquet(private / "watched.parquet")
            said = _answer(sent / TIMES, "time", watched.height)
            right, rare = np.abs(said - watched["time"].to_numpy()) <= CLOSE, (watched[RARE] == "rare").to_numpy()
            scores |= {"times": _share(right), "rare_times": _share(right[rare])}
        return scores

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        population, people = read_table(folder / "population.csv"), read_table(folder / "people.csv")
        published = read_table(folder / "published.csv")
        known = population.columns
        # The attack sees the columns that the population has.
        shown = folder / "known"
        shown.mkdir()
        (shown / "population.csv").write_bytes(written(population))
        (shown / SCHEMA).write_bytes((folder / SCHEMA).read_bytes())
        (shown / "published.csv").write_bytes(written(published.select(known)))
        confidence = self.confidences(shown, attack, rng)
        happened = published.filter((pl.col("onset").cast(pl.String) == "1") | (pl.col("death").cast(pl.String) == "1"))
        if not happened.height:
            raise Undefined("no event happens in the release")
        _, rows = nearest(points([people, happened.select(known)], known))
        times = happened["time"].to_numpy()[rows[:, 0]]
        return {
            CONFIDENCE: written(pl.DataFrame({"confidence": confidence})),
            TIMES: written(pl.DataFrame({"time": times})),
        }


def measured(members: pl.DataFrame, table: pl.DataFrame) -> dict[str, float]:
    """The four metrics of a release."""
    names = members.columns
    rows = apart(binned([members, table], names))
    gaps = np.abs(correlations(members, members) - correlations(table, members))
    copies = table.join(members.unique(), on=names, how="semi").height + table.height - table.unique().height
    return {
        "general": max(0.0, min(1 - float(np.mean(rows)), 1 - float(gaps.mean()))),
        "specific": _specific(members, table),
        "rare": _rare(members, table),
        "valid": max(0.0, 1 - copies / table.height),
    }


def _specific(members: pl.DataFrame, table: pl.DataFrame) -> float:
    """How far survival curves and hazard ratios agree; 0 where the release has no event."""
    parts = [
        (part["time"].to_numpy().astype(np.float64), (part["onset"] == "1").to_numpy()) for part in (members, table)
    ]
    terms = Terms.of(members, [name for name in members.columns if name not in OUTCOMES])
    # What has no value on the members is a fault of the data, not of the release.
    curves, found = [Curve.of(*parts[0])], [cox(terms.matrix(members), *parts[0])]
    try:
        curves.append(Curve.of(*parts[1]))
        found.append(cox(terms.matrix(table), *parts[1]))
    except Undefined:
        return 0.0
    moments = np.linspace(0, max(float(part[0].max()) for part in parts), 101)
    gap = float(np.abs(curves[0].at(moments) - curves[1].at(moments)).max())
    return max(0.0, min(1 - gap, float(found[0].overlap(found[1]).mean())))


def _rare(members: pl.DataFrame, table: pl.DataFrame) -> float:
    first, second = (part.filter(pl.col(RARE) == "rare") for part in (members, table))
    if not first.height or not second.height:
        return 1.0 if first.height == second.height else 0.0
    shares = first.height / members.height, second.height / table.height
    return max(
        0.0, min(min(shares) / max(shares), 1 - float(np.mean(apart(binned([first, second], first.columns, FEW)))))
    )


def _answer(path: Path, name: str, height: int) -> Floats:
    table = read_table(path)
    if table.columns != [name] or table.height != height:
        raise DataError(f"{path.name} must have {height} rows under the heading {name}; found {table.height} rows")
    cells = as_numbers(table, name, path.name)[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    if not np.isfinite(cells).all():
        line = int(np.flatnonzero(~np.isfinite(cells))[0]) + 2
        raise DataError(f"{path.name}, line {line}: a number is expected")
    return np.asarray(cells)


def _found(confidence: Floats, membership: Mask) -> Measure:
    """The share of members found at the allowed share of others; chance finds as much as is allowed."""
    if not membership.any() or membership.all():
        return NoScore(NOBODY)
    share = Roc.of(confidence, membership).at(FALSE)
    return Score(share, BAD_SHARE, found=share * int(membership.sum()))


def _share(right: Mask) -> Measure:
    return Score(float(right.mean()), BAD_SHARE, found=int(right.sum())) if right.size else NoScore(NOBODY)
