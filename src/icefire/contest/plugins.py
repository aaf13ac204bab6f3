"""Methods of the organizer's own: a contest keeps the files of its plugins, so that every process of it has them."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from icefire.core.errors import FileError
from icefire.core.registry import Registry

PLUGINS = "plugins"
"""The folder of the files inside that of the contest."""


def keep_plugins(folder: Path, registry: Registry) -> None:
    """Copy the files of a registry's plugins into a new contest."""
    for file in registry.plugin_files:
        target = folder / PLUGINS / file.name
        if target.exists():
            raise FileError(f"two plugins are called {file.name}: rename one of them")
        target.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.copyfile(file, target)


def load_plugins(folder: Path, registry: Registry) -> None:
    """Load the plugins of a contest that the registry does not have yet."""
    known = {_content(file) for file in registry.plugin_files}
    for file in sorted((folder / PLUGINS).glob("*.py")):
        if _content(file) not in known:
            registry.add_plugin(file)


def _content(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
