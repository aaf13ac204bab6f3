"""`icefire attack`: make guesses, without ever reading the secret."""

from __future__ import annotations

import math
from pathlib import Path

import click

from icefire.cli.attacking import ENDED, announce
from icefire.cli.options import (
    format_option,
    in_option,
    json_option,
    kind_argument,
    memory_option,
    out_option,
    refuse_both,
    seed_option,
)
from icefire.cli.output import print_json, print_table, progress
from icefire.cli.speech import echo
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.errors import InputError
from icefire.core.registry import Registry
from icefire.evaluation.assess import count_attacks, plan_attacks, run_planned
from icefire.evaluation.assessment import incomplete_attacks


@click.command()
@kind_argument
@click.argument("names", nargs=-1, metavar="[NAME...]")
@in_option
@out_option(text="Folder for the guesses.")
@click.option(
    "--knowledge", type=click.Path(path_type=Path), help="What the attacker knows, if not the whole original."
)
@click.option("--attacker", "level", help="How much they know of the people; as usual for the kind if left out.")
@click.option("--method", "steps", multiple=True, metavar="STEP", help="A step that made the release, if they know it.")
@memory_option
@seed_option("Seed of all randomness.")
@format_option
@json_option
@click.pass_obj
def attack(
    registry: Registry,
    kind: str,
    names: tuple[str, ...],
    source: Path,
    target: Path,
    knowledge: Path | None,
    level: str | None,
    steps: tuple[str, ...],
    seed: int,
    form: str | None,
    as_json: bool,
) -> None:
    """Attack a release: one guess file per attack. Runs every attack in every setting when none is named.

    Ctrl-C ends the attacks; guesses made before are written.
    """
    refuse_both(knowledge, level)
    files, owner = registry.format(kind, form), registry.kind(kind)
    level = level or (owner.usual_level if knowledge is None else knowledge.stem)
    if knowledge is not None:
        published, known = files.read_partial(source, knowledge)
    elif level == owner.usual_level:
        published, known = files.read_handout(source)
    else:
        original = files.read_original(source)
        published, known = files.read_published(source, original), owner.known(original, level)
    method = tuple(registry.make(kind, "anonymize", step) for step in steps) or None
    attacker = Attacker(known, level, method)
    # A guess file has an answer for every row.
    budget = Budget(minutes=math.inf)
    named = [registry.make(kind, "attack", name) for name in names]
    with budget.spent():
        planned = plan_attacks(registry, owner, published, [attacker], named)
        number = count_attacks(planned)
        if not as_json:
            announce(owner, known, number, "NAME")
        with progress(number, as_json) as bar:
            runs = run_planned(published, planned, seed, bar)
    refused = [run for run in runs if names and run.guess is None]
    if refused:
        raise InputError(f"{refused[0].attack.step()} cannot attack this release: {refused[0].reason}")
    written = []
    for run in runs:
        path = files.guess_path(target, owner.signed(run.label, level))
        if run.guess is not None:
            files.write_guess(run.guess, path, published, known)
        written.append(
            {
                "attack": run.attack.step(),
                "file": path.name if run.guess is not None else None,
                "seconds": round(run.seconds, 3),
                **({"undefined": run.reason} if run.reason else {}),
            }
        )
    missing = incomplete_attacks(runs, number)
    if as_json:
        ended = {"ended": missing} if missing else {}
        print_json({"kind": kind, "attacker": level, "seed": seed, "folder": str(target), "attacks": written, **ended})
    else:
        rows = [[entry["attack"], entry["file"] or entry["undefined"], entry["seconds"]] for entry in written]
        print_table(f"Guesses in {target} (seed {seed})", ["attack", "file", "seconds"], rows, left=2)
        if missing:
            echo(missing)
    if len(runs) < number:
        raise click.exceptions.Exit(ENDED)
