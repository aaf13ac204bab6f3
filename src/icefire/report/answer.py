"""The answer with which the report of one release begins: may it go out, against whom, and if not, what then."""

from __future__ import annotations

from icefire.evaluation.assessment import Assessment
from icefire.report.words import Phrases

NAMED = 8
"""Columns that are listed by name."""


def answer(result: Assessment, say: Phrases) -> str:
    """The answer in sentences. If it is no, `Question.command` finds releases that pass."""
    question, risk = result.question, result.answer
    assert question is not None
    assert risk is not None
    assert risk.found is not None
    told = [
        say(
            f"answer {result.kind.name}",
            people=f"{result.release.original.people:,}",
            known=known(result, question.level, say),
            found=_counted(risk.found, result, say, about=True),
        ),
        say("answer limit", limit=_counted(question.limit, result, say)),
    ]
    passes = risk.found <= question.limit
    if result.unfinished:
        told.append(say("answer unfinished", which=say.translated(result.unfinished)))
    if result.method is None:
        told.append(say("answer unknown"))
    if passes and risk.interval is not None and risk.interval[1] > question.limit:
        told.append(say("answer near", high=_counted(risk.interval[1], result, say, about=True)))
    more = [
        say("answer stronger", known=known(result, level, say), found=_counted(found, result, say, about=True))
        for level, found in result.stronger.items()
    ]
    if passes and more:
        told.append(say("answer but") + say("and").join(more) + say(f"full stop {result.kind.name}"))
    told += _telling(result, say)
    told += _identifying(result, say)
    if result.command:
        told.append(say("answer what then"))
    return say("gap").join(told)


def in_short(result: Assessment, say: Phrases) -> tuple[str, str]:
    """The answer in a few words, and its colour."""
    assert result.question is not None
    level = say.or_else(f"level {result.question.level}", result.question.level)
    words = say(f"in short {result.decision}", **({"known": level} if result.decision in ("if", "asked") else {}))
    return words, "ice" if result.decision in ("yes", "if", "asked") else "fire"


def _identifying(result: Assessment, say: Phrases) -> list[str]:
    """Which published columns identify people by themselves, and what to do about it."""
    if not result.identifying:
        return []
    listed = say("comma").join(f"{name} ({say.translated(reasons)})" for name, reasons in result.identifying.items())
    return [say("answer identifying", columns=listed, first=next(iter(result.identifying)))]


def _telling(result: Assessment, say: Phrases) -> list[str]:
    """Which columns beside the quasi-identifiers undo what was done to those."""
    score = next((o.score for o in result.safety if o.method.name == "k_anonymity"), None)
    match score and score.detail:
        case {"told by": [*columns]}:
            assert score is not None
            return [say("answer told", columns=say("comma").join(map(str, columns)), k=f"{score.value:.0f}")]
    return []


def tiles(result: Assessment, say: Phrases) -> tuple[tuple[str, str, str], ...]:
    """What is found by each attacker, who knows the method."""
    assert result.question is not None
    limit = result.question.limit
    last = {risk.level: risk.found for risk in result.by_attacker() if risk.found is not None}
    return tuple(
        (f"{in_100(found)}%", say.or_else(f"level {level}", level), "fire" if found > limit else "ice")
        for level, found in last.items()
    )


def known(result: Assessment, level: str, say: Phrases) -> str:
    """What an attacker knows, in words: columns by their names."""
    names = list(getattr(result.release.original, "qi", ()))
    if level == "qi" and names:
        listed = say("comma").join(names[:NAMED])
        return say("and others", names=listed, n=len(names) - NAMED) if len(names) > NAMED else listed
    more = [name for name in result.known.get(level, ()) if name not in names]
    if level == "qi+2" and more:
        return say("and these", names=say("comma").join(more))
    return say.or_else(f"level {level}", level)


def in_100(share: float) -> str:
    """
    >>> in_100(0.161), in_100(0.004), in_100(0.0), in_100(0.99912)
    ('16', '0.4', '0', '99.9')
    """
    if 0.0995 <= share < 0.99 or share in (0, 1):
        return f"{100 * share:.0f}"
    return f"{100 * share:.1f}" if share >= 0.99 else f"{100 * share:.2g}"


def _counted(share: float, result: Assessment, say: Phrases, about: bool = False) -> str:
    """A share in a sentence. In Japanese with its counter, which asks for whole numbers: of 1,000 or more if it is small."""
    counter = say(f"counter {result.kind.name}")
    if not counter:
        return in_100(share)
    of = 100
    while 0 < share * of < 1:
        of *= 10
    if of == 100:
        return f"100{counter}中{in_100(share)}{counter}"
    return f"{of:,}{counter}中{'約' if about else ''}{share * of:.2g}{counter}"
