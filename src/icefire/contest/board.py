"""The board: a pure function of the state and the viewer. The freeze is applied here and nowhere else."""

from __future__ import annotations

from icefire.contest.documents import (
    BoardDocument,
    OwnDocument,
    RoundDocument,
    RowDocument,
    StandingsDocument,
    TimesDocument,
    UploadDocument,
)
from icefire.contest.jobs.uploads import job_of
from icefire.contest.measures import documents
from icefire.contest.results import OPERATOR, Viewer, results, shows_guesses
from icefire.contest.rules import Row, Standings, Totals, ranked, standings
from icefire.contest.state import Place, Stage, State, Upload
from icefire.core.values import Direction

TEAM = "team:"


def board(state: State, viewer: Viewer = "public") -> BoardDocument:
    """Everything that a viewer may see."""
    seen = state if viewer == OPERATOR or state.frozen is None else state.frozen
    # A team sees the time as it is, whatever the public sees.
    timed = state if viewer.startswith(TEAM) else seen
    document: BoardDocument = {
        "name": seen.contest.name,
        "seq": seen.seq,
        "at": seen.at,
        "frozen": state.frozen is not None,
        "final": seen.final,
        "commitments": list(seen.commitments),
        "seeds": {str(index): seed for index, seed in seen.seeds.items()},
        "sets": [
            {"name": dataset.name, "utility": list(dataset.utility), "tasks": [task.name for task in dataset.tasks]}
            for dataset in seen.contest.sets
        ],
        "teams": [{"id": team.id, "name": team.name, "withdrawn": team.withdrawn} for team in seen.teams.values()],
        "rounds": [_round(seen, index, viewer) for index in _begun(seen)],
        "total": _total(seen, viewer),
        "ceremony": [_row(row) for row in state.unveiled],
        "phase": None if timed.phase is None else {"round": timed.phase.round_index, "name": timed.phase.phase},
        "paused": timed.paused is not None,
        "schedule": _schedule(timed),
    }
    if viewer.startswith(TEAM):
        document["own"] = _own(state, viewer.removeprefix(TEAM))
    if viewer == OPERATOR:
        _add_operator_part(document, seen)
    return document


def _add_operator_part(document: BoardDocument, state: State) -> None:
    document["flags"] = [
        {
            "round": place.round_index,
            "team": place.team,
            "set": place.dataset,
            "evidence": evidence,
            "ruling": state.ruling(place),
        }
        for place, (upload, evidence) in state.flags.items()
        if state.releases.get(place) == upload
    ]
    document["alarms"] = [
        {
            "reference": alarm.reference,
            "job": alarm.job,
            "message": alarm.message,
            "at": alarm.at,
            "resolved": alarm.resolved,
        }
        for alarm in state.alarms.values()
    ]
    document["waiting"] = sum(upload.status == "waiting" for upload in state.uploads.values())


def _schedule(state: State) -> list[TimesDocument]:
    return [
        {"round": stage.round_index, "phase": stage.phase, "opens": opens.isoformat(), "closes": closes.isoformat()}
        for stage, (opens, closes) in sorted(state.schedule.items())
    ]


def _begun(state: State) -> list[int]:
    """The rounds whose defence has opened."""
    return [index for index in range(len(state.contest.rounds)) if Stage(index, "defence") in state.opened]


def _round(state: State, round_index: int, viewer: Viewer) -> RoundDocument:
    found = results(state, round_index, viewer)
    answered = sorted((place.team, place.dataset, who) for place, who in state.guesses if place[0] == round_index)
    return {
        "name": state.contest.rounds[round_index].name,
        "releases": [
            {
                "team": team,
                "set": dataset,
                "published": Place(round_index, team, dataset) in state.published,
                "measures": documents(dict(sorted(scores.items()))),
            }
            for (team, dataset), scores in sorted(found.releases.items())
        ],
        "invalid": sorted(
            (place.team, place.dataset)
            for place in state.releases
            if place.round_index == round_index and state.invalid(place)
        ),
        "cells": [
            {"team": team, "set": dataset, "attacker": attacker, "task": task, "score": score.as_dict(detail=False)}
            for (team, dataset, attacker, task), score in sorted(found.cells.items())
        ],
        "answered": [] if shows_guesses(state, round_index, viewer) else answered,
        **_standings(standings(found, state.contest.scoring)),
    }


