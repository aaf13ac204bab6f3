"""`icefire evaluate`: utility and safety of a release, and of guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from icefire.cli.attacking import ENDED
from icefire.cli.options import format_option, in_option, json_option, kind_argument, memory_option
from icefire.cli.output import outcome_rows, print_json, print_table, progress, score_cells
from icefire.cli.speech import echo
from icefire.core.errors import InputError, UnknownName
from icefire.core.formats import AnyFormat
from icefire.core.kinds import Kind
from icefire.core.registry import METRICS, Registry
from icefire.core.roles import AnySafety, AnyUtility
from icefire.evaluation.runs import Outcome, judge_guess, measure_safety, measure_utility


@click.command()
@kind_argument
@in_option
@click.option(
    "--guess",
    "guesses",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Guess file; all guesses in the folder if left out.",
)
@click.option("--metrics", multiple=True, help="Metric to measure, with parameters if it takes any; all if left out.")
@click.option(
    "--attacker", "level", help="Measure the guesses of attackers who know this of the people; all if left out."
)
@memory_option
@format_option
@json_option
@click.pass_obj
def evaluate(
    registry: Registry,
    kind: str,
    source: Path,
    guesses: tuple[Path, ...],
    metrics: tuple[str, ...],
    level: str | None,
    form: str | None,
    as_json: bool,
) -> None:
    """Measure a release and the guesses made at it. This reads the secret: it is the judge's command.

    Ctrl-C shows what was measured before.
    """
    files, owner = registry.format(kind, form), registry.kind(kind)
    utility_metrics, safety_metrics = _chosen(registry, kind, metrics)
    release = files.read_release(source)
    original, published = release.original, release.published
    needing = [metric for metric in safety_metrics if metric.needs_guess]
    alone = [metric for metric in safety_metrics if not metric.needs_guess]
    paths = [path for path in guesses or files.guesses(source) if level in (None, _by(files, owner, path))]
    utility: list[Outcome] = []
    safety: list[Outcome] = []
    attacks: dict[str, tuple[Outcome, ...]] = {}
    total, done = len(utility_metrics) + len(alone) + len(paths), 0
    with progress(total, as_json) as bar:
        try:
            for metric in utility_metrics:
                bar(metric.step())
                utility += measure_utility([metric], original, release)
                done += 1
            for criterion in alone:
                bar(criterion.step())
                safety += measure_safety([criterion], release)
                done += 1
            for path in paths:
                bar(path.name)
                measured = owner.measured(_by(files, owner, path))
                chosen = [metric for metric in needing if measured is None or metric.name in measured]
                judged = judge_guess(chosen, release, files.read_guess(path, published, original.knowledge))
                attacks |= {files.guess_name(path): judged} if judged else {}
                done += 1
        except KeyboardInterrupt:
            if not done:
                raise
    ended = f"ended by hand after {done} of {total} metrics and guesses" if done < total else ""
    if level is not None and not attacks:
        owner.known(original, level)
    if metrics and needing and not attacks and not ended:
        names = ", ".join(metric.name for metric in needing)
        raise InputError(f"{names}: this measures guesses, and there is none: icefire attack {kind} makes some")
    attackers = {name: owner.signature(name) for name in attacks}
    if as_json:
        print_json(
            {
                "utility": {outcome.method.name: outcome.as_dict() for outcome in utility},
                "safety": {outcome.method.name: outcome.as_dict() for outcome in safety},
                "attackers": attackers,
                "attacks": {
                    name: {outcome.method.name: outcome.as_dict() for outcome in outcomes}
                    for name, outcomes in attacks.items()
                },
                **({"ended": ended} if ended else {}),
            }
        )
    else:
        _print(utility, safety, attacks, attackers)
    if ended:
        echo(ended, err=True)
        raise click.exceptions.Exit(ENDED)


def _by(files: AnyFormat, owner: Kind, path: Path) -> str:
    """The level of the attackers who made a guess."""
    return owner.signature(files.guess_name(path))


def _print(
    utility: Sequence[Outcome],
    safety: Sequence[Outcome],
    attacks: Mapping[str, Sequence[Outcome]],
    attackers: Mapping[str, str],
) -> None:
    header = ["metric", "value", "better", "note"]
    print_table("Utility", header, outcome_rows(utility))
    print_table("Safety", header, outcome_rows(safety))
    rows = [
        [
            name.partition("@")[0],
            attackers[name],
            outcome.method.title(),
            *(score_cells(outcome.score) if outcome.score else ["-", "", outcome.reason]),
        ]
        for name, outcomes in attacks.items()
        for outcome in outcomes
    ]
    print_table("Guesses", ["guess", "known of the people", *header], rows, left=3)


def _chosen(registry: Registry, kind: str, steps: tuple[str, ...]) -> tuple[list[AnyUtility], list[AnySafety]]:
    """Utility and safety metrics: the ones named, or all that need no parameters."""
    if not steps:
        return registry.utility_metrics(kind), registry.safety_metrics(kind)
    utility: list[AnyUtility] = []
    safety: list[AnySafety] = []
    for step in steps:
        name = step.partition("(")[0].strip()
        if registry.knows(kind, "utility", name):
            utility.append(registry.make(kind, "utility", step))
        elif registry.knows(kind, "safety", name):
            safety.append(registry.make(kind, "safety", step))
        else:
            known = [m.name for role in METRICS for m in registry.methods(kind, role)]
            raise UnknownName.of(f"metric for {kind}", name, known, f"icefire list {kind}")
    return utility, safety
