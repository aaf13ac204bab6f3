"""Standings over all rounds, and prizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from icefire.contest.config import Prize
from icefire.contest.results import OPERATOR, Viewer, results
from icefire.contest.rules import (
    Parts,
    Results,
    Row,
    Standings,
    Totals,
    attacked_by,
    left_of,
    lost,
    names_task,
    ranked,
    standings,
)
from icefire.contest.state import Side, Stage, State
from icefire.core.values import Direction


def begun(state: State) -> list[int]:
    """The rounds whose defence has opened."""
    return [index for index in range(len(state.contest.rounds)) if Stage(index, "defence") in state.opened]


def overall(state: State, viewer: Viewer) -> Standings | None:
    """All rounds that have begun, by their weights; a team needs a total in each of them."""
    rounds = begun(state)
    if not rounds:
        return None
    found = [standings(results(state, index, viewer), state.contest.scoring_of(index)) for index in rounds]
    weights = [state.contest.rounds[index].weight for index in rounds]
    by_ranks = state.contest.overall == "ranks"
    direction, better = found[0].direction, found[0].attack_direction
    if by_ranks:
        direction = better = Direction.LOWER_IS_BETTER
    names = [state.contest.rounds[index].name for index in rounds]
    return Standings(
        _weighed([_values(each.defenders, by_ranks) for each in found], names, weights, direction),
        _weighed([_values(each.attackers, by_ranks) for each in found], names, weights, better),
        direction,
        better,
    )


def final_rows(state: State, of: Side = "defence") -> tuple[Row, ...]:
    """The standings of defenders or attackers over all rounds, as they will be in the end."""
    found = overall(state, OPERATOR)
    if found is None:
        return ()
    return found.defenders if of == "defence" else found.attackers


def _values(rows: Sequence[Row], ranks: bool) -> dict[str, float | None]:
    return {row.team: row.rank if ranks else row.total for row in rows}


def _weighed(
    tables: Sequence[dict[str, float | None]], names: Sequence[str], weights: Sequence[float], direction: Direction
) -> tuple[Row, ...]:
    """One table from those of several rounds."""
    totals: Totals = {}
    for team in dict.fromkeys(team for table in tables for team in table):
        parts: Parts = {name: table.get(team) for name, table in zip(names, tables, strict=True)}
        known = [value for value in parts.values() if value is not None]
        if len(known) < len(parts):
            totals[team] = None, parts
            continue
        total = sum(weight * value for weight, value in zip(weights, known, strict=True)) / sum(weights)
        totals[team] = total, parts if len(parts) > 1 else {}
    return ranked(totals, direction)


@dataclass(frozen=True)
class Award:
    """A prize, who is in for it, and who has won it, once that is known."""

    prize: Prize
    rows: tuple[Row, ...]
    winners: tuple[str, ...]


def awards(state: State, viewer: Viewer) -> list[Award]:
    """The prizes of a contest as they stand. Winners are named when the results are final."""
    found = []
    for prize in state.contest.prizes:
        if prize.of == "choice":
            chosen = state.awarded.get(prize.name)
            found.append(Award(prize, (), () if chosen is None else (chosen,)))
            continue
        rows = _rows(state, prize, viewer)
        first = tuple(row.team for row in rows if row.rank is not None and row.rank == rows[0].rank)
        found.append(Award(prize, rows, first if state.final else ()))
    return found


def _rows(state: State, prize: Prize, viewer: Viewer) -> tuple[Row, ...]:
    if prize.task is None:
        total = overall(state, viewer)
        if total is None:
            return ()
        return total.defenders if prize.of == "defence" else total.attackers
    rounds = begun(state)
    names = [state.contest.rounds[index].name for index in rounds]
    weights = [state.contest.rounds[index].weight for index in rounds]
    tables: list[dict[str, float | None]] = []
    for index in rounds:
        found = results(state, index, viewer)
        measure = _defended if prize.of == "defence" else _attacked
        tables.append({team: measure(found, team, prize.task) for team in found.teams})
    direction = Direction.HIGHER_IS_BETTER if prize.of == "defence" else Direction.LOWER_IS_BETTER
    return _weighed(tables, names, weights, direction)


def _defended(found: Results, team: str, task: str) -> float:
    """What the strongest attacks have left of a team's releases: 0 of a release that is missing, 1 without an attack."""
    total = 0.0
    for dataset in found.datasets:
        for each in dataset.tasks:
            if names_task(task, dataset, each) and (team, dataset.name) in found.releases:
                scores = found.attacks(team, dataset.name, each.name)
                total += min((1.0 - lost(score) for score in scores), default=1.0)
    return total


def _attacked(found: Results, team: str, task: str) -> float:
    """What a team has left of the safety of all others, added up."""
    return sum(
        left_of(found, owner, dataset.name, each.name, team) for owner, dataset, each in attacked_by(found, team, task)
    )
