"""Faults in the configuration of a re-identification contest: unknown methods, and metrics that cannot serve their purpose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from icefire.contest.config import Config, Dataset, Scoring, Task
from icefire.core.errors import IcefireError, UnknownName
from icefire.core.kinds import Kind
from icefire.core.registry import Registry, Role
from icefire.core.roles import Metric, Safety
from icefire.core.strictfile import Fault, KeyPath
from icefire.evaluation.tuning import Requirement


def check(registry: Registry, config: Config) -> list[Fault]:
    """Everything that is wrong with the names in a configuration."""
    if config.kind not in registry.kinds:
        return [(("kind",), str(UnknownName.of("kind", config.kind, registry.kinds)))]
    return list(_Checks(registry, registry.kind(config.kind), config).faults())


class _Checks:
    def __init__(self, registry: Registry, kind: Kind, config: Config) -> None:
        self.registry, self.kind, self.config = registry, kind, config

    def faults(self) -> Iterator[Fault]:
        if self.config.format is not None:
            try:
                self.registry.format(self.kind.name, self.config.format)
            except IcefireError as error:
                yield ("format",), str(error)
                return
        for position, dataset in enumerate(self.config.sets):
            yield from self._dataset(("sets", position), dataset)
        for position, bot in enumerate(self.config.bots):
            yield from self._steps(("bots", position, "defend"), "anonymize", bot.defend)
            yield from self._steps(("bots", position, "attack"), "attack", [bot.attack])
        for position, entry in enumerate(self.config.committee):
            yield from self._steps(("committee", position, "defend"), "anonymize", entry.defend)

    def _dataset(self, here: KeyPath, dataset: Dataset) -> Iterator[Fault]:
        if not self.kind.attackers_hold_original and not dataset.per_team:
            message = "attackers must not know the original, so every team needs its own data: write per_team = true"
            yield (*here, "per_team"), message
        yield from self._steps((*here, "source"), "dataset", [dataset.source])
        if not self.kind.attackers_hold_original and self._fixed(dataset.source):
            message = (
                "it gives all teams the same people, whom attackers must not know: write people=N for a draw of each"
            )
            yield (*here, "source"), message
        if dataset.small is not None:
            yield from self._steps((*here, "small"), "dataset", [dataset.small])
        if dataset.columns and not self.kind.tabular:
            yield (*here, "columns"), f"the columns of {self.kind.name} cannot be chosen: leave them out"
        if dataset.withheld and not self.registry.format(self.kind.name, self.config.format).withheld_files:
            message = f"teams need all their data to make a release of {self.kind.name}: leave it out"
            yield (*here, "withheld"), message
        yield from self._steps((*here, "utility"), "utility", dataset.utility)
        for key, steps in (("safety", dataset.safety), ("flags", dataset.flags)):
            yield from self._steps((*here, key), "safety", steps)
            for step in steps:
                yield from self._needs_guess((*here, key), step, False)
        for text in dataset.require:
            yield from self._requirement((*here, "require"), text)
        roles: tuple[tuple[Role, tuple[str, ...]], ...] = (("utility", dataset.utility), ("safety", dataset.safety))
        for role, steps in roles:
            for step in steps:
                if any(f"measure.{dataset.name}.{step}" in scoring.weights for scoring in self._scorings):
                    yield from self._has_share(("scoring", "weights"), role, step)
        for position, task in enumerate(dataset.tasks):
            yield from self._task((*here, "tasks", position), dataset, task)

    def _task(self, here: KeyPath, dataset: Dataset, task: Task) -> Iterator[Fault]:
        yield from self._steps((*here, "metric"), "safety", [task.metric])
        yield from self._needs_guess((*here, "metric"), task.metric, True)
        parts = [f"{how}.{dataset.name}.{task.name}" for how in ("worst", "mean")]
        shares = any(scoring.attack != "found" or {*parts} & scoring.weights.keys() for scoring in self._scorings)
        if shares or any(prize.task is not None for prize in self.config.prizes):
            yield from self._has_share((*here, "metric"), "safety", task.metric)
        yield from self._steps((*here, "baselines"), "attack", task.baselines)
        if task.attacker is not None:
            try:
                self.kind.known(self.kind.examples().originals()["plain"], task.attacker)
            except IcefireError as error:
                yield (*here, "attacker"), str(error)

    def _fixed(self, source: str) -> bool:
        try:
            return self.registry.make(self.kind.name, "dataset", source).fixed
        except IcefireError:
            return False

    @property
    def _scorings(self) -> list[Scoring]:
        return [self.config.scoring_of(index) for index in range(len(self.config.rounds))]

    def _steps(self, where: KeyPath, role: Role, steps: Iterable[str]) -> Iterator[Fault]:
        """Steps such as mondrian(k=5) that cannot be made."""
        for step in steps:
            try:
                self.registry.make(self.kind.name, role, step)
            except IcefireError as error:
                yield where, str(error)

    def _requirement(self, where: KeyPath, text: str) -> Iterator[Fault]:
        try:
            wanted = Requirement.parse(text, self.registry, self.kind)
        except IcefireError as error:
            yield where, str(error)
            return
        if wanted.role == "safety":
            yield from self._needs_guess(where, wanted.metric, False)

    def _needs_guess(self, where: KeyPath, step: str, wanted: bool) -> Iterator[Fault]:
        """A metric that needs a guess where there is none, or the other way round."""
        metric = self._metric("safety", step)
        if isinstance(metric, Safety) and metric.needs_guess and not wanted:
            yield where, f"{step} needs a guess, and there is none yet"
        if isinstance(metric, Safety) and wanted and not metric.needs_guess:
            yield where, f"{step} needs no guess, so it cannot score an attack"

    def _has_share(self, where: KeyPath, role: Role, step: str) -> Iterator[Fault]:
        """A metric whose values cannot be turned into a share of what is good."""
        metric = self._metric(role, step)
        if metric is not None and metric.scale.good(metric.scale.best) is None:
            yield (
                where,
                f"{step} has no range, so it cannot be scored as a share: choose a metric with a best and a worst value",
            )

    def _metric(self, role: Role, step: str) -> Metric | None:
        """The metric of a step; None if it cannot be made, which is another fault."""
        try:
            method = self.registry.make(self.kind.name, role, step)
        except IcefireError:
            return None
        return method if isinstance(method, Metric) else None
