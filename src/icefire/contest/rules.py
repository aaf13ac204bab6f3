"""Rules: from what was measured to standings. Small pure functions, named in the contest's file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from icefire.contest.config import Config, Scoring, nearest
from icefire.contest.config import Dataset as SetOf
from icefire.core.ranks import shared_ranks
from icefire.core.values import Direction, Score


@dataclass(frozen=True)
class Results:
    """What one round has measured, as far as somebody may see it."""

    teams: tuple[str, ...]
    sets: tuple[SetOf, ...]
    releases: Mapping[tuple[str, str], Mapping[str, Score]] = field(default_factory=dict)
    """By team and set, of valid releases: utility and safety without a guess."""
    cells: Mapping[tuple[str, str, str, str], Score] = field(default_factory=dict)
    """By defender, set, attacker and task."""

    def attacks(self, team: str, name: str, task: str) -> list[Score]:
        """All that was made on one release."""
        return [
            cell for (owner, where, _, what), cell in self.cells.items() if (owner, where, what) == (team, name, task)
        ]

    def worst(self, team: str, name: str, task: str) -> float | None:
        """What the strongest attack has left; None without a valid release, or if nobody has attacked it."""
        made = self.attacks(team, name, task)
        if (team, name) not in self.releases or not made:
            return None
        return made[0].direction.worst([cell.value for cell in made])


@dataclass(frozen=True)
class Row:
    """A line of the standings."""

    team: str
    total: float | None
    rank: float | None
    parts: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Standings:
    defenders: tuple[Row, ...]
    attackers: tuple[Row, ...]
    direction: Direction
    """Which way totals of defenders are good; attackers always want more."""


Parts = dict[str, float | None]
Rule = Callable[[Results, Scoring], tuple[dict[str, tuple[float | None, Parts]], Direction]]
AttackRule = Callable[[Results, str], float]


def standings(results: Results, scoring: Scoring) -> Standings:
    """Defenders and attackers, the best first; who has no total comes last and has no rank."""
    totals, direction = RULES[scoring.rule](results, scoring)
    if scoring.not_submitted is not None:
        totals = {t: (scoring.not_submitted if total is None else total, parts) for t, (total, parts) in totals.items()}
    points = ATTACK_RULES[scoring.attack]
    attackers: dict[str, tuple[float | None, Parts]] = {team: (points(results, team), {}) for team in results.teams}
    return Standings(ranked(totals, direction), ranked(attackers, Direction.HIGHER_IS_BETTER), direction)


def ranked(totals: Mapping[str, tuple[float | None, Parts]], direction: Direction) -> tuple[Row, ...]:
    """Ties share the mean rank."""
    placed = [team for team, (total, _) in totals.items() if total is not None]
    rank = dict(zip(placed, _ranks([totals[team][0] or 0.0 for team in placed], direction), strict=True))
    rows = [Row(team, total, rank.get(team), parts) for team, (total, parts) in totals.items()]
    return tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank or 0.0, row.team)))


def _ranks(values: Sequence[float], direction: Direction) -> list[float]:
    return [float(rank) for rank in shared_ranks(values, direction)] if values else []


def pwscup2015(results: Results, scoring: Scoring) -> tuple[dict[str, tuple[float | None, Parts]], Direction]:
    """mean Rank(Ui) + (Rank S1 + Rank S2) / 4 + Rank(max re-id) / 2; the smallest wins."""
    data = results.sets[0]
    task = data.tasks[0].name
    teams = [team for team in results.teams if (team, data.name) in results.releases]
    parts: dict[str, Parts] = {team: {} for team in results.teams}
    weights = {name: 1.0 / len(data.utility) for name in data.utility}
    weights |= {name: 0.5 / len(data.safety) for name in data.safety}
    totals = dict.fromkeys(teams, 0.0)
    for name, weight in weights.items():
        measured = [results.releases[team, data.name].get(name) for team in teams]
        # Who has no value in a metric is behind all who have one.
        known = [one for one in measured if one is not None]
        behind = (len(known) + 1 + len(teams)) / 2
        ranks = iter(_ranks([one.value for one in known], known[0].direction) if known else [])
        for team, one in zip(teams, measured, strict=True):
            place = behind if one is None else next(ranks)
            parts[team][name] = place
            totals[team] += weight * place
    # A release that nobody attacked is as safe as can be.
    risk = [results.worst(team, data.name, task) or 0.0 for team in teams]
    for team, place in zip(teams, _ranks(risk, Direction.LOWER_IS_BETTER), strict=True):
        parts[team][task] = place
        totals[team] += 0.5 * place
    return {team: (totals.get(team), parts[team]) for team in results.teams}, Direction.LOWER_IS_BETTER


def pwscup2016(results: Results, scoring: Scoring) -> tuple[dict[str, tuple[float | None, Parts]], Direction]:
    """(U + E) / 2: the mean of the utility metrics, and the largest re-identification; the smallest wins."""
    return _mean_of_loss_and_risk(results, lambda losses: sum(losses) / len(losses))


def pwscup2017(results: Results, scoring: Scoring) -> tuple[dict[str, tuple[float | None, Parts]], Direction]:
    """(UTL + SEC) / 2: the largest utility loss, and the largest re-identification; the smallest wins."""
    return _mean_of_loss_and_risk(results, max)


def _mean_of_loss_and_risk(
    results: Results, joined: Callable[[Sequence[float]], float]
) -> tuple[dict[str, tuple[float | None, Parts]], Direction]:
    data = results.sets[0]
    task = data.tasks[0].name
    found: dict[str, tuple[float | None, Parts]] = {}
    for team in results.teams:
        release = results.releases.get((team, data.name))
        if release is None or any(name not in release for name in data.utility):
            found[team] = None, {}
            continue
        loss = joined([release[name].value for name in data.utility])
        # A release that nobody attacked is as safe as can be.
        risk = results.worst(team, data.name, task) or 0.0
        found[team] = (loss + risk) / 2, {"utility": loss, task: risk}
    return found, Direction.LOWER_IS_BETTER


def pwscup2019(results: Results, scoring: Scoring) -> tuple[dict[str, tuple[float | None, Parts]], Direction]:
    """The sum, over the sets, of what the strongest attack has left; a set that is missing or not valid counts 0."""
    found: dict[str, tuple[float | None, Parts]] = {}
    for team in results.teams:
        parts: Parts = {}
        for data in results.sets:
            task = data.tasks[0].name
            sent = (team, data.name) in results.releases
            left = results.worst(team, data.name, task)
            parts[f"{data.name}.{task}"] = 0.0 if not sent else 1.0 if left is None else left
        found[team] = sum(value or 0.0 for value in parts.values()), parts
    return found, Direction.HIGHER_IS_BETTER


def weighted(results: Results, scoring: Scoring) -> tuple[dict[str, tuple[float | None, Parts]], Direction]:
    """The sum of weights times parts: `measure.SET.METRIC`, `worst.SET.TASK` or `mean.SET.TASK`; the largest wins.

    A part of which less is better counts 1 minus itself. A release that nobody attacked counts as safe.
    """
    found: dict[str, tuple[float | None, Parts]] = {}
    for team in results.teams:
        parts: Parts = {name: _part(results, team, name) for name in scoring.weights}
        known = {name: value for name, value in parts.items() if value is not None}
        whole = len(known) == len(parts)
        found[team] = sum(scoring.weights[name] * value for name, value in known.items()) if whole else None, parts
    return found, Direction.HIGHER_IS_BETTER


def _part(results: Results, team: str, part: str) -> float | None:
    how, name, what = part.split(".", 2)
    if (team, name) not in results.releases:
        return None
    if how == "measure":
        score = results.releases[team, name].get(what)
        return None if score is None else score.good
    made = [cell.good for cell in results.attacks(team, name, what)]
    known = [good for good in made if good is not None]
    if not made:
        return 1.0
    if len(known) < len(made):
        return None
    return min(known) if how == "worst" else float(np.mean(known))


def lost(score: Score) -> float:
    """The share of the defender's safety that an attack has taken."""
    assert score.good is not None, "tasks whose metric has no range are refused when the contest is read"
    return 1.0 - score.good


