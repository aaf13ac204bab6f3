"""icefire's own files of traces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import FileError
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import files
from icefire.trace import tables
from icefire.trace.data import NOTHING, Cells, Guess, Ints, Reference, Release, Traces
from icefire.trace.grid import Grid
from icefire.trace.roles import Format
from icefire.trace.schema import FILE, Schema, read_schema, schema_toml

SECRET = "secret.csv"
NAMES = ("user", "time", "region")
PUBLISHED = ("pseudonym", "time", "region")
SHEETS = ("guess-", "traces-")


@dataclass(frozen=True)
class Ours(Format):
    """icefire's own folder: original.*, reference.*, published.*, secret.csv, guess-*.csv, traces-*.csv and schema.toml."""

    known_files: ClassVar[tuple[str, ...]] = ("reference.*", FILE)
    withheld_files: ClassVar[tuple[str, ...]] = ("reference.*",)
    guess_files: ClassVar[tuple[str, ...]] = ("guess-*.csv", "traces-*.csv")

    def read_original(self, folder: Path) -> Traces:
        schema = read_schema(folder / FILE)
        reference, original = (files.find_table(folder, stem) for stem in ("reference", "original"))
        return read_traces(reference, original, NAMES, schema)

    def read_dealt(self, folder: Path) -> Traces:
        if files.has_table(folder, "reference"):
            return self.read_original(folder)
        return read_traces(None, files.find_table(folder, "original"), NAMES, read_schema(folder / FILE))

    def write_original(self, original: Traces, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        with files.staged() as stage:
            _stage_original(stage, original, folder, extension, secret=False)

    def read_published(self, folder: Path, original: Traces) -> Cells:
        return _published(folder, original.grid)[0]

    def read_handout(self, folder: Path) -> tuple[Cells, Reference]:
        schema = read_schema(folder / FILE)
        cells, times = _published(folder, schema.grid)
        return cells, read_reference(files.find_table(folder, "reference"), NAMES, schema, times)

    def read_secret(self, folder: Path, original: Traces, published: Cells) -> Release:
        owners = _read_owners(folder / SECRET, published, original.users)
        return Release(original, published.take(np.argsort(owners)), owners)

    def write_release(self, release: Release, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        there = self.read_dealt(folder) if files.has_table(folder, "original") else None
        if there is not None and not np.array_equal(there.cells.codes, release.original.cells.codes):
            raise FileError(f"{folder} holds other original traces: choose an empty folder, or clear this one")
        table, names = published_table(release)
        with files.staged() as stage:
            if there is None:
                _stage_original(stage, release.original, folder, extension, secret=True)
            stage.remove(*self.outdated(folder))
            stage.table(table, folder / f"published{extension}")
            secret = pl.DataFrame({"pseudonym": names, "user": release.original.users.gather(release.owners)})
            stage.table(secret, folder / SECRET, secret=True)
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)

    def read_guess(self, path: Path, published: Cells, knowledge: Reference) -> Guess:
        """Users, regions, or both if the files have the same name."""
        count, times = published.shape
        guess = Guess()
        first, second = tables.guess_sheets(path, *SHEETS)
        if first is not None:
            numbers = tables.read_column(first, "user", count, "a guess")
            problem = f"{{value!r}} is not a user's place 1..{knowledge.users}, or 0 for none"
            guess = replace(guess, users=tables.parse_users(numbers, 0, knowledge.users, first, problem))
        if second is not None:
            texts = tables.read_column(second, "region", count * times, "a guess of traces")
            regions = tables.parse_regions(texts, knowledge.grid.regions, second)
            guess = replace(guess, traces=regions.reshape(count, times))
        return guess

    def guesses(self, folder: Path) -> list[Path]:
        return tables.guess_files(folder, *SHEETS)

    def write_guess(self, guess: Guess, path: Path, published: Cells, knowledge: Reference) -> None:
        with files.staged() as stage:
            if guess.users.size:
                stage.table(pl.DataFrame({"user": guess.users + 1}), path)
            if guess.traces.size:
                second = path.with_name(path.name.replace(*SHEETS, 1))
                stage.table(pl.DataFrame({"region": guess.traces.ravel() + 1}), second)

    def extension(self, folder: Path) -> str:
        return files.extension_of(files.find_table(folder, "original"))


def published_table(release: Release) -> tuple[pl.DataFrame, pl.Series]:
    """What is handed out, and the names of the pseudonyms in it."""
    names = pl.Series(_fresh_names(release.cells.shape[0], release.original.users))
    cells = tables.render_cells(release.published)
    return tables.dense_table(PUBLISHED, names, release.original.times[1], cells), names


def read_traces(reference: Path | None, original: Path, names: Sequence[str], schema: Schema) -> Traces:
    """Both tables of traces, which have to be of the same users; the reference traces may be unknown."""
    users, shown, after = _read_regions(original, names, schema)
    known, before = np.zeros(0, dtype=np.int64), np.zeros((len(users), 0), dtype=np.int32)
    if reference is not None:
        others, known, before = _read_regions(reference, names, schema)
        if not others.equals(users):
            raise FileError(f"{reference} and {original.name} do not have the same users in the same order")
    labels = (known, shown)
    return Traces(before, after, schema.grid, sensitive=schema.mask, day=schema.day, users=users, times=labels)


def _read_regions(path: Path, names: Sequence[str], schema: Schema) -> tuple[pl.Series, Ints, NDArray[np.int32]]:
    """Users, times, and [user, time]: the region."""
    users, times, texts = tables.read_dense(path, names)
    return users, times, tables.parse_regions(texts, schema.grid.regions, path).reshape(len(users), times.size)


def read_reference(path: Path, names: Sequence[str], schema: Schema, published_times: Ints) -> Reference:
    """What an attacker knows: the reference traces, and the time of day of all times."""
    users, times, texts = tables.read_dense(path, names)
    regions = tables.parse_regions(texts, schema.grid.regions, path).reshape(len(users), times.size)
    slots = (times - 1) % schema.day, (published_times - 1) % schema.day
    return Reference(regions, schema.grid, *slots, schema.mask)


def _stage_original(stage: files.Staged, original: Traces, folder: Path, extension: str, secret: bool) -> None:
    parts = (("reference", original.reference), ("original", original.original))
    for (stem, regions), labels in zip(parts, original.times, strict=True):
        cells = pl.Series(regions.ravel().astype(np.int64) + 1)
        stage.table(tables.dense_table(NAMES, original.users, labels, cells), folder / f"{stem}{extension}", secret)
    stage.text(schema_toml(schema_of(original)), folder / FILE)


def schema_of(original: Traces) -> Schema:
    """What the tables of traces do not hold."""
    sensitive = tuple(int(region) + 1 for region in np.flatnonzero(original.sensitive))
    return Schema(original.grid, original.day, sensitive)


def _published(folder: Path, grid: Grid) -> tuple[Cells, Ints]:
    """What was published, and the labels of its times."""
    path = files.find_table(folder, "published")
    names, times, texts = tables.read_dense(path, PUBLISHED)
    cells = tables.parse_cells(texts, (len(names), times.size), grid.regions, path)
    return replace(cells, names=names), times


def _read_owners(path: Path, published: Cells, users: pl.Series) -> Ints:
    table = files.read_texts(path)
    if table.columns != ["pseudonym", "user"]:
        raise FileError(f"{path}: expected the columns pseudonym and user, found {', '.join(table.columns)}")
    names = published.names
    if names is None or not table["pseudonym"].cast(pl.String).equals(names.rename("pseudonym")):
        raise FileError(f"{path} does not list the pseudonyms of the published traces in their order")
    codes = table["user"].cast(pl.String).cast(pl.Enum(users), strict=False).to_physical().cast(pl.Int64)
    bad = codes.is_null() | ~codes.is_first_distinct()
    if bad.any():
        at = int(bad.arg_true()[0])
        raise FileError(
            f"{path}, line {at + 2}: the user {table['user'][at]!r} is unknown or stands there a second time"
        )
    return codes.fill_null(NOTHING).to_numpy()


def _fresh_names(number: int, users: pl.Series) -> list[str]:
    """n+1..2n, as in the contest, or further up where these are users."""
    taken, start = set(users), number
    while any(str(start + i) in taken for i in range(1, number + 1)):
        start *= 10
    return [str(start + i) for i in range(1, number + 1)]
