"""`icefire tune`: search anonymizers and their parameters."""

from __future__ import annotations

from pathlib import Path

import click

from icefire import __version__
from icefire.cli.options import (
    budget_option,
    format_option,
    in_option,
    json_option,
    kind_argument,
    memory_option,
    minutes_option,
    out_option,
    replace_option,
    require_no_release,
    seed_option,
)
from icefire.cli.output import duration, print_json, print_table, progress, sample_note, score_cells
from icefire.cli.speech import echo
from icefire.core.budget import Budget
from icefire.core.commands import shell_command
from icefire.core.deadline import Deadline
from icefire.core.errors import InputError
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import fresh_seed, generator
from icefire.core.values import Score
from icefire.evaluation.tuning import PEOPLE, Ended, Requirement, Trial, Tuner


@click.command()
@kind_argument
@in_option
@click.option(
    "--require",
    "requirements",
    multiple=True,
    required=True,
    metavar="METRIC>=X",
    help="What the release has to reach.",
)
@click.option("--attacker", "level", help="How much attackers know of the people; as usual for the kind if left out.")
@click.option(
    "--people",
    type=click.IntRange(min=2),
    help=f"Size of the sample of people that synthetic tables are searched on; {PEOPLE} if left out.",
)
@minutes_option(30)
@budget_option()
@out_option(required=False, text="Folder for the release that was found.")
@memory_option
@seed_option("Seed of all randomness, of the release, too. Drawn from the system if left out.", default=None)
@format_option
@replace_option
@json_option
@click.pass_obj
def tune(
    registry: Registry,
    kind: str,
    source: Path,
    requirements: tuple[str, ...],
    level: str | None,
    people: int | None,
    minutes: float,
    budget: float,
    target: Path | None,
    seed: int | None,
    form: str | None,
    replacing: bool,
    as_json: bool,
) -> None:
    """Search for the release with the best worst case that meets the requirements, such as "utility>=0.7".

    Tables, histories and traces are anonymized as a whole. Attacks that compare everybody with everybody are made on a sample
    of what is published if they take longer than a twentieth of --budget, and steps that take longer than --budget are not
    tried. The best release is then attacked with everything, each attack within --budget. Attackers are taken to know the
    method: the steps and their parameters, not the seed.

    Ctrl-C shows the best so far, not verified.
    """
    from icefire.frames.previous import add_previous, previous_releases

    owner, files = registry.kind(kind), registry.format(kind, form)
    if people is not None and owner.bounded:
        raise InputError(
            f"{kind} is searched on all people, since a smaller crowd changes the risk: leave --people out, and see --budget"
        )
    wanted = [Requirement.parse(text, registry, owner) for text in requirements]
    if target is not None:
        require_no_release(files, target, replacing)
    original = files.read_original(source)
    owner.require_roles(original, source)
    seed = fresh_seed() if seed is None else seed
    deadline = Deadline(minutes)
    with Budget(budget).spent(), progress(None, as_json, deadline) as bar:
        tuner = Tuner(registry, owner, wanted, seed, bar, level, deadline)
        if not as_json:
            announce(tuner.planned(original), minutes)
        found = tuner.run(original, people or PEOPLE)
    if found is not None and found.steps and target is not None:
        release = Pipeline(found.steps).anonymize(original, generator(seed, "anonymize"))
        recipe = {"steps": [step.step(full=True) for step in found.steps], "seed": seed, "icefire": __version__}
        files.write_release(release, target, recipe, files.extension(source))
        add_previous(target, previous_releases(source))
    if as_json:
        print_json(
            {
                "seed": seed,
                "attacker": {"known": tuner.level, "method known": True},
                "tried": len(tuner.trials),
                "ended": tuner.ended and tuner.ended.value,
                "left out": {steps: {"minutes": minutes} for steps, minutes in tuner.left_out.items()},
                "frontier": [_as_dict(trial) for trial in tuner.frontier()],
                "refuted": [_as_dict(checked) for _, checked in tuner.verified if checked is not found],
                "found": None if found is None else _as_dict(found),
            }
        )
    else:
        _print(tuner, found, original.people, [kind, "--in", str(source), *(["--format", form] if form else [])], seed)
    if tuner.ended is Ended.HAND:
        raise click.exceptions.Exit(130)
    if found is None:
        raise click.exceptions.Exit(1)


