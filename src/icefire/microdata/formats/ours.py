"""icefire's own files of microdata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import narwhals as nw
import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError, InputError, UnknownName
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import engines, files
from icefire.frames.folders import has_original, source_of
from icefire.frames.previous import add_previous, previous_releases
from icefire.frames.sources import Engine, open_table
from icefire.microdata.data import EngineRelease, Guess, Microdata, Release, Rows, check_rows
from icefire.microdata.formats import _engine
from icefire.microdata.formats._previous import published_elsewhere, with_pseudonyms
from icefire.microdata.inspection import questions
from icefire.microdata.people import require_rows_of_people
from icefire.microdata.roles import Format
from icefire.microdata.schema import FILE, Schema, read_schema, schema_toml

SECRET = "secret.csv"
MOST_FAULTS = 20


@dataclass(frozen=True)
class Ours(Format):
    """icefire's own folder: original.*, published.*, secret.csv, guess-*.csv and schema.toml.

    Parameters:
        engine: what reads the tables, and measures and recodes what can be measured and recoded there; "memory" reads them
            whole. With an engine, a table may also be a folder of Parquet files, such as original.parquet/.
    """

    engine: Literal["memory", "polars", "duckdb", "spark"] = "memory"

    def read_original(self, folder: Path) -> Microdata:
        if self.engine != "memory":
            return _scanned_original(folder, self.engine)
        file = files.TableFile(files.find_table(folder, "original"))
        if not (folder / FILE).is_file():
            raise FileError(f"no file {folder / FILE}: {questions(file.read(), file.header, folder)}")
        schema = read_schema(folder / FILE, file.header)
        where = str(file.path)
        texts = [name for name in schema.names if schema.column(name).type in ("ordered", "categorical")]
        texts += [name for name in schema.identifying if name in file.header]
        frame = files.with_dates(file.read(texts), texts)
        for name in schema.names:
            if schema.column(name).type == "numeric":
                frame = files.as_numbers(frame, name, where)
        require_rows_of_people(frame, schema, where)
        return Microdata(frame, schema, where=where)

    def read_identifying(self, folder: Path, names: Sequence[str]) -> pl.DataFrame:
        if self.engine != "memory":
            raise InputError("pseudonyms are not made on an engine: leave the engine out")
        file = files.TableFile(files.find_table(folder, "original"))
        identifying = read_schema(folder / FILE, file.header).identifying
        for name in names:
            if name not in identifying:
                raise UnknownName.of("identifying column", name, identifying)
            if name not in file.header:
                raise FileError(
                    f"{file.path} has no column {name!r}: the folder of a release does not keep what identifies"
                )
        return file.read(names).select(names)

    def write_original(self, original: Microdata, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        with files.staged() as stage:
            stage.table(original.frame, folder / f"original{extension}")
            stage.text(schema_toml(_explicit(original)), folder / FILE)

    def read_published(self, folder: Path, original: Microdata) -> Microdata:
        if self.engine != "memory":
            words = [name for name, dtype in original.lazy.collect_schema().items() if not dtype.is_numeric()]
            source = source_of(folder, "published")
            data = open_table(source, self.engine, texts=words)
            schema = original.schema.without_columns().restricted(engines.columns(data))
            return Microdata(data, schema, where=str(source))
        path = files.find_table(folder, "published")
        # What is text in the original is text in the release, whatever it looks like; generalized numbers are text, too.
        texts = tuple(name for name, dtype in original.frame.schema.items() if not dtype.is_numeric())
        frame = files.read_table(path, texts)
        table = Microdata(frame, original.schema.without_columns().restricted(frame.columns), where=str(path))
        return with_pseudonyms(table, frame, original)

    def read_previous(self, folder: Path, original: Microdata) -> Microdata:
        path = files.find_table(folder, "published")
        texts = tuple(name for name, dtype in original.frame.schema.items() if not dtype.is_numeric())
        frame = files.read_table(path, texts)
        return published_elsewhere(frame, original, str(path))

    def read_handout(self, folder: Path) -> tuple[Microdata, Microdata]:
        original = self.read_original(folder).knowledge
        return self.read_published(folder, original), original

    def read_secret(self, folder: Path, original: Microdata, published: Microdata) -> Release:
        rows = _read_rows(folder / SECRET, "the row map", published.height, original.height)
        return Release(original, published, rows)

    def check_cells(self, release: Release) -> None:
        faults: list[str] = []
        for name in release.published.schema.names:
            if not release.original.frame[name].dtype.is_numeric():
                continue
            column, domain = release.published.frame[name], release.original.domain(name)
            texts = [text for text in column.unique() if isinstance(text, str) and text.strip()]
            words = [text for text in texts if np.isnan(domain.bounds(text)[0])]
            faults += [
                f"{release.published.where}, line {row + 2}, column {name!r}: {column[row]!r} is neither a number nor a "
                "generalization of numbers such as [10..20] or *"
                for row in column.is_in(words).arg_true()[:MOST_FAULTS].to_list()
            ]
        if faults:
            raise FileError("\n".join(faults[:MOST_FAULTS]))

    def write_release(self, release: Release, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        if isinstance(release, EngineRelease):
            _engine.write_release(release, folder, SECRET, recipe, self.outdated(folder))
            return
        there = self.read_original(folder) if has_original(folder) else None
        # As texts: files do not keep every type.
        if there is not None and there.frame.write_csv() != release.original.frame.write_csv():
            raise FileError(f"{folder} holds another original table: choose an empty folder, or clear this one")
        before = previous_releases(folder)
        with files.staged() as stage:
            if there is None:
                # The original is all that an attacker of maximum knowledge needs.
                stage.table(release.original.frame, folder / f"original{extension}", secret=True)
            if there is None or there.labels != release.original.labels:
                stage.text(schema_toml(_explicit(release.original)), folder / FILE)
            stage.remove(*self.outdated(folder))
            stage.table(release.shown, folder / f"published{extension}")
            stage.text("".join(f"{row + 1}\n" for row in release.rows), folder / SECRET, secret=True)
            recipe = {**recipe, **files.decimals_of(release.published.frame)}
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)
        add_previous(folder, before)

    def read_guess(self, path: Path, published: Microdata, knowledge: Microdata) -> Guess:
        return Guess(_read_rows(path, "the guess", published.height, knowledge.height))

    def write_guess(self, guess: Guess, path: Path, published: Microdata, knowledge: Microdata) -> None:
        if guess.asked is not None:
            raise InputError(
                f"the guess is for {guess.answers:,} sampled rows only: a file needs an answer for every row"
            )
        with files.staged() as stage:
            stage.text("".join(f"{row + 1}\n" for row in guess.rows), path)

    def extension(self, folder: Path) -> str:
        return files.extension_of(source_of(folder, "original"))


def _scanned_original(folder: Path, engine: Engine) -> Microdata:
    source = source_of(folder, "original")
    data = open_table(source, engine)
    schema = read_schema(folder / FILE, engines.columns(data))
    if texts := [name for name in schema.names if schema.column(name).type in ("ordered", "categorical")]:
        data = open_table(source, engine, texts=texts)
    require_rows_of_people(data, schema, str(source))
    types = engines.lazy(data).collect_schema()
    words = [name for name in schema.names if schema.column(name).type == "numeric" and not types[name].is_numeric()]
    if words:
        numbers = [nw.col(name).str.strip_chars().cast(nw.Float64) for name in words]
        data = engines.lazy(data).with_columns(*numbers).to_native()
    return Microdata(data, schema, where=str(source))


def _explicit(table: Microdata) -> Schema:
    """The schema, saying of texts that look like numbers or dates that they are texts: a CSV file does not tell."""
    columns = dict(table.schema.columns)
    for name in table.schema.names:
        values = table.frame[name]
        if values.dtype == pl.String and table.schema.column(name).type is None:
            looks = values.str.strip_chars().cast(pl.Float64, strict=False)
            dates = files.with_dates(values.to_frame())[name].dtype == pl.Date
            if looks.null_count() == values.null_count() or dates:
                columns[name] = replace(table.schema.column(name), type="categorical")
    return replace(table.schema, columns=columns)


def _read_rows(path: Path, what: str, published: int, original: int) -> Rows:
    numbers = np.array(files.read_integers(path, what), dtype=np.int64)
    if numbers.size and numbers.min() == 0:
        raise FileError(f"{path}: {what} counts rows from 0; files count them from 1. Add 1 to every number.")
    try:
        check_rows(numbers - 1, published, original, what)
    except DataError as error:
        raise FileError(f"{path}: {error}") from error
    return numbers - 1
