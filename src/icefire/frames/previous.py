"""Earlier releases of the same people: `[[previous]]` in schema.toml.

[[previous]]
name = "release-2025"
path = "previous/release-2025"        # a folder with published.*, from the folder of schema.toml
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from icefire.core.errors import FileError, InputError
from icefire.frames.files import read_toml_text, staged, toml_value

SCHEMA, FOLDER, KEY = "schema.toml", "previous", "previous"


@dataclass(frozen=True)
class Previous:
    """A release that was handed out before."""

    name: str
    folder: Path
    """With its published files."""


def previous_releases(folder: Path) -> list[Previous]:
    """The earlier releases that a working folder names; FileError if one of them is not there."""
    path = folder / SCHEMA
    if not path.is_file():
        return []
    entries = read_toml_text(path).get(KEY, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise FileError(f'{path}: expected tables [[previous]] with lines such as name = "2025" and path = "../2025"')
    found = []
    for entry in entries:
        name, place = entry.get("name"), entry.get("path")
        if not isinstance(name, str) or not isinstance(place, str) or len(entry) > 2:
            raise FileError(f"{path}: [[previous]] takes name and path, two texts; got {entry!r}")
        if not (folder / place).is_dir():
            raise FileError(f"{path}: the previous release {name!r} is not there: no folder {folder / place}")
        found.append(Previous(name, folder / place))
    if len({entry.name for entry in found}) < len(found):
        raise FileError(f"{path}: two previous releases have the same name")
    return found


def add_previous(folder: Path, releases: Sequence[Previous]) -> None:
    """Name earlier releases in the schema of a working folder, beside those that it names already."""
    path = folder / SCHEMA
    there = {entry.name for entry in previous_releases(folder)}
    lines = list[str]()
    for entry in releases:
        if entry.name not in there:
            place = _relative(entry.folder, folder)
            lines += ["", "[[previous]]", f"name = {toml_value(entry.name)}", f"path = {toml_value(place)}"]
    if lines:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        with staged() as stage:
            stage.text(text + "\n".join(lines) + "\n", path)


def _relative(place: Path, folder: Path) -> str:
    return Path(os.path.relpath(place.resolve(), folder.resolve())).as_posix()


def record_release(folder: Path, name: str, files: Sequence[Path]) -> Previous:
    """Keep a copy of what is handed out in the working folder of the original, and name it in the schema."""
    if name in ("", ".", "..") or Path(name).name != name:
        raise InputError(f"{name!r} cannot be the name of a release: it is also that of a folder")
    entry = Previous(name, folder / FOLDER / name)
    if entry.folder.exists() or any(name == other.name for other in previous_releases(folder)):
        raise InputError(f"{folder} has a previous release {name!r} already: choose another --name")
    with staged() as stage:
        for file in files:
            shutil.copyfile(file, stage.path(entry.folder / file.name, secret=True))
    add_previous(folder, [entry])
    return entry
