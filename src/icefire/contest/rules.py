"""Scoring rules: from what was measured to standings. Pure functions that a contest's file names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from icefire.contest.config import Dataset, Scoring, Task
from icefire.contest.measures import HITS, unpacked
from icefire.core.ranks import shared_ranks
from icefire.core.values import Direction, Score


@dataclass(frozen=True)
class Results:
    """What a round has measured."""

    teams: tuple[str, ...]
    datasets: tuple[Dataset, ...]
    releases: Mapping[tuple[str, str], Mapping[str, Score]] = field(default_factory=dict)
    """Of valid releases, by team and data set: utility, and safety without a guess."""
    cells: Mapping[tuple[str, str, str, str], Score] = field(default_factory=dict)
    """By defender, data set, attacker and task."""

    def attacks(self, team: str, dataset: str, task: str) -> list[Score]:
        """The scores of all attacks on a release."""
        wanted = (team, dataset, task)
        return [score for (owner, name, _, scored), score in self.cells.items() if (owner, name, scored) == wanted]

    def worst(self, team: str, dataset: str, task: str) -> float | None:
        """The value that the strongest attack has left; None without a valid release or without an attack."""
        scores = self.attacks(team, dataset, task)
        if (team, dataset) not in self.releases or not scores:
            return None
        return scores[0].direction.worst([score.value for score in scores])


@dataclass(frozen=True)
class Row:
    """A row of the standings."""

    team: str
    total: float | None
    rank: float | None
    parts: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Standings:
    """Defenders and attackers, the best first."""

    defenders: tuple[Row, ...]
    attackers: tuple[Row, ...]
    direction: Direction
    """Which totals of defenders are better."""
    attack_direction: Direction = Direction.HIGHER_IS_BETTER
    """Of the defenders' totals; attackers always want more."""


Parts: TypeAlias = dict[str, float | None]
Totals: TypeAlias = dict[str, tuple[float | None, Parts]]
"""By team: the total, if it has one, and what it consists of."""
Rule: TypeAlias = Callable[[Results, Scoring], tuple[Totals, Direction]]
AttackRule: TypeAlias = tuple[Callable[[Results, str], float], Direction]


def standings(results: Results, scoring: Scoring) -> Standings:
    """Defenders and attackers, the best first; teams without a total come last and have no rank."""
    totals, direction = RULES[scoring.rule](results, scoring)
    if scoring.not_submitted is not None:
        default = scoring.not_submitted
        totals = {team: (default if total is None else total, parts) for team, (total, parts) in totals.items()}
    points, better = ATTACK_RULES[scoring.attack]
    attackers: Totals = {team: (points(results, team), {}) for team in results.teams}
    return Standings(ranked(totals, direction), ranked(attackers, better), direction, better)


def ranked(totals: Totals, direction: Direction) -> tuple[Row, ...]:
    """The rows of a table, the best first; ties share the mean rank."""
    known = {team: total for team, (total, _) in totals.items() if total is not None}
    ranks = dict(zip(known, _ranks(list(known.values()), direction), strict=True))
    rows = [Row(team, total, ranks.get(team), parts) for team, (total, parts) in totals.items()]
    return tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank or 0.0, row.team)))


def _ranks(values: Sequence[float], direction: Direction) -> list[float]:
    return [float(rank) for rank in shared_ranks(values, direction)] if values else []


