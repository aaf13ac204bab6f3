"""`icefire evaluate`: utility and safety of a release, and of guesses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icefire.cli.options import format_option, in_option, json_option, kind_argument
from icefire.cli.output import outcome_rows, print_json, print_table, score_cells
from icefire.core.errors import UnknownName
from icefire.core.registry import Registry
from icefire.core.suite import default_methods, judge_guess, measure_safety, measure_utility


@click.command()
@kind_argument
@in_option
@click.option(
    "--guess",
    "guesses",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Guess file; all guess-*.csv of the folder if left out.",
)
@click.option("--metrics", multiple=True, help="Metric to measure, with parameters if it takes any; all if left out.")
@format_option
@json_option
@click.pass_obj
def evaluate(
    registry: Registry,
    kind: str,
    source: Path,
    guesses: tuple[Path, ...],
    metrics: tuple[str, ...],
    form: str | None,
    as_json: bool,
) -> None:
    """Measure a release and the guesses made at it. This reads the secret: it is the judge's command."""
    owner = registry.kind(kind).in_format(form)
    chosen = _chosen(registry, kind, metrics)
    release = owner.read_release(source)
    original = owner.original_of(release)
    published, knowledge = owner.published_of(release), owner.knowledge_of(original)
    utility = measure_utility(chosen["utility"], original, release)
    safety = measure_safety(chosen["safety"], release)
    attacks = {}
    for path in guesses or sorted(source.glob("guess-*.csv")):
        guess = owner.read_guess(path, published, knowledge)
        judged = judge_guess(chosen["safety"], release, guess)
        if judged:
            attacks[path.stem.removeprefix("guess-")] = judged
    if as_json:
        print_json(
            {
                "utility": {outcome.method.name: outcome.as_dict() for outcome in utility},
                "safety": {outcome.method.name: outcome.as_dict() for outcome in safety},
                "attacks": {
                    name: {outcome.method.name: outcome.as_dict() for outcome in outcomes}
                    for name, outcomes in attacks.items()
                },
            }
        )
        return
    header = ["metric", "value", "better", "note"]
    print_table("Utility", header, outcome_rows(utility))
    print_table("Safety", header, outcome_rows(safety))
    rows = [
        [name, outcome.method.title(), *(score_cells(outcome.score) if outcome.score else ["-", "", outcome.reason])]
        for name, outcomes in attacks.items()
        for outcome in outcomes
    ]
    print_table("Guesses", ["guess", *header], rows, left=2)


def _chosen(registry: Registry, kind: str, steps: tuple[str, ...]) -> dict[str, list[Any]]:
    """Metrics by role: the ones named, or all that need no parameters."""
    roles = ("utility", "safety")
    if not steps:
        return {role: default_methods(registry, kind, role) for role in roles}
    role_of = {name: role for role in roles for m in registry.methods(kind, role) for name in (m.name, *m.aliases)}
    folded = {name.lower().replace("-", "_"): role for name, role in role_of.items()}
    found: dict[str, list[Any]] = {role: [] for role in roles}
    for step in steps:
        name = step.partition("(")[0].strip()
        role = folded.get(name.lower().replace("-", "_"))
        if role is None:
            known = [m.name for wanted in roles for m in registry.methods(kind, wanted)]
            raise UnknownName.of(f"metric for {kind}", name, known, f"icefire list {kind}")
        found[role].append(registry.make(kind, role, step))
    return found
