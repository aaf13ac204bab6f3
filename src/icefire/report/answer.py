"""The answer: may this release go to its recipients, and why; the same text on every page and screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from icefire.core.chapters import RiskRow
from icefire.core.kinds import IdentifyingColumn
from icefire.core.questions import Question
from icefire.core.values import percent
from icefire.evaluation.assessment import METHOD_UNTRIED, Assessment, Finding, Status
from icefire.report.words import Phrases

NAMED = 8
"""Columns that are listed by name."""
STATUS: dict[Status, Literal["meets", "exceeds", "unknown", "not asked"]] = {
    Status.MEETS: "meets",
    Status.EXCEEDS: "exceeds",
    Status.UNKNOWN: "unknown",
    Status.NOT_ASKED: "not asked",
}


def headline(assessment: Assessment, say: Phrases) -> str:
    """The verdict, and for whom."""
    decision = assessment.decision
    if decision == "release" and not assessment.for_everybody:
        recipients = list_levels(assessment, assessment.recipients, say)
        return say("decision release to", recipients=recipients)
    return say(f"decision {decision}")


def tone(assessment: Assessment) -> str:
    """The colour of the verdict: "ice" only if the release may go to all recipients in question."""
    return "ice" if assessment.decision == "release" else "fire"


def describe(assessment: Assessment, say: Phrases) -> str:
    """How many people, by which steps, and for whom."""
    people = say(f"people {assessment.kind.name}", n=f"{assessment.people:,}")
    if assessment.for_everybody:
        recipients = say("for everybody")
    else:
        recipients = say("for recipients", recipients=list_levels(assessment, assessment.recipients, say))
    steps = say("unknown steps") if assessment.method is None else assessment.steps or say("no steps")
    return say("describe", people=people, steps=steps, recipients=recipients)


def list_risks(assessment: Assessment, say: Phrases) -> list[RiskRow]:
    """The four risks, each with its figure, its limit and its attacker."""
    rows = []
    labels: set[Question] = set()
    for finding in assessment.findings:
        label = "" if finding.question in labels else say(f"risk {finding.question.name}")
        labels.add(finding.question)
        risk = finding.risk
        rows.append(
            RiskRow(
                label,
                _figure(finding, say),
                "" if finding.limit is None else percent(finding.limit),
                _explain(assessment, finding, say),
                STATUS[finding.status],
                say(f"status {finding.status.name}"),
                None if risk is None else risk.found,
                None if risk is None else risk.interval,
                None if risk is None or finding.about is Question.WHAT else risk.chance,
                finding.limit,
            )
        )
    return rows


def _figure(finding: Finding, say: Phrases) -> str:
    if finding.question is Question.CELLS:
        number = len(finding.columns)
        return say("columns", n=number) if number > 1 else say("one column" if number else "none")
    risk = finding.risk
    if risk is None or risk.found is None:
        return "–"
    return f"≥ {percent(risk.found)}" if risk.at_least else percent(risk.found)


def _explain(assessment: Assessment, finding: Finding, say: Phrases) -> str:
    if finding.question is Question.CELLS:
        return say("comma").join(_column(column, say) for column in finding.columns)
    if finding.status is Status.NOT_ASKED:
        return say("nothing hidden" if finding.question is Question.WHAT else "no other releases")
    parts = []
    if finding.level:
        below = "qi" in assessment.levels
        parts.append(say("attacker knows", known=describe_level(assessment, finding.level, say, below)))
    if finding.question is Question.COMPOSITION:
        parts.append(say("with releases", names=say("comma").join(assessment.others)))
        if finding.nested is Question.WHAT:
            parts.append(say("attribute"))
    if finding.risk is not None and finding.risk.attack:
        disclosure = _disclosure(assessment, finding, say)
        parts += [disclosure] if disclosure else []
        # A long list of attackers leaves no room for more.
        parts += (
            [] if disclosure and assessment.kind.name == "microdata" else [say("by attack", attack=finding.risk.attack)]
        )
    if finding.status is Status.UNKNOWN:
        parts.append(say("cannot say", reason=say.translated(finding.reason)))
    return say("semicolon").join(parts)


def _column(column: IdentifyingColumn, say: Phrases) -> str:
    number = say("row count", n=f"{column.rows:,}") if column.rows else ""
    details = filter(None, (say.translated(column.reasons), number, column.example))
    return f"{column.name} ({say('semicolon').join(details)})"


def _disclosure(assessment: Assessment, finding: Finding, say: Phrases) -> str:
    """What is disclosed: a value and to how many of its holders it is certain, or a share of what was not known."""
    risk, kind = finding.risk, assessment.kind.name
    if risk is None or risk.found is None:
        return ""
    match risk.score and risk.score.detail:
        case {"column": str(column), "value": str() | int() | float() as value, **rest}:
            if not rest.get("certain"):
                return say("nothing certain")
            baseline = rest.get("baseline")
            return say(
                "certain for synthetic" if kind == "synthetic" else "certain for",
                column=column,
                value=value,
                certain=rest.get("certain"),
                holders=rest.get("holders"),
                baseline=percent(float(baseline)) if isinstance(baseline, float | int) else "–",
            )
    if finding.about is not Question.WHAT:
        return ""
    detail = {} if risk.score is None else risk.score.detail
    shares = {key: percent(value) for key, value in detail.items() if isinstance(value, float)}
    return say.or_else(f"disclosed {kind}", "", **shares | {"share": percent(risk.found)})


def list_utility(assessment: Assessment, say: Phrases) -> list[str]:
    """What is left of the utility, in short phrases."""
    return [say(key, **values) for key, values in assessment.kind.summarize_utility(assessment.utility)]


def explain(assessment: Assessment, say: Phrases) -> list[str]:
    """Why, in sentences: what decides, for whom it would be otherwise, and what the answer does not cover."""
    sentences = []
    if assessment.decision == "do_not_release":
        sentences += _reasons(assessment, say)
    elif assessment.decision == "inconclusive":
        sentences.append(say("why inconclusive", reason=say.translated(_gap(assessment))))
    else:
        sentences.append(say("why release"))
    if assessment.would_pass:
        recipients = list_levels(assessment, assessment.would_pass, say)
        sentences.append(say("would pass", recipients=recipients))
    if assessment.others:
        sentences.append(say("assumes no more releases", names=say("comma").join(assessment.others)))
    else:
        sentences.append(say("assumes no other release"))
    return [*sentences, *_undone(assessment, say)]


def _gap(assessment: Assessment) -> str:
    """Why there is no answer."""
    if assessment.unfinished:
        return assessment.unfinished
    if assessment.method is None:
        return METHOD_UNTRIED
    reasons = [f.reason for f in assessment.findings if f.status is Status.UNKNOWN and f.reason]
    untried = [level for level in assessment.required if level not in assessment.levels]
    return next(iter(reasons), f"not tried: attackers who know {', '.join(untried)}")


def _reasons(assessment: Assessment, say: Phrases) -> list[str]:
    """For each risk that is over its limit, the first attacker in question for whom it is."""
    sentences = {}
    # What can be seen in the cells comes before what attacks conclude from it.
    for finding in sorted(assessment.findings, key=lambda finding: finding.question is not Question.CELLS):
        exceeds = finding.status is Status.EXCEEDS and finding.level in ("", *assessment.required)
        if (
            not exceeds
            or (finding.question, finding.about) in sentences
            or (finding.nested and not _adds(assessment, finding))
        ):
            continue
        if finding.question is Question.CELLS:
            columns = say("comma").join(column.name for column in finding.columns)
            entries = say("comma").join(assessment.kind.acceptance(name) for name in finding.columns[0].named)
            sentence = say("why cells", columns=columns, entries=entries)
        else:
            assert finding.risk is not None
            kind = assessment.kind.name
            about = finding.about
            known = describe_level(assessment, finding.level, say)
            disclosure = _disclosure(assessment, finding, say)
            share = percent(finding.risk.found or 0.0)
            limit = percent(finding.limit or 0.0)
            detail = finding.risk.score.detail if finding.risk.score else {}
            key = f"why {about.name} {kind}"
            special = f"{key} records" if "records" in detail else f"{key} {finding.level}"
            values = {"known": known, "share": share, "limit": limit}
            if about is Question.WHO:
                sentence = say.or_else(special, "", **values) or say(key, **values)
            else:
                sentence = say("why WHAT", disclosure=disclosure, **values)
            if finding.question is Question.COMPOSITION:
                sentence = say("why together", names=say("comma").join(assessment.others), sentence=sentence)
        sentences[finding.question, finding.about] = sentence
    return list(sentences.values())


def _adds(assessment: Assessment, finding: Finding) -> bool:
    """Whether other releases make a risk larger than it is without them."""
    alone = [f.risk for f in assessment.findings if f.question is finding.nested and f.level == finding.level]
    assert finding.risk is not None
    return all(risk is None or (risk.found or 0.0) < (finding.risk.found or 0.0) for risk in alone)


def _undone(assessment: Assessment, say: Phrases) -> list[str]:
    """Which columns beside the quasi-identifiers undo what was done to those."""
    score = next((o.score for o in assessment.safety if o.method.name == "k_anonymity"), None)
    match score and score.detail:
        case {"told by": [*columns]}:
            assert score is not None
            return [say("effective k", columns=say("comma").join(map(str, columns)), k=f"{score.value:.0f}")]
    return []


def sentences(assessment: Assessment, say: Phrases) -> str:
    """The whole answer as a paragraph."""
    return say("gap").join([headline(assessment, say), *explain(assessment, say)])


def describe_level(assessment: Assessment, level: str, say: Phrases, below: bool = False) -> str:
    """What an attacker knows, in words: columns by their names. `below` says that it stands below the level `qi`."""
    names = list(getattr(assessment.release.original, "qi", ()))
    few = [say("quasi-identifiers", n=len(names))] if len(names) > NAMED else names
    if level == "qi" and names:
        return say("comma").join(few)
    more = [name for name in assessment.known.get(level, ()) if name not in names]
    if level == "qi+2" and more:
        return say("and these", names=say("comma").join(more)) if below else say("comma").join([*few, *more])
    return say.or_else(f"level {level} {assessment.kind.name}", "") or say.or_else(f"level {level}", level)


def list_levels(assessment: Assessment, levels: Sequence[str], say: Phrases) -> str:
    return say("or").join(describe_level(assessment, level, say) for level in levels)
