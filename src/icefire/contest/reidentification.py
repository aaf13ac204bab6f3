"""The re-identification game: guess who is behind each published row, customer or trace, for any kind of data."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from icefire.contest.config import Config, Dataset
from icefire.contest.game import Files, Game, HandoutFiles, ProblemFiles
from icefire.contest.measures import Measure, Measures, NoScore, measured
from icefire.contest.reidentification_checks import check
from icefire.contest.rules import counted
from icefire.contest.sources import source_of
from icefire.contest.state import Evidence, UploadKind
from icefire.contest.trial import trial, unchanged, undefined
from icefire.contest.uploads import folder_files, plain_name
from icefire.core.data import Original, Release
from icefire.core.errors import DataError, IcefireError, NotFinished, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry, Role
from icefire.core.strictfile import Fault
from icefire.core.values import Score
from icefire.evaluation.runs import score_of
from icefire.evaluation.tuning import Requirement

EVERYTHING = ("*",)


class Reidentification(Game):
    """Say who is behind each published row, customer or trace."""

    name = "reidentification"
    deals_columns = True

    def __init__(self, registry: Registry, config: Config) -> None:
        super().__init__(registry, config)
        self.kind = registry.kind(config.kind)
        self.format = registry.format(config.kind, config.format)

    @classmethod
    def check(cls, registry: Registry, config: Config) -> list[Fault]:
        return check(registry, config)

    @classmethod
    def try_out(cls, registry: Registry, config: Config) -> list[Fault]:
        return list(trial(registry, config))

    def summary(self, role: Role, step: str) -> str:
        try:
            return self.registry.make(self.kind.name, role, step).summary()
        except IcefireError:
            return ""

    def release_files(self) -> Sequence[str]:
        # Tables may be of several types on disk, but uploads are CSV.
        return [name.replace(".*", ".csv") for name in self.format.submitted_files]

    def optional_files(self) -> Sequence[str]:
        return self.format.optional_files

    def guess_files(self) -> Sequence[str]:
        return self.format.guess_files

    def bare_file(self, kind: UploadKind, line: str) -> str | None:
        return self.format.bare_release(line) if kind == "release" else self.format.bare_guess(line)

    def check_release(self, problem: Files, sent: Path) -> None:
        _write(problem, sent)
        self.format.check_cells(self.format.read_release(sent, dealt=True))

    def check_guess(self, handout: Files, sent: Path) -> None:
        guesses = self._guess_files(sent)
        _write(handout, sent)
        published, known = self.format.read_handout(sent)
        for path in sorted(set(guesses.values())):
            self.format.read_guess(path, published, known)

    def deal(self, dataset: Dataset, private: Path, rng: np.random.Generator) -> ProblemFiles:
        original: Original = source_of(dataset, self.registry, self.kind.name, self.vault).generate(rng)
        if dataset.columns:
            original = self.kind.with_columns(original, dataset.columns)
        self.format.write_original(original, private)
        files = folder_files(private, EVERYTHING)
        if dataset.withheld:
            files = {name: content for name, content in files.items() if not self._withheld(name)}
        return ProblemFiles(files, original.summary())

    def measure(self, dataset: Dataset, problem: Path, sent: Path) -> tuple[Measures, Evidence]:
        release = self._release(problem, sent)
        measures: dict[str, Measure] = {}
        for step in dataset.utility:
            measures[step] = measured(partial(self._utility, step, release))
            self._check_value("utility", step, measures[step], release, dataset)
        for step in dataset.safety:
            measures[step] = measured(partial(self._safety, step, release))
            self._check_value("safety", step, measures[step], release, dataset)
        for text in dataset.require:
            wanted = Requirement.parse(text, self.registry, self.kind)
            measures.setdefault(wanted.metric, self._required(wanted, text, release))
        return measures, self._evidence(dataset, release)

    def publish(
        self,
        dataset: Dataset,
        problem: Path,
        sent: Path,
        private: Path,
        attackers: Sequence[str],
        rng: np.random.Generator,
    ) -> HandoutFiles:
        self.format.write_release(self._release(problem, sent).reshuffled(rng), private, {})
        _write(folder_files(problem, self.format.level_files), private)
        held = (*self.format.published_files, *self.format.known_files, *self.format.level_files)
        return HandoutFiles(folder_files(private, held))

    def baseline(self, dataset: Dataset, private: Path, attack: str, rng: np.random.Generator) -> Measures:
        release = self._truth(private)
        tasks = [task for task in dataset.tasks if attack in task.baselines]
        method = self.registry.make(self.kind.name, "attack", attack)
        measures: dict[str, Measure] = {}
        for level in dict.fromkeys(task.attacker for task in tasks):
            known = self._known(release.original, level, private)
            try:
                guess, reason = method.attack(release.published, known, rng), ""
            except NotFinished as error:
                # An alarm to the operator: a release must not win because a baseline gave up.
                raise RuntimeError(f"the baseline {attack} was not made: {error}") from error
            except Undefined as error:
                guess, reason = None, str(error)
            for task in (task for task in tasks if task.attacker == level):
                score = partial(self._safety, task.metric, release, guess)
                measures[task.name] = NoScore(reason) if reason else measured(score)
        return measures

    def judge(self, dataset: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        release, paths = self._truth(private), self._guess_files(sent)
        known = release.original.knowledge
        guesses = {path: self.format.read_guess(path, release.published, known) for path in set(paths.values())}
        measures: dict[str, Measure] = {}
        for task in dataset.tasks:
            if task.attacker not in paths:
                measures[task.name] = NoScore(f"no guess from {task.attacker or 'everything'} was sent")
                continue
            measures[task.name] = measured(partial(self._safety, task.metric, release, guesses[paths[task.attacker]]))
        return measures

    def bot_release(self, problem: Files, steps: Sequence[str], rng: np.random.Generator) -> Files:
        with _folder(problem) as folder:
            original = self.format.read_dealt(folder)
            pipeline = Pipeline(tuple(self.registry.make(self.kind.name, "anonymize", step) for step in steps))
            self.format.write_release(pipeline.anonymize(original, rng), folder, {})
            return folder_files(folder, self.release_files())

    def bot_guess(self, handout: Files, step: str, rng: np.random.Generator) -> Files:
        with _folder(handout) as folder:
            published, known = self.format.read_handout(folder)
            method = self.registry.make(self.kind.name, "attack", step)
            for level in self._levels:
                held = known if level is None else self._known(self.format.read_original(folder), level, folder)
                guess = method.attack(published, held, rng)
                self.format.write_guess(guess, self.format.guess_path(folder, level or "bot"), published, known)
            return folder_files(folder, self.guess_files())

    def _withheld(self, name: str) -> bool:
        return any(fnmatch(name, pattern) for pattern in self.format.withheld_files)

    @property
    def _levels(self) -> list[str | None]:
        """What attackers know, over all tasks."""
        return list(dict.fromkeys(task.attacker for dataset in self.config.sets for task in dataset.tasks))

    def _known(self, original: Original, level: str | None, folder: Path) -> Any:
        """What attackers of a level know: the table of them that was handed out, if there is one."""
        if level is None:
            return original.knowledge
        table = self.format.level_file(folder, level)
        return self.kind.known(original, level) if table is None else self.format.read_knowledge(table, original)

    def _utility(self, step: str, release: Release) -> Score:
        return score_of(self.registry.make(self.kind.name, "utility", step), release.original, release)

    def _safety(self, step: str, release: Release, guess: object = None) -> Score:
        return score_of(self.registry.make(self.kind.name, "safety", step), release, guess)

    def _check_value(self, role: Role, step: str, measure: Measure, release: Release, dataset: Dataset) -> None:
        """Fail, which is an alarm to the operator, if a metric has no value on any release of these data. Refuse a release
        on which a metric has none that counts."""
        if not isinstance(measure, NoScore):
            return
        reason = undefined(self.registry, self.kind.name, role, step, unchanged(release.original))
        if reason is not None:
            raise RuntimeError(f"{reason}. No release can be scored by it: mend the contest's file.")
        rounds = [index for index in range(len(self.config.rounds)) if dataset in self.config.sets_of(index)]
        if any(step in counted(self.config.scoring_of(index), dataset) for index in rounds):
            raise DataError(f"{step} has no value on this release, and it counts: {measure.reason}")

    def _required(self, wanted: Requirement, text: str, release: Release) -> Score:
        """The score of a metric that a valid release has to reach; DataError if it does not."""
        measure = self._utility if wanted.role == "utility" else self._safety
        try:
            score = measure(wanted.metric, release)
        except Undefined as error:
            raise DataError(f"{wanted.metric} has no value on this release: {error}") from error
        if not wanted.met(score):
            raise DataError(f"{wanted.metric} is {score.value:.6g}, and {text} is required")
        return score

    def _evidence(self, dataset: Dataset, release: Release) -> Evidence:
        evidence = {}
        for step in dataset.flags:
            metric = self.registry.make(self.kind.name, "safety", step)
            try:
                score = metric.measure(release)
            except Undefined:
                continue
            if score.detail.get("flagged"):
                evidence[metric.name] = {
                    "value": score.value,
                    **{key: _plain(part) for key, part in score.detail.items()},
                }
        return evidence

    def _guess_files(self, sent: Path) -> dict[str | None, Path]:
        """The guess for each level of knowledge: the one that is called by it, or the only one."""
        paths = self.format.guesses(sent)
        if len(paths) == 1:
            return dict.fromkeys(self._levels, paths[0])
        levels = [level for level in self._levels if level is not None]
        if not levels or not paths:
            names = " or ".join(map(plain_name, self.guess_files()))
            raise DataError(f"{len(paths)} guesses were sent, in files named {names}: expected one")
        found: dict[str | None, Path] = {}
        for path in paths:
            level = self.format.guess_name(path)
            if level not in levels:
                names = ", ".join(self.format.guess_path(sent, each).name for each in levels)
                raise DataError(f"{path.name}: several guesses are called by what they know: {names}")
            if level in found:
                raise DataError(f"{path.name} and {found[level].name} are both guesses from {level}: send one of them")
            found[level] = path
        return found

    def _truth(self, private: Path) -> Release:
        try:
            release: Release = self.format.read_release(private)
        except IcefireError as error:
            # No participant can mend this, and the message may say what they must not know.
            raise RuntimeError(f"the truth in {private} cannot be read") from error
        return release

    def _release(self, problem: Path, sent: Path) -> Release:
        """A release as it was uploaded, with the original of its problem, which the team does not choose."""
        _write(folder_files(problem, EVERYTHING), sent)
        release: Release = self.format.read_release(sent)
        return release


@contextmanager
def _folder(files: Files) -> Iterator[Path]:
    """Files in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as name:
        _write(files, Path(name))
        yield Path(name)


def _write(files: Files, folder: Path) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _plain(value: object) -> object:
    """Numbers and texts that a JSON document can hold."""
    match value:
        case Mapping():
            return {str(key): _plain(part) for key, part in value.items()}
        case list() | tuple() | np.ndarray():
            return [_plain(part) for part in list(value)[:50]]
        case np.generic():
            return _plain(value.item())
        case float() if not math.isfinite(value):
            return None
        case str() | int() | float() | None:
            return value
    return str(value)