def _standings(found: Standings) -> StandingsDocument:
    return {"defenders": [_row(row) for row in found.defenders], "attackers": [_row(row) for row in found.attackers]}


def _row(row: Row) -> RowDocument:
    return {"team": row.team, "total": row.total, "rank": row.rank, "parts": dict(row.parts)}


def final_rows(state: State) -> tuple[Row, ...]:
    """The standings of defenders over all rounds, as they will be in the end."""
    found = _total_standings(state, OPERATOR)
    return () if found is None else found.defenders


def _total(state: State, viewer: Viewer) -> StandingsDocument:
    found = _total_standings(state, viewer)
    return {"defenders": [], "attackers": []} if found is None else _standings(found)


def _total_standings(state: State, viewer: Viewer) -> Standings | None:
    """All rounds that have begun, by their weights; a team needs a total in each of them."""
    begun = _begun(state)
    if not begun:
        return None
    by_round = [standings(results(state, index, viewer), state.contest.scoring) for index in begun]
    weights = [state.contest.rounds[index].weight for index in begun]
    direction = by_round[0].direction
    return Standings(
        _weighed([found.defenders for found in by_round], weights, direction),
        _weighed([found.attackers for found in by_round], weights, Direction.HIGHER_IS_BETTER),
        direction,
    )


def _weighed(tables: list[tuple[Row, ...]], weights: list[float], direction: Direction) -> tuple[Row, ...]:
    """One table from those of several rounds."""
    by_team: dict[str, list[float | None]] = {}
    for rows in tables:
        for row in rows:
            by_team.setdefault(row.team, []).append(row.total)
    totals: Totals = {}
    for team, values in by_team.items():
        known = [value for value in values if value is not None]
        complete = len(known) == len(values)
        weighed = sum(weight * value for weight, value in zip(weights, known, strict=complete)) / sum(weights)
        totals[team] = (weighed if complete else None), {}
    return ranked(totals, direction)


def _own(state: State, team: str) -> OwnDocument:
    """What a team sees of itself: its uploads, its tries, and no score of a guess before that may be shown."""
    return {
        "uploads": [_upload(state, upload) for upload in state.uploads.values() if upload.team == team],
        "left": _left(state, team),
        "problems": [
            {
                "round": place.round_index,
                "set": place.dataset,
                "sha256": problem.sha256,
                "summary": problem.summary,
            }
            for place, problem in state.dealt.items()
            if place.team == team and Stage(place.round_index, "defence") in state.opened
        ],
    }


def _upload(state: State, upload: Upload) -> UploadDocument:
    alarm = state.alarm_of(job_of(upload).key)
    return {
        "upload": upload.id,
        "kind": upload.kind,
        "round": upload.place.round_index,
        "set": upload.place.dataset,
        "target": upload.target,
        "at": upload.at,
        "bytes": upload.bytes,
        "status": upload.status,
        "faults": list(upload.faults),
        "measures": documents(upload.measures),
        "counts": state.releases.get(upload.place) == upload.id,
        "reference": None if alarm is None else alarm.reference,
    }


def _left(state: State, team: str) -> dict[str, int | dict[str, int]]:
    """Tries that are left, by data set and, during the attack, by target."""
    if state.phase is None:
        return {}
    limits, (index, phase) = state.contest.limits, state.phase
    left: dict[str, int | dict[str, int]] = {}
    for dataset in state.contest.sets:
        own = Place(index, team, dataset.name)
        if phase == "defence":
            left[dataset.name] = limits.releases - state.used("release", own)
        else:
            left[dataset.name] = {
                place.team: limits.guesses - state.used("guess", own, place.team)
                for place in state.published
                if (place.round_index, place.dataset) == (index, dataset.name) and place.team != team
            }
    return left
