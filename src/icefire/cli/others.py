"""Other releases of the same people, which recipients hold as well."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from icefire.core.registry import Registry
from icefire.evaluation.assess import Other


def other_releases(registry: Registry, kind: str, source: Path, original: Any, paths: Sequence[Path]) -> list[Other]:
    """What was published in these folders."""
    files = registry.format(kind, None)
    return [Other(path.resolve().name, files.read_published(path, original)) for path in paths]
