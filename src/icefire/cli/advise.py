"""`icefire advise`: the few releases worth looking at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from icefire.cli.options import (
    budget_option,
    format_option,
    in_option,
    json_option,
    kind_argument,
    max_disclosure_option,
    max_risk_option,
    memory_option,
    minutes_option,
    seed_option,
)
from icefire.cli.output import in_100, number, print_json, print_table, progress
from icefire.cli.speech import echo
from icefire.cli.tune import announce, print_not_tried
from icefire.core.budget import Budget
from icefire.core.commands import shell_command
from icefire.core.deadline import Deadline
from icefire.core.documents import JsonObject
from icefire.core.registry import Registry
from icefire.core.seeds import fresh_seed, generator
from icefire.core.values import Score
from icefire.evaluation.advice import Suggestion, looked_into
from icefire.evaluation.limits import Limits
from icefire.evaluation.tuning import Ended, Requirement, Trial, Tuner, risk_requirements
from icefire.words import label, translated

VERIFIED = 0.05
"""Share of --minutes that one attack may take when a release is verified."""


@click.command()
@kind_argument
@in_option
@max_risk_option
@max_disclosure_option
@click.option("--attacker", "level", help="How much attackers know of the people; the least of the kind if left out.")
@minutes_option(3)
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
    disclosure: float,
    level: str | None,
    minutes: float,
    budget: float,
    seed: int | None,
    form: str | None,
    as_json: bool,
) -> None:
    """Search for releases that may go out, and name the two or three that are worth looking at.

    Attackers are taken to know the method. Of all releases where they find at most --max-risk, it names the most useful one,
    the safest one, and between them the one after which more safety becomes dear.

    Ctrl-C shows the best so far, not verified.
    """
    owner, files = registry.kind(kind), registry.format(kind, form)
    original = files.read_original(source)
    level = level or owner.levels_of(original)[0]
    owner.require_roles(original, source)
    seed = fresh_seed() if seed is None else seed
    limits = Limits(limit, disclosure)
    wanted = [Requirement.parse(text, registry, owner) for text in risk_requirements(registry, owner, level, limits)]
    deadline = Deadline(minutes)
    with progress(None, as_json, deadline) as bar:
        tuner = Tuner(registry, owner, wanted, seed, bar, level, deadline)
        if not as_json:
            announce(tuner.planned(original), minutes)
        with Budget(budget).spent():
            tuner.search(original)
        with Budget(min(budget, VERIFIED * minutes)).spent():
            chosen = looked_into(tuner, original, minutes)
    words = [kind, *(["--format", form] if form else []), "--in", str(source), "--out", "DIR"]
    commands = {name: _command(found.trial, words) for name, found in chosen.items()}
    if as_json:
        releases = {name: _as_dict(found, commands[name]) for name, found in chosen.items()}
        asked = {"seed": seed, "attacker": level, "at most": limit}
        print_json(
            {**asked, "tried": len(tuner.trials), "ended": tuner.ended and tuner.ended.value, "releases": releases}
        )
    else:
        notes = [] if chosen else owner.notes(original.begin(generator(seed))[0])
        _print(tuner, chosen, commands, limit, notes)
    if tuner.ended is Ended.HAND:
        raise click.exceptions.Exit(130)
    if not chosen:
        raise click.exceptions.Exit(1)


def _command(trial: Trial, words: list[str]) -> str:
    # Without a seed: one on the screen would be no secret.
    return shell_command(["icefire", "anonymize", words[0], *(step.step() for step in trial.steps), *words[1:]])


def _as_dict(found: Suggestion, command: str) -> JsonObject:
    return {
        "steps": [step.step() for step in found.trial.steps],
        "scores": {metric: score.as_dict() for metric, score in found.trial.scores.items()},
        "strongest attack": found.trial.attack,
        "verified": found.verified,
        "other attackers": {level: score.as_dict() for level, score in found.others.items()},
        "columns lost": list(found.emptied),
        "command": command,
    }


def _found(score: Score) -> str:
    """What is found, in 100."""
    share = score.scale.shortfall(score.value)
    return number(score.value) if share is None else in_100(share)


def _interval(score: Score) -> str:
    if score.interval is None:
        return ""
    ends = [score.scale.shortfall(end) for end in (score.interval.low, score.interval.high)]
    return " .. ".join(in_100(end) for end in sorted(end for end in ends if end is not None))


def _print(
    tuner: Tuner, chosen: dict[str, Suggestion], commands: dict[str, str], limit: float, notes: Sequence[str]
) -> None:
    if not chosen and any(not trial.steps and not trial.stopped for trial in tuner.trials):
        echo(
            f"The data as they are pass, and none of {len(tuner.trials) - 1} releases is better: --max-risk asks for less"
        )
        return
    if not chosen:
        echo(
            f"None of {len(tuner.trials)} releases passes: accept more with --max-risk or --max-disclosure, or leave out "
            "columns that tell much"
        )
        for note in notes:
            echo(f"note: {note}")
        print_not_tried(tuner)
        return
    _print_table(tuner, chosen, limit)
    for name, found in chosen.items():
        echo(f"{label(name)}: {found.trial.label()}", bold=True)
        for step in found.trial.steps:
            echo(f"  {translated(step.summary())}")
        if found.emptied:
            columns = ", ".join(found.emptied)
            echo(f"  {translated(f'The same in every row: {columns}')}")
        echo(f"  {commands[name]}")
    _print_rows(chosen)
    echo("Each command draws a seed of its own, which stays secret. The figures of that release are about the same.")
    print_not_tried(tuner)


def _print_table(tuner: Tuner, chosen: dict[str, Suggestion], limit: float) -> None:
    utility, safety = tuner.kind.headline_utility, tuner.headline
    others = [level for level in tuner.kind.levels if level != tuner.level]
    rows = []
    for name, found in chosen.items():
        score, left = found.trial.scores[safety], found.trial.scores[utility]
        beside = [_found(found.others[level]) if level in found.others else "-" for level in others]
        kept = number(left.value) if left.good is None else in_100(left.good)
        steps, lost = found.trial.label(), len(found.emptied) if found.row else "-"
        rows.append([label(name), steps, _found(score), _interval(score), *beside, kept, lost, found.trial.attack])
    knows = [f"found by {level}" for level in (tuner.level, *others)]
    header = ["release", "steps", knows[0], "95% interval", *knows[1:], "use left", "columns lost", "strongest attack"]
    tried, most = len(tuner.trials), in_100(limit)
    title = f"Worth looking at, of {tried}: whoever knows {tuner.level} and the method finds at most {most} in 100"
    print_table(title, header, rows, left=2)
    echo("All figures are in 100: people who are found, and what is left of the use (100: all of it).")
    if any(level not in found.others for found in chosen.values() for level in others):
        echo("A dash says that it was not measured, not that nobody is found: more --minutes leave time for it.")


def _print_rows(chosen: dict[str, Suggestion]) -> None:
    """One row of each as it would be published."""
    names = list(dict.fromkeys(column for found in chosen.values() for column in found.row))
    rows = [[column, *(found.row.get(column, "") for found in chosen.values())] for column in names]
    header = [label("column"), *(label(name) for name in chosen)]
    if rows:
        echo("The first row of each, as it would be published:")
    print_table("", header, rows, left=1 + len(chosen), names=header)
