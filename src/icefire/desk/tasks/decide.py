"""Make a release to keep: the files that go out, the secret apart, and a report of all attackers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from icefire.core.budget import Budget
from icefire.core.formats import REPORT
from icefire.desk.sessions import private_folder, write_document
from icefire.desk.tasks.data import REGISTRY, assessed, data_of, kind_of, release_of, scores_of
from icefire.desk.tasks.look import attacks_of, people_of
from icefire.desk.worker import Work
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import Progress
from icefire.frames.files import staged
from icefire.report import answer
from icefire.report.release import release_page
from icefire.report.words import Phrases
from icefire.words import LANGUAGES

RELEASE, FOUND = "release", "found.json"


def decide(work: Work) -> None:
    kind, data = kind_of(work), data_of(work)
    release = release_of(work, data)
    folder = private_folder(work.folder / RELEASE)

    @contextmanager
    def show_progress(planned: int) -> Iterator[Progress]:
        done = iter(range(planned + 1))
        yield lambda attack: work.tell(now=attack, done=next(done, planned), planned=planned)

    with Budget(float(work.arguments.get("budget", 1.0))).spent():
        result = assessed(work, release, kind.levels_of(data.original), show_progress)
    recipe = f"icefire redteam {kind.name} --in {work.session.work.name}"
    release.save(folder)
    with staged() as stage:
        for language in LANGUAGES:
            stage.text(release_page(result, recipe, language).html(), work.folder / f"{language}-{REPORT}", secret=True)
    files = REGISTRY.format(kind.name, None)
    published = sorted({path.name for pattern in files.published_files for path in folder.glob(pattern)})
    shown = {
        "decision": result.decision,
        "answer": {language: answer_in(result, Phrases(language)) for language in LANGUAGES},
        "risks": [risk.as_dict() for risk in result.by_attacker()],
        "loss": result.loss,
        "attacks": attacks_of(result),
        "people": people_of(result),
        "utility": scores_of(result.utility),
        "notes": kind.notes(release.secret),
        "published": published,
        "secret": sorted(path.name for path in folder.iterdir() if path.name not in published),
    }
    write_document(work.folder / FOUND, shown)


def answer_in(result: Assessment, say: Phrases) -> dict[str, Any]:
    """The answer as the page shows it: the headline, the four risks, the utility, and why."""
    return {
        "headline": answer.headline(result, say),
        "described": answer.describe(result, say),
        "limit_word": say("limit"),
        "risks": [asdict(row) for row in answer.list_risks(result, say)],
        "utility": answer.list_utility(result, say),
        "why": answer.explain(result, say),
    }