def announce(planned: int, minutes: float) -> None:
    """Say how long it will take at most."""
    echo(
        f"{planned} releases and variations of the best are tried, for at most {duration(60 * minutes)} (--minutes). "
        "Ctrl-C shows the best so far.",
        err=True,
    )


def print_not_tried(tuner: Tuner) -> None:
    """Say what the search has left out, and whether it was ended."""
    for steps, minutes in tuner.left_out.items():
        echo(f"Not tried, since it takes about {duration(60 * minutes)} to make (--budget, --minutes): {steps}")
    if tuner.given_up:
        echo(f"Given up, since they take too much of the time (--minutes): {', '.join(tuner.given_up)}")
    if tuner.ended is Ended.TIME:
        echo("The search was ended when its time was up: more --minutes may find better ones.")
    if tuner.ended is Ended.HAND:
        echo("Ended by hand, before all was tried and verified: attacks that were not made may find more.")


def _as_dict(trial: Trial) -> dict[str, object]:
    return {
        "steps": [step.step() for step in trial.steps],
        "people": trial.people,
        "scores": {name: score.as_dict() for name, score in trial.scores.items()},
        "strongest attack": trial.attack,
    }


def _print_refuted(tuner: Tuner, found: Trial | None) -> None:
    """What the search promised, and what verification left of it."""
    for promised, checked in tuner.verified:
        if checked is not found:
            score = promised.scores[tuner.headline].value
            result = checked.stopped or f"{tuner.headline} {checked.scores[tuner.headline].value:.4f}"
            echo(f"{promised.label()}: {tuner.headline} {score:.4f} in the search; when verified: {result}")
    if tuner.unverified:
        labels = ", ".join(trial.label() for trial in tuner.unverified)
        echo(f"Promising in the search, but not verified, since so many were refuted: {labels}")


def _cells(score: Score) -> list[str]:
    value, _, interval = score_cells(score)
    return [value, interval]


def _print(tuner: Tuner, found: Trial | None, everybody: int, arguments: list[str], seed: int) -> None:
    utility, safety = tuner.kind.headline_utility, tuner.headline
    finished = tuner.frontier()
    rows = [[t.label(), t.scores[utility].value, *_cells(t.scores[safety]), t.attack] for t in finished]
    people = tuner.trials[0].people if tuner.trials else everybody
    whole = "all" if people == everybody else "a sample of"
    echo(f"Attackers know {tuner.level} of the people, and the method.")
    title = f"Frontier of {len(tuner.trials)} tries on {whole} {people:,} people (seed {seed})"
    header = ["steps", utility, f"{safety}, worst case", "95% interval", "strongest attack"]
    print_table(title, header, rows, left=1)
    if people < everybody:
        echo(f"Fewer people are easier to tell apart: of all {everybody:,}, the figures may be better.")
    print_not_tried(tuner)
    if tuner.ended is Ended.HAND:
        return
    _print_refuted(tuner, found)
    if found is None:
        measured = [trial for trial in tuner.trials if utility in trial.scores]
        closest = max(measured, key=lambda trial: trial.good(utility), default=None)
        hint = f" Closest: {closest.label()}, {closest.stopped}." if closest and closest.stopped else ""
        if not measured and tuner.trials:
            hint = f" Nothing could be measured: {tuner.trials[-1].stopped}."
        if tuner.verified and not all(checked.stopped for _, checked in tuner.verified):
            echo(
                "Of the releases that meet the requirements, none that was verified is safer than the data as they are."
            )
            return
        echo(f"Nothing meets the requirements.{hint}")
        return
    values = ", ".join(f"{name} {score.value:.4f}" for name, score in found.scores.items())
    strongest = found.attack + sample_note(found.scores[safety])
    echo(f"Best on all {found.people:,} people against every attack: {values} (strongest: {strongest})")
    if not found.steps:
        echo("That is the data as they are: nothing that was tried and meets the requirements is safer.")
        echo("No release was written.")
        return
    steps = [step.step() for step in found.steps]
    line = ["icefire", "anonymize", arguments[0], *steps, *arguments[1:], "--out", "DIR", "--seed", str(seed)]
    echo(f"Make it: {shell_command(line)}")
    echo(
        "The figures hold for this seed, which is part of the secret; another seed gives other noise, groups and decoys, and "
        "somewhat other figures."
    )
