"""`icefire redteam`: every attack in every setting; the strongest decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from icefire import words
from icefire.cli.answer import EXIT_CODES, print_answer
from icefire.cli.attacking import ENDED, announce
from icefire.cli.options import (
    budget_option,
    format_option,
    in_option,
    json_option,
    kind_argument,
    max_disclosure_option,
    max_risk_option,
    memory_option,
    out_option,
    refuse_both,
    seed_option,
)
from icefire.cli.others import other_releases
from icefire.cli.output import print_json, print_table, progress, score_cells
from icefire.cli.recipes import recorded_method
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.documents import JsonObject
from icefire.core.errors import InputError, need
from icefire.core.formats import REPORT
from icefire.core.kinds import Kind
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Assessment, Criterion, Limits
from icefire.evaluation.runs import AttackRun, Outcome, Progress, worst_cases
from icefire.report.release import release_page

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
@max_disclosure_option
@click.option(
    "--with",
    "with_paths",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Another release of the same people that recipients hold: a folder.",
)
@click.option("--all", "every", is_flag=True, help="Print every attack as well.")
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
    disclosure: float,
    with_paths: tuple[Path, ...],
    every: bool,
    budget: float,
    seed: int,
    form: str | None,
    as_json: bool,
) -> None:
    """Say whether a release may go to its recipients: attack it with everything, and write a report.

    Recipients are those whose background knowledge --attacker names; everybody if it is left out. This reads the secret to
    judge; attacks are given the steps, never the seed. Ctrl-C ends the attacks; then there is no answer yet.

    Exit code: 0 release, 1 do not release, 3 cannot say.
    """
    from icefire.frames.files import staged

    owner, files, language = registry.kind(kind), registry.format(kind, form), words.language()
    _require(owner, listed)
    held = "" if knowledge is None else str(knowledge)
    original = files.read_original(source)
    published = files.read_published(source, original)
    method = recorded_method(registry, kind, source)
    refuse_both(knowledge, levels)
    if knowledge is not None:
        attackers = [Attacker(files.read_knowledge(knowledge, original), str(knowledge), method)]
    else:
        named = levels or owner.levels_of(original)
        tried = dict.fromkeys(each for level in named for each in owner.implied(level))
        attackers = [Attacker(owner.known(original, level), level, method) for level in tried]
    release = files.read_secret(source, original, published)
    # Whom the release must withstand: the attackers who were named, or everybody.
    named_levels = (held,) if held else levels
    criterion = Criterion(named_levels, Limits(limit, disclosure), str(source), bool(held))
    others = other_releases(files, source, original, with_paths)

    @contextmanager
    def show_progress(number: int) -> Iterator[Progress]:
        if not as_json:
            announce(owner, original, number, "--attacker", budget)
        with progress(number, as_json) as bar:
            yield bar

    assessment = assess(
        registry,
        owner,
        release,
        attackers,
        others=others,
        method=method,
        criterion=criterion,
        seed=seed,
        budget=Budget(budget),
        progress=show_progress,
        name=source.resolve().name,
        steps=_steps(method),
        knowledge=held,
    )
    file = (target or source) / REPORT
    recipe = f"icefire redteam {kind} --in {source} --seed {seed} --lang {language}"
    recipe += "".join(f" --attacker {level}" for level in levels) + (f" --budget {budget:g}" if budget != 1 else "")
    recipe += "".join(f" --with {path}" for path in with_paths)
    recipe += (f" --knowledge {knowledge}" if knowledge else "") + (f" --format {form}" if form else "")
    # Figures of some attacks must not look like those of all.
    recipe += f"  # {assessment.unfinished}" if assessment.unfinished else ""
    with staged() as stage:
        stage.text(release_page(assessment, recipe, language).html(), file)
        if listed is not None:
            stage.table(owner.exposed(assessment, assessment.levels[0], LISTED), listed, secret=True)
    if as_json:
        print_json({"seed": seed, **_document(assessment), "report": str(file)})
    else:
        if every:
            _print_attacks(assessment.runs, seed)
        print_answer(assessment, file)
    if assessment.interrupted:
        raise click.exceptions.Exit(ENDED)
    if assessment.decision is not None and assessment.decision != "release":
        raise click.exceptions.Exit(EXIT_CODES[assessment.decision])


def _document(assessment: Assessment) -> JsonObject:
    attacks: JsonObject = {}
    for level in dict.fromkeys(run.level for run in assessment.runs):
        attacks[level] = {run.label: _scores(run) for run in assessment.runs if run.level == level}
    worst = worst_cases(assessment.runs)
    summary = {w.metric: {"attack": w.attack, "attacker": w.attacker, **w.score.as_dict()} for w in worst}
    risks = [risk.as_dict() for risk in assessment.by_attacker()]
    unfinished = {"unfinished": assessment.unfinished} if assessment.unfinished else {}
    return {"answer": assessment.as_dict(), "risk": risks, "worst": summary, "attacks": attacks, **unfinished}


def _require(owner: Kind, listed: Path | None) -> None:
    """Raise before minutes of work if the report or the list of people could not be written at their end."""
    need("altair", "report")
    need("vl_convert", "report")
    if listed is not None and not owner.lists_people:
        raise InputError(f"--exposed lists people of tables with a row per person, not of {owner.name}")
    if listed is not None:
        from icefire.frames.files import extension_of

        extension_of(listed)


def _cells(outcome: Outcome) -> list[str]:
    return score_cells(outcome.score) if outcome.score else ["-", "", outcome.reason]


def _print_attacks(runs: Sequence[AttackRun], seed: int) -> None:
    rows = [
        [words.term(run.level), run.attack.step(), outcome.method.title(), *_cells(outcome), run.seconds]
        for run in runs
        for outcome in run.outcomes
    ]
    header = ["background knowledge", "attack", "metric", "value", "better", "95% interval", "seconds"]
    print_table(f"Attacks, the worst case on top (seed {seed})", header, rows, left=3)


def _scores(run: AttackRun) -> JsonObject:
    scores: JsonObject = {outcome.method.name: outcome.as_dict() for outcome in run.outcomes}
    return scores or {"undefined": run.reason}


def _steps(method: tuple[AnyAnonymizer, ...] | None) -> str:
    return " ".join(step.step() for step in method or ())
