"""Reading and checking the file of a study."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from pydantic import JsonValue

from icefire.core.errors import InputError, UnknownName
from icefire.core.registry import Registry
from icefire.core.strictfile import Fault, KeyPath, names_used_twice, read_strict, shipped_file
from icefire.study.cells import combinations, filled, gaps
from icefire.study.config import Data, Labels, Run, Study
from icefire.study.measure import make_measure, measure_class

SHIPPED = (Path(__file__).parents[1] / "studies", Path(__file__).parents[3] / "studies")
"""Where the studies that ship lie: in the package, or beside its sources."""


def shipped() -> dict[str, Path]:
    """The studies that ship, by name."""
    return {file.stem: file for folder in SHIPPED for file in sorted(folder.glob("*.toml"))}


def load_study(path: Path, registry: Registry, small: bool = False) -> tuple[Study, Path]:
    """A study and its file, checked in full. The name of a study that ships will do, such as identification."""
    path = shipped_file(path, "file or study", SHIPPED)
    study = read_strict(path, Study, lambda study: _check(study, registry))
    return (study.tried_out() if small else study), path


def _check(study: Study, registry: Registry) -> list[Fault]:
    """Faults between parts, and names that do not exist."""
    faults: list[Fault] = []
    for part in ("data", "run", "correlation", "largest", "table", "figure"):
        faults += names_used_twice((part,), [each.name for each in getattr(study, part)])
    data = {each.name: each for each in study.data}
    for place, each in enumerate(study.data):
        faults += _of_data(("data", place), each, registry)
    for place, run in enumerate(study.run):
        faults += _of_run(("run", place), run, data, registry)
    runs = {run.name for run in study.run}
    named = {*runs, *study.derived}
    known = {"correlation": runs, "largest": runs, "table": named, "figure": named, "expected": named}
    used: list[tuple[KeyPath, str]] = [
        ((part, place), each.run) for part in known for place, each in enumerate(getattr(study, part))
    ]
    used += [
        (("figure", place, "also", beside), line.run)
        for place, figure in enumerate(study.figure)
        for beside, line in enumerate(figure.also)
        if line.run is not None
    ]
    for where, name in used:
        if name not in known[str(where[0])]:
            faults.append(((*where, "run"), str(UnknownName.of("run", name, known[str(where[0])]))))
    return faults


def _of_data(where: KeyPath, data: Data, registry: Registry) -> list[Fault]:
    faults: list[Fault] = []
    kind = "history" if data.kind == "table" else data.kind
    for key, step in (("generator", data.generator), ("small", data.small)):
        if step is not None:
            try:
                registry.make(kind, "dataset", step)
            except InputError as error:
                faults.append(((*where, key), str(error)))
    return faults


def _of_run(where: KeyPath, run: Run, data: dict[str, Data], registry: Registry) -> list[Fault]:
    try:
        wanted = measure_class(run.measure).kinds
    except InputError as error:
        return [((*where, "measure"), str(error))]
    if run.data is not None and run.data not in data:
        return [((*where, "data"), str(UnknownName.of("data", run.data, data)))]
    if run.data is not None and data[run.data].kind not in wanted:
        if not wanted:
            return [((*where, "data"), f"the measure {run.measure} takes no data")]
        kinds = ", ".join(wanted)
        return [
            ((*where, "data"), f"the measure {run.measure} takes data of the kind {kinds}, not {data[run.data].kind}")
        ]
    known = {field.name for field in fields(measure_class(run.measure))}  # type: ignore[arg-type]
    for name in (*run.settings, *run.small.settings):
        if name not in known:
            table = "settings" if name in run.settings else "small"
            return [((*where, table, name), str(UnknownName.of(f"setting of {run.measure}", name, known)))]
    kind = "" if run.data is None else data[run.data].kind
    small = {**run.settings, **run.small.settings}
    for labels in combinations(run):
        if found := _of_settings(where, run, run.settings, labels, kind, registry):
            return found
    for labels in combinations(run.model_copy(update={"cases": run.small.cases or run.cases})):
        if found := _of_settings(where, run, small, labels, kind, registry):
            return found
    return []


def _of_settings(
    where: KeyPath, run: Run, settings: dict[str, JsonValue], labels: Labels, kind: str, registry: Registry
) -> list[Fault]:
    """Faults of the settings of one cell, at the setting if it can be told."""
    for name, value in settings.items():
        unknown = sorted(gaps(value) - set(labels))
        if unknown:
            said = f"nothing says what {unknown[0]!r} is: name it in sweep, or in every case"
            return [((*where, "settings", name), said)]
    try:
        make_measure(run.measure, filled(settings, labels)).check(registry, kind)
    except InputError as error:
        told = next((name for name, value in settings.items() if _mentions(value, labels, str(error))), None)
        return [((*where, "settings", told) if told else (*where, "settings"), str(error))]
    return []


def _mentions(value: JsonValue, labels: Labels, error: str) -> bool:
    """Whether an error is about a step of a setting: it names the method."""
    steps = filled(value, labels)
    names = [str(step).partition("(")[0] for step in (steps if isinstance(steps, list) else [steps])]
    return any(f"'{name}'" in error for name in names)
