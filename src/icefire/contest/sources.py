"""Data of the organizer's own: the files that the sources of a contest name.

They are named relative to the contest's file. A new contest copies them into its vault, where the judge finds them from any
machine, and where a back-up includes them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from icefire.contest.config import Config, Dataset
from icefire.core.errors import FileError, IcefireError
from icefire.core.registry import Registry
from icefire.core.roles import AnyDataset

DATA = "data"
"""The folder in the vault."""
BESIDE = "schema.toml"
"""What describes a table from beside it goes with it."""


def resolved(config: Config, registry: Registry, base: Path) -> Config:
    """The configuration with whole paths, given the folder of its file."""
    return _with_paths(config, registry, lambda _, __, path: str((base / path).resolve()))


def kept(config: Config, registry: Registry, vault: Path) -> Config:
    """Copy all files into the vault, and return the configuration with their names there."""

    def copy(dataset: Dataset, parameter: str, path: str) -> str:
        name = re.sub(r"[^\w.-]", "_", Path(path).name).lstrip(".-") or DATA
        _copy(Path(path), vault / DATA / dataset.name / parameter / name)
        return name

    sets = tuple(dataset.model_copy(update={"small": None}) for dataset in config.sets)
    return _with_paths(config.model_copy(update={"sets": sets}), registry, copy)


def source_of(dataset: Dataset, registry: Registry, kind: str, vault: Path | None) -> AnyDataset:
    """The source of a set, with its files in the vault if there is one."""
    method: AnyDataset = registry.make(kind, "dataset", dataset.source)
    if vault is None:
        return method
    return _moved(method, lambda parameter, path: str(vault / DATA / dataset.name / parameter / path))


def _with_paths(config: Config, registry: Registry, change: Callable[[Dataset, str, str], str]) -> Config:
    def changed(dataset: Dataset) -> Dataset:
        steps = {"source": dataset.source, "small": dataset.small}
        found = {
            key: _step(step, config.kind, registry, partial(change, dataset))
            for key, step in steps.items()
            if step is not None
        }
        return dataset.model_copy(update=found)

    return config.model_copy(update={"sets": tuple(map(changed, config.sets))})


def _step(source: str, kind: str, registry: Registry, change: Callable[[str, str], str]) -> str:
    try:
        method: AnyDataset = registry.make(kind, "dataset", source)
    except IcefireError:
        # Another game's, or a fault that the check of the configuration reports.
        return source
    return _moved(method, change).step() if method.paths else source


def _moved(method: AnyDataset, change: Callable[[str, str], str]) -> AnyDataset:
    values = {name: getattr(method, name) for name in method.paths}
    return replace(method, **{name: change(name, path) for name, path in values.items() if path})


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        if path.is_dir():
            target.mkdir(mode=0o700, exist_ok=True)
            for file in sorted(path.iterdir()):
                if file.is_file() and re.fullmatch(r"\w[\w.-]*", file.name):
                    shutil.copyfile(file, target / file.name)
            return
        shutil.copyfile(path, target)
        if (path.parent / BESIDE).is_file():
            shutil.copyfile(path.parent / BESIDE, target.parent / BESIDE)
    except OSError as error:
        raise FileError(f"{path} cannot be copied into the contest: {error.strerror}") from error
