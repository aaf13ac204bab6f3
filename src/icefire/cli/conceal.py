"""`icefire conceal`: hide everybody among k without making groups."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from icefire import __version__
from icefire.cli.options import in_option, json_option, out_option, seed_option
from icefire.cli.output import number, print_json, print_table
from icefire.concealment.audit import Audit, audit
from icefire.concealment.designs import Design
from icefire.core.registry import Registry
from icefire.core.seeds import fresh_seed, generator
from icefire.frames.files import extension_of, find_table
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.concealing import graph_of
from icefire.microdata.kind import MicrodataKind

k_option = click.option(
    "--k", type=click.IntRange(min=2), default=5, show_default=True, help="Matches everybody needs."
)


@click.group()
def conceal() -> None:
    """k-concealment: everybody may be behind at least k published rows."""


@conceal.command()
@in_option
@k_option
@click.option(
    "--without-secret",
    is_flag=True,
    help="Do not read the row map: any perfect matching tells the matches. Leaks are left out.",
)
@seed_option("Seed of the leaks that are tried.")
@json_option
def check(source: Path, k: int, without_secret: bool, seed: int, as_json: bool) -> None:
    """Verify a release: who may be behind how many rows, and what one leaked link gives away. Exit code 1 below k."""
    kind = MicrodataKind()
    if without_secret:
        graph = graph_of(kind.read_original(source), kind.read_published(source))
    else:
        release = kind.read_release(source)
        graph = graph_of(release.original, release.published, release.rows)
    found = audit(graph, k, generator(seed, "leaks"), truth=not without_secret)
    _print(found, k, as_json)
    if found.below:
        raise click.exceptions.Exit(1)


@conceal.command()
@in_option
@out_option()
@k_option
@click.option("--design", type=click.Choice(["greedy", *get_args(Design)]), default="greedy", show_default=True)
@click.option(
    "--trim",
    type=click.Choice(["off", "both", "people"]),
    default="off",
    show_default=True,
    help="With greedy: take back widening that k matches of people, or of people and rows, do not need.",
)
@seed_option("Seed of all randomness. It is part of the secret; drawn from the system if left out.", default=None)
@json_option
@click.pass_obj
def make(
    registry: Registry, source: Path, target: Path, k: int, design: str, trim: str, seed: int | None, as_json: bool
) -> None:
    """Make a release of microdata and verify it."""
    kind = MicrodataKind()
    step: Conceal = registry.make("microdata", "anonymize", f"conceal(k={k}, design={design}, trim={trim})")
    original = kind.read_original(source)
    seed = fresh_seed() if seed is None else seed
    release = kind.pipeline([step]).anonymize(original, generator(seed, "anonymize"))
    recipe = {"steps": [step.step(full=True)], "seed": seed, "icefire": __version__}
    kind.write_release(release, target, recipe, extension_of(find_table(source, "original")))
    graph = graph_of(release.original, release.published, release.rows)
    if not as_json:
        click.echo(f"{step.step()}, seed {seed}: written to {target}")
    _print(audit(graph, k, generator(seed, "leaks")), k, as_json)


def _print(found: Audit, k: int, as_json: bool) -> None:
    if as_json:
        print_json({"k": k, **found.as_dict()})
        return
    rows: list[list[object]] = [
        ["records", f"{found.records:,}"],
        ["matches, least", f"{found.least_matches:,}"],
        ["matches, mean", number(found.mean_matches)],
        [f"records with fewer than {k} matches", f"{found.below:,}"],
        ["rows that cover a person, least", f"{found.least_neighbours:,}"],
        ["people a row covers, least", f"{found.least_covered:,}"],
        ["complete (all have the same number)", "yes" if found.complete else "no"],
        ["parts within which people may be exchanged", f"{found.components:,}"],
        ["people in the largest part", f"{found.largest_component:,}"],
        ["possible assignments of everybody", str(found.worlds)],
    ]
    if found.leaks:
        rows.append([f"others exposed by one leaked link, mean of {found.leaks}", number(found.exposed_mean)])
        rows.append(["others exposed by one leaked link, most", f"{found.exposed_most:,}"])
    print_table("k-concealment", ["what", "value"], rows)
    short = f"not {k}-concealed: {found.below:,} of {found.records:,} have fewer matches, somebody {found.k}"
    click.echo(f"The release is {short if found.below else f'{found.k}-concealed'}.")
