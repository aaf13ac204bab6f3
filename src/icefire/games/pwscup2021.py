"""PWSCUP 2021: rows are deleted and the others changed; attackers tell whose row is still there, and which one it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.contest.game import Files, HandoutFiles
from icefire.core.errors import DataError
from icefire.core.registry import Registry
from icefire.core.values import BAD_SHARE, ERROR, Score
from icefire.frames.files import read_table
from icefire.games._health import changed, kept_rows, measured, numbers_of, unique_share
from icefire.games._tables import (
    Metric,
    TableGame,
    one_step,
    read_like,
    read_numbers,
    require_between,
    written,
)
from icefire.synthetic.encoding import points
from icefire.synthetic.nearest import nearest

ASKED = 100
"""People who are asked about: half of them have lost their row."""
NAMES = ("first", "second", "third")
GONE = -1
STEPS = {"delete": ("share",), "change": ("share",), "noise": ("size",)}


class Pwscup2021(TableGame):
    """Say of each person whether their row was deleted, and if not which row it is."""

    name = "pwscup2021"
    utilities: ClassVar[Mapping[str, Metric]] = {
        "cross_table": Metric(
            "Largest difference of a share in the cross tables of each column with the diagnosis.", ERROR
        ),
        "odds_ratio": Metric("Mean difference of the odds ratios of a logistic regression of the diagnosis.", ERROR),
        "correlation": Metric("Largest difference of two correlations, texts as a column for each value.", ERROR),
        "largest_change": Metric("The most that a row was changed: years, BMI or number of other cells.", ERROR),
        "deleted": Metric("Share of the rows that were deleted.", BAD_SHARE),
        "unique": Metric("Share of the original rows that are left and unique, numbers in tens.", BAD_SHARE),
    }
    tasks: ClassVar[Mapping[str, Metric]] = {
        "linked": Metric(
            "Recall times precision of who is still there, times the share of those whose row is among three named.",
            BAD_SHARE,
        )
    }
    attacks = ("nearest", "random")
    released = ("published.csv", "deleted.csv")

    @classmethod
    def _step(cls, registry: Registry, text: str) -> object:
        return one_step(text, STEPS)

    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        members = pl.read_parquet(problem / "members.parquet")
        left, table = _release(members, sent)
        return {
            **measured(members, table),
            "largest_change": largest_change(left, table),
            "deleted": 1 - left.height / members.height,
            "unique": unique_share(left) * left.height / members.height,
        }

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        members = pl.read_parquet(problem / "members.parquet")
        rows = _kept(members.height, sent)
        table = read_like(sent / "published.csv", members)
        order = rng.permutation(table.height)
        place = np.full(members.height, GONE)
        place[rows[order]] = np.arange(table.height)
        gone = np.setdiff1d(np.arange(members.height), rows)
        number = min(ASKED // 2, gone.size, rows.size)
        asked = rng.permutation(np.concatenate([rng.choice(gone, number, False), rng.choice(rows, number, False)]))
        np.save(private / "answers.npy", place[asked])
        np.save(private / "height.npy", table.height)
        return HandoutFiles({"published.csv": written(table[order]), "people.csv": written(members[asked])})

    def _scores(self, private: Path, attacker: str, sent: Path) -> Mapping[str, Score]:
        truth, height, path = np.load(private / "answers.npy"), int(np.load(private / "height.npy")), sent / "guess.csv"
        rows = read_numbers(path, NAMES, truth.size)
        require_between(path, rows, GONE, height)
        if (rows == 0).any():
            raise DataError(f"{path.name} names row 0: rows count from 1, and -1 means that somebody's row was deleted")
        named = np.where(rows > 0, rows - 1, GONE)
        return {"linked": linked(truth, named)}

    def _defended(self, folder: Path, steps: Sequence[str], rng: np.random.Generator) -> Files:
        table = read_table(folder / "original.csv")
        gone = np.zeros(0, dtype=np.int64)
        for text in steps:
            name, values = one_step(text, STEPS)
            if name == "delete":
                rarity = -np.bincount(kept_rows(table), minlength=table.height)[kept_rows(table)] + rng.random(
                    table.height
                )
                gone = np.sort(np.argsort(-rarity)[: round(float(str(values.get("share", 0.2))) * table.height)])
        left = table[np.setdiff1d(np.arange(table.height), gone)]
        for text in steps:
            name, values = one_step(text, STEPS)
            if name == "change":
                left = changed(left, float(str(values.get("share", 0.05))), rng)
            if name == "noise":
                left = _noisy(left, float(str(values.get("size", 1.0))), rng)
        return {"published.csv": written(left), "deleted.csv": written(pl.DataFrame({"row": gone + 1}))}

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        people = read_table(folder / "people.csv")
        published = read_like(folder / "published.csv", people)
        if attack == "random":
            rows = rng.integers(0, published.height, (people.height, 3))
            far = rng.permutation(people.height) >= people.height // 2
        else:
            gaps, rows = nearest(points([people, published], people.columns), number=min(3, published.height))
            # Half of them have lost their row, which is known.
            far = np.argsort(np.argsort(gaps[:, 0].round(6), kind="stable"), kind="stable") >= people.height // 2
            rows = np.hstack([rows, rows[:, :1], rows[:, :1]])[:, :3]
        answer = np.where(far[:, None], GONE, rows + 1)
        return {"guess.csv": written(pl.DataFrame(dict(zip(NAMES, answer.T, strict=True))))}


def linked(truth: np.ndarray, named: np.ndarray) -> Score:
    """The score of an answer: the true row of each person or -1, and three rows that were named or -1.

    >>> linked(np.array([0, 1, -1, -1]), np.array([[0, 2, 3], [2, 3, 4], [5, 6, 7], [-1, -1, -1]])).value
    0.3333333333333333
    """
    there, claimed = truth != GONE, (named != GONE).any(axis=1)
    hits = int((there & claimed).sum())
    right = int((there & (named == truth[:, None]).any(axis=1)).sum())
    if not hits:
        return Score(0.0, BAD_SHARE, found=0)
    value = float(hits / there.sum() * hits / claimed.sum() * right / there.sum())
    return Score(value, BAD_SHARE, found=right)


def largest_change(left: pl.DataFrame, table: pl.DataFrame) -> float:
    """The most that a row was changed: the larger of the differences of its numbers and the number of its other cells."""
    numbers = numbers_of(left)
    texts = [name for name in left.columns if name not in numbers]
    other = sum(
        ((left[name] != table[name]).to_numpy().astype(int) for name in texts), np.zeros(left.height, dtype=int)
    )
    gaps = [np.abs(left[name].to_numpy().astype(float) - table[name].to_numpy()) for name in numbers]
    return float(np.max([other, *gaps], initial=0.0))


def _kept(height: int, sent: Path) -> np.ndarray:
    """The rows that are left, by the list of those that were deleted."""
    path = sent / "deleted.csv"
    if not path.is_file():
        raise DataError("deleted.csv is missing: list the rows that were deleted under the heading row")
    listed = read_table(path).height
    rows = read_numbers(path, ["row"], listed)
    require_between(path, rows, 1, height)
    if np.unique(rows).size < rows.size:
        raise DataError("deleted.csv lists a row twice")
    return np.setdiff1d(np.arange(height), rows[:, 0] - 1)


def _release(members: pl.DataFrame, sent: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The original rows that are left, and what was made of them."""
    rows = _kept(members.height, sent)
    table = read_like(sent / "published.csv", members)
    if table.height != rows.size:
        raise DataError(
            f"published.csv has {table.height} rows, and deleted.csv leaves {rows.size}: publish what is left, in its order"
        )
    if table.null_count().sum_horizontal()[0]:
        raise DataError("published.csv has empty cells")
    return members[rows], table


def _noisy(table: pl.DataFrame, size: float, rng: np.random.Generator) -> pl.DataFrame:
    def cells(name: str) -> pl.Series:
        column = table[name]
        moved = column.to_numpy().astype(float) + rng.laplace(0, size, table.height).clip(-5, 5)
        moved = moved.clip(float(str(column.min())), float(str(column.max())))
        return pl.Series(name, moved.round(0 if column.dtype.is_integer() else 1)).cast(column.dtype)

    return table.with_columns([cells(name) for name in numbers_of(table)])
