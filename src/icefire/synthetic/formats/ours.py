"""icefire's own files of synthetic tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import files
from icefire.synthetic.data import Condition, Guess, Ints, Knowledge, People, Release, chance_columns, fitted, plain
from icefire.synthetic.model import FILE as MODEL
from icefire.synthetic.model import Model, model_json, read_model
from icefire.synthetic.predicates import COMPARISONS
from icefire.synthetic.roles import Format
from icefire.synthetic.schema import FILE, Schema, read_schema, schema_toml

MEMBERS, CONTROL, POPULATION, PUBLISHED, REFERENCE = "original", "control", "population", "published", "reference"
CONFIDENCE, LINKS, PREDICATES = ["confidence"], ["left", "right"], ["predicate", "column", "comparison", "value"]


@dataclass(frozen=True)
class Ours(Format):
    """icefire's own folder: original.* (the members), control.*, population.*, published.*, guess-*.csv and schema.toml.

    model.json, if it is there, is a model that is handed out beside published.*; reference.* a sample of further people whom
    attackers know.
    Without control.*, a fifth of original.* is held out. population.* holds all of them in random order: it is what attackers
    get to know, and a guess has a line for each of its rows.
    """

    published_files: ClassVar[tuple[str, ...]] = ("published.*", MODEL)
    submitted_files: ClassVar[tuple[str, ...]] = ("published.*",)
    known_files: ClassVar[tuple[str, ...]] = (f"{POPULATION}.*", f"{REFERENCE}.*", FILE)
    withheld_files: ClassVar[tuple[str, ...]] = (f"{CONTROL}.*", f"{POPULATION}.*", f"{REFERENCE}.*")

    def read_original(self, folder: Path) -> People:
        schema = read_schema(folder / FILE)
        path = files.find_table(folder, MEMBERS)
        members = _read(path, schema)
        control = _read(files.find_table(folder, CONTROL), schema) if files.has_table(folder, CONTROL) else None
        return People(members, control, schema, str(path), _model(folder, members), _reference(folder, schema))

    def write_original(self, original: People, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        with files.staged() as stage:
            _stage_original(stage, original, folder, extension, secret=False)

    def read_published(self, folder: Path, original: People) -> pl.DataFrame:
        return _published(folder, original.members, original.schema)

    def read_handout(self, folder: Path) -> tuple[pl.DataFrame, Knowledge]:
        schema = read_schema(folder / FILE)
        table = _read(files.find_table(folder, POPULATION), schema)
        names, reference = tuple(table.columns), _reference(folder, schema)
        reference = None if reference is None else fitted(reference, table, schema, "the reference sample")
        known = Knowledge("all", table, schema, names, _model(folder, table), reference)
        return _published(folder, table, schema), known

    def read_secret(self, folder: Path, original: People, published: pl.DataFrame) -> Release:
        return Release(original, published)

    def write_release(self, release: Release, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        there = self.read_original(folder) if files.has_table(folder, MEMBERS) else None
        # As texts: files do not keep every type.
        if there is not None and there.members.write_csv() != release.original.members.write_csv():
            raise FileError(f"{folder} holds another original table: choose an empty folder, or clear this one")
        with files.staged() as stage:
            if there is None:
                _stage_original(stage, release.original, folder, extension, secret=True)
            stage.remove(*self.outdated(folder))
            stage.table(release.published, folder / f"{PUBLISHED}{extension}")
            if release.original.model is not None:
                stage.text(model_json(release.original.model), folder / MODEL)
            recipe = {**recipe, **files.decimals_of(release.published)}
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)

    def read_guess(self, path: Path, published: pl.DataFrame, knowledge: Knowledge) -> Guess:
        table = files.read_texts(path)
        try:
            guess = _guess(table, knowledge, path)
            guess.check(published, knowledge)
        except DataError as error:
            raise FileError(f"{path}: {error}") from error
        return guess

    def write_guess(self, guess: Guess, path: Path, published: pl.DataFrame, knowledge: Knowledge) -> None:
        with files.staged() as stage:
            stage.table(_sheet(guess), path)

    def extension(self, folder: Path) -> str:
        return files.extension_of(files.find_table(folder, MEMBERS))


def _read(path: Path, schema: Schema) -> pl.DataFrame:
    texts = [name for name, column in schema.columns.items() if column.type == "categorical" or column.values]
    file = files.TableFile(path)
    return plain(file.read([name for name in texts if name in file.header]), schema, str(path))


def _model(folder: Path, like: pl.DataFrame) -> Model | None:
    return read_model(folder / MODEL, like) if (folder / MODEL).is_file() else None


def _reference(folder: Path, schema: Schema) -> pl.DataFrame | None:
    return _read(files.find_table(folder, REFERENCE), schema) if files.has_table(folder, REFERENCE) else None


def _published(folder: Path, like: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    path = files.find_table(folder, PUBLISHED)
    texts = [name for name, dtype in like.schema.items() if not dtype.is_numeric()]
    return fitted(files.read_table(path, texts), like, schema, str(path))


def _stage_original(stage: files.Staged, original: People, folder: Path, extension: str, secret: bool) -> None:
    tables = {MEMBERS: original.members, CONTROL: original.control, POPULATION: original.candidates}
    if original.reference is not None:
        tables[REFERENCE] = original.reference
    for stem, table in tables.items():
        stage.table(table, folder / f"{stem}{extension}", secret)
    stage.text(schema_toml(_explicit(original)), folder / FILE)


def _explicit(original: People) -> Schema:
    """The schema, saying of texts that look like numbers that they are texts: a CSV file does not tell."""
    columns = dict(original.schema.columns)
    for name in original.names:
        cells, column = original.members[name], original.schema.column(name)
        if cells.dtype == pl.String and column.type is None and not column.values:
            looks = cells.str.strip_chars().cast(pl.Float64, strict=False)
            if looks.null_count() < len(cells) or cells.null_count() == len(cells):
                columns[name] = type(column)("categorical", missing=column.missing)
    return replace(original.schema, columns=columns)


def _sheet(guess: Guess) -> pl.DataFrame:
    """A guess as a table."""
    if guess.confidence is not None:
        return pl.DataFrame({"confidence": guess.confidence})
    if guess.values is not None:
        return guess.values
    if guess.links is not None:
        rows = [[" ".join(str(row + 1) for row in near) for near in part.tolist()] for part in guess.links]
        return pl.DataFrame(dict(zip(LINKS, rows, strict=True)), schema=dict.fromkeys(LINKS, pl.String))
    lines = [
        (str(number), condition.column, condition.comparison, None if condition.value is None else str(condition.value))
        for number, predicate in enumerate(guess.predicates or (), start=1)
        for condition in predicate
    ]
    return pl.DataFrame(lines, schema=dict.fromkeys(PREDICATES, pl.String), orient="row")


def _guess(table: pl.DataFrame, knowledge: Knowledge, path: Path) -> Guess:
    """A table as a guess; its heading says of which sort."""
    if table.columns == CONFIDENCE:
        return Guess(
            confidence=files.as_numbers(table, "confidence", str(path))["confidence"].cast(pl.Float64).to_numpy()
        )
    if table.columns == LINKS:
        return Guess(links=(_rows(table["left"], path), _rows(table["right"], path)))
    if table.columns == PREDICATES:
        return Guess(predicates=_predicates(table, knowledge))
    chances = [column for name in knowledge.schema.hidden for column in chance_columns(table, name).values()]
    unknown = [name for name in table.columns if name not in (*knowledge.schema.hidden, *chances)]
    if unknown:
        hidden = " ".join(knowledge.schema.hidden)
        raise FileError(
            f"{path}: the heading must be confidence (who is a member), left,right (links), predicate,column,comparison,value "
            f"(singling out) or hidden columns ({hidden}); found {','.join(table.columns)}"
        )
    for name in table.columns:
        if name in chances or knowledge.table[name].dtype.is_numeric():
            table = files.as_numbers(table, name, str(path))
    return Guess(values=table)


def _rows(column: pl.Series, path: Path) -> Ints:
    """Row numbers, which count from 1, with spaces between."""
    lists = [cell.split() if isinstance(cell, str) else [] for cell in column]
    widths = {len(cells) for cells in lists}
    if len(widths) > 1 or not all(cell.isdigit() for cells in lists for cell in cells):
        raise FileError(
            f"{path}: {column.name} must hold the same number of row numbers in each line, with spaces between"
        )
    return np.array(lists, dtype=np.int64).reshape(len(lists), -1) - 1


def _predicates(table: pl.DataFrame, knowledge: Knowledge) -> tuple[tuple[Condition, ...], ...]:
    found: dict[str, list[Condition]] = {}
    for line, (number, column, comparison, value) in enumerate(table.iter_rows(), start=2):
        if comparison not in COMPARISONS:
            raise DataError(f"line {line}: the comparison must be one of {' '.join(COMPARISONS)}, not {comparison!r}")
        found.setdefault(number, []).append(
            Condition(column, comparison, _value(knowledge, column, comparison, value, line))
        )
    return tuple(tuple(conditions) for conditions in found.values())


def _value(knowledge: Knowledge, column: str, comparison: str, value: str | None, line: int) -> str | float | None:
    if (
        comparison == "missing"
        or column not in knowledge.table.columns
        or not knowledge.table[column].dtype.is_numeric()
    ):
        return value
    try:
        number = float(value or "")
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise DataError(f"line {line}: {value!r} is not a number, and the column {column!r} holds numbers")
    return number