def lowered(results: Results, team: str) -> float:
    """How far an attacker has lowered the safety of others, added up."""
    return sum(lost(cell) for (_, _, who, _), cell in results.cells.items() if who == team)


def found_in_all(results: Results, team: str) -> float:
    """How many people or rows an attacker has found in all releases together."""
    return float(sum(cell.found or 0.0 for (_, _, who, _), cell in results.cells.items() if who == team))


def shared(results: Results, team: str) -> float:
    """As `lowered`, but what several teams have reached is divided among them: finding what nobody finds pays."""
    total = 0.0
    for (owner, name, who, task), cell in results.cells.items():
        if who == team:
            gain = lost(cell)
            others = [
                lost(other)
                for (o, n, w, t), other in results.cells.items()
                if (o, n, t) == (owner, name, task) and w in results.teams
            ]
            total += gain / sum(other >= gain for other in others)
    return total


RULES: dict[str, Rule] = {rule.__name__: rule for rule in (pwscup2015, pwscup2016, pwscup2017, pwscup2019, weighted)}
ATTACK_RULES: dict[str, AttackRule] = {"lowered": lowered, "found": found_in_all, "shared": shared}


def check_scoring(config: Config) -> list[tuple[tuple[str | int, ...], str]]:
    """What is wrong with the rules that a contest names."""
    faults: list[tuple[tuple[str | int, ...], str]] = []
    scoring = config.scoring
    if scoring.rule not in RULES:
        faults.append((("scoring", "rule"), nearest("rule", scoring.rule, list(RULES))))
    if scoring.attack not in ATTACK_RULES:
        faults.append((("scoring", "attack"), nearest("rule for attackers", scoring.attack, list(ATTACK_RULES))))
    smallest = scoring.rule in ("pwscup2015", "pwscup2016", "pwscup2017")
    if smallest and len(config.sets) > 1:
        faults.append((("sets",), f"the rule {scoring.rule!r} is about one set"))
    if smallest and not config.sets[0].utility:
        faults.append((("sets", 0, "utility"), f"the rule {scoring.rule!r} needs at least one metric"))
    if smallest and scoring.not_submitted is not None:
        told = (
            f"with the rule {scoring.rule!r} the smallest total wins: teams without a release come last by themselves"
        )
        faults.append((("scoring", "not_submitted"), told))
    parts = [f"measure.{one.name}.{metric}" for one in config.sets for metric in (*one.utility, *one.safety)]
    parts += [f"{how}.{one.name}.{task.name}" for one in config.sets for task in one.tasks for how in ("worst", "mean")]
    strange = [name for name in scoring.weights if name not in parts]
    return faults + [(("scoring", "weights"), nearest("part", name, parts)) for name in strange]