def pwscup2015(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """mean Rank(Ui) + (Rank S1 + Rank S2) / 4 + Rank(max re-id) / 2; the smallest wins."""
    dataset = results.datasets[0]
    task = dataset.tasks[0].name
    teams = [team for team in results.teams if (team, dataset.name) in results.releases]
    parts: dict[str, Parts] = {team: {} for team in results.teams}
    weights = {name: 1.0 / len(dataset.utility) for name in dataset.utility}
    weights |= {name: 0.5 / len(dataset.safety) for name in dataset.safety}
    totals = dict.fromkeys(teams, 0.0)
    for name, weight in weights.items():
        measured = [results.releases[team, dataset.name].get(name) for team in teams]
        known = [score for score in measured if score is not None]
        # Teams without a value in a metric share the ranks behind all others.
        behind = (len(known) + 1 + len(teams)) / 2
        ranks = iter(_ranks([score.value for score in known], known[0].direction) if known else [])
        for team, score in zip(teams, measured, strict=True):
            parts[team][name] = rank = behind if score is None else next(ranks)
            totals[team] += weight * rank
    # A release without an attack counts as safe.
    risk = [results.worst(team, dataset.name, task) or 0.0 for team in teams]
    for team, rank in zip(teams, _ranks(risk, Direction.LOWER_IS_BETTER), strict=True):
        parts[team][task] = rank
        totals[team] += 0.5 * rank
    return {team: (totals.get(team), parts[team]) for team in results.teams}, Direction.LOWER_IS_BETTER


def pwscup2016(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """(U + E) / 2: the mean of the utility metrics, and the largest re-identification; the smallest wins."""

    def risk(team: str) -> float:
        dataset = results.datasets[0]
        return results.worst(team, dataset.name, dataset.tasks[0].name) or 0.0

    return _mean_of_loss_and_risk(results, lambda losses: sum(losses) / len(losses), risk)


def pwscup2017(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """(UTL + SEC) / 2: the largest utility loss, and the re-identification from several tables; the smallest wins.

    The tables are the tasks with the metric of the first one. SEC is the larger of two: the mean over the tables of the
    largest value that a team has reached, and the largest mean over the tables of a baseline.
    """
    dataset = results.datasets[0]
    tables = [task.name for task in dataset.tasks if task.metric == dataset.tasks[0].metric]

    def risk(team: str) -> float:
        reached: dict[str, dict[str, float]] = {}
        for (owner, name, attacker, task), score in results.cells.items():
            if (owner, name) == (team, dataset.name) and task in tables:
                # What no guess was sent for is not re-identified.
                reached.setdefault(attacker, dict.fromkeys(tables, 0.0))[task] = score.value
        teams = [found for attacker, found in reached.items() if attacker in results.teams]
        best = [max((found[task] for found in teams), default=0.0) for task in tables]
        means = [
            sum(found.values()) / len(tables) for attacker, found in reached.items() if attacker not in results.teams
        ]
        return max(sum(best) / len(tables), *means, 0.0)

    return _mean_of_loss_and_risk(results, max, risk)


def _mean_of_loss_and_risk(
    results: Results, combined: Callable[[Sequence[float]], float], risk: Callable[[str], float]
) -> tuple[Totals, Direction]:
    dataset = results.datasets[0]
    totals: Totals = {}
    for team in results.teams:
        release = results.releases.get((team, dataset.name))
        if release is None or any(name not in release for name in dataset.utility):
            totals[team] = None, {}
            continue
        loss = combined([release[name].value for name in dataset.utility])
        # A release without an attack counts as safe.
        found = risk(team)
        totals[team] = (loss + found) / 2, {"utility": loss, "risk": found}
    return totals, Direction.LOWER_IS_BETTER


def pwscup2018(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """The loss of a release that no attack has shown to be unsafe, the largest of its metrics; the smallest wins."""
    dataset = results.datasets[0]
    totals: Totals = {}
    for team in results.teams:
        release = results.releases.get((team, dataset.name))
        if release is None or any(name not in release for name in dataset.utility):
            totals[team] = None, {}
            continue
        loss = max(release[name].value for name in dataset.utility)
        found = results.worst(team, dataset.name, dataset.tasks[0].name) or 0.0
        totals[team] = None if found >= 1.0 else loss, {"utility": loss, "risk": found}
    return totals, Direction.LOWER_IS_BETTER


def pwscup2019(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """The sum over the data sets of what the strongest attack has left; a missing or invalid release counts 0."""
    totals: Totals = {}
    for team in results.teams:
        parts: Parts = {}
        for dataset in results.datasets:
            task = dataset.tasks[0].name
            left = results.worst(team, dataset.name, task)
            submitted = (team, dataset.name) in results.releases
            parts[f"{dataset.name}.{task}"] = 0.0 if not submitted else 1.0 if left is None else left
        totals[team] = sum(value or 0.0 for value in parts.values()), parts
    return totals, Direction.HIGHER_IS_BETTER


def pwscup2022(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """The mean over the data sets of two halves: the mean of the metrics of utility, and what the strongest attack has left."""
    totals: Totals = {}
    for team in results.teams:
        parts: Parts = {}
        for dataset in results.datasets:
            release = results.releases.get((team, dataset.name), {})
            kept = [release[name].good for name in dataset.utility if name in release]
            left = _part(results, team, f"worst.{dataset.name}.{dataset.tasks[0].name}")
            known = [value for value in kept if value is not None]
            # A missing or invalid release counts 0.
            whole = left is not None and len(known) == len(dataset.utility)
            parts[dataset.name] = (sum(known) / len(known) + (left or 0.0)) / 2 if whole else 0.0
        totals[team] = sum(value or 0.0 for value in parts.values()) / len(parts), parts
    return totals, Direction.HIGHER_IS_BETTER


def pwscup2025(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """Points for utility, 40 for the first metric and 20 for each of the others, and points for anonymity.

    Those are 100 x the share of members whom the best attacker has not found, less one for each further attacker who has
    found the member that most have found.
    """
    dataset = results.datasets[0]
    task = dataset.tasks[0].name
    totals: Totals = {}
    for team in results.teams:
        release = results.releases.get((team, dataset.name))
        kept = [] if release is None else [release[name].good for name in dataset.utility if name in release]
        known = [value for value in kept if value is not None]
        if release is None or len(known) < len(dataset.utility):
            totals[team] = None, {}
            continue
        useful = 40 * known[0] + 20 * sum(known[1:])
        cells = [
            score
            for (owner, name, attacker, scored), score in results.cells.items()
            if (owner, name, scored) == (team, dataset.name, task) and attacker in results.teams
        ]
        found = max((score.value for score in results.attacks(team, dataset.name, task)), default=0.0)
        safe = max(0.0, 100 * (1 - found) - max(0, _together(cells) - 1))
        totals[team] = useful + safe, {"utility": useful, "anonymity": safe}
    return totals, Direction.HIGHER_IS_BETTER


def _together(cells: Sequence[Score]) -> int:
    """How many answers have found the same person, for the person whom most have found."""
    hits = [unpacked(str(score.detail[HITS])) for score in cells if HITS in score.detail]
    return int(np.sum(hits, axis=0).max()) if hits else 0


def pwscup2026(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """The least of all: of what each metric of utility and the strongest attack of each task have left; the largest wins."""
    totals: Totals = {}
    for team in results.teams:
        parts: Parts = {}
        for dataset in results.datasets:
            names = [f"measure.{dataset.name}.{name}" for name in dataset.utility]
            names += [f"worst.{dataset.name}.{task.name}" for task in dataset.tasks]
            parts |= {name: _part(results, team, name) for name in names}
        known = [value for value in parts.values() if value is not None]
        totals[team] = min(known) if len(known) == len(parts) else None, parts
    return totals, Direction.HIGHER_IS_BETTER


def weighted(results: Results, scoring: Scoring) -> tuple[Totals, Direction]:
    """The weighted sum of `measure.SET.METRIC`, `worst.SET.TASK` and `mean.SET.TASK`; the largest wins.

    Each part is the share of what is good, 0 to 1. A release without an attack counts as safe.
    """
    totals: Totals = {}
    for team in results.teams:
        parts: Parts = {name: _part(results, team, name) for name in scoring.weights}
        known = {name: value for name, value in parts.items() if value is not None}
        complete = len(known) == len(parts)
        totals[team] = sum(scoring.weights[name] * value for name, value in known.items()) if complete else None, parts
    return totals, Direction.HIGHER_IS_BETTER


def _part(results: Results, team: str, part: str) -> float | None:
    how, dataset, name = part.split(".", 2)
    if (team, dataset) not in results.releases:
        return None
    if how == "measure":
        score = results.releases[team, dataset].get(name)
        return None if score is None else score.good
    scores = results.attacks(team, dataset, name)
    if not scores:
        return 1.0
    left = [score.good for score in scores if score.good is not None]
    if len(left) < len(scores):
        return None
    return min(left) if how == "worst" else float(np.mean(left))


def lost(score: Score) -> float:
    """The share of the defender's safety that an attack has taken."""
    assert score.good is not None, "metrics without a range are refused when the contest is read"
    return 1.0 - score.good


def lowered(results: Results, team: str) -> float:
    """How far an attacker has lowered the safety of others, added up."""
    return sum(lost(score) for (_, _, attacker, _), score in results.cells.items() if attacker == team)


def found_in_all(results: Results, team: str) -> float:
    """How many people or rows an attacker has found in all releases together."""
    return float(sum(score.found or 0.0 for (_, _, attacker, _), score in results.cells.items() if attacker == team))


def shared(results: Results, team: str) -> float:
    """As `lowered`, but what several teams have reached is divided among them, so that a rare find pays more."""
    total = 0.0
    for (owner, dataset, attacker, task), score in results.cells.items():
        if attacker == team:
            gain = lost(score)
            gains = [
                lost(other)
                for (other_owner, name, rival, scored), other in results.cells.items()
                if (other_owner, name, scored) == (owner, dataset, task) and rival in results.teams
            ]
            total += gain / sum(other >= gain for other in gains)
    return total


def left(results: Results, team: str) -> float:
    """What an attacker has left of the safety of all others, added up: the smallest wins.

    A release that it has not attacked counts 1, and its own and invalid ones 0, so that nobody gains by leaving out hard ones.
    """
    return sum(
        left_of(results, owner, dataset.name, task.name, team) for owner, dataset, task in attacked_by(results, team)
    )


def attacked_by(results: Results, team: str, task: str | None = None) -> Iterator[tuple[str, Dataset, Task]]:
    """All releases of others with their tasks, or those that a prize names."""
    for owner, name in sorted(results.releases):
        if owner != team:
            dataset = next(dataset for dataset in results.datasets if dataset.name == name)
            yield from ((owner, dataset, each) for each in dataset.tasks if names_task(task, dataset, each))


def names_task(wanted: str | None, dataset: Dataset, task: Task) -> bool:
    """Whether TASK or SET.TASK means this task of this set."""
    return wanted in (None, task.name, f"{dataset.name}.{task.name}")


def left_of(results: Results, owner: str, dataset: str, task: str, attacker: str) -> float:
    """The share of its safety that an attacker has left of a release; 1 if it was not attacked."""
    score = results.cells.get((owner, dataset, attacker, task))
    return 1.0 if score is None else 1.0 - lost(score)


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        *(pwscup2015, pwscup2016, pwscup2017, pwscup2018, pwscup2019, pwscup2022, pwscup2025, pwscup2026),
        weighted,
    )
}
ATTACK_RULES: dict[str, AttackRule] = {
    "lowered": (lowered, Direction.HIGHER_IS_BETTER),
    "found": (found_in_all, Direction.HIGHER_IS_BETTER),
    "shared": (shared, Direction.HIGHER_IS_BETTER),
    "left": (left, Direction.LOWER_IS_BETTER),
}


def counted(scoring: Scoring, dataset: Dataset) -> set[str]:
    """The metrics of a set, needing no guess, that its standings rest on."""
    if scoring.rule == "weighted":
        steps = (*dataset.utility, *dataset.safety)
        return {step for step in steps if scoring.weights.get(f"measure.{dataset.name}.{step}")}
    if scoring.rule == "pwscup2019":
        return set()
    return {*dataset.utility, *(dataset.safety if scoring.rule == "pwscup2015" else ())}
