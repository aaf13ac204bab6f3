"""icefire's own files of histories."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError, InputError, UnknownName
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import engines, files
from icefire.frames.folders import copy_table, has_original, same_tables, source_of
from icefire.frames.places import Place, reject_rows
from icefire.frames.remote import write_shuffled
from icefire.frames.sources import open_table
from icefire.history import tables
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.engine import EngineHistory, EngineRelease
from icefire.history.roles import Format
from icefire.history.schema import FILE, Schema, read_schema, schema_toml

SECRET = "secret.csv"
ROWS = "secret-rows.csv"
MASTER = "published-master"
"""What is published of the master table, if anything is."""


@dataclass(frozen=True)
class Ours(Format):
    """icefire's own folder: original.*, master.*, published.*, secret*.csv, guess-*.csv, owners-*.csv and schema.toml.

    Parameters:
        engine: what reads and counts the records: "duckdb" or "spark", for pseudonyms and the attacks that need no more than
            counts; "memory" reads them whole. With an engine, a table may also be a folder of Parquet files.
    """

    engine: Literal["memory", "duckdb", "spark"] = "memory"

    published_files: ClassVar[tuple[str, ...]] = ("published.*", f"{MASTER}.*")
    submitted_files: ClassVar[tuple[str, ...]] = ("published.*", SECRET, ROWS, f"{MASTER}.*")
    optional_files: ClassVar[tuple[str, ...]] = (f"{MASTER}.*",)
    known_files: ClassVar[tuple[str, ...]] = ("original.*", "master.*", FILE)
    guess_files: ClassVar[tuple[str, ...]] = ("guess-*.csv", "owners-*.csv")

    def read_original(self, folder: Path) -> History:
        schema = read_schema(folder / FILE)
        master = _read_master(folder, "master", schema)
        if self.engine != "memory":
            return self._opened(source_of(folder, "original"), schema, master=master)
        return read_records(files.find_table(folder, "original"), schema, master=master)

    def _opened(
        self,
        source: Path,
        schema: Schema,
        like: History | None = None,
        users: pl.Series | None = None,
        master: pl.DataFrame | None = None,
        complete: bool = True,
    ) -> EngineHistory:
        assert self.engine != "memory"
        texts = [schema.name(name) for name in ("user", "invoice", "time", "item")]
        data, periods = open_table(source, self.engine, texts=texts), None if like is None else like.periods
        return EngineHistory(
            data, schema, periods=periods, users=users, master=master, complete=complete, where=str(source)
        )

    def write_original(self, original: History, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        with files.staged() as stage:
            _stage_original(stage, original, folder, extension, secret=False)

    def read_published(self, folder: Path, original: History) -> History:
        if self.engine != "memory":
            return self._opened(source_of(folder, "published"), original.schema, like=original)
        published = read_records(files.find_table(folder, "published"), original.schema, like=original)
        master = _read_master(folder, MASTER, original.schema)
        if master is None:
            return published
        place = Place(str(files.find_table(folder, MASTER)), 2)
        return published.with_master(_published_master(master, published, original, place))

    def read_handout(self, folder: Path) -> tuple[History, History]:
        original = self.read_original(folder)
        return self.read_published(folder, original), original

    def read_secret(self, folder: Path, original: History, published: History) -> Release:
        if self.engine != "memory":
            raise InputError("releases of records are judged in memory: leave the engine out")
        secret = folder / SECRET
        table = files.read_texts(secret)
        place = Place(str(secret), 2)
        pseudonyms = tables.parse_table(table, original, published, "the pseudonym table", place, exclusive=True)
        rows = np.array(files.read_integers(folder / ROWS, "the row map"), dtype=np.int64) - 1
        if rows.size != published.height:
            raise FileError(f"{folder / ROWS}: {rows.size} entries for {published.height} published records")
        if rows.size and not (rows.min() >= NONE and rows.max() < original.height):
            raise FileError(f"{folder / ROWS} points outside the {original.height} original records")
        try:
            return Release(original, published, pseudonyms, rows)
        except DataError as error:
            raise FileError(f"{secret}: {error}") from error

    def write_release(self, release: Release, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        if isinstance(release, EngineRelease):
            _write_by_engine(release, folder, recipe, self.outdated(folder))
            return
        there = self.read_original(folder) if files.has_table(folder, "original") else None
        if there is not None and not there.frame.equals(release.original.frame):
            raise FileError(f"{folder} holds another original table: choose an empty folder, or clear this one")
        with files.staged() as stage:
            if there is None:
                # The original is all that an attacker of maximum knowledge needs.
                _stage_original(stage, release.original, folder, extension, secret=True)
            stage.remove(*self.outdated(folder))
            published = tables.render_records(release.published, release.original.schema)
            stage.table(published, folder / f"published{extension}")
            if (master := release.published.master) is not None:
                stage.table(_as_in_file(master, release.original.schema), folder / f"{MASTER}{extension}")
            stage.table(
                _pseudonym_table(release.original, release.pseudonyms, release.published.users),
                folder / SECRET,
                secret=True,
            )
            stage.text("".join(f"{row + 1}\n" for row in release.rows), folder / ROWS, secret=True)
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)

    def read_knowledge(self, path: Path, original: History) -> History:
        if self.engine != "memory":
            return self._opened(path, original.schema, original, original.users, complete=False)
        return read_records(path, original.schema, like=original, users=original.users, complete=False)

    def read_guess(self, path: Path, published: History, knowledge: History) -> Guess:
        table = files.read_texts(path)
        codes = tables.parse_table(table, knowledge, published, "the guess", Place(str(path), 2))
        guess = Guess.of_table(codes, len(published.users))
        second = path.with_name("owners-" + path.name.removeprefix("guess-"))
        if path.name.startswith("guess-") and second.is_file():
            sheet = files.read_table(second, ("pseudonym", "user"))
            owners = tables.parse_owners(sheet, knowledge, published, Place(str(second), 2))
            guess = Guess(codes, owners)
        return guess

    def write_guess(self, guess: Guess, path: Path, published: History, knowledge: History) -> None:
        sheets = tables.guess_tables(guess, knowledge, published)
        with files.staged() as stage:
            stage.table(sheets["guess"], path)
            stage.table(sheets["owners"], path.with_name("owners-" + path.name.removeprefix("guess-")))

    def extension(self, folder: Path) -> str:
        return files.extension_of(source_of(folder, "original"))

    def outdated(self, folder: Path) -> list[Path]:
        return [*super().outdated(folder), *folder.glob(f"{MASTER}.*")]


def _write_by_engine(release: EngineRelease, folder: Path, recipe: Recipe, outdated: list[Path]) -> None:
    """The engine writes the records as Parquet; the pseudonym table is written from here."""
    original = release.original
    assert isinstance(original, EngineHistory)
    source = Path(original.where)
    folder.mkdir(parents=True, exist_ok=True)
    there = has_original(folder)
    if there and not same_tables(source, source_of(folder, "original")):
        raise FileError(f"{folder} holds another original table: choose an empty folder, or clear this one")
    with files.staged() as stage:
        if not there:
            copy_table(source, stage, folder / source.name)
            stage.text(schema_toml(original.schema), folder / FILE)
            if original.master is not None:
                stage.table(_as_in_file(original.master, original.schema), folder / "master.csv", secret=True)
        stage.remove(*outdated)
        published, rows = stage.folder(folder / "published.parquet"), stage.path(folder / ROWS, secret=True)
        write_shuffled(original.native, [release.step], engines.columns(original.native), release.key, published, rows)
        stage.table(_pseudonym_table(original, release.pseudonyms, release.names), folder / SECRET, secret=True)
        stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)


def read_records(
    path: Path,
    schema: Schema,
    like: History | None = None,
    users: pl.Series | None = None,
    master: pl.DataFrame | None = None,
    complete: bool = True,
) -> History:
    """Records of a file; in the periods of another history where one is given."""
    if not path.is_file():
        raise FileError(f"no file {path}")
    place = Place(str(path), None if files.extension_of(path) == ".parquet" else 2)
    frame = tables.parse_records(files.read_texts(path), schema, place)
    periods = None if like is None else like.periods
    return History(frame, schema, periods=periods, users=users, master=master, complete=complete, place=place)


def _read_master(folder: Path, stem: str, schema: Schema) -> pl.DataFrame | None:
    if not files.has_table(folder, stem):
        return None
    path = files.find_table(folder, stem)
    table = files.read_texts(path)
    names = {schema.master.get(column, column): column for column in ("user", "birth", "country")}
    if not any(name in names and names[name] == "user" for name in table.columns):
        wanted = schema.master.get("user", "user")
        raise UnknownName.of(f"column of customers in {path}: [master] user =", wanted, table.columns)
    table = table.rename({name: names[name] for name in table.columns if name in names})
    table = table.with_columns(pl.col("user").cast(pl.String))
    return checked_master(table, Place(str(path), 2))


def checked_master(table: pl.DataFrame, place: Place) -> pl.DataFrame:
    ids = table["user"]
    reject_rows(ids.is_null(), place, "the customer has no id")
    reject_rows(~ids.is_first_distinct(), place, "the customer {value!r} is listed twice", ids)
    return table


def _published_master(table: pl.DataFrame, published: History, original: History, place: Place) -> pl.DataFrame:
    """What is published of the master table: a row for each pseudonym, and no column that the original lacks."""
    known = () if original.master is None else original.master.columns
    if strange := [name for name in table.columns if name not in known]:
        raise FileError(f"{place.name}: the master table of the original has no column {strange[0]!r}")
    ids = table["user"]
    reject_rows(~ids.is_in(published.users.implode()), place, "the pseudonym {value!r} has no published record", ids)
    missing = published.users.filter(~published.users.is_in(ids.implode()))
    if len(missing):
        raise FileError(f"{place.name} lacks {len(missing)} published pseudonyms, the first is {missing[0]!r}")
    return table.sort("user")


def _as_in_file(master: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    return master.rename({name: given for name, given in schema.master.items() if name in master.columns})


def _stage_original(stage: files.Staged, original: History, folder: Path, extension: str, secret: bool) -> None:
    schema = original.schema
    stage.table(tables.render_records(original, schema), folder / f"original{extension}", secret)
    master = original.master
    if master is None and len(original.users) > original.frame["user"].n_unique():
        # Customers without a record would be forgotten.
        master = pl.DataFrame({"user": original.users})
    if master is not None:
        stage.table(_as_in_file(master, schema), folder / f"master{extension}", secret)
    stage.text(schema_toml(schema), folder / FILE)


def _pseudonym_table(original: History, pseudonyms: Ints, names: pl.Series) -> pl.DataFrame:
    cells = zip(original.periods.labels, tables.render_table(pseudonyms, names), strict=True)
    return pl.DataFrame([original.users.alias("user"), *(column.alias(label) for label, column in cells)])
