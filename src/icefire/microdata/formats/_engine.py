"""Releases of tables that stay on an engine, which writes them as Parquet."""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Mapping
from pathlib import Path

from icefire.core.errors import FileError, InputError
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import files
from icefire.frames.remote import write_shuffled
from icefire.microdata.data import EngineRelease, Microdata
from icefire.microdata.schema import FILE, read_schema, schema_toml


def source_of(folder: Path, stem: str) -> Path:
    """A table that an engine can read: a file, or a folder of files."""
    parts = folder / f"{stem}.parquet"
    return parts if parts.is_dir() else files.find_table(folder, stem)


def has_original(folder: Path) -> bool:
    return (folder / "original.parquet").is_dir() or files.has_table(folder, "original")


def write_release(release: EngineRelease, folder: Path, secret: str, recipe: Recipe, outdated: list[Path]) -> None:
    """Write a release; the files of the original are copied where the folder has none."""
    source = Path(release.original.where)
    if not source.exists():
        raise InputError("the original of a release on an engine is read from a folder: write it to one first")
    folder.mkdir(parents=True, exist_ok=True)
    there = has_original(folder)
    if there and not _same(source, source_of(folder, "original")):
        raise FileError(f"{folder} holds another original table: choose an empty folder, or clear this one")
    with files.staged() as stage:
        if not there:
            _copy(source, stage, folder / source.name)
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


def _same(source: Path, there: Path) -> bool:
    if source.resolve() == there.resolve():
        return True
    if source.is_dir() != there.is_dir():
        return False
    if not source.is_dir():
        return filecmp.cmp(source, there, shallow=False)
    names = [sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()) for top in (source, there)]
    return names[0] == names[1] and filecmp.cmpfiles(source, there, names[0], shallow=False)[0] == names[0]


def _copy(source: Path, stage: files.Staged, final: Path) -> None:
    """The original is all that an attacker of maximum knowledge needs, so the copy is readable by its owner only."""
    if not source.is_dir():
        shutil.copyfile(source, stage.path(final, secret=True))
        return
    copied = stage.folder(final)
    copied.mkdir(mode=0o700)
    shutil.copytree(source, copied, dirs_exist_ok=True, copy_function=shutil.copyfile)
    copied.chmod(0o700)
