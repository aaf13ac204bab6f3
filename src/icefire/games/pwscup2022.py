"""PWSCUP 2022: teams choose among the organizers' operators and hand in the list of commands; attackers say who of their
acquaintances is in the result."""

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
from icefire.games._health import BINS, apart, changed, correlations, largest_gap, numbers_of, odds_ratios
from icefire.games._tables import Metric, TableGame, read_like, read_numbers, require_between, written
from icefire.synthetic.encoding import binned, points
from icefire.synthetic.nearest import nearest

ASKED = 50
"""Acquaintances of an attacker."""
MOST = 50
"""Commands of a team."""
COMMANDS = ("command", "columns", "value")
OPERATORS = ("top", "bottom", "k_anonymity", "randomize", "noise", "drop_row")


class Pwscup2022(TableGame):
    """Say who of fifty acquaintances is in a table that was made by known operators."""

    name = "pwscup2022"
    utilities: ClassVar[Mapping[str, Metric]] = {
        "counts": Metric("1 minus the mean, over columns, of the total variation distance of their values."),
        "correlation": Metric("1 minus the largest difference of two correlations, texts as a column for each value."),
        "odds_ratio_max": Metric("1 minus the largest difference of an odds ratio of the diagnosis, at least 0."),
        "odds_ratio_mean": Metric("1 minus the mean difference of the odds ratios of the diagnosis, at least 0."),
    }
    tasks: ClassVar[Mapping[str, Metric]] = {
        "acquaintances": Metric(
            "Points for naming those who are there: (2X - Z) / X of Z people named, X of them rightly, at least 0.",
            BAD_SHARE,
        )
    }
    attacks = ("nearest", "random")
    released = ("commands.csv",)

    @classmethod
    def _step(cls, registry: Registry, text: str) -> object:
        return command(text.split(","), 1)

    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        members = pl.read_parquet(problem / "members.parquet")
        # What random operators do is drawn when the release is published; that they can be run shows here.
        rows, table = run(members, _commands(sent), np.random.default_rng(0))
        if rows.size < members.height // 2:
            raise DataError(f"{rows.size} of {members.height} rows are left: at least half of them are needed")
        return measured(members, table)

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        members, others = (pl.read_parquet(problem / f"{name}.parquet") for name in ("members", "control"))
        rows, table = run(members, _commands(sent), rng)
        number = min(ASKED // 2, rows.size, others.height)
        questions: dict[str, Files] = {}
        for attacker in sorted(attackers):
            there = rng.permutation(np.repeat([True, False], number))
            chosen = pl.concat(
                [members[rng.choice(rows, number, False)], others[rng.choice(others.height, number, False)]]
            )
            people = chosen[np.argsort(np.argsort(~there, kind="stable"), kind="stable")]
            np.save(private / f"answers-{_plain(attacker)}.npy", there)
            questions[attacker] = {"people.csv": written(people)}
        return HandoutFiles({"published.csv": written(table[rng.permutation(table.height)])}, questions)

    def _scores(self, private: Path, attacker: str, sent: Path) -> Mapping[str, Score]:
        there, path = np.load(private / f"answers-{_plain(attacker)}.npy"), sent / "guess.csv"
        named = read_numbers(path, ["there"], there.size)
        require_between(path, named, 0, 1)
        return {"acquaintances": points_of(there, named[:, 0] == 1)}

    def _defended(self, folder: Path, steps: Sequence[str], rng: np.random.Generator) -> Files:
        lines = [tuple(part.strip() for part in step.split(",")) for step in steps]
        table = pl.DataFrame([(*line, *[""] * (3 - len(line))) for line in lines], schema=list(COMMANDS), orient="row")
        return {"commands.csv": written(table)}

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        people = read_table(folder / "people.csv")
        published = read_like(folder / "published.csv", people)
        if attack == "random":
            near = rng.permutation(people.height) < people.height // 2
        else:
            gaps, _ = nearest(points([people, published], people.columns))
            near = np.argsort(np.argsort(gaps[:, 0].round(6), kind="stable"), kind="stable") < people.height // 2
        return {"guess.csv": written(pl.DataFrame({"there": near.astype(np.int64)}))}


def points_of(there: np.ndarray, named: np.ndarray) -> Score:
    """The points of an answer.

    >>> points_of(np.array([True, True, True, False]), np.array([True, True, False, True])).value
    0.5
    """
    right, number = int((there & named).sum()), int(named.sum())
    value = max(0.0, min(1.0, (2 * right - number) / right)) if right else 0.0
    return Score(value, BAD_SHARE, found=right)


def measured(members: pl.DataFrame, table: pl.DataFrame) -> dict[str, float]:
    """The four metrics of a release."""
    gaps = np.abs(odds_ratios(members, members) - odds_ratios(table, members))
    return {
        "counts": 1 - float(np.mean(apart(binned([members, table], members.columns, BINS)))),
        "correlation": max(0.0, 1 - largest_gap(correlations(members, members), correlations(table, members))),
        "odds_ratio_max": max(0.0, 1 - float(gaps.max())),
        "odds_ratio_mean": max(0.0, 1 - float(gaps.mean())),
    }


Command = tuple[str, tuple[str, ...], float]


def command(cells: Sequence[str], line: int) -> Command:
    """A command: the operator, its columns and a number; DataError says what is wrong with it.

    >>> command(["top", "age", "75"], 2)
    ('top', ('age',), 75.0)
    """
    name, names, value = ([*(cell.strip() for cell in cells), "", ""])[:3]
    if name not in OPERATORS:
        raise DataError(
            f"commands.csv, line {line}: there is no operator {name!r}: choose among {', '.join(OPERATORS)}"
        )
    try:
        number = float(value)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise DataError(f"commands.csv, line {line}: {name} needs a number, not {value!r}")
    return name, tuple(names.split()), number


def run(table: pl.DataFrame, commands: Sequence[Command], rng: np.random.Generator) -> tuple[np.ndarray, pl.DataFrame]:
    """The rows that are left after all commands, and what they look like then."""
    rows = np.arange(table.height)
    for name, names, value in commands:
        unknown = [column for column in names if column not in table.columns]
        if unknown:
            raise DataError(f"commands.csv: there is no column {unknown[0]!r}")
        numbers = numbers_of(table)
        if name in ("top", "bottom", "noise") and (not names or any(column not in numbers for column in names)):
            raise DataError(f"commands.csv: {name} works on columns of numbers: {' '.join(numbers)}")
        kept = np.ones(rows.size, dtype=np.bool_)
        if name in ("top", "bottom"):
            for column in names:
                cells = table[column].to_numpy()
                kept &= cells <= value if name == "top" else cells >= value
        elif name == "k_anonymity":
            classes = (
                table.select(pl.struct(list(names)).rank("dense").alias("class"))["class"].to_numpy()
                if names
                else rows * 0
            )
            kept = np.bincount(classes)[classes] >= value
        elif name == "drop_row":
            kept = rows != round(value) - 1
        elif name == "randomize":
            texts = [column for column in names if column not in numbers]
            table = changed(table, 1 - min(1.0, max(0.0, value)), rng, texts)
        else:
            if value <= 0:
                raise DataError("commands.csv: the epsilon of noise has to be above 0")
            table = table.with_columns([_noisy(table[column], value, rng) for column in names])
        rows, table = rows[kept], table.filter(kept)
    if not rows.size:
        raise DataError("no row is left after these commands")
    return rows, table


def _noisy(column: pl.Series, epsilon: float, rng: np.random.Generator) -> pl.Series:
    moved = column.to_numpy().astype(float) + rng.laplace(0, 1 / epsilon, len(column))
    moved = moved.clip(float(str(column.min())), float(str(column.max())))
    return pl.Series(column.name, moved.round(0 if column.dtype.is_integer() else 1)).cast(column.dtype)


def _commands(sent: Path) -> list[Command]:
    path = sent / "commands.csv"
    if not path.is_file():
        raise DataError("commands.csv is missing")
    table = read_texts(path)
    if table.columns != list(COMMANDS):
        raise DataError(
            f"commands.csv, line 1: the heading must be {','.join(COMMANDS)}, not {','.join(table.columns)[:80]}"
        )
    if not 0 < table.height <= MOST:
        raise DataError(f"commands.csv has {table.height} commands: 1 to {MOST} are allowed")
    return [command([cell or "" for cell in row], line) for line, row in enumerate(table.iter_rows(), start=2)]


def _plain(attacker: str) -> str:
    return "judge" if attacker == "*" else attacker
