"""Microdata in a working folder: original.*, published.*, secret.csv, guess-*.csv, schema.toml."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from icefire.core import roles
from icefire.core.errors import DataError, FileError
from icefire.frames import files
from icefire.microdata.data import Guess, Microdata, Release, Rows, check_rows
from icefire.microdata.roles import Anonymizer
from icefire.microdata.schema import FILE, Schema, read_schema, schema_toml

SECRET = "secret.csv"
RECIPE = "secret-recipe.toml"


@dataclass(frozen=True)
class Pipeline:
    """Anonymizers one after the other; the row maps are chained."""

    steps: tuple[Anonymizer, ...]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        table, rows = original, np.arange(original.height)
        for step in self.steps:
            release = step.anonymize(table, rng)
            table, rows = release.published, rows[release.rows]
        if not self.steps:
            return Release.shuffled(original, original.frame, rows, rng)
        return Release(original, table, rows)

    def step(self) -> str:
        return " ".join(step.step() for step in self.steps) or "nothing"


class MicrodataKind(roles.Kind[Microdata, Microdata, Microdata, Release, Guess]):
    """One row per person."""

    name: ClassVar[str] = "microdata"
    headline_utility: ClassVar[str] = "information_loss"
    headline_safety: ClassVar[str] = "re_identification"

    def read_original(self, folder: Path) -> Microdata:
        return _read(folder, "original", read_whole_schema(folder))

    def write_original(self, original: Microdata, folder: Path, extension: str = ".csv") -> None:
        with files.staged() as stage:
            stage.table(original.frame, folder / f"original{extension}")
            stage.text(schema_toml(original.schema), folder / FILE)

    def read_published(self, folder: Path) -> Microdata:
        return _read(folder, "published", read_whole_schema(folder))

    def read_release(self, folder: Path) -> Release:
        original, published = self.read_original(folder), self.read_published(folder)
        rows = _read_rows(folder / SECRET, "the row map", published.height, original.height)
        return Release(original, published, rows)

    def write_release(self, release: Release, folder: Path, recipe: dict[str, Any], extension: str = ".csv") -> None:
        with files.staged() as stage:
            if not files.has_table(folder, "original"):
                stage.table(release.original.frame, folder / f"original{extension}")
                stage.text(schema_toml(release.original.schema), folder / FILE)
            stage.table(release.published.frame, folder / f"published{extension}")
            stage.text("".join(f"{row + 1}\n" for row in release.rows), folder / SECRET, secret=True)
            stage.text(_recipe_toml(recipe), folder / RECIPE, secret=True)

    def original_of(self, release: Release) -> Microdata:
        return release.original

    def published_of(self, release: Release) -> Microdata:
        return release.published

    def knowledge_of(self, original: Microdata) -> Microdata:
        return original

    def read_guess(self, path: Path, published: Microdata, knowledge: Microdata) -> Guess:
        return Guess(_read_rows(path, "the guess", published.height, knowledge.height))

    def write_guess(self, guess: Guess, path: Path) -> None:
        with files.staged() as stage:
            stage.text("".join(f"{row + 1}\n" for row in guess.rows), path)

    def pipeline(self, steps: list[Any]) -> Pipeline:
        return Pipeline(tuple(steps))


def read_whole_schema(folder: Path) -> Schema:
    """The schema of the original table of a folder."""
    return read_schema(folder / FILE, files.header(files.find_table(folder, "original")))


def _read(folder: Path, stem: str, schema: Schema) -> Microdata:
    path = files.find_table(folder, stem)
    texts = tuple(name for name in schema.names if schema.column(name).type in ("ordered", "categorical"))
    frame = files.read_table(path, texts)
    if stem == "published":
        # What was generalized is text now; how to read it is the original's business.
        return Microdata(frame, Schema(schema.qi, schema.sa).restricted(frame.columns), where=str(path))
    for name in schema.names:
        if schema.column(name).type == "numeric":
            files.require_numeric(frame, name, str(path))
    return Microdata(frame, schema, where=str(path))


def _read_rows(path: Path, what: str, published: int, original: int) -> Rows:
    numbers = np.array(files.read_integers(path, what), dtype=np.int64)
    if numbers.size and numbers.min() == 0:
        raise FileError(f"{path}: {what} counts rows from 0; files count them from 1. Add 1 to every number.")
    try:
        check_rows(numbers - 1, published, original, what)
    except DataError as error:
        raise FileError(f"{path}: {error}") from error
    return numbers - 1


def _recipe_toml(recipe: dict[str, Any]) -> str:
    head = "# Part of the secret: with the seed anybody can undo the release.\n"
    return head + "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in recipe.items())
