"""Computes the cells of a study, in parallel, as far as they are not known yet."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from icefire.core.errors import DataError, Undefined
from icefire.core.registry import Registry
from icefire.study.cache import Cache
from icefire.study.cells import Cell, cells_of
from icefire.study.config import Data, Study
from icefire.study.measure import Setting, Value, make_measure
from icefire.study.sources import MissingFile, Source

Computed = tuple[list[Value], float]


@dataclass
class Outcome:
    """What came out: the figures of every cell, and what could not be computed."""

    study: Study
    values: list[tuple[Cell, list[Value]]] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)
    """By run: the file that is missing."""
    seconds: float = 0.0
    """Processor time of all cells, whenever they were computed."""
    reused: int = 0
    """Cells that were known before."""


class Runner:
    """Runs one study."""

    def __init__(
        self,
        study: Study,
        folders: tuple[Path, ...],
        registry: Registry,
        cache: Cache,
        jobs: int = 1,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.study, self.folders, self.registry, self.cache = study, folders, registry, cache
        self.jobs, self.progress = jobs, progress
        self.cells = cells_of(study)
        self.data = {data.name: data for data in study.data}

    def run(self) -> Outcome:
        outcome = Outcome(self.study)
        found, waiting = self._looked_up(outcome.absent)
        for place in found:
            self.progress(self.cells[place].title)
        outcome.reused = len(found)
        for place, computed in self._computed(waiting):
            self.cache.put(waiting[place], *computed)
            found[place] = computed
        outcome.values = [(self.cells[place], found[place][0]) for place in sorted(found)]
        outcome.seconds = sum(seconds for _, seconds in found.values())
        return outcome

    def known(self) -> bool:
        """Whether everything was computed before, and no file is missing."""
        absent: dict[str, str] = {}
        _, waiting = self._looked_up(absent)
        return not waiting and not absent

    def _looked_up(self, absent: dict[str, str]) -> tuple[dict[int, Computed], dict[int, str]]:
        """Cells that were computed before, and the keys of those that were not; runs whose file is missing go to `absent`."""
        found: dict[int, Computed] = {}
        waiting: dict[int, str] = {}
        for place, cell in enumerate(self.cells):
            try:
                key = cell.key(None if cell.data is None else self._source(cell.data).identity())
            except MissingFile as error:
                absent[cell.run] = str(error)
                continue
            known = self.cache.get(key)
            if known is None:
                waiting[place] = key
            else:
                found[place] = known
        return found, waiting

    def _source(self, name: str) -> Source:
        return _source(self.data[name], self.folders, self.registry)

    def _computed(self, waiting: dict[int, str]) -> Iterator[tuple[int, Computed]]:
        if self.jobs == 1 or len(waiting) < 2:
            for place in waiting:
                cell = self.cells[place]
                self.progress(cell.title)
                yield place, compute(cell, self._data(cell), self.folders, self.registry)
            return
        # Threads of polars do not survive a fork.
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"), initializer=_begin) as pool:
            plugins = self.registry.plugin_files
            tasks: dict[Future[Computed], int] = {}
            for place in waiting:
                cell = self.cells[place]
                tasks[pool.submit(_worker, cell, self._data(cell), self.folders, plugins)] = place
            try:
                for task in as_completed(tasks):
                    self.progress(self.cells[tasks[task]].title)
                    yield tasks[task], task.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _data(self, cell: Cell) -> Data | None:
        return None if cell.data is None else self.data[cell.data]


_SOURCES: dict[str, Source] = {}
"""What this process has read, so that cells share it."""


def _source(data: Data, folders: tuple[Path, ...], registry: Registry) -> Source:
    key = data.model_dump_json() + repr(folders)
    if key not in _SOURCES:
        _SOURCES[key] = Source(data, folders, registry)
    return _SOURCES[key]


def _begin() -> None:
    """Ctrl-C reaches the whole group of processes; the first one ends the others."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _worker(cell: Cell, data: Data | None, folders: tuple[Path, ...], plugins: list[Path]) -> Computed:
    registry = Registry()
    for file in plugins:
        registry.add_plugin(file)
    return compute(cell, data, folders, registry)


def compute(cell: Cell, data: Data | None, folders: tuple[Path, ...], registry: Registry) -> Computed:
    """The figures of a cell, and the processor time that they took."""
    held = None if data is None else _source(data, folders, registry).value
    begin = time.process_time()
    measure = make_measure(cell.measure, cell.settings)
    setting = Setting(held, data.kind if data else "", cell.seed + 1_000 * cell.repeat, registry)
    try:
        values = list(measure.measure(setting))
    except (DataError, Undefined) as error:
        values = [Value(cell.measure, None, note=str(error))]
    return values, time.process_time() - begin
