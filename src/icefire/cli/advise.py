"""`icefire advise`: the few releases worth looking at."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from icefire.cli.options import (
    budget_option,
    format_option,
    in_option,
    json_option,
    kind_argument,
    max_risk_option,
    memory_option,
    seed_option,
)
from icefire.cli.output import print_json, print_table, progress, score_cells
from icefire.cli.speech import echo
from icefire.core.budget import Budget
from icefire.core.registry import Registry
from icefire.core.seeds import fresh_seed
from icefire.core.tuning import Requirement, Trial, Tuner, risk_requirement
from icefire.words import label


@click.command()
@kind_argument
@in_option
@max_risk_option
@click.option("--attacker", "level", help="How much attackers know of the people; the least of the kind if left out.")
@budget_option()
@memory_option
@seed_option("Seed of all randomness, of the releases, too. Drawn from the system if left out.", default=None)
@format_option
@json_option
@click.pass_obj
def advise(
    registry: Registry,
    kind: str,
    source: Path,
    limit: float,
    level: str | None,
    budget: float,
    seed: int | None,
    form: str | None,
    as_json: bool,
) -> None:
    """Search for releases that may go out, and name the two or three that are worth looking at.

    Attackers are taken to know the method. Of all releases where they find at most --max-risk, it names the most useful one,
    the safest one, and between them the one after which more safety becomes dear.
    """
    owner, files = registry.kind(kind), registry.format(kind, form)
    level = level or owner.levels[0]
    original = files.read_original(source)
    owner.require_roles(original, source)
    seed = fresh_seed() if seed is None else seed
    wanted = [Requirement.parse(risk_requirement(registry, owner, level, limit), registry, owner)]
    with Budget(budget).spent(), progress(None, as_json) as bar:
        tuner = Tuner(registry, owner, wanted, seed, bar, level)
        tuner.run(original)
    chosen = _worth_looking_at(tuner)
    format_words = ["--format", form] if form else []
    commands = {name: _command(kind, source, trial, seed, format_words) for name, trial in chosen.items()}
    if as_json:
        found = {
            name: {
                "steps": [step.step() for step in trial.steps],
                "scores": {metric: score.as_dict() for metric, score in trial.scores.items()},
                "strongest attack": trial.attack,
                "command": commands[name],
            }
            for name, trial in chosen.items()
        }
        print_json({"seed": seed, "attacker": level, "at most": limit, "tried": len(tuner.trials), "releases": found})
    else:
        _print(tuner, chosen, commands, level, limit)
    if not chosen:
        raise click.exceptions.Exit(1)


def _worth_looking_at(tuner: Tuner) -> dict[str, Trial]:
    """Of the frontier, both ends and the release that lies farthest from the line between them."""
    frontier = [trial for trial in tuner.frontier() if trial.steps]
    if not frontier:
        return {}
    first, last = frontier[0], frontier[-1]
    chosen = {"most useful": first}
    scores = [(t.good(tuner.kind.headline_utility), t.good(tuner.headline)) for t in frontier]
    spans = [abs(scores[-1][axis] - scores[0][axis]) or 1.0 for axis in (0, 1)]
    # Share of the way to the safest that is gone, and share of the use that it costs.
    gains = [(safe - scores[0][1]) / spans[1] - (scores[0][0] - useful) / spans[0] for useful, safe in scores]
    middle = frontier[max(range(len(frontier)), key=lambda place: gains[place])]
    if middle not in (first, last):
        chosen["good value"] = middle
    if last is not first:
        chosen["safest"] = last
    return chosen


def _command(kind: str, source: Path, trial: Trial, seed: int, more: list[str]) -> str:
    steps = [step.step() for step in trial.steps]
    return shlex.join(
        ["icefire", "anonymize", kind, *steps, "--in", str(source), "--out", "DIR", "--seed", str(seed), *more]
    )


def _print(tuner: Tuner, chosen: dict[str, Trial], commands: dict[str, str], level: str, limit: float) -> None:
    utility, safety = tuner.kind.headline_utility, tuner.headline
    if not chosen:
        echo(
            f"None of {len(tuner.trials)} releases passes: accept more with --max-risk, or leave out columns that tell much"
        )
        return
    rows = []
    for name, trial in chosen.items():
        value, _, interval = score_cells(trial.scores[safety])
        rows.append([label(name), trial.label(), value, interval, trial.attack, trial.scores[utility].value])
    header = ["release", "steps", safety, "95% interval", "strongest attack", utility]
    title = f"Worth looking at, of {len(tuner.trials)}: whoever knows {level} and the method finds at most {limit:g}"
    print_table(title, header, rows, left=2)
    for name, command in commands.items():
        echo(f"{label(name)}: {command}")
