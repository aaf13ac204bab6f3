"""Who was in the data: what games about membership have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from icefire.contest.game import Files, HandoutFiles
from icefire.core.errors import DataError
from icefire.frames.files import read_table
from icefire.games._tables import KIND, SCHEMA, TableGame, read_like, texts_of, written
from icefire.synthetic.data import Floats, Knowledge, Mask, People, Schema
from icefire.synthetic.schema import read_schema


class MembershipGame(TableGame):
    """A team is dealt a sample of a population; attackers hold the population, and ask who is in the sample."""

    attacks = ("nearest_record", "density_ratio", "marginals", "random_guess")

    def _dealt(self, people: People, private: Path, rng: np.random.Generator) -> Files:
        people.candidates.write_parquet(private / "population.parquet")
        np.save(private / "membership.npy", people.membership)
        return {**super()._dealt(people, private, rng), "population.csv": written(people.candidates)}

    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        for name in ("members.parquet", "population.parquet", "membership.npy", SCHEMA):
            (private / name).write_bytes((problem / name).read_bytes())
        population = pl.read_parquet(problem / "population.parquet")
        table = read_like(sent / "published.csv", population)
        shown = table[rng.permutation(table.height)]
        schema = (problem / SCHEMA).read_bytes()
        return HandoutFiles({"published.csv": written(shown), "population.csv": written(population), SCHEMA: schema})

    def confidences(self, folder: Path, attack: str, rng: np.random.Generator) -> Floats:
        """How sure a sample attack is of each row of the population."""
        whole = read_schema(folder / SCHEMA)
        table = read_table(folder / "population.csv", texts_of(whole))
        schema = Schema((), {name: whole.column(name) for name in table.columns})
        population = People(table, table, schema).members
        published = read_like(folder / "published.csv", population)
        known = Knowledge("all", population, schema, tuple(population.columns))
        guess = self.registry.make(KIND, "attack", attack).attack(published, known, rng)
        assert guess.confidence is not None
        # Sums differ in their last digits from machine to machine, and ties should be ties on all of them.
        largest = float(np.abs(guess.confidence).max(initial=0.0)) or 1.0
        return np.asarray(np.round(guess.confidence / largest, 9), dtype=np.float64)

    @staticmethod
    def membership(folder: Path) -> Mask:
        """[row of the population]: the secret."""
        return np.asarray(np.load(folder / "membership.npy"), dtype=np.bool_)


def most(confidence: Floats, number: int, rng: np.random.Generator) -> np.ndarray:
    """The places of the largest confidences, ties at random."""
    return np.sort(np.lexsort((rng.random(confidence.size), -confidence))[:number])


def require_rows(table: pl.DataFrame, low: int, high: int) -> None:
    """Raise DataError unless a table has a number of rows in a range."""
    if not low <= table.height <= high:
        raise DataError(f"published.csv has {table.height} rows: {low} to {high} are allowed")
