"""The official files of PWS Cup 2019: orgtraces, reftraces, anotraces, pubtraces, ptable, etable and etraces.

Names may go on after the first word, as in `anotraces_team001_data01_IDP.csv`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import FileError
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import files
from icefire.frames.places import Place, reject_rows
from icefire.trace import tables
from icefire.trace.data import Cells, Guess, Ints, Reference, Release, Traces
from icefire.trace.formats.ours import read_reference, read_traces, schema_of
from icefire.trace.grid import Grid
from icefire.trace.roles import Format
from icefire.trace.schema import FILE, Schema, read_schema, schema_toml

TRACES = ("user_id", "time_id", "reg_id")
PUBLISHED = ("pse_id", "time_id", "reg_id")
TABLE = ("pse_id", "user_id")
SHEETS = ("etable", "etraces")
HOSPITALS = (
    2, 43, 50, 147, 150, 152, 174, 183, 186, 205, 237, 296, 303, 326, 331, 344, 358, 420, 434, 449, 471, 491, 497, 507, 522,
    535, 550, 561, 628, 631, 708, 771, 782, 821, 871, 883, 995,
)  # fmt: skip
"""The hospital regions of the contest's map, counted from 1."""


@dataclass(frozen=True)
class Pwscup2019(Format):
    """The official files of 2019: orgtraces, reftraces, anotraces, pubtraces, ptable, etable and etraces.

    Attackers need pubtraces and reftraces. An answer is an etable, etraces, or both if they have the same name.
    """

    published_files: ClassVar[tuple[str, ...]] = ("pubtraces*.csv",)
    submitted_files: ClassVar[tuple[str, ...]] = ("anotraces*.csv", "ptable*.csv")
    known_files: ClassVar[tuple[str, ...]] = ("reftraces*.csv", FILE)
    withheld_files: ClassVar[tuple[str, ...]] = ("reftraces*.csv",)
    guess_files: ClassVar[tuple[str, ...]] = ("etable*.csv", "etraces*.csv")

    def read_original(self, folder: Path) -> Traces:
        return read_traces(_find(folder, "reftraces"), _find(folder, "orgtraces"), TRACES, _schema(folder))

    def write_original(self, original: Traces, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        with files.staged() as stage:
            self._stage(stage, original, folder, secret=False)

    def _stage(self, stage: files.Staged, original: Traces, folder: Path, secret: bool) -> None:
        parts = (("reftraces", original.reference), ("orgtraces", original.original))
        for (stem, regions), times in zip(parts, original.times, strict=True):
            cells = pl.Series(regions.ravel().astype(np.int64) + 1)
            table = tables.dense_table(TRACES, original.users, times, cells)
            stage.table(table, folder / f"{stem}.csv", secret and stem == "orgtraces")
        schema = schema_of(original)
        if schema != _with_hospitals(Schema()):
            # The contest's own map needs no description.
            stage.text(schema_toml(schema), folder / FILE)

    def read_published(self, folder: Path, original: Traces) -> Cells:
        return _published(folder, original.grid)[0]

    def read_handout(self, folder: Path) -> tuple[Cells, Reference]:
        schema = _schema(folder)
        cells, times = _published(folder, schema.grid)
        return cells, read_reference(_find(folder, "reftraces"), TRACES, schema, times)

    def read_dealt(self, folder: Path) -> Traces:
        if list(folder.glob("reftraces*.csv")):
            return self.read_original(folder)
        return read_traces(None, _find(folder, "orgtraces"), TRACES, _schema(folder))

    def read_release(self, folder: Path, dealt: bool = False) -> Release:
        # pubtraces is what anotraces and ptable make of it: a folder without it is complete, too.
        original = self.read_dealt(folder) if dealt else self.read_original(folder)
        if not list(folder.glob("pubtraces*.csv")):
            return self._linked(folder, original)
        return self.read_secret(folder, original, self.read_published(folder, original))

    def read_secret(self, folder: Path, original: Traces, published: Cells) -> Release:
        release = self._linked(folder, original)
        where = Place(str(_find(folder, "pubtraces")), 2)
        if published.shape != release.published.shape:
            raise FileError(f"{where.name} has other users or times than orgtraces")
        wrong = tables.render_cells(published) != tables.render_cells(release.published)
        reject_rows(wrong, where, "this is not the cell that anotraces and ptable give")
        return release

    def _linked(self, folder: Path, original: Traces) -> Release:
        count, times = original.cells.shape
        path = _find(folder, "anotraces")
        texts = tables.read_column(path, "reg_id", count * times, "anonymized traces")
        cells = tables.parse_cells(texts, (count, times), original.grid.regions, path)
        return Release(original, cells, _owners(_find(folder, "ptable"), original.users))

    def write_release(self, release: Release, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        count = release.cells.shape[0]
        names = pl.Series(np.arange(count + 1, 2 * count + 1).astype(str))
        shown = release.original.times[1]
        published = tables.dense_table(PUBLISHED, names, shown, tables.render_cells(release.published))
        secret = pl.DataFrame([names.alias(TABLE[0]), release.original.users.gather(release.owners).alias(TABLE[1])])
        with files.staged() as stage:
            if not list(folder.glob("orgtraces*.csv")):
                self._stage(stage, release.original, folder, secret=True)
            stage.remove(*self.outdated(folder))
            stage.table(published, folder / "pubtraces.csv")
            cells = tables.render_cells(release.cells).alias("reg_id")
            stage.table(pl.DataFrame([cells]), folder / "anotraces.csv", secret=True)
            stage.table(secret, folder / "ptable.csv", secret=True)
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)

    def read_guess(self, path: Path, published: Cells, knowledge: Reference) -> Guess:
        """An estimated pseudonym table (`user_id`), estimated traces (`reg_id`), or both if they have the same name."""
        count, times = published.shape
        guess = Guess()
        first, second = tables.guess_sheets(path, *SHEETS)
        if first is not None:
            texts = tables.read_column(first, "user_id", count, "an estimated table")
            problem = "the estimate names the unknown user {value!r}"
            guess = replace(guess, users=tables.parse_users(texts, 1, knowledge.users, first, problem))
        if second is not None:
            cells = tables.read_column(second, "reg_id", count * times, "an estimate of traces")
            regions = tables.parse_regions(cells, knowledge.grid.regions, second)
            guess = replace(guess, traces=regions.reshape(count, times))
        return guess

    def bare_guess(self, line: str) -> str | None:
        columns = [name.strip() for name in line.split(",")]
        stems = zip(("user_id", "reg_id"), SHEETS, strict=True)
        return next((f"{stem}_answer.csv" for column, stem in stems if column in columns), None)

    def guess_path(self, folder: Path, name: str) -> Path:
        return folder / f"etable_{name}.csv"

    def guesses(self, folder: Path) -> list[Path]:
        return tables.guess_files(folder, *SHEETS)

    def write_guess(self, guess: Guess, path: Path, published: Cells, knowledge: Reference) -> None:
        # The contest had no way to say "nobody".
        named = np.where(guess.users < 0, 0, guess.users) + 1
        with files.staged() as stage:
            if guess.users.size:
                stage.table(pl.DataFrame({"user_id": named}), path)
            if guess.traces.size:
                second = path.with_name(path.name.replace(*SHEETS, 1))
                stage.table(pl.DataFrame({"reg_id": guess.traces.ravel() + 1}), second)


def _schema(folder: Path) -> Schema:
    """The folder's own schema, with the contest's hospitals on its map where nothing else is said."""
    return _with_hospitals(read_schema(folder / FILE))


def _with_hospitals(schema: Schema) -> Schema:
    return replace(schema, sensitive=HOSPITALS) if not schema.sensitive and schema.grid.regions == 1024 else schema


def _published(folder: Path, grid: Grid) -> tuple[Cells, Ints]:
    path = _find(folder, "pubtraces")
    names, times, texts = tables.read_dense(path, PUBLISHED)
    return tables.parse_cells(texts, (len(names), times.size), grid.regions, path), times


def _find(folder: Path, stem: str) -> Path:
    found = sorted(folder.glob(f"{stem}*.csv"))
    if not found:
        raise FileError(f"no file {stem}*.csv in {folder}")
    if len(found) > 1:
        raise FileError(f"{folder} holds both {found[0].name} and {found[1].name}: keep one of them")
    return found[0]


def _owners(path: Path, users: pl.Series) -> Ints:
    table = files.read_texts(path)
    if table.columns != list(TABLE):
        raise FileError(f"{path}: expected the columns {', '.join(TABLE)}, found {', '.join(table.columns)}")
    names = table[TABLE[0]].cast(pl.Int64, strict=False)
    wrong = (names != pl.Series(np.arange(len(users) + 1, len(users) + 1 + table.height))).fill_null(True).arg_true()
    if len(wrong) or table.height != len(users):
        at = int(wrong[0]) if len(wrong) else table.height - 1
        raise FileError(f"{path}, line {at + 2}: pseudonyms go from {len(users) + 1} to {2 * len(users)} in order")
    codes = table[TABLE[1]].str.strip_chars().cast(pl.Enum(users), strict=False).to_physical().cast(pl.Int64)
    bad = (codes.is_null() | ~codes.is_first_distinct()).arg_true()
    if len(bad):
        raise FileError(
            f"{path}, line {bad[0] + 2}: the user {table[TABLE[1]][bad[0]]!r} is unknown or stands there twice"
        )
    return codes.to_numpy().astype(np.int64)
