"""Tables of working folders that an engine reads: a file, or a folder of files."""

from __future__ import annotations

import filecmp
import shutil
from pathlib import Path

from icefire.frames import files


def source_of(folder: Path, stem: str) -> Path:
    """A table that an engine can read: a file, or a folder of files."""
    return _parts(folder, stem) or files.find_table(folder, stem)


def has_original(folder: Path) -> bool:
    """Whether a folder holds an original, as a file or as a folder of files."""
    return _parts(folder, "original") is not None or files.has_table(folder, "original")


def _parts(folder: Path, stem: str) -> Path | None:
    """A table that is a folder of files, if there is one: original.parquet/ or original.csv/."""
    return next((path for path in (folder / f"{stem}{end}" for end in (".parquet", ".csv")) if path.is_dir()), None)


def same_tables(source: Path, there: Path) -> bool:
    """Whether two tables are the same files."""
    if source.resolve() == there.resolve():
        return True
    if source.is_dir() != there.is_dir():
        return False
    if not source.is_dir():
        return filecmp.cmp(source, there, shallow=False)
    names = [sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()) for top in (source, there)]
    return names[0] == names[1] and filecmp.cmpfiles(source, there, names[0], shallow=False)[0] == names[0]


def copy_table(source: Path, stage: files.Staged, final: Path) -> None:
    """The original is all that an attacker of maximum knowledge needs, so the copy is readable by its owner only."""
    if not source.is_dir():
        shutil.copyfile(source, stage.path(final, secret=True))
        return
    copied = stage.folder(final)
    copied.mkdir(mode=0o700)
    shutil.copytree(source, copied, dirs_exist_ok=True, copy_function=shutil.copyfile)
    copied.chmod(0o700)
