"""The data of a session, and releases of them, as the command line and Python have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from icefire.core.attackers import Attacker
from icefire.core.kinds import Kind
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.desk.worker import Work
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Assessment, Criterion, Limits
from icefire.evaluation.runs import Outcome, Progress
from icefire.frames.reading import Reading
from icefire.front import Data, Release, folder, previous_of

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


def assessed(
    work: Work, release: Release, levels: Sequence[str], progress: Callable[[int], AbstractContextManager[Progress]]
) -> Assessment:
    """The release attacked at these levels, and held against the limit of the recipient whom the person chose."""
    kind, original = kind_of(work), release.data.original
    level, limit = str(work.arguments["level"]), float(work.arguments["limit"])
    return assess(
        REGISTRY,
        kind,
        release.secret,
        [Attacker(kind.known(original, each), each, release.steps) for each in levels],
        others=previous_of(release.data),
        method=release.steps,
        criterion=Criterion((level,), Limits(limit), str(work.session.work)),
        progress=progress,
        name=release._title,
        steps=release._title,
    )


def scores_of(utility: Iterable[Outcome]) -> list[dict[str, Any]]:
    """What a release is still worth, by analysis."""
    entries = []
    for outcome in utility:
        score = outcome.score
        entries.append(
            {
                "name": outcome.method.name,
                "what": outcome.method.summary(),
                "score": None if score is None else score.as_dict(detail=False),
                "by column": {} if score is None else score.by_column(),
                "why": outcome.reason,
            }
        )
    return entries


def analyses_of(kind: str) -> list[dict[str, Any]]:
    """The analyses of a kind that need no parameters, of which a person may say how close they must stay."""
    return [
        {"name": metric.name, "what": metric.summary(), "better": metric.scale.direction.value}
        for metric in REGISTRY.utility_metrics(kind)
    ]
