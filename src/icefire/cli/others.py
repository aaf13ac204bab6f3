"""Other releases of the same people, which recipients hold as well."""

from __future__ import annotations

import filecmp
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from icefire.core.formats import AnyFormat
from icefire.evaluation.assess import Other


def other_releases(files: AnyFormat, source: Path, original: Any, paths: Sequence[Path]) -> list[Other]:
    """What was published in these folders, and before, as the schema says; not the release in the folder itself."""
    from icefire.frames.previous import previous_releases

    named = [(path.resolve().name, path) for path in paths]
    named += [(entry.name, entry.folder) for entry in previous_releases(source)]
    chosen = {path.resolve(): name for name, path in named if not _same_release(files, source, path)}
    return [Other(name, files.read_previous(path, original)) for path, name in chosen.items()]


def _same_release(files: AnyFormat, here: Path, there: Path) -> bool:
    """Whether two folders hold the same published files."""
    published = [
        {path.name for pattern in files.published_files for path in folder.glob(pattern)} for folder in (here, there)
    ]
    return (
        bool(published[1])
        and published[0] == published[1]
        and all(filecmp.cmp(here / name, there / name, shallow=False) for name in published[0])
    )
