"""The data of a study, read or generated."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from icefire.core.errors import FileError, UnknownName
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.frames import files
from icefire.study.config import Data

FOLDER = "ICEFIRE_DATA"
"""The environment variable that names the folder of files."""


class MissingFile(FileError):
    """A file that is not at hand: what needs it is left out."""


class Source:
    """One data set; read when it is first asked for."""

    def __init__(self, data: Data, folders: tuple[Path, ...], registry: Registry) -> None:
        self.data, self.folders, self.registry = data, folders, registry

    def identity(self) -> object:
        """All that the data depend on."""
        told = self.data.model_dump(mode="json", exclude={"name", "small", "origin"})
        for name in ("file", "master", "regions"):
            if told[name] is not None:
                told[name] = _hash(self._path(told[name]))
        told["beside"] = [_hash(self._path(name)) for name in self.data.beside]
        if self.data.folder is not None:
            held = sorted(path for path in self._folder(self.data.folder).rglob("*") if path.is_file())
            told["folder"] = {path.name: _hash(path) for path in held}
        return told

    @cached_property
    def value(self) -> Any:
        data = self.data
        if data.generator is not None:
            kind = "history" if data.kind == "table" else data.kind
            dataset = self.registry.make(kind, "dataset", data.generator)
            made = dataset.generate(generator(data.seed, "data", dataset.name))
            return made.frame if data.kind == "table" else self._some(made)
        if data.folder is not None:
            return self._some(self.registry.format(data.kind, None).read_original(self._folder(data.folder)))
        if data.file is None:
            frame = _expanded(data)
            return frame if data.kind == "table" else self._table(frame)
        path = self._path(data.file)
        if data.sha256 and _hash(path) != data.sha256:
            raise FileError(f"{path} is not the file of this study: its SHA-256 is {_hash(path)}, not {data.sha256}")
        frame = self._renamed(files.read_table(path))
        for number, name in enumerate(data.beside, start=2):
            other = files.read_table(self._path(name))
            frame = frame.join(other, on=frame.columns[0], how="left", suffix=f"/{number}", maintain_order="left")
        if data.kind == "table":
            return frame
        made = {
            "microdata": self._table,
            "history": self._records,
            "trace": self._traces,
            "synthetic": self._members,
        }
        return self._some(made[data.kind](frame))

    def _some(self, original: Any) -> Any:
        wanted = self.data.people
        return original if wanted is None else original.sample(wanted, generator(self.data.seed, "people"))

    def _renamed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Columns by icefire's names; the file of records and that of customers have some of them each."""
        return frame.rename({theirs: ours for ours, theirs in self.data.columns.items() if theirs in frame.columns})

    def _path(self, name: str) -> Path:
        for folder in self.folders:
            if (folder / name).is_file():
                return folder / name
        origin = f" ({self.data.origin})" if self.data.origin else ""
        raise MissingFile(f"no file {name}{origin}: name its folder with --data or {FOLDER}")

    def _members(self, frame: pl.DataFrame) -> Any:
        from icefire.synthetic.data import People, Schema

        chosen = frame.select(self.data.qi + self.data.sa) if self.data.qi else frame
        return People(chosen, None, Schema(self.data.sa), self.data.name)

    def _folder(self, name: str) -> Path:
        for folder in self.folders:
            if (folder / name).is_dir():
                return folder / name
        raise MissingFile(f"no folder {name}: name the one in which it is with --data or {FOLDER}")

    def _table(self, frame: pl.DataFrame) -> Any:
        from icefire.microdata.data import Microdata, Schema

        for name in (*self.data.qi, *self.data.sa):
            if name not in frame.columns:
                raise UnknownName.of(f"column in {self.data.file}", name, frame.columns)
        return Microdata(frame.select(*self.data.qi, *self.data.sa), Schema(qi=self.data.qi, sa=self.data.sa))

    def _records(self, frame: pl.DataFrame) -> Any:
        from icefire.history.data import History

        master = None
        if self.data.master is not None:
            master = self._renamed(files.read_texts(self._path(self.data.master)))
        return History(frame, master=master)

    def _traces(self, frame: pl.DataFrame) -> Any:
        """A table of user_id, time_id, reg_id and kind (ref or org), as published for 2019."""
        from icefire.trace.data import Traces

        table = frame.sort("user_id", "time_id")
        users = table["user_id"].n_unique()
        reference, original = (
            table.filter(pl.col("kind") == kind)["reg_id"].to_numpy().reshape(users, -1) - 1 for kind in ("ref", "org")
        )
        sensitive = None
        if self.data.regions is not None:
            sensitive = pl.read_csv(self._path(self.data.regions))["hospital"].to_numpy() == 1
        return Traces(reference, original, sensitive=np.asarray(sensitive) if sensitive is not None else None)


def _expanded(data: Data) -> pl.DataFrame:
    """The rows of a file, each as often as it says."""
    names = (*data.qi, *data.sa)
    counts = [int(row[-1]) if len(row) > len(names) else 1 for row in data.inline]
    columns = {name: [row[place] for row in data.inline] for place, name in enumerate(names)}
    return pl.DataFrame(columns)[np.repeat(np.arange(len(counts)), counts)]


def folders_of(study: Path, given: Path | None) -> tuple[Path, ...]:
    """Where files are looked for: the folder that was given, that of the environment, and beside the study."""
    named = os.environ.get(FOLDER)
    return tuple(folder for folder in (given, Path(named) if named else None, study.parent) if folder is not None)


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
