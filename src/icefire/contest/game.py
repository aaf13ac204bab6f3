"""Games: what teams are given, what they send in, and how it is measured.

The engine knows phases, limits, events and standings; a game knows data. The one that ships is re-identification, of any
kind of data that the registry knows.
"""

from __future__ import annotations

import math
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from icefire.contest.config import Config, Dataset, Path_, made, nearest
from icefire.contest.uploads import folder_files
from icefire.core.errors import DataError, IcefireError, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry, Role
from icefire.core.roles import Metric
from icefire.core.tuning import Requirement
from icefire.core.values import Score

Files = dict[str, bytes]
Measures = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Handout:
    """What everybody may have, and what the judge keeps."""

    public: Files
    questions: dict[str, Files] = field(default_factory=dict)
    """What an attacker gets beside it, where that differs from attacker to attacker."""


class Game(ABC):
    """One game. Folders named private lie in the vault; methods that write there are called by the judge alone."""

    name: ClassVar[str]

    def __init__(self, registry: Registry, config: Config) -> None:
        self.registry, self.config = registry, config

    @classmethod
    @abstractmethod
    def check(cls, registry: Registry, config: Config) -> list[tuple[Path_, str]]:
        """What is wrong with a configuration, as far as this game can tell."""

    @abstractmethod
    def release_files(self) -> Sequence[str]:
        """The files that a release consists of, as patterns."""

    @abstractmethod
    def guess_files(self) -> Sequence[str]: ...

    def check_release(self, problem: Files, sent: Path) -> None:  # noqa: B027
        """DataError if files that were sent are no release of the problem, as far as its owner can know."""

    def check_guess(self, handout: Files, sent: Path) -> None:  # noqa: B027
        """DataError if files that were sent are no answer to what was handed out."""

    @abstractmethod
    def deal(self, data: Dataset, private: Path, rng: np.random.Generator) -> Files:
        """Make a problem: its secret part into the folder, and what the team gets."""

    @abstractmethod
    def measure(self, data: Dataset, problem: Path, sent: Path) -> tuple[Measures, dict[str, Any]]:
        """Check a release (DataError says what is wrong) and measure it; and evidence, if it looks like a cheat."""

    @abstractmethod
    def publish(
        self,
        data: Dataset,
        problem: Path,
        sent: Path,
        private: Path,
        attackers: Sequence[str],
        rng: np.random.Generator,
    ) -> Handout:
        """Shuffle a release, keep its truth in the folder, and say what is handed out."""

    @abstractmethod
    def baseline(self, data: Dataset, private: Path, attack: str, rng: np.random.Generator) -> Measures:
        """Attack a published release with an attack of ours, by task."""

    @abstractmethod
    def bot_release(self, problem: Files, steps: Sequence[str], rng: np.random.Generator) -> Files:
        """A release that a bot makes of its problem: what it would send in."""

    @abstractmethod
    def bot_guess(self, handout: Files, step: str, rng: np.random.Generator) -> Files:
        """An answer that a bot finds to what was handed out."""

    @abstractmethod
    def judge(self, data: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        """What an answer has found, by task; DataError says what is wrong with it."""


class Reidentification(Game):
    """Say who is behind each published row, customer or trace."""

    name = "reidentification"

    def __init__(self, registry: Registry, config: Config) -> None:
        super().__init__(registry, config)
        self.kind = registry.kind(config.kind)
        self.format = registry.format(config.kind)

    @classmethod
    def check(cls, registry: Registry, config: Config) -> list[tuple[Path_, str]]:
        if config.kind not in registry.kinds:
            return [(("kind",), nearest("kind", config.kind, list(registry.kinds)))]
        kind = registry.kind(config.kind)
        found: list[tuple[Path_, str | None]] = []
        for at, data in enumerate(config.sets):
            here: Path_ = ("sets", at)
            if not kind.attackers_hold_original and not data.per_team:
                told = "attackers must not know the original, so every team needs its own: write per_team = true"
                found.append(((*here, "per_team"), told))
            found.append(((*here, "source"), made(registry, kind.name, "dataset", data.source)))
            found += [((*here, "utility"), made(registry, kind.name, "utility", step)) for step in data.utility]
            found += [((*here, "safety"), made(registry, kind.name, "safety", step)) for step in data.safety]
            found += [((*here, "flags"), made(registry, kind.name, "safety", step)) for step in data.flags]
            for key in ("safety", "flags"):
                found += [((*here, key), _of_guess(registry, kind.name, step, False)) for step in getattr(data, key)]
            for text in data.require:
                found.append(((*here, "require"), _requirement(registry, kind, text, data)))
            for number, task in enumerate(data.tasks):
                there = (*here, "tasks", number)
                found.append(((*there, "metric"), made(registry, kind.name, "safety", task.metric)))
                found.append(((*there, "metric"), _of_guess(registry, kind.name, task.metric, True)))
                if config.scoring.attack in ("lowered", "shared"):
                    found.append(((*there, "metric"), _without_share(registry, kind.name, "safety", task.metric)))
                found += [((*there, "baselines"), made(registry, kind.name, "attack", step)) for step in task.baselines]
            roles: tuple[tuple[Role, tuple[str, ...]], ...] = (("utility", data.utility), ("safety", data.safety))
            for role, steps in roles:
                for step in steps:
                    if f"measure.{data.name}.{step}" in config.scoring.weights:
                        found.append((("scoring", "weights"), _without_share(registry, kind.name, role, step)))
        for at, bot in enumerate(config.bots):
            found += [(("bots", at, "defend"), made(registry, kind.name, "anonymize", step)) for step in bot.defend]
            found.append((("bots", at, "attack"), made(registry, kind.name, "attack", bot.attack)))
        return [(where, what) for where, what in found if what]

    def release_files(self) -> Sequence[str]:
        return [name.replace(".*", ".csv") for name in self.format.submitted_files]

    def guess_files(self) -> Sequence[str]:
        return self.format.guess_files

    def check_release(self, problem: Files, sent: Path) -> None:
        _add(problem, sent)
        self.format.read_release(sent)

    def check_guess(self, handout: Files, sent: Path) -> None:
        answer = self._answer(sent)
        _add(handout, sent)
        self.format.read_guess(answer, *self.format.read_handout(sent))

    def deal(self, data: Dataset, private: Path, rng: np.random.Generator) -> Files:
        original = self.registry.make(self.kind.name, "dataset", data.source).generate(rng)
        self.format.write_original(original, private)
        return folder_files(private, ["*.csv", "*.toml"])

    def measure(self, data: Dataset, problem: Path, sent: Path) -> tuple[Measures, dict[str, Any]]:
        release = self._release(problem, sent)
        original = release.original
        measures: Measures = {}
        for step in data.utility:
            measures[step] = _measured(self.registry.make(self.kind.name, "utility", step).measure, original, release)
        for step in data.safety:
            measures[step] = _measured(self.registry.make(self.kind.name, "safety", step).measure, release)
        for text in data.require:
            wanted = Requirement.parse(text, self.registry, self.kind)
            try:
                score = self._required(wanted, original, release)
            except Undefined as error:
                raise DataError(f"{wanted.metric} has no value on this release: {error}") from error
            if not wanted.met(score):
                raise DataError(f"{wanted.metric} is {score.value:.6g}, and {text} is required")
            measures.setdefault(wanted.metric, _told(score))
        evidence = {}
        for step in data.flags:
            metric = self.registry.make(self.kind.name, "safety", step)
            try:
                score = metric.measure(release)
            except Undefined:
                continue
            if score.detail.get("flagged"):
                evidence[metric.name] = _plain({"value": score.value, **score.detail})
        return measures, evidence

    def _required(self, wanted: Requirement, original: Any, release: Any) -> Score:
        if wanted.role == "utility":
            return self.registry.make(self.kind.name, "utility", wanted.metric).measure(original, release)
        return self.registry.make(self.kind.name, "safety", wanted.metric).measure(release)

    def publish(
        self,
        data: Dataset,
        problem: Path,
        sent: Path,
        private: Path,
        attackers: Sequence[str],
        rng: np.random.Generator,
    ) -> Handout:
        release = self._release(problem, sent).reshuffled(rng)
        self.format.write_release(release, private, {})
        return Handout(folder_files(private, [*self.format.published_files, *self.format.known_files]))

    def baseline(self, data: Dataset, private: Path, attack: str, rng: np.random.Generator) -> Measures:
        release = self._truth(private)
        tasks = [task for task in data.tasks if attack in task.baselines]
        try:
            guess = self.registry.make(self.kind.name, "attack", attack).attack(
                release.published, release.original.knowledge, rng
            )
        except Undefined as error:
            return {task.name: {"undefined": str(error)} for task in tasks}
        return {task.name: self._score(task.metric, release, guess) for task in tasks}

    def bot_release(self, problem: Files, steps: Sequence[str], rng: np.random.Generator) -> Files:
        with _folder(problem) as folder:
            original = self.format.read_original(folder)
            pipeline = Pipeline(tuple(self.registry.make(self.kind.name, "anonymize", step) for step in steps))
            self.format.write_release(pipeline.anonymize(original, rng), folder, {})
            return folder_files(folder, self.release_files())

    def bot_guess(self, handout: Files, step: str, rng: np.random.Generator) -> Files:
        with _folder(handout) as folder:
            published, known = self.format.read_handout(folder)
            guess = self.registry.make(self.kind.name, "attack", step).attack(published, known, rng)
            self.format.write_guess(guess, self.format.guess_path(folder, "bot"), published, known)
            return folder_files(folder, self.format.guess_files)

    def judge(self, data: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        release = self._truth(private)
        guess = self.format.read_guess(self._answer(sent), release.published, release.original.knowledge)
        return {task.name: self._score(task.metric, release, guess) for task in data.tasks}

    def _answer(self, sent: Path) -> Path:
        paths = self.format.guesses(sent)
        if len(paths) != 1:
            raise DataError(
                f"the answer holds {len(paths)} files named {self.format.guess_files[0]}: it should hold one"
            )
        return paths[0]

    def _score(self, metric: str, release: Any, guess: Any) -> dict[str, Any]:
        return _measured(self.registry.make(self.kind.name, "safety", metric).measure, release, guess)

    def _truth(self, private: Path) -> Any:
        try:
            return self.format.read_release(private)
        except IcefireError as error:
            # No participant can mend this, and its message may say what they must not know.
            raise RuntimeError(f"the truth in {private} cannot be read") from error

    def _release(self, problem: Path, sent: Path) -> Any:
        """A release as it was sent in, beside the original of its problem, which its maker does not choose."""
        _add(folder_files(problem, ["*.csv", "*.toml"]), sent)
        return self.format.read_release(sent)


@contextmanager
def _folder(files: Files) -> Iterator[Path]:
    """Files in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as name:
        _add(files, Path(name))
        yield Path(name)


def _add(files: Files, folder: Path) -> None:
    for file, content in files.items():
        (folder / file).write_bytes(content)


def _requirement(registry: Registry, kind: Any, text: str, data: Dataset) -> str | None:
    try:
        wanted = Requirement.parse(text, registry, kind)
        if wanted.role == "safety":
            return _of_guess(registry, kind.name, wanted.metric, False)
    except IcefireError as error:
        return str(error)
    return None


def _of_guess(registry: Registry, kind: str, step: str, wanted: bool) -> str | None:
    """What is wrong with a metric that needs a guess where there is none, or the other way round."""
    try:
        needs = registry.make(kind, "safety", step).needs_guess
    except IcefireError:
        return None
    if needs == wanted:
        return None
    return (
        f"{step} needs no guess, so it says nothing of an attack"
        if wanted
        else f"{step} needs a guess, and there is none yet"
    )


def _without_share(registry: Registry, kind: str, role: Role, step: str) -> str | None:
    """What is wrong with a metric that has to say which share of what is good is left."""
    try:
        metric = registry.make(kind, role, step)
    except IcefireError:
        return None
    if not isinstance(metric, Metric) or metric.scale.good(metric.scale.best) is not None:
        return None
    return f"{step} has no range, so no share of it can be counted: choose a metric of which the values lie between two ends"


def _measured(measure: Any, *what: Any) -> dict[str, Any]:
    """A score, or why there is none: never a number that is none."""
    try:
        return _told(measure(*what))
    except Undefined as error:
        return {"undefined": str(error)}


def _told(score: Score) -> dict[str, Any]:
    return score.as_dict(detail=False)


def _plain(value: Any) -> Any:
    """Numbers and texts that a JSON document can hold."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(one) for one in list(value)[:50]]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _games() -> dict[str, type[Game]]:
    """The game that ships, and those of installed packages (entry points icefire.games)."""
    others = {point.name: point.load() for point in entry_points(group="icefire.games")}
    return {**others, Reidentification.name: Reidentification}


GAMES = _games()
