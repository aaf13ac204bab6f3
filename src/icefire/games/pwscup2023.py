"""PWSCUP 2023: rows of digits, a public and a secret part; what is published is sorted, and attackers say all secret digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.contest.game import Files, HandoutFiles
from icefire.core.errors import DataError
from icefire.core.registry import Registry
from icefire.core.values import BAD_SHARE, Score
from icefire.games._digits import UNLIKE, secret_digits
from icefire.games._tables import SCHEMA, Metric, TableGame, one_step
from icefire.synthetic.data import People
from icefire.synthetic.schema import read_schema

STAR = ord("*")
LONGEST = 40
"""Digits of a seed."""
STEPS = {"star": ("share",), "random": ("share",)}

Cells = NDArray[np.uint8]
"""[row, column] of characters."""


class Pwscup2023(TableGame):
    """Say all secret digits, row by row, from a sorted release."""

    name = "pwscup2023"
    utilities: ClassVar[Mapping[str, Metric]] = {
        "kept": Metric("Share of all cells, public and secret, that are published as they are.")
    }
    tasks: ClassVar[Mapping[str, Metric]] = {
        "digits": Metric("Share of the secret digits that the attacker says rightly.", BAD_SHARE)
    }
    attacks = ("same_public", "sorted", "random")
    released = ("published.csv", "seed.txt")
    shared_data = True

    @classmethod
    def _step(cls, registry: Registry, text: str) -> object:
        return one_step(text, STEPS)

    def _dealt(self, people: People, private: Path, rng: np.random.Generator) -> Files:
        # The secret part is the team's: it comes from a seed of its own.
        public = people.members.select([name for name in people.names if name not in people.schema.hidden])
        np.save(private / "public.npy", _characters(public))
        np.save(private / "columns.npy", len(people.schema.hidden))
        return {"public.csv": _written(_characters(public))}

    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        public, secret, published = _read(problem, sent)
        return {"kept": float((np.hstack([public, secret]) == published).mean())}

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        public, secret, published = _read(problem, sent)
        np.save(private / "secret.npy", secret)
        order = np.lexsort(published.T[::-1])
        return HandoutFiles({"public.csv": _written(public), "published.csv": _written(published[order])})

    def _scores(self, private: Path, attacker: str, sent: Path) -> Mapping[str, Score]:
        secret = np.load(private / "secret.npy")
        said = _parsed(sent / "guess.csv", secret.shape[0], secret.shape[1], stars=False)
        right = int((said == secret).sum())
        return {"digits": Score(right / secret.size, BAD_SHARE, found=right)}

    def _defended(self, folder: Path, steps: Sequence[str], rng: np.random.Generator) -> Files:
        public = _characters_of(folder / "public.csv")
        seed = int(rng.integers(0, 1 << 62))
        number = len(read_schema(folder / SCHEMA).hidden)
        table = np.hstack([public, (secret_digits(seed, len(public), number) + ord("0")).astype(np.uint8)])
        for text in steps:
            name, values = one_step(text, STEPS)
            chosen = rng.random(table.shape) < float(str(values.get("share", 0.2)))
            other = STAR if name == "star" else rng.integers(ord("0"), ord("9") + 1, table.shape).astype(np.uint8)
            table = np.where(chosen, other, table).astype(np.uint8)
        return {"published.csv": _written(table), "seed.txt": f"{seed}\n".encode()}

    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        public, published = _characters_of(folder / "public.csv"), _characters_of(folder / "published.csv")
        width = public.shape[1]
        if attack == "random":
            rows = rng.permutation(len(published))[: len(public)]
        else:
            # Row by row in the same order; those whose public part is published as it is get a row with that.
            rows = np.empty(len(public), dtype=np.int64)
            rows[np.lexsort(public.T[::-1])] = np.lexsort(published[:, :width].T[::-1])
            if attack == "same_public":
                rows = _same(public, published[:, :width], rows)
        said = published[rows, width:]
        unknown = said == STAR
        said = np.where(unknown, rng.integers(ord("0"), ord("9") + 1, said.shape), said).astype(np.uint8)
        return {"guess.csv": _written(said)}


def _same(public: Cells, shown: Cells, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each public row a published one with the same public part, in turns where there are several."""
    place: dict[bytes, list[int]] = {}
    for row, cells in enumerate(shown):
        place.setdefault(cells.tobytes(), []).append(row)
    used: dict[bytes, int] = {}
    found = rows.copy()
    for row, cells in enumerate(public):
        key = cells.tobytes()
        if key in place:
            turn = used.get(key, 0)
            found[row], used[key] = place[key][turn % len(place[key])], turn + 1
    return found


def _read(problem: Path, sent: Path) -> tuple[Cells, Cells, Cells]:
    """The public part, the secret part that the seed gives, and the release."""
    public, number = np.load(problem / "public.npy"), int(np.load(problem / "columns.npy"))
    path = sent / "seed.txt"
    text = path.read_bytes().decode("ascii", errors="replace").strip() if path.is_file() else ""
    if not text.isascii() or not text.isdigit() or len(text) > LONGEST or (text[0] == "0" and text != "0"):
        raise DataError(
            f"seed.txt must hold the seed alone, a whole number of at most {LONGEST} digits: the judge checks it"
        )
    if int(text) in UNLIKE:
        raise DataError(
            f"seed.txt: versions of Ruby draw different digits from {int(text)}: choose a seed below {UNLIKE.start} "
            f"or from {UNLIKE.stop} on"
        )
    secret = (secret_digits(int(text), len(public), number) + ord("0")).astype(np.uint8)
    return public, secret, _parsed(sent / "published.csv", len(public), public.shape[1] + number, stars=True)


def _parsed(path: Path, rows: int, columns: int, stars: bool) -> Cells:
    """A file of so many rows of digits with commas between, and stars where they are allowed; without a heading."""
    if not path.is_file():
        raise DataError(f"{path.name} is missing")
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split()
    allowed = frozenset(b"0123456789*" if stars else b"0123456789")
    if len(lines) != rows:
        raise DataError(f"{path.name} has {len(lines)} lines: {rows} are expected, without a heading")
    wide = 2 * columns - 1
    for number, line in enumerate(lines, start=1):
        if len(line) != wide or set(line[1::2]) - {ord(",")} or set(line[::2]) - allowed:
            raise DataError(
                f"{path.name}, line {number}: {columns} digits with commas between are expected, found {line[:40]!r}"
            )
    return np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(rows, wide)[:, ::2]


def _characters_of(path: Path) -> Cells:
    lines = path.read_bytes().split()
    return np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(len(lines), -1)[:, ::2]


def _characters(table: pl.DataFrame) -> Cells:
    return (table.to_numpy().astype(np.int64) + ord("0")).astype(np.uint8)


def _written(cells: Cells) -> bytes:
    wide = np.full((len(cells), 2 * cells.shape[1]), ord(","), dtype=np.uint8)
    wide[:, ::2] = cells
    wide[:, -1] = ord("\n")
    return wide.tobytes()
