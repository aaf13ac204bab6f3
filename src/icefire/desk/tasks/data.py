"""The data of a session, and releases of them, as the command line and Python have them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw

from icefire.core.judged import Judged, Question
from icefire.core.kinds import Kind
from icefire.core.registry import Registry
from icefire.desk.worker import Work
from icefire.frames.reading import Reading
from icefire.front import Data, Findings, Release

REGISTRY = Registry()


def reading_of(work: Work) -> Reading:
    """How the person says that the file is read."""
    how = {key: value for key, value in work.arguments.get("reading", {}).items() if value not in (None, "")}
    return Reading(**how)


def kind_of(work: Work) -> Kind:
    return REGISTRY.kind(str(work.session.document().get("kind") or "microdata"))


def data_of(work: Work) -> Data:
    """The original in the working folder."""
    kind = kind_of(work)
    original = REGISTRY.format(kind.name, None).read_original(work.session.work)
    kind.require_roles(original, work.session.work)
    return Data(kind.name, original, nw.Implementation.POLARS)


def release_of(work: Work, data: Data) -> Release:
    """The release that was chosen, with the seed with which it was judged."""
    return data.anonymize(*work.arguments["steps"], seed=work.arguments["seed"])


def judged(work: Work, found: Findings) -> Judged:
    """What was found, with the question whether the chosen attacker finds more than is accepted."""
    level, limit = str(work.arguments["level"]), float(work.arguments["limit"])
    kind = found.release.data.kind
    command = f"icefire advise {kind} --in {work.session.work} --max-risk {limit:g} --attacker {level}"
    result = found.judged(limit)
    return replace(result, question=Question(level, limit, command))


def scores_of(release: Release) -> list[dict[str, Any]]:
    """What the release is still worth, by analysis."""
    told = []
    for outcome in release.utility.values():
        score = outcome.score
        told.append(
            {
                "name": outcome.method.name,
                "what": outcome.method.summary(),
                "score": None if score is None else score.as_dict(detail=False),
                "by column": {} if score is None else score.by_column(),
                "why": outcome.reason,
            }
        )
    return told
