"""What the games have in common: tables go out, and answers are tables."""

from __future__ import annotations

import operator
import re
import tempfile
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.contest.config import Config, Dataset
from icefire.contest.game import Files, Game, HandoutFiles, ProblemFiles
from icefire.contest.measures import Measure, Measures, NoScore
from icefire.contest.sources import source_of
from icefire.contest.state import Evidence
from icefire.contest.uploads import folder_files
from icefire.core.errors import DataError, IcefireError, Undefined, UnknownName
from icefire.core.parameters import parse_step
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry, Role
from icefire.core.strictfile import Fault, KeyPath
from icefire.core.values import GOOD_SHARE, Scale, Score
from icefire.frames.files import as_numbers, read_table
from icefire.synthetic.data import People, fitted
from icefire.synthetic.schema import FILE, Schema, read_schema, schema_toml

KIND = "synthetic"
SCHEMA = FILE
JUDGE = "*"
"""The judge among the attackers: no team can have this name."""
COMPARE = {">=": operator.ge, "<=": operator.le}
PER_TEAM = "attackers must not know the original, so every team needs its own data: write per_team = true"
HANDOUT = "handout-"
"""How files of a release that attackers get begin in the vault."""


@dataclass(frozen=True)
class Metric:
    """What is measured of a release or of an answer."""

    summary: str
    scale: Scale = GOOD_SHARE


