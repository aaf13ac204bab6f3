"""The board: a pure function of the state and of who looks at it. The freeze is applied here and nowhere else."""

from __future__ import annotations

from typing import Any

from icefire.contest.rules import Results, Row, Standings, ranked, standings
from icefire.contest.state import State
from icefire.core.values import Direction, Score

Viewer = str
"""public, operator, or team:ID."""
BAND = 10


def board(state: State, viewer: Viewer = "public") -> dict[str, Any]:
    """All that somebody may see: a document of plain values."""
    seen = state if viewer == "operator" or state.frozen is None else state.frozen
    told = {
        "name": seen.contest.name,
        "seq": seen.seq,
        "at": seen.at,
        **_course(seen),
        "frozen": state.frozen is not None,
        "final": seen.final,
        "commitments": list(seen.commitments),
        "seeds": {str(at): seed for at, seed in seen.seeds.items()},
        "sets": [
            {"name": data.name, "utility": list(data.utility), "tasks": [task.name for task in data.tasks]}
            for data in seen.contest.sets
        ],
        "teams": [{"id": team.id, "name": team.name, "withdrawn": team.withdrawn} for team in seen.teams.values()],
        "rounds": [
            _round(seen, at, viewer) for at in range(len(seen.contest.rounds)) if (at, "defence") in seen.opened
        ],
    }
    told["total"] = _total(seen, viewer)
    told["ceremony"] = list(state.unveiled)
    if viewer.startswith("team:"):
        # A team sees its own uploads and the time as they are, whatever the public sees.
        told |= _course(state)
        told["own"] = _own(state, viewer.removeprefix("team:"))
    if viewer == "operator":
        told["flags"] = [
            {"round": at, "team": team, "set": name, "evidence": evidence, "ruling": seen.ruling((at, team, name))}
            for (at, team, name), (upload, evidence) in seen.flags.items()
            if seen.releases.get((at, team, name)) == upload
        ]
        told["alarms"] = [
            {"reference": one.reference, "job": one.job, "message": one.message, "at": one.at, "resolved": one.resolved}
            for one in seen.alarms.values()
        ]
        told["waiting"] = sum(one.status == "waiting" for one in seen.uploads.values())
    return told


def _course(state: State) -> dict[str, Any]:
    """What is open, and when the rest is."""
    return {
        "phase": None if state.phase is None else {"round": state.phase[0], "name": state.phase[1]},
        "paused": state.paused is not None,
        "schedule": [
            {"round": at, "phase": phase, "opens": opens.isoformat(), "closes": closes.isoformat()}
            for (at, phase), (opens, closes) in sorted(state.schedule.items())
        ],
    }


def final_rows(state: State) -> list[dict[str, Any]]:
    """The standings of defenders over all rounds, as they will be in the end."""
    return list(_total(state, "operator")["defenders"])


def results(state: State, round: int, viewer: Viewer = "operator") -> Results:
    """What one round has measured, as far as the viewer may know."""
    config = state.contest
    counted = {
        (team, name): upload
        for (at, team, name), upload in state.releases.items()
        if at == round and not state.invalid((at, team, name)) and not state.teams[team].withdrawn
    }
    releases = {
        place: {name: Score.from_dict(one) for name, one in state.uploads[upload].measures.items() if "value" in one}
        for place, upload in counted.items()
    }
    cells: dict[tuple[str, str, str, str], Score] = {}
    for source, open_to_all in ((state.baselines, True), (state.cells, told_all(state, round, viewer))):
        for (at, team, name, who), cell in source.items():
            # No team can have such an id.
            attacker = who if source is state.cells else f"*{who}"
            if (
                at != round
                or (team, name) not in counted
                or (source is state.cells and state.teams[attacker].withdrawn)
            ):
                continue
            for task, one in cell.items():
                shown = one if open_to_all else _veiled(one, config.scoring.feedback)
                if shown is not None and "value" in shown:
                    cells[team, name, attacker, task] = Score.from_dict(shown)
    return Results(tuple(sorted(team.id for team in state.active)), config.sets, releases, cells)


def told_all(state: State, round: int, viewer: Viewer) -> bool:
    return viewer == "operator" or (round, "attack") in state.closed or state.contest.scoring.feedback == "exact"


