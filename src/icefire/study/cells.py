"""The cells of a study: what is computed, each with a key by its content."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import icefire
from icefire.study.config import Label, Labels, Run, Study

APART = (
    "words",
    "report",
    "web",
    "cli",
    *(f"study/{name}.py" for name in ("page", "tables", "figures", "output", "results")),
)
"""What pages look like and what they say, which changes no figure."""
GAP = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Cell:
    """A measure with all of its settings, on one data set, with one seed."""

    run: str
    measure: str
    data: str | None
    labels: Mapping[str, Label]
    repeat: int
    seed: int
    settings: Mapping[str, Any]

    @property
    def title(self) -> str:
        inside = ", ".join(f"{name} {value}" for name, value in self.labels.items())
        return f"{self.run} ({inside})" if inside else self.run

    def key(self, identity: object) -> str:
        """A hash of all that the result depends on: settings, seed, data, and the program itself."""
        content = {
            "measure": self.measure,
            "settings": dict(self.settings),
            "seed": [self.seed, self.repeat],
            "data": identity,
            "program": program(),
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def cells_of(study: Study) -> list[Cell]:
    """All cells, in the order of the file."""
    return [
        Cell(run.name, run.measure, run.data, labels, repeat, run.seed, filled(run.settings, labels))
        for run in study.run
        for labels in combinations(run)
        for repeat in range(run.repeats)
    ]


def combinations(run: Run) -> Iterator[Labels]:
    """The labels of each cell; a text in a case may name what is swept.

    >>> list(combinations(Run(name="a", measure="b", sweep={"k": (2, 5)}, cases=({"way": "x"}, {"way": "y"}))))
    [{'way': 'x', 'k': 2}, {'way': 'x', 'k': 5}, {'way': 'y', 'k': 2}, {'way': 'y', 'k': 5}]
    """
    for case in run.cases or ({},):
        for values in product(*run.sweep.values()):
            labels = {**case, **dict(zip(run.sweep, values, strict=True))}
            yield {name: filled(value, labels) for name, value in labels.items()}


def filled(value: Any, labels: Mapping[str, Label]) -> Any:
    """Settings with what is swept in place of its name.

    >>> filled({"steps": ["mondrian(k={k})"], "k": "{k}"}, {"k": 5})
    {'steps': ['mondrian(k=5)'], 'k': 5}
    """
    if isinstance(value, dict):
        return {key: filled(held, labels) for key, held in value.items()}
    if isinstance(value, list | tuple):
        # A step may be swept away: an empty text is no step.
        return [held for held in (filled(held, labels) for held in value) if held != ""]
    if not isinstance(value, str):
        return value
    whole = GAP.fullmatch(value)
    if whole and whole[1] in labels:
        return labels[whole[1]]
    return GAP.sub(lambda gap: str(labels.get(gap[1], gap[0])), value)


def gaps(value: Any) -> set[str]:
    """The names that settings leave open."""
    if isinstance(value, dict):
        return set().union(*map(gaps, value.values())) if value else set()
    if isinstance(value, list | tuple):
        return set().union(*map(gaps, value)) if value else set()
    return set(GAP.findall(value)) if isinstance(value, str) else set()


@cache
def program() -> str:
    """A hash of the source of icefire: results of another program are computed again."""
    digest = hashlib.sha256()
    root = Path(icefire.__file__).parent
    for file in sorted(root.rglob("*.py")):
        name = file.relative_to(root).as_posix()
        if not name.startswith(APART):
            digest.update(name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]
