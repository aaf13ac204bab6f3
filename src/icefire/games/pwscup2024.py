"""PWSCUP 2024: ratings in ten vertical parts; attackers say whose ratings are whose, and which rating is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.contest.game import Files, HandoutFiles
from icefire.core.errors import DataError
from icefire.core.registry import Registry
from icefire.core.values import BAD_SHARE, Score
from icefire.frames.files import read_table, read_texts
from icefire.games._tables import Metric, TableGame, one_step, read_like, read_numbers, require_between, written
from icefire.synthetic.data import People

ASKED, PARTS, NAMED = 50, 10, 5
"""People who are asked about; parts of the table; basic columns, of which the first is the name."""
STEPS = {"change": ("share",), "noise": ("years",)}
WIDTHS = (13, 23, 5, 24, 11, 7, 5, 8, 4, 10)
"""Ratings in each part, as in the contest."""


class Pwscup2024(TableGame):
    """Say whose ratings are whose, and which rating is missing, from ten parts of a table that name nobody."""

    name = "pwscup2024"
    needed = ("name", "gender", "age", "occupation", "zip")
    utilities: ClassVar[Mapping[str, Metric]] = {
        "worst_pair": Metric(
            "1 minus the mean difference of the counts of two columns over twice the rows, for the worst two of the worst part."
        )
    }
    tasks: ClassVar[Mapping[str, Metric]] = {
        "answers": Metric("Share of right answers to 100 questions: 50 names and 50 ratings.", BAD_SHARE)
    }
    attacks = ("linked", "random")
    released = tuple(f"part{place}.csv" for place in range(PARTS))

    @classmethod
    def _step(cls, registry: Registry, text: str) -> object:
        return one_step(text, STEPS)

    def _dealt(self, people: People, private: Path, rng: np.random.Generator) -> Files:
        files = {
            f"part{place}.csv": written(people.members.select(names)) for place, names in enumerate(parts(people.names))
        }
        return {**super()._dealt(people, private, rng), **files}

    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        members = pl.read_parquet(problem / "members.parquet")
        worst = 0.0
        for place, names in enumerate(parts(members.columns)):
            table = read_like(sent / f"part{place}.csv", members.select(names))
            if table.height != members.height:
                raise DataError(f"part{place}.csv has {table.height} rows: {members.height} are expected")
            worst = max(worst, worst_pair(members.select(names), table))
        return {"worst_pair": max(0.0, 1 - worst)}

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        members = pl.read_parquet(problem / "members.parquet")
        files = {}
        for place, names in enumerate(parts(members.columns)):
            table = read_like(sent / f"part{place}.csv", members.select(names))
            files[f"part{place}.csv"] = written(table[rng.permutation(table.height)])
        number = min(ASKED, members.height)
        asked = members[rng.choice(members.height, number, replace=False)]
        ratings = asked.columns[NAMED:]
        order = rng.permutation(number)
        blanked = rng.integers(0, len(ratings), number)
        cells = asked.select(ratings).to_numpy().astype(np.int64)[order]
        np.save(private / "answers.npy", np.stack([order, cells[np.arange(number), blanked]], axis=1))
        texts = cells.astype(str)
        texts[np.arange(number), blanked] = "*"
        shown = pl.DataFrame({name: texts[:, place] for place, name in enumerate(ratings)})
        return HandoutFiles(
            {**files, "people.csv": written(asked.select(asked.columns[:NAMED])), "ratings.csv": written(shown)}
        )

    def _scores(self, private: Path, attacker: str, sent: Path) -> Mapping[str, Score]:
        truth, path = np.load(private / "answers.npy"), sent / "guess.csv"
        said = read_numbers(path, ["person", "rating"], len(truth))
        require_between(path, said[:, :1], 1, len(truth))
        require_between(path, said[:, 1:], 0, 5)
        right = int((said[:, 0] - 1 == truth[:, 0]).sum() + (said[:, 1] == truth[:, 1]).sum())
        return {"answers": Score(right / truth.size, BAD_SHARE, found=right)}

    def _defended(self, folder: Path, steps: Sequence[str], rng: np.random.Generator) -> Files:
        files = {}
        for place in range(PARTS):
            table = read_table(folder / f"part{place}.csv", ["zip"])
            for text in steps:
                name, values = one_step(text, STEPS)
                if name == "noise":
                    moved = (
                        table["age"].to_numpy()
                        + rng.normal(0, float(str(values.get("years", 3))), table.height).round()
                    )
                    table = table.with_columns(age=pl.Series(moved.clip(10, 90).astype(np.int64)))
                    continue
                share = float(str(values.get("share", 0.1)))
                table = table.with_columns(
                    pl.Series(
                        column,
                        np.where(
                            rng.random(table.height) < share,
                            rng.permutation(table[column].to_numpy()),
                            table[column].to_numpy(),
                        ),
                    )
                    for column in table.columns
                )
            files[f"part{place}.csv"] = written(table[rng.permutation(table.height)])
        return files

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        people, shown = read_table(folder / "people.csv", ["zip"]), read_texts(folder / "ratings.csv")
        number = people.height
        if attack == "random":
            answer = np.stack([rng.permutation(number) + 1, rng.integers(0, 6, number)], axis=1)
        else:
            tables = [read_table(folder / f"part{place}.csv", ["zip"]) for place in range(PARTS)]
            answer = _linked(people, shown, tables)
        return {"guess.csv": written(pl.DataFrame({"person": answer[:, 0], "rating": answer[:, 1]}))}


def parts(names: Sequence[str]) -> list[list[str]]:
    """The columns of each part: all basic ones but the name, and some ratings, the same in every contest."""
    basic, ratings = list(names[1:NAMED]), list(names[NAMED:])
    drawn = np.random.default_rng(2024)
    return [basic + sorted(drawn.choice(ratings, min(width, len(ratings)), replace=False).tolist()) for width in WIDTHS]


def worst_pair(original: pl.DataFrame, table: pl.DataFrame) -> float:
    """The largest mean difference of the counts of two columns, one of them a rating, over twice the number of rows.

    Combinations that only one of the tables has do not count, as in the contest.

    >>> one = pl.DataFrame({"gender": ["F", "M"], "film": [1, 2]})
    >>> worst_pair(one, pl.DataFrame({"gender": ["F", "F"], "film": [1, 1]}))
    0.25
    """
    original, table = _with_same_types(original, table)
    names = original.columns
    ratings = [name for name in names if name.startswith("film")]
    worst = 0.0
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            if first in ratings or second in ratings:
                counts = [part.group_by(first, second).len() for part in (original, table)]
                both = counts[0].join(counts[1], on=[first, second], suffix="_other")
                if both.height:
                    gap = (both["len"].cast(pl.Int64) - both["len_other"].cast(pl.Int64)).abs().mean()
                    worst = max(worst, float(str(gap)) / (2 * original.height))
    return worst


def _with_same_types(original: pl.DataFrame, table: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both tables with columns that can be compared: a team may send 1.5 where there are whole numbers, or a word.

    >>> one, other = _with_same_types(pl.DataFrame({"film": [1, 2]}), pl.DataFrame({"film": [1.0, 2.5]}))
    >>> one["film"].to_list(), other["film"].to_list()
    ([1.0, 2.0], [1.0, 2.5])
    """
    numeric = [
        name for name in original.columns if original[name].dtype.is_numeric() and table[name].dtype.is_numeric()
    ]
    texts = [name for name in original.columns if name not in numeric]
    same = [pl.col(numeric).cast(pl.Float64), pl.col(texts).cast(pl.String)]
    return original.with_columns(same), table.with_columns(same)


