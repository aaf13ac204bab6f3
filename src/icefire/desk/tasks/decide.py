"""Make a release to keep: the files that go out, the secret apart, and a report of all attackers."""

from __future__ import annotations

from icefire.core.budget import Budget
from icefire.core.formats import REPORT
from icefire.desk.sessions import private_folder, write_document
from icefire.desk.tasks.data import REGISTRY, data_of, judged, kind_of, release_of, scores_of
from icefire.desk.tasks.look import attacks_of, people_of
from icefire.desk.worker import Work
from icefire.evaluation.runs import AttackRun
from icefire.frames.files import staged
from icefire.front import Findings
from icefire.report.answer import answer, in_short
from icefire.report.release import release_page
from icefire.report.words import Phrases
from icefire.words import LANGUAGES

RELEASE, FOUND = "release", "found.json"


def decide(work: Work) -> None:
    kind, data = kind_of(work), data_of(work)
    release = release_of(work, data)
    folder = private_folder(work.folder / RELEASE)
    runs: list[AttackRun] = []
    planned = 0
    with Budget(float(work.arguments.get("budget", 1.0))).spent():
        levels = kind.levels_of(data.original)
        for level in levels:
            work.tell(now=level, done=levels.index(level), planned=len(levels))
            findings = release.attack(attacker=level)
            runs += findings.runs
            planned += findings.planned
    result = judged(work, Findings(release, tuple(runs), planned, release.steps))
    recipe = f"icefire redteam {kind.name} --in {work.session.work.name}"
    release.save(folder)
    with staged() as stage:
        for language in LANGUAGES:
            stage.text(release_page(result, recipe, language).html(), work.folder / f"{language}-{REPORT}", secret=True)
    files = REGISTRY.format(kind.name, None)
    published = sorted({path.name for pattern in files.published_files for path in folder.glob(pattern)})
    told = {language: Phrases(language) for language in LANGUAGES}
    shown = {
        "decision": result.decision,
        "short": {language: in_short(result, say)[0] if result.decision else "" for language, say in told.items()},
        "answer": {language: answer(result, say) if result.answer else "" for language, say in told.items()},
        "risks": [risk.as_dict() for risk in result.by_attacker()],
        "loss": result.loss,
        "attacks": attacks_of(result),
        "people": people_of(result),
        "utility": scores_of(release),
        "notes": kind.notes(release.secret),
        "published": published,
        "secret": sorted(path.name for path in folder.iterdir() if path.name not in published),
    }
    write_document(work.folder / FOUND, shown)
