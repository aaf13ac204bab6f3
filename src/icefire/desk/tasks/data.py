"""The data of a session, and releases of them, as the command line and Python have them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from icefire.core.kinds import Kind
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.desk.worker import Work
from icefire.evaluation.assessment import Assessment, Criterion
from icefire.frames.reading import Reading
from icefire.front import Data, Findings, Release, folder

REGISTRY = Registry()
LARGE, SAMPLED = 200_000, 100_000
"""People beyond whom a search looks at some, and how many these are."""


def reading_of(work: Work) -> Reading:
    """How the person says that the file is read."""
    how = {key: value for key, value in work.arguments.get("reading", {}).items() if value not in (None, "")}
    return Reading(**how)


def kind_of(work: Work) -> Kind:
    return REGISTRY.kind(str(work.session.document().get("kind") or "microdata"))


def data_of(work: Work) -> Data:
    """The original in the working folder."""
    return folder(work.session.work, kind_of(work).name)


def previewed(data: Data, seed: int) -> Data:
    """The data, or of many people a sample, so that a search does not take hours.

    It is less of a crowd to hide in, so that attackers find more in it than among all; what is decided on is made of all.
    """
    if data.original.people <= LARGE:
        return data
    return replace(data, original=data.original.sample(SAMPLED, generator(seed, "preview")))


def release_of(work: Work, data: Data) -> Release:
    """The release that was chosen, with the seed with which it was judged; without steps, the data as they are."""
    steps, seed = work.arguments["steps"], work.arguments["seed"]
    if steps:
        return data.anonymize(*steps, seed=seed)
    return Release(data, Pipeline(()).anonymize(data.original, generator(seed, "anonymize")), (), seed)


def judged(work: Work, found: Findings) -> Assessment:
    """What was found, with the question whether the chosen attacker finds more than is accepted."""
    level, limit = str(work.arguments["level"]), float(work.arguments["limit"])
    kind = found.release.data.kind
    command = f"icefire advise {kind} --in {work.session.work} --max-risk {limit:g} --attacker {level}"
    result = found.judged(limit)
    return replace(result, question=Criterion(level, limit, command))


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


def analyses_of(kind: str) -> list[dict[str, Any]]:
    """The analyses of a kind that need no parameters, of which a person may say how close they must stay."""
    return [
        {"name": metric.name, "what": metric.summary(), "better": metric.scale.direction.value}
        for metric in REGISTRY.utility_metrics(kind)
    ]
