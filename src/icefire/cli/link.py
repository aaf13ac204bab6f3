"""`icefire link`: persons and households in one release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from icefire import __version__
from icefire.cli.options import json_option, out_option, seed_option
from icefire.cli.output import print_json, print_table
from icefire.cli.speech import echo
from icefire.core.errors import InputError
from icefire.core.formats import RECIPE
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer
from icefire.core.seeds import fresh_seed, generator

if TYPE_CHECKING:
    from icefire.microdata.linked import LinkedRelease, Part

PERSONS, HOUSEHOLDS = "published-persons.csv", "published-households.csv"


@click.command()
@click.argument("steps", nargs=-1, required=True, metavar="STEP...")
@click.option("--persons", required=True, type=click.Path(path_type=Path), help="Working folder of the persons.")
@click.option("--households", required=True, type=click.Path(path_type=Path), help="Working folder of the households.")
@out_option(text="Folder to write both tables to.")
@seed_option("Seed of all randomness. It is part of the secret; drawn from the system if left out.", default=None)
@json_option
@click.pass_obj
def link(
    registry: Registry,
    steps: tuple[str, ...],
    persons: Path,
    households: Path,
    target: Path,
    seed: int | None,
    as_json: bool,
) -> None:
    """Anonymize persons and their households together, and publish two tables that are linked by new numbers.

    Both schemas name the column that links, as household = "home". Whole households are made equal, with all of their
    members: STEP has to be one that reaches k, such as 'mondrian(k=5)'.
    """
    from icefire.microdata.linked import Linked

    if (target / PERSONS).exists() or (target / HOUSEHOLDS).exists():
        raise InputError(f"{target} holds a release, whose secret would be lost: choose a new folder")
    files, kind = registry.format("microdata", None), registry.kind("microdata")
    tables = []
    for folder in (persons, households):
        table = files.read_original(folder)
        kind.require_roles(table, folder)
        tables.append(table)
    made: tuple[AnyAnonymizer, ...] = tuple(registry.make("microdata", "anonymize", step) for step in steps)
    seed = fresh_seed() if seed is None else seed
    release = Linked(*tables).anonymize(made, generator(seed, "anonymize"))
    _write(release, target, {"steps": [step.step(full=True) for step in made], "seed": seed, "icefire": __version__})
    found = {size: _found(part, made, seed) for size, part in release.parts.items()}
    total = sum(part.homes.size for part in release.parts.values())
    share = sum(risk * release.parts[size].homes.size for size, (risk, _) in found.items()) / total
    if as_json:
        by_size = {
            str(size): {"households": part.homes.size, "found": found[size][0], "attack": found[size][1]}
            for size, part in release.parts.items()
        }
        written = {"k": release.k, "left out": release.dropped, "found": share, "sizes": by_size}
        print_json({**written, "seed": seed, "folder": str(target)})
        return
    rows = [(size, f"{part.homes.size:,}", *found[size]) for size, part in release.parts.items()]
    print_table("By the number of members", ("members", "households", "found", "strongest attack"), rows, left=1)
    if release.dropped:
        echo(f"{release.dropped:,} households were left out: there are too few of their size to make them equal.")
    echo(
        f"Whoever knows the quasi-identifiers of all members of a household, and the method, finds {100 * share:.1f} in 100 of "
        f"{total:,} households. At least {release.k} are equal to each other."
    )
    echo(f"Hand out {PERSONS} and {HOUSEHOLDS} in {target} alone. All else links them back: keep it to yourself.")


def _found(part: Part, steps: tuple[AnyAnonymizer, ...], seed: int) -> tuple[float, str]:
    """What the strongest attack finds, and its name."""
    import narwhals as nw

    from icefire import front

    data = front.Data("microdata", part.release.original, nw.Implementation.POLARS)
    findings = front.Release(data, part.release, steps, seed).attack(attacker="qi")
    return findings.risk.value, findings.worst["re_identification"].partition(" (known")[0]


def _write(release: LinkedRelease, target: Path, recipe: dict[str, object]) -> None:
    from icefire.frames.files import recipe_toml, staged

    with staged() as stage:
        stage.table(release.persons, target / PERSONS)
        stage.table(release.households, target / HOUSEHOLDS)
        for name, rows in zip(("persons", "households"), release.rows, strict=True):
            stage.text("".join(f"{row + 1}\n" for row in rows), target / f"secret-{name}.csv", secret=True)
        stage.text(recipe_toml(recipe), target / RECIPE, secret=True)
