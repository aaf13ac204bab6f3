"""The board: a pure function of the state and the viewer. The freeze is applied here and nowhere else."""

from __future__ import annotations

from icefire.contest.documents import (
    BoardDocument,
    OwnDocument,
    PhaseDocument,
    PrizeDocument,
    QuestionDocument,
    RoundDocument,
    RowDocument,
    StandingsDocument,
    TeamDocument,
    TimesDocument,
    UploadDocument,
)
from icefire.contest.jobs.uploads import job_of
from icefire.contest.measures import documents
from icefire.contest.overall import Award, awards, begun, overall
from icefire.contest.results import OPERATOR, Viewer, own_measures, results, shows_guesses
from icefire.contest.rules import Row, Standings, standings
from icefire.contest.state import Place, Question, Stage, State, Team, Upload

TEAM = "team:"


def board(state: State, viewer: Viewer = "public") -> BoardDocument:
    """Everything that a viewer may see."""
    seen = state if viewer == OPERATOR or state.frozen is None else state.frozen
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
        "teams": [_team(team) for team in seen.teams.values()],
        "rounds": [_round(seen, index, viewer) for index in begun(seen)],
        "total": _total(seen, viewer),
        "prizes": [_award(award) for award in awards(seen, viewer)],
        "ceremony": {
            "defenders": [_row(row) for row in state.unveiled],
            "attackers": [_row(row) for row in state.unveiled_attackers],
        },
        "announcements": [
            {"at": told.at, "text": told.text, "question": told.question} for told in state.announcements
        ],
        # The freeze is about scores: everybody sees the time as it is.
        "phase": open_phase(state),
        "paused": state.paused is not None,
        "schedule": _schedule(state),
    }
    if viewer.startswith(TEAM):
        document["own"] = own(state, viewer.removeprefix(TEAM))
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
    document["questions"] = [_question(asked) for asked in state.questions.values()]
    told = dict.fromkeys((upload.team, upload.method) for upload in state.uploads.values() if upload.method)
    document["methods"] = [{"team": team, "method": method} for team, method in told if not state.teams[team].committee]
    document["freezes"] = [{"round": index, "at": at.isoformat()} for index, at in sorted(state.freezes.items())]
    document["waiting"] = sum(upload.status == "waiting" for upload in state.uploads.values())


def _team(team: Team) -> TeamDocument:
    return {"id": team.id, "name": team.name, "withdrawn": team.withdrawn, "committee": team.committee}


def open_phase(state: State) -> PhaseDocument | None:
    return None if state.phase is None else {"round": state.phase.round_index, "name": state.phase.phase}


def _schedule(state: State) -> list[TimesDocument]:
    return [
        {"round": stage.round_index, "phase": stage.phase, "opens": opens.isoformat(), "closes": closes.isoformat()}
        for stage, (opens, closes) in sorted(state.schedule.items())
    ]


def _round(state: State, round_index: int, viewer: Viewer) -> RoundDocument:
    found = results(state, round_index, viewer)
    answered = sorted((place.team, place.dataset, who) for place, who in state.guesses if place[0] == round_index)
    return {
        "name": state.contest.rounds[round_index].name,
        "sets": [dataset.name for dataset in state.contest.sets_of(round_index)],
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
        **_standings(standings(found, state.contest.scoring_of(round_index))),
    }


def _standings(found: Standings) -> StandingsDocument:
    return {"defenders": [_row(row) for row in found.defenders], "attackers": [_row(row) for row in found.attackers]}


def _row(row: Row) -> RowDocument:
    return {"team": row.team, "total": row.total, "rank": row.rank, "parts": dict(row.parts)}


def _total(state: State, viewer: Viewer) -> StandingsDocument:
    found = overall(state, viewer)
    return {"defenders": [], "attackers": []} if found is None else _standings(found)


def _award(award: Award) -> PrizeDocument:
    return {
        "name": award.prize.name,
        "of": award.prize.of,
        "task": award.prize.task,
        "rows": [_row(row) for row in award.rows],
        "winners": list(award.winners),
    }


def own(state: State, team: str) -> OwnDocument:
    """What a team sees of itself: its uploads, its tries, and no score of a guess before that may be shown."""
    return {
        "uploads": [own_upload(state, upload) for upload in state.uploads.values() if upload.team == team],
        "releases_left": _releases_left(state, team),
        "guesses_left": _guesses_left(state, team),
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
        "questions": [_question(asked) for asked in state.questions.values() if asked.team == team],
    }


def _question(asked: Question) -> QuestionDocument:
    return {
        "id": asked.id,
        "team": asked.team,
        "text": asked.text,
        "at": asked.at,
        "answer": asked.answer,
        "answered_at": asked.answered_at,
    }


def own_upload(state: State, upload: Upload) -> UploadDocument:
    """What a team sees of its upload."""
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
        "measures": documents(own_measures(state, upload)),
        "counts": state.releases.get(upload.place) == upload.id,
        "reference": None if alarm is None else alarm.reference,
    }


def _releases_left(state: State, team: str) -> dict[str, int]:
    """Releases that a team may still send in, by data set."""
    stage = state.open_stage("defence")
    if stage is None:
        return {}
    most, index = state.contest.limits.releases, stage.round_index
    sets = [dataset.name for dataset in state.contest.sets_of(index)]
    return {name: most - state.used("release", Place(index, team, name)) for name in sets}


def _guesses_left(state: State, team: str) -> dict[str, dict[str, int]]:
    """Guesses that a team may still send in, by data set and target."""
    stage = state.open_stage("attack")
    if stage is None:
        return {}
    most, index = state.contest.limits.guesses, stage.round_index
    return {
        dataset.name: {
            place.team: most - state.used("guess", Place(index, team, dataset.name), place.team)
            for place in state.published
            if (place.round_index, place.dataset) == (index, dataset.name) and place.team != team
        }
        for dataset in state.contest.sets_of(index)
    }
