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
from icefire.history.concealing import Hidden, hidden
from icefire.history.data import Release
from icefire.history.kind import HistoryKind
from icefire.microdata.concealing import graph_of
from icefire.microdata.kind import MicrodataKind

kind_argument = click.argument("kind", type=click.Choice(["microdata", "history"]), default="microdata")
k_option = click.option(
    "--k", type=click.IntRange(min=2), default=5, show_default=True, help="Matches everybody needs."
)


@click.group()
def conceal() -> None:
    """k-concealment: everybody may be behind at least k published rows, or have k pseudonyms. KIND is microdata or history."""


@conceal.command()
@kind_argument
@in_option
@k_option
@click.option(
    "--without-secret",
    is_flag=True,
    help="Do not read the row map: any perfect matching tells the matches. Leaks are left out.",
)
@seed_option("Seed of the leaks that are tried.")
@json_option
def check(kind: str, source: Path, k: int, without_secret: bool, seed: int, as_json: bool) -> None:
    """Verify a release: who may be behind how many rows, and what one leaked link gives away. Exit code 1 below k.

    Of a history: how many pseudonyms everybody may have, and how many published records every record may be behind.
    """
    if kind == "history":
        if without_secret:
            raise click.UsageError(
                "--without-secret is for microdata: worlds of histories are sought from the truth on."
            )
        _check_history(HistoryKind().read_release(source), k, seed, as_json)
        return
    _check_microdata(source, k, without_secret, seed, as_json)


def _check_history(release: Release, k: int, seed: int, as_json: bool) -> None:
    found = hidden(release, generator(seed, "worlds"))
    _print_history(found, release, k, as_json)
    if found.k < k:
        raise click.exceptions.Exit(1)


def _check_microdata(source: Path, k: int, without_secret: bool, seed: int, as_json: bool) -> None:
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
@kind_argument
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
    registry: Registry,
    kind: str,
    source: Path,
    target: Path,
    k: int,
    design: str,
    trim: str,
    seed: int | None,
    as_json: bool,
) -> None:
    """Make a release and verify it. --design and --trim are for microdata."""
    if kind == "history" and (design != "greedy" or trim != "off"):
        raise click.UsageError("--design and --trim are for microdata: leave them out.")
    how = f"conceal(k={k})" if kind == "history" else f"conceal(k={k}, design={design}, trim={trim})"
    step = registry.make(kind, "anonymize", how)
    data = registry.kind(kind)
    original = data.read_original(source)
    seed = fresh_seed() if seed is None else seed
    release = data.pipeline([step]).anonymize(original, generator(seed, "anonymize"))
    recipe = {"steps": [step.step(full=True)], "seed": seed, "icefire": __version__}
    data.write_release(release, target, recipe, extension_of(find_table(source, "original")))
    if not as_json:
        click.echo(f"{step.step()}, seed {seed}: written to {target}")
    if kind == "history":
        _check_history(release, k, seed, as_json)
        return
    graph = graph_of(release.original, release.published, release.rows)
    _print(audit(graph, k, generator(seed, "leaks")), k, as_json)


def _print_history(found: Hidden, release: Release, k: int, as_json: bool) -> None:
    if as_json:
        print_json({"k": k, "k-concealed": found.k, **found.as_dict()})
        return
    rows: list[list[object]] = [["records", f"{release.published.height:,}"]]
    rows += [[name, number(value)] for name, value in found.as_dict().items()]
    print_table("k-concealment", ["what", "value"], rows)
    if found.k >= k:
        click.echo(f"The release is {found.k}-concealed, people and records.")
        return
    least = int(found.people.argmin())
    user, period = (side[least] for side in found.where)
    name, label = release.original.users[int(user)], release.original.periods.labels[period]
    people, records = int((found.people < k).sum()), int((found.records < k).sum())
    click.echo(
        f"The release is not {k}-concealed: {people:,} of {found.people.size:,} customers (by period) may have fewer "
        f"pseudonyms, the first is {name!r} in {label} with {found.people[least]}; {records:,} of "
        f"{found.records.size:,} records may be behind fewer published ones."
    )


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