class TableGame(Game):
    """A game of tables.

    Folders hold `members.parquet`, which is secret, and whatever else a game keeps there; teams get CSV files.
    """

    utilities: ClassVar[Mapping[str, Metric]] = {}
    """What may stand under `utility` and `require`."""
    tasks: ClassVar[Mapping[str, Metric]]
    """What may be the metric of a task."""
    attacks: ClassVar[tuple[str, ...]]
    """Sample attacks, for bots and baselines."""
    released: ClassVar[tuple[str, ...]] = ("published.csv",)
    answered: ClassVar[tuple[str, ...]] = ("guess.csv",)
    needed: ClassVar[tuple[str, ...]] = ()
    """Columns that the data must have."""
    shared_data: ClassVar[bool] = False
    """Whether all teams may be dealt the same data: what is secret is not in them."""

    @classmethod
    def check(cls, registry: Registry, config: Config) -> list[Fault]:
        return list(cls._faults(registry, config))

    @classmethod
    def try_out(cls, registry: Registry, config: Config) -> list[Fault]:
        """Deal every set, and measure what a bot makes of it: its bounds aside, whether there is anything to measure."""
        game, faults = cls(registry, config), list[Fault]()
        for position, dataset in enumerate(config.sets):
            with folder_of({}) as folder:
                try:
                    problem = game.deal(dataset, folder, np.random.default_rng(0)).files
                    for bot in config.bots[:1]:
                        made = game.bot_release(problem, bot.defend, np.random.default_rng(0))
                        with folder_of(made) as sent:
                            game.measure(dataset.model_copy(update={"require": ()}), folder, sent)
                except IcefireError as error:
                    faults.append((("sets", position), str(error)))
        return faults

    @classmethod
    def _faults(cls, registry: Registry, config: Config) -> Iterator[Fault]:
        if config.kind != KIND:
            yield ("kind",), f"the game {cls.name!r} is about synthetic tables: write kind = {KIND!r}"
            return
        for position, dataset in enumerate(config.sets):
            here: KeyPath = ("sets", position)
            for key, source in (("source", dataset.source), ("small", dataset.small)):
                if source is not None:
                    yield from _made((*here, key), lambda text: registry.make(KIND, "dataset", text), [source])
            if not dataset.per_team and not cls.shared_data:
                yield (*here, "per_team"), PER_TEAM
            if dataset.withheld:
                yield (*here, "withheld"), f"teams need all their data to make a release of {KIND}: leave it out"
            yield from _known((*here, "utility"), "metric", dataset.utility, cls.utilities)
            yield from cls._unscaled(config, dataset)
            for text in dataset.require:
                yield from _made((*here, "require"), cls._bound, [text])
            for key, steps in (("safety", dataset.safety), ("flags", dataset.flags)):
                yield from _known((*here, key), "metric", steps, ())
            for place, task in enumerate(dataset.tasks):
                there: KeyPath = (*here, "tasks", place)
                yield from _known((*there, "metric"), "metric", [task.metric], cls.tasks)
                yield from _known((*there, "baselines"), "attack", task.baselines, cls.attacks)
                if task.attacker is not None:
                    yield (*there, "attacker"), f"attackers of the game {cls.name!r} all know the same: leave it out"
        for position, bot in enumerate(config.bots):
            yield from _made(("bots", position, "defend"), lambda text: cls._step(registry, text), bot.defend)
            yield from _known(("bots", position, "attack"), "attack", [bot.attack], cls.attacks)
        for position, entry in enumerate(config.committee):
            yield from _made(("committee", position, "defend"), lambda text: cls._step(registry, text), entry.defend)

    @classmethod
    def _unscaled(cls, config: Config, dataset: Dataset) -> Iterator[Fault]:
        """Metrics that count, but have no share of what is good."""
        scorings = [config.scoring_of(index) for index in range(len(config.rounds))]
        for step in dataset.utility:
            endless = step in cls.utilities and cls.utilities[step].scale.good(0.0) is None
            weighed = any(f"measure.{dataset.name}.{step}" in scoring.weights for scoring in scorings)
            if endless and (weighed or any(scoring.rule != "weighted" for scoring in scorings)):
                yield (
                    ("scoring",),
                    f"{step} has no range, so it cannot be scored as a share: choose a metric with a best and a worst value",
                )

    @classmethod
    def _step(cls, registry: Registry, text: str) -> object:
        """A step of a bot's defence: by default, a synthesizer."""
        return registry.make(KIND, "anonymize", text)

    @classmethod
    def _bound(cls, text: str) -> tuple[str, str, float]:
        """A requirement: the metric, the sign and the bound."""
        parts = re.fullmatch(r"\s*(\w+)\s*(>=|<=)\s*(\d*\.?\d+)\s*", text)
        if parts is None:
            raise DataError(f"cannot read the requirement {text!r}: write a metric and a bound, like utility>=0.7")
        name, sign, bound = parts.groups()
        if name not in cls.utilities:
            raise UnknownName.of("metric", name, cls.utilities)
        if (sign == ">=") != (cls.utilities[name].scale.best > cls.utilities[name].scale.worst):
            better = cls.utilities[name].scale.direction.value
            raise DataError(f"{name} is good when it is {better}: turn the sign of {text!r}")
        return name, sign, float(bound)

    def summary(self, role: Role, step: str) -> str:
        found = self.utilities.get(step) if role == "utility" else self.tasks.get(step)
        return "" if found is None else found.summary

    def release_files(self) -> Sequence[str]:
        return self.released

    def guess_files(self) -> Sequence[str]:
        return self.answered

    def deal(self, dataset: Dataset, private: Path, rng: np.random.Generator) -> ProblemFiles:
        people: People = source_of(dataset, self.registry, KIND, self.vault).generate(rng)
        missing = [name for name in self.needed if name not in people.names]
        if missing:
            raise DataError(f"the data lack the columns {', '.join(missing)}, which the game {self.name!r} is about")
        people.members.write_parquet(private / "members.parquet")
        people.control.write_parquet(private / "control.parquet")
        (private / SCHEMA).write_text(schema_toml(people.schema), encoding="utf-8")
        files = {**self._dealt(people, private, rng), SCHEMA: (private / SCHEMA).read_bytes()}
        return ProblemFiles(files, people.summary())

    def _dealt(self, people: People, private: Path, rng: np.random.Generator) -> Files:
        """What a team gets: its table. A game may keep more in the vault."""
        return {"original.csv": written(people.members)}

    def measure(self, dataset: Dataset, problem: Path, sent: Path) -> tuple[Measures, Evidence]:
        values = self._values(problem, sent)
        measures: dict[str, Measure] = {}
        for text in dataset.require:
            name, sign, bound = self._bound(text)
            if name not in values:
                raise DataError(f"{name} has no value on this release, and {text} is required")
            if not COMPARE[sign](values[name], bound):
                raise DataError(f"{name} is {values[name]:.6g}, and {text} is required")
            measures[name] = Score(values[name], self.utilities[name].scale)
        for name in dataset.utility:
            if name not in values:
                raise DataError(f"{name} has no value on this release, and it counts")
            measures[name] = Score(values[name], self.utilities[name].scale)
        return measures, {}

    @abstractmethod
    def _values(self, problem: Path, sent: Path) -> Mapping[str, float]:
        """Everything that is measured of a release; DataError if it is none."""

    def publish(
        self,
        dataset: Dataset,
        problem: Path,
        sent: Path,
        private: Path,
        attackers: Sequence[str],
        rng: np.random.Generator,
    ) -> HandoutFiles:
        handout = self._published(problem, sent, private, [*attackers, JUDGE], rng)
        for name, content in {**handout.public, **handout.questions.get(JUDGE, {})}.items():
            (private / f"{HANDOUT}{name}").write_bytes(content)
        questions = {attacker: files for attacker, files in handout.questions.items() if attacker != JUDGE}
        return HandoutFiles(handout.public, questions)

    @abstractmethod
    def _published(
        self, problem: Path, sent: Path, private: Path, attackers: Sequence[str], rng: np.random.Generator
    ) -> HandoutFiles:
        """What attackers get; the answers go into the private folder."""

    def baseline(self, dataset: Dataset, private: Path, attack: str, rng: np.random.Generator) -> Measures:
        files = {
            name.removeprefix(HANDOUT): content for name, content in folder_files(private, [f"{HANDOUT}*"]).items()
        }
        try:
            answer = self.bot_guess(files, attack, rng)
        except Undefined as error:
            return {task.name: NoScore(str(error)) for task in dataset.tasks if attack in task.baselines}
        with folder_of(answer) as sent:
            scores = self._scores(private, JUDGE, sent)
        return {task.name: scores[task.metric] for task in dataset.tasks if attack in task.baselines}

    def judge(self, dataset: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        scores = self._scores(private, attacker, sent)
        return {task.name: scores[task.metric] for task in dataset.tasks}

    @abstractmethod
    def _scores(self, private: Path, attacker: str, sent: Path) -> Measures:
        """The scores of an answer; DataError if it is none."""

    def bot_release(self, problem: Files, steps: Sequence[str], rng: np.random.Generator) -> Files:
        with folder_of(problem) as folder:
            return self._defended(folder, steps, rng)

    def _defended(self, folder: Path, steps: Sequence[str], rng: np.random.Generator) -> Files:
        """A release of a bot: by default, a table that synthesizers make."""
        pipeline = Pipeline(tuple(self.registry.make(KIND, "anonymize", step) for step in steps))
        return {"published.csv": written(pipeline.anonymize(self.dealt(folder), rng).published)}

    @staticmethod
    def dealt(folder: Path) -> People:
        """The table that a team was dealt."""
        schema = read_schema(folder / SCHEMA)
        table = read_table(folder / "original.csv", texts_of(schema))
        return People(table, table, schema)

    def bot_guess(self, handout: Files, step: str, rng: np.random.Generator) -> Files:
        with folder_of(handout) as folder:
            return self._attacked(folder, step, rng)

    @abstractmethod
    def _attacked(self, folder: Path, attack: str, rng: np.random.Generator) -> Files:
        """The answer of a sample attack to what was handed out."""


def _made(where: KeyPath, make: Callable[[str], object], texts: Iterable[str]) -> Iterator[Fault]:
    """Texts that cannot be read."""
    for text in texts:
        try:
            make(text)
        except IcefireError as error:
            yield where, str(error)


def _known(where: KeyPath, what: str, names: Iterable[str], known: Iterable[str]) -> Iterator[Fault]:
    listed = list(known)
    for name in names:
        if name not in listed:
            yield where, str(UnknownName.of(what, name, listed))


@contextmanager
def folder_of(files: Files) -> Iterator[Path]:
    """Files in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as name:
        for file, content in files.items():
            (Path(name) / file).write_bytes(content)
        yield Path(name)


def texts_of(schema: Schema) -> list[str]:
    """The columns that hold texts, even where these look like numbers."""
    return [name for name, column in schema.columns.items() if column.type == "categorical" or column.values]


def written(table: pl.DataFrame) -> bytes:
    """A table as a CSV file."""
    return table.write_csv().encode()


def read_like(path: Path, like: pl.DataFrame) -> pl.DataFrame:
    """A table that has to have the columns of another one."""
    if not path.is_file():
        raise DataError(f"{path.name} is missing")
    texts = [name for name, dtype in like.schema.items() if not dtype.is_numeric()]
    return fitted(read_table(path, texts), like, Schema(), path.name)


def read_numbers(path: Path, names: Sequence[str], height: int) -> np.ndarray:
    """[row, column]: an answer of so many rows of whole numbers, under a heading."""
    if not path.is_file():
        raise DataError(f"{path.name} is missing")
    table = read_table(path)
    if table.columns != list(names):
        raise DataError(
            f"{path.name}, line 1: the heading must be {','.join(names)}, not {','.join(table.columns)[:80]}"
        )
    if table.height != height:
        raise DataError(f"{path.name} has {table.height} rows: {height} are expected")
    for name in names:
        table = as_numbers(table, name, path.name)
        cells = table[name].cast(pl.Float64).to_numpy()
        wrong = np.flatnonzero(~((cells == np.round(cells)) & (np.abs(cells) < 1 << 62)))
        if wrong.size:
            raise DataError(f"{path.name}, line {wrong[0] + 2}, {name}: a whole number is expected")
    return np.stack([table[name].to_numpy().astype(np.int64) for name in names], axis=1).reshape(height, len(names))


def require_between(path: Path, values: np.ndarray, low: int, high: int) -> None:
    """Raise DataError for the first number outside of a range."""
    rows, columns = np.nonzero((values < low) | (values > high))
    if rows.size:
        found = values[rows[0], columns[0]]
        raise DataError(f"{path.name}, line {rows[0] + 2}: {found} is outside of {low}..{high}")


def one_step(text: str, known: Mapping[str, Sequence[str]]) -> tuple[str, dict[str, object]]:
    """A step of a bot and its parameters, which have to be among the known ones."""
    name, values = parse_step(text)
    if name not in known:
        raise UnknownName.of("step", name, known)
    for key in values:
        if key not in known[name]:
            raise UnknownName.of(f"parameter of {name}", key, known[name])
    return name, values
