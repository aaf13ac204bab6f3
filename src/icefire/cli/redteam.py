"""`icefire redteam`: every attack in every setting; the strongest decides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from icefire import words
from icefire.cli.attacking import ENDED, announce, made, number_of
from icefire.cli.options import (
    budget_option,
    format_option,
    in_option,
    json_option,
    kind_argument,
    max_risk_option,
    memory_option,
    out_option,
    refuse_both,
    seed_option,
)
from icefire.cli.output import print_json, print_table, score_cells
from icefire.cli.recipes import recorded_method
from icefire.cli.speech import echo
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.documents import JsonObject
from icefire.core.errors import InputError, need
from icefire.core.formats import REPORT
from icefire.core.kinds import Kind
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer
from icefire.evaluation.assessment import Assessment, Criterion, incomplete_attacks
from icefire.evaluation.runs import (
    AttackRun,
    Outcome,
    every_attack,
    judge_run,
    measure_safety,
    measure_utility,
    strongest_first,
    worst_cases,
)
from icefire.report.answer import answer, in_short
from icefire.report.release import release_page
from icefire.report.words import Phrases

LISTED = 1_000
"""People in the list of those who are found most often."""


@click.command()
@kind_argument
@in_option
@out_option(required=False, text="Folder for report.html; the working folder if left out.")
@click.option(
    "--knowledge", type=click.Path(path_type=Path), help="What the attacker knows, if not the whole original."
)
@click.option(
    "--attacker", "levels", multiple=True, help="How much attackers know of the people; every level if left out."
)
@max_risk_option
@click.option(
    "--exposed",
    "listed",
    type=click.Path(path_type=Path),
    help="File for the 1,000 people who are found most often, and why (CSV). It holds original values.",
)
@budget_option()
@memory_option
@seed_option("Seed of all randomness.")
@format_option
@json_option
@click.pass_obj
def redteam(
    registry: Registry,
    kind: str,
    source: Path,
    target: Path | None,
    knowledge: Path | None,
    levels: tuple[str, ...],
    limit: float,
    listed: Path | None,
    budget: float,
    seed: int,
    form: str | None,
    as_json: bool,
) -> None:
    """Attack a release with everything, judge it, and write a report.

    This reads the secret to judge. Attacks are told nothing of it but the steps, never the seed. Ctrl-C ends the attacks; those
    made before are judged.
    """
    from icefire.frames.files import staged

    owner, files, language = registry.kind(kind), registry.format(kind, form), words.language()
    _require(owner, listed)
    original = files.read_original(source)
    published = files.read_published(source, original)
    method = recorded_method(registry, kind, source)
    refuse_both(knowledge, levels)
    if knowledge is not None:
        attackers = [Attacker(files.read_knowledge(knowledge, original), str(knowledge), method)]
    else:
        attackers = [
            Attacker(owner.known(original, level), level, method) for level in levels or owner.levels_of(original)
        ]
    with Budget(budget).spent():
        planned = [(attacker, every_attack(registry, owner, published, attacker)) for attacker in attackers]
    number = number_of(planned)
    if not as_json:
        announce(owner, original, number, "--attacker", budget)
    release, safety = files.read_secret(source, original, published), registry.safety_metrics(kind)
    measured = measure_utility(registry.utility_metrics(kind), original, release), measure_safety(safety, release)

    def judged_run(run: AttackRun) -> AttackRun:
        found = judge_run(owner, safety, release, run)
        # Guesses of millions of rows take much memory, and there are dozens.
        return found if found.guess is None else replace(found, guess=owner.settled(found.guess, release))

    runs = made(published, planned, Budget(budget), seed, as_json, judged_run)
    # Figures of some attacks must not look like those of all.
    missing = incomplete_attacks(runs, number)
    judged_runs = strongest_first(owner, runs)
    file = (target or source) / REPORT
    recipe = f"icefire redteam {kind} --in {source} --seed {seed} --lang {language}"
    recipe += "".join(f" --attacker {level}" for level in levels) + (f" --budget {budget:g}" if budget != 1 else "")
    recipe += (f" --knowledge {knowledge}" if knowledge else "") + (f" --format {form}" if form else "")
    recipe += f"  # {missing}" if missing else ""
    held = "" if knowledge is None else str(knowledge)
    done = _done(method) or " ".join(files.published_files)
    question = _question(owner, source, attackers[0].level, limit, held)
    columns = {attacker.level: owner.known_columns(attacker.knowledge) for attacker in attackers}
    judged = Assessment(
        source.resolve().name,
        done,
        owner,
        release,
        *measured,
        judged_runs,
        held,
        question,
        method,
        number,
        columns,
    )
    with staged() as stage:
        stage.text(release_page(judged, recipe, language).html(), file)
        if listed is not None:
            stage.table(owner.exposed(judged, question.level, LISTED), listed, secret=True)
    if as_json:
        print_json({"seed": seed, **_document(judged), "report": str(file)})
    else:
        _print(judged, seed, file)
    if len(runs) < number:
        raise click.exceptions.Exit(ENDED)


def _document(judged: Assessment) -> JsonObject:
    attacks: JsonObject = {}
    for level in dict.fromkeys(run.level for run in judged.runs):
        attacks[level] = {run.label: _scores(run) for run in judged.runs if run.level == level}
    worst = worst_cases(judged.runs)
    summary = {w.metric: {"attack": w.attack, "attacker": w.attacker, **w.score.as_dict()} for w in worst}
    risks = [risk.as_dict() for risk in judged.by_attacker()]
    told = {"answer": _answered(judged)} if judged.decision else {}
    ended = {"ended": judged.unfinished} if judged.unfinished else {}
    return {**told, "risk": risks, "worst": summary, "attacks": attacks, **ended}


def _print(judged: Assessment, seed: int, file: Path) -> None:
    """Every attack, then what they come to, and at the end, where people look first, the answer."""
    _print_attacks(list(judged.runs), seed)
    _print_risks(judged)
    for case in worst_cases(judged.runs):
        echo(f"Worst case of {case.metric}: {case.score.value:.4f}, by {case.attack} ({case.attacker})")
    if judged.unfinished:
        echo(judged.unfinished)
    echo(f"The report is {file.resolve()}")
    if judged.decision is not None:
        assert judged.question is not None
        say = Phrases(words.language())
        echo(in_short(judged, say)[0], bold=True)
        echo(answer(judged, say))
        if judged.command:
            echo(f"  {judged.command}")


def _require(owner: Kind, listed: Path | None) -> None:
    """Raise before minutes of work if the report or the list of people could not be written at their end."""
    need("altair", "report")
    need("vl_convert", "report")
    if listed is not None and not owner.lists_people:
        raise InputError(f"--exposed lists people of tables with a row per person, not of {owner.name}")
    if listed is not None:
        from icefire.frames.files import extension_of

        extension_of(listed)


def _question(kind: Kind, source: Path, level: str, limit: float, knowledge: str) -> Criterion:
    command = f"icefire advise {kind.name} --in {source} --max-risk {limit:g}"
    return Criterion(level, limit, command + ("" if knowledge else f" --attacker {level}"))


def _answered(judged: Assessment) -> JsonObject:
    question, risk = judged.question, judged.answer
    assert question is not None
    assert risk is not None
    passes = judged.decision in ("yes", "if", "asked")
    limits: JsonObject = {"attacker": question.level, "at most": question.limit, "found": risk.found}
    if judged.identifying:
        limits["identifying"] = dict(judged.identifying)
    return {**limits, "decision": judged.decision, "passes": passes}


def _cells(outcome: Outcome) -> list[str]:
    return score_cells(outcome.score) if outcome.score else ["-", "", outcome.reason]


def _print_attacks(runs: list[AttackRun], seed: int) -> None:
    rows = [
        [words.term(run.level), run.attack.step(), outcome.method.title(), *_cells(outcome), run.seconds]
        for run in runs
        for outcome in run.outcomes
    ]
    header = ["known", "attack", "metric", "value", "better", "95% interval", "seconds"]
    print_table(f"Attacks, the worst case on top (seed {seed})", header, rows, left=3)


def _print_risks(judged: Assessment) -> None:
    rows: dict[str, list[str]] = {}
    risks = judged.by_attacker()
    for risk in risks:
        rows.setdefault(risk.level, [words.term(risk.level)]).append(risk.text())
    guessing = f"{judged.kind.chance(judged.release.original):.2%}"
    columns = ["method unknown", "method known"][: max(len(row) for row in rows.values()) - 1]
    table = [[*row, guessing] for row in rows.values()]
    print_table("Risk by attacker", ["known of the people", *columns, "guessing"], table, left=1 + len(columns))
    if any(risk.at_least for risk in risks):
        echo("≥: no attack here can use what is known of the method, so more may be found.")


def _scores(run: AttackRun) -> JsonObject:
    scores: JsonObject = {outcome.method.name: outcome.as_dict() for outcome in run.outcomes}
    return scores or {"undefined": run.reason}


def _done(method: tuple[AnyAnonymizer, ...] | None) -> str:
    return " ".join(step.step() for step in method or ())
