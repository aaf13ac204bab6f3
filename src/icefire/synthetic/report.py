"""A report on synthetic tables."""

from __future__ import annotations

from collections.abc import Sequence

from icefire.core.chapters import Chapter, Language, Section, Table
from icefire.core.documents import Json
from icefire.evaluation.assessment import Assessment
from icefire.report import sections
from icefire.report.words import Phrases
from icefire.synthetic.data import People
from icefire.synthetic.exposed import exposed
from icefire.synthetic.privacy import largest_advantage
from icefire.synthetic.roles import Anonymizer
from icefire.synthetic.safety._rarest import INTERVAL, TENTH

SHOWN = 10
"""People in the list of those who are found most often."""


def chapter(judged: Sequence[Assessment], recipe: str, language: Language = "en") -> Chapter:
    say = Phrases(language)
    original: People = judged[0].release.original
    size = say("members", n=f"{original.people:,}", others=f"{original.control.height:,}", columns=len(original.names))
    pictures = [_rare(judged, say), *_promised(judged, say)]
    if len(judged) == 1:
        pictures.append(_exposed(judged[0], say))
    return sections.chapter(judged, size, pictures, [], recipe, say)


def _rare(judged: Sequence[Assessment], say: Phrases) -> Section:
    """What is found of all people, and of the rarest."""
    rows = []
    for result in judged:
        for level in dict.fromkeys(run.level for run in result.runs):
            question = next(iter(result.kind.headlines(level)))
            scores = [score for run in result.runs if run.level == level and (score := result.score_of(run, question))]
            if not scores:
                continue
            tenths = [
                (value, score.detail[INTERVAL])
                for score in scores
                if isinstance(value := score.detail.get(TENTH), float)
            ]
            known = say.or_else(f"level {level}", level)
            worst = max(score.value for score in scores)
            rows.append([result.name, known, f"{worst:.1%}", _with_interval(max(tenths)) if tenths else "–"])
    header = [say("release"), say("known of the people"), say("found of all"), say("found of the rarest")]
    return Section(say("rare title"), say("rare text"), tables=[Table(header, rows, texts=(0, 1))])


def _with_interval(found: tuple[float, Json]) -> str:
    match found:
        case value, [float() as low, float() as high]:
            return f"{value:.1%} ({low:.0%}–{high:.0%})"
    return f"{found[0]:.1%}"


def _promised(judged: Sequence[Assessment], say: Phrases) -> list[Section]:
    """What differential privacy allows at most, for releases that have it."""
    rows = []
    for result in judged:
        # What follows the first step looks at its result alone, and costs no privacy.
        first = next((step for step in result.method or () if isinstance(step, Anonymizer)), None)
        if first is None or first.budget is None:
            continue
        epsilon, delta = first.budget
        found = max(
            (score.value for run in result.runs if run.level == "all" and (score := result.score_of(run))), default=0
        )
        rows.append(
            [result.name, f"{epsilon:g}", f"{delta:g}", f"{largest_advantage(epsilon, delta):.1%}", f"{found:.1%}"]
        )
    header = [say("release"), "ε", "δ", say("allowed at most"), say("found of all")]
    return [Section(say("privacy title"), say("privacy text"), tables=[Table(header, rows)])] if rows else []


def _exposed(result: Assessment, say: Phrases) -> Section:
    """Who is found most often. Values are not shown, so that the page may be passed on."""
    people = exposed(result, "all", SHOWN)
    rows = [
        [f"{row:,}", f"{found:.0%}", say("comma").join(columns)]
        for row, found, columns in people.select("row", "found", "columns").iter_rows()
    ]
    header = [say("row of the original"), say("attacks that find them"), say("rarest in")]
    return Section(say("people title"), say("synthetic people text"), tables=[Table(header, rows, texts=(2,))])
