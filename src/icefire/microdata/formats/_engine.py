"""Releases of tables that stay on an engine, which writes them as Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from icefire.core.errors import FileError, InputError
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import files
from icefire.frames.folders import copy_table, has_original, same_tables, source_of
from icefire.frames.remote import write_shuffled
from icefire.microdata.data import EngineRelease, Microdata
from icefire.microdata.schema import FILE, read_schema, schema_toml


def write_release(release: EngineRelease, folder: Path, secret: str, recipe: Recipe, outdated: list[Path]) -> None:
    """Write a release; the files of the original are copied where the folder has none."""
    source = Path(release.original.where)
    if not source.exists():
        raise InputError("the original of a release on an engine is read from a folder: write it to one first")
    folder.mkdir(parents=True, exist_ok=True)
    there = has_original(folder)
    if there and not same_tables(source, source_of(folder, "original")):
        raise FileError(f"{folder} holds another original table: choose an empty folder, or clear this one")
    with files.staged() as stage:
        if not there:
            copy_table(source, stage, folder / source.name)
        if not there or _labels(folder, release.original) != release.original.labels:
            stage.text(schema_toml(release.original.schema), folder / FILE)
        stage.remove(*outdated)
        published, rows = stage.folder(folder / "published.parquet"), stage.path(folder / secret, secret=True)
        names = release.published.schema.names
        header = [name for name in release.published.lazy.collect_schema().names() if name in names]
        write_shuffled(release.original.native, release.recodings, header, release.key, published, rows)
        stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)


def _labels(folder: Path, original: Microdata) -> Mapping[str, object]:
    """The labels that the schema in a folder explains."""
    return Microdata(original.native, read_schema(folder / FILE, original.lazy.collect_schema().names())).labels