def _linked(people: pl.DataFrame, shown: pl.DataFrame, tables: Sequence[pl.DataFrame]) -> np.ndarray:
    """Who has which ratings, by the basic columns and ratings of all parts; and the rating that people of similar ones have."""
    from scipy.optimize import linear_sum_assignment

    number = people.height
    known = {name: shown[name].to_list() for name in shown.columns}
    score, votes = np.zeros((number, number)), np.zeros((number, 6))
    for table in tables:
        ratings = [name for name in table.columns if name in known]
        near = sum(
            (
                (people[name].to_numpy()[:, None] == table[name].to_numpy()[None, :]).astype(float)
                for name in table.columns
                if name in people.columns
            ),
            np.zeros((number, table.height)),
        )
        held = table.select(ratings).to_numpy().astype(np.int64)
        cells = np.array(
            [[-1 if known[name][row] == "*" else int(known[name][row]) for name in ratings] for row in range(number)]
        )
        alike = np.stack([(held == cells[row]).mean(axis=1) for row in range(number)])
        # A row of somebody is near both what is known of them and the ratings shown.
        score += np.array(
            [[(near[person] * 0.25 + alike[row]).max() for person in range(number)] for row in range(number)]
        )
        for row, place in zip(*np.nonzero(cells == -1), strict=True):
            best = np.argsort(-alike[row].round(6), kind="stable")[:20]
            votes[row] += np.bincount(held[best, place], minlength=6)[:6]
    return np.stack([linear_sum_assignment(-score.round(6))[1] + 1, votes.argmax(axis=1)], axis=1)
