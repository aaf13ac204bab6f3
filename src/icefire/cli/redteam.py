"""`icefire redteam`: every attack in every setting; the strongest decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icefire.cli.options import in_option, json_option, kind_argument, out_option, seed_option
from icefire.cli.output import print_json, print_table, progress, score_cells
from icefire.core.registry import Registry
from icefire.core.suite import (
    default_methods,
    judge_runs,
    measure_safety,
    measure_utility,
    run_attacks,
    worst_cases,
)
from icefire.frames.files import staged
from icefire.report.microdata import Judged, page
from icefire.report.words import Language


@click.command()
@kind_argument
@in_option
@out_option(required=False, text="Folder for report.html; the working folder if left out.")
@click.option("--lang", "language", type=click.Choice(["en", "ja"]), default="en", show_default=True)
@seed_option("Seed of all randomness.")
@json_option
@click.pass_obj
def redteam(
    registry: Registry, kind: str, source: Path, target: Path | None, language: Language, seed: int, as_json: bool
) -> None:
    """Attack a release with everything, judge it, and write a report. This reads the secret to judge, not to attack."""
    owner = registry.kind(kind)
    published, original = owner.read_published(source), owner.read_original(source)
    with progress(None, as_json) as bar:
        runs = run_attacks(registry, owner, published, owner.knowledge_of(original), seed, progress=bar)
    release = owner.read_release(source)
    utility, safety = (default_methods(registry, kind, role) for role in ("utility", "safety"))
    judged_runs = judge_runs(safety, release, runs)
    measured = measure_utility(utility, original, release), measure_safety(safety, release)
    worst = worst_cases(judged_runs)
    file = (target or source) / "report.html"
    recipe = f"icefire redteam {kind} --in {source} --seed {seed}"
    judged = Judged(source.resolve().name, "published.*", release, *measured, judged_runs)
    with staged() as stage:
        stage.text(page(f"icefire red team: {judged.name}", [judged], recipe, language).html(), file)
    if as_json:
        attacks: dict[str, Any] = {
            run.label: {o.method.name: o.as_dict() for o in run.outcomes} or {"undefined": run.reason}
            for run in judged_runs
        }
        summary = {w.metric: {"attack": w.attack, **w.score.as_dict()} for w in worst}
        print_json({"seed": seed, "worst": summary, "attacks": attacks, "report": str(file)})
        return
    rows = [
        [run.attack.step(), o.method.title(), *(score_cells(o.score) if o.score else ["-", "", o.reason]), run.seconds]
        for run in judged_runs
        for o in run.outcomes
    ]
    header = ["attack", "metric", "value", "better", "95% interval", "seconds"]
    print_table(f"Attacks, the worst case on top (seed {seed})", header, rows, left=2)
    for case in worst:
        click.echo(f"Worst case of {case.metric}: {case.score.value:.4f}, by {case.attack}")
    click.echo(f"The report is {file.resolve()}")
