"""`icefire redteam`: every attack in every setting; the strongest decides."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click

from icefire import __version__
from icefire.cli.options import (
    format_option,
    in_option,
    json_option,
    kind_argument,
    out_option,
    refuse_both,
    seed_option,
)
from icefire.cli.output import print_json, print_table, progress, score_cells
from icefire.core.attackers import Attacker
from icefire.core.chapters import Language
from icefire.core.documents import JsonObject
from icefire.core.errors import FileError
from icefire.core.formats import RECIPE, REPORT
from icefire.core.judged import Judged
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer
from icefire.core.suite import (
    AttackRun,
    Outcome,
    judge_runs,
    measure_safety,
    measure_utility,
    run_attacks,
    worst_cases,
)
from icefire.report.page import Page
from icefire.report.words import Phrases


@click.command()
@kind_argument
@in_option
@out_option(required=False, text="Folder for report.html; the working folder if left out.")
@click.option("--lang", "language", type=click.Choice(["en", "ja"]), default="en", show_default=True)
@click.option(
    "--knowledge", type=click.Path(path_type=Path), help="What the attacker knows, if not the whole original."
)
@click.option(
    "--attacker", "levels", multiple=True, help="How much attackers know of the people; every level if left out."
)
@seed_option("Seed of all randomness.")
@format_option
@json_option
@click.pass_obj
def redteam(
    registry: Registry,
    kind: str,
    source: Path,
    target: Path | None,
    language: Language,
    knowledge: Path | None,
    levels: tuple[str, ...],
    seed: int,
    form: str | None,
    as_json: bool,
) -> None:
    """Attack a release with everything, judge it, and write a report.

    This reads the secret to judge. Attacks are told nothing of it but the steps, never the seed.
    """
    from icefire.frames.files import staged

    owner, files = registry.kind(kind), registry.format(kind, form)
    original = files.read_original(source)
    published = files.read_published(source, original)
    method = recorded_method(registry, kind, source)
    refuse_both(knowledge, levels)
    if knowledge is not None:
        attackers = [Attacker(files.read_knowledge(knowledge, original), str(knowledge), method)]
    else:
        attackers = [Attacker(owner.known(original, level), level, method) for level in levels or owner.levels]
    with progress(None, as_json) as bar:
        runs = [run for a in attackers for run in run_attacks(registry, owner, published, a, seed, progress=bar)]
    release = files.read_secret(source, original, published)
    safety = registry.safety_metrics(kind)
    judged_runs = judge_runs(owner, safety, release, runs)
    measured = measure_utility(registry.utility_metrics(kind), original, release), measure_safety(safety, release)
    worst = worst_cases(judged_runs)
    file = (target or source) / REPORT
    recipe = f"icefire redteam {kind} --in {source} --seed {seed} --lang {language}"
    recipe += "".join(f" --attacker {level}" for level in levels)
    recipe += (f" --knowledge {knowledge}" if knowledge else "") + (f" --format {form}" if form else "")
    name, say = source.resolve().name, Phrases(language)
    held = "" if knowledge is None else str(knowledge)
    judged = Judged(
        name, _done(method) or " ".join(files.published_files), owner, release, *measured, judged_runs, held
    )
    footer = say("made with", version=__version__)
    report = Page(f"icefire red team: {name}", [owner.chapter([judged], recipe, language)], footer, language)
    with staged() as stage:
        stage.text(report.html(), file)
    if as_json:
        attacks: JsonObject = {}
        for level in dict.fromkeys(attacker.level for attacker in attackers):
            attacks[level] = {run.label: _scores(run) for run in judged_runs if run.level == level}
        summary = {w.metric: {"attack": w.attack, "attacker": w.attacker, **w.score.as_dict()} for w in worst}
        risks = [risk.as_dict() for risk in judged.by_attacker()]
        print_json({"seed": seed, "risk": risks, "worst": summary, "attacks": attacks, "report": str(file)})
        return
    _print_attacks(judged_runs, seed)
    _print_risks(judged)
    for case in worst:
        click.echo(f"Worst case of {case.metric}: {case.score.value:.4f}, by {case.attack} ({case.attacker})")
    click.echo(f"The report is {file.resolve()}")


def _cells(outcome: Outcome) -> list[str]:
    return score_cells(outcome.score) if outcome.score else ["-", "", outcome.reason]


def _print_attacks(runs: list[AttackRun], seed: int) -> None:
    rows = [
        [run.level, run.attack.step(), outcome.method.title(), *_cells(outcome), run.seconds]
        for run in runs
        for outcome in run.outcomes
    ]
    header = ["known", "attack", "metric", "value", "better", "95% interval", "seconds"]
    print_table(f"Attacks, the worst case on top (seed {seed})", header, rows, left=3)


def _print_risks(judged: Judged) -> None:
    rows: dict[str, list[str]] = {}
    risks = judged.by_attacker()
    for risk in risks:
        rows.setdefault(risk.level, [risk.level]).append(risk.text())
    guessing = f"{1 / judged.release.original.people:.2%}"
    columns = ["method unknown", "method known"][: max(len(row) for row in rows.values()) - 1]
    table = [[*row, guessing] for row in rows.values()]
    print_table("Risk by attacker", ["known of the people", *columns, "guessing"], table, left=1 + len(columns))
    if any(risk.at_least for risk in risks):
        click.echo("≥: no attack here can use what is known of the method, so more may be found.")


def _scores(run: AttackRun) -> JsonObject:
    scores: JsonObject = {outcome.method.name: outcome.as_dict() for outcome in run.outcomes}
    return scores or {"undefined": run.reason}


def _done(method: tuple[AnyAnonymizer, ...] | None) -> str:
    return " ".join(step.step() for step in method or ())


def recorded_method(registry: Registry, kind: str, folder: Path) -> tuple[AnyAnonymizer, ...] | None:
    """The steps that made the release, from its recipe; None if there is none."""
    path = folder / RECIPE
    if not path.is_file():
        return None
    try:
        steps = tomllib.loads(path.read_text(encoding="utf-8")).get("steps", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error
    return tuple(registry.make(kind, "anonymize", str(step)) for step in steps)