def _veiled(one: dict[str, Any], feedback: str) -> dict[str, Any] | None:
    """What may be told of an answer while the attack is open."""
    if feedback == "none" or "value" not in one:
        return None
    return {**one, "value": round(one["value"] * BAND) / BAND}


def _round(state: State, at: int, viewer: Viewer) -> dict[str, Any]:
    found = results(state, at, viewer)
    shown = told_all(state, at, viewer)
    answered = sorted({(team, name, who) for (n, team, name, who) in state.cells if n == at})
    return {
        "name": state.contest.rounds[at].name,
        "releases": [
            {
                "team": team,
                "set": name,
                "published": (at, team, name) in state.published,
                "measures": {metric: score.as_dict(detail=False) for metric, score in sorted(measures.items())},
            }
            for (team, name), measures in sorted(found.releases.items())
        ],
        "invalid": sorted(
            [team, name] for (n, team, name) in state.releases if n == at and state.invalid((n, team, name))
        ),
        "cells": [
            {
                "team": team,
                "set": name,
                "attacker": who,
                "task": task,
                "score": one.as_dict(detail=False),
            }
            for (team, name, who, task), one in sorted(found.cells.items())
        ],
        "answered": [] if shown else [list(one) for one in answered],
        **_standings(standings(found, state.contest.scoring)),
    }


def _standings(found: Standings) -> dict[str, Any]:
    return {"defenders": [_row(row) for row in found.defenders], "attackers": [_row(row) for row in found.attackers]}


def _row(row: Row) -> dict[str, Any]:
    return {"team": row.team, "total": row.total, "rank": row.rank, "parts": dict(row.parts)}


def _total(state: State, viewer: Viewer) -> dict[str, Any]:
    """All rounds together, by their weights; a team needs a total in each round that has begun."""
    begun = [at for at in range(len(state.contest.rounds)) if (at, "defence") in state.opened]
    if not begun:
        return {"defenders": [], "attackers": []}
    by_round = [standings(results(state, at, viewer), state.contest.scoring) for at in begun]
    weights = [state.contest.rounds[at].weight for at in begun]
    return {
        side: [_row(row) for row in _weighed([getattr(one, side) for one in by_round], weights, how)]
        for side, how in (("defenders", by_round[0].direction), ("attackers", Direction.HIGHER_IS_BETTER))
    }


def _weighed(rows: list[tuple[Row, ...]], weights: list[float], direction: Direction) -> tuple[Row, ...]:
    totals: dict[str, list[float | None]] = {}
    for one in rows:
        for row in one:
            totals.setdefault(row.team, []).append(row.total)
    return ranked(
        {
            team: (
                None
                if any(value is None for value in values)
                else sum(w * (v or 0.0) for w, v in zip(weights, values, strict=True)) / sum(weights),
                {},
            )
            for team, values in totals.items()
        },
        direction,
    )


def _own(state: State, team: str) -> dict[str, Any]:
    """What a team sees of itself: its uploads, its tries, and nothing of what an answer has found before that is told."""
    config = state.contest
    uploads = [
        {
            "upload": one.id,
            "kind": one.kind,
            "round": one.round,
            "set": one.set,
            "target": one.target,
            "at": one.at,
            "bytes": one.bytes,
            "status": one.status,
            "faults": list(one.faults),
            "measures": dict(one.measures),
            "counts": state.releases.get((one.round, one.team, one.set)) == one.id,
            "reference": next(
                (a.reference for a in state.alarms.values() if a.job.endswith(one.id) and not a.resolved), None
            ),
        }
        for one in state.uploads.values()
        if one.team == team
    ]
    left: dict[str, Any] = {}
    if state.phase is not None:
        at, phase = state.phase
        for data in config.sets:
            if phase == "defence":
                left[data.name] = config.limits.releases - state.used("release", team, at, data.name)
            else:
                left[data.name] = {
                    target: config.limits.guesses - state.used("guess", team, at, data.name, target)
                    for (n, target, name) in state.published
                    if (n, name) == (at, data.name) and target != team
                }
    dealt = [
        {"round": at, "set": name, "sha256": sha}
        for (at, who, name), sha in state.dealt.items()
        if who == team and (at, "defence") in state.opened
    ]
    return {"uploads": uploads, "left": left, "problems": dealt}
