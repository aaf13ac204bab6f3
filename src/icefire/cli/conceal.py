"""`icefire conceal`: hide each person among k without forming groups."""

from __future__ import annotations

from pathlib import Path
from typing import cast, get_args

import click

from icefire import __version__
from icefire.cli.options import in_option, json_option, out_option, replace_option, require_no_release, seed_option
from icefire.cli.output import number, print_figures, print_json
from icefire.cli.recipes import announce_making, recorded_method
from icefire.cli.speech import SpokenGroup, echo
from icefire.concealment import Design
from icefire.concealment.finding import Auditor, Finding
from icefire.core import parameters
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer
from icefire.core.seeds import fresh_seed, generator

kind_argument = click.argument("kind", default="microdata")
k_option = click.option(
    "--k", type=click.IntRange(min=2), default=5, show_default=True, help="Matches that each person needs."
)


@click.group(cls=SpokenGroup)
def conceal() -> None:
    """k-concealment: each person could be behind at least k published rows, or have k pseudonyms.

    KIND is microdata or history.
    """


@conceal.command()
@kind_argument
@in_option
@k_option
@click.option(
    "--without-secret",
    is_flag=True,
    help="Do not read the row map: any perfect matching tells the matches. Leaks are left out. For microdata.",
)
@seed_option("Seed of the leaks that are tried.")
@json_option
@click.pass_obj
def check(registry: Registry, kind: str, source: Path, k: int, without_secret: bool, seed: int, as_json: bool) -> None:
    """Verify a release: who may be behind how many rows, what that is worth, and what one leaked link gives away.

    Exit code 1 below k. Matches need not be equally likely, so the effective number of matches is given as well: if all
    assignments are equally likely and, if the release has its recipe, for whoever repeats the method with other seeds.

    Of a history: how many pseudonyms each person could have, and how many published records each record could be behind.
    """
    auditor, files = _auditor(registry, kind), registry.format(kind)
    if without_secret:
        original = files.read_original(source)
        published = files.read_published(source, original)
        found = auditor.audit_published(original, published, k, generator(seed, "leaks"))
    else:
        method = recorded_method(registry, kind, source)
        found = auditor.audit(files.read_release(source), k, generator(seed, "leaks"), method)
    _print(found, as_json)
    if found.k < k:
        raise click.exceptions.Exit(1)


@conceal.command()
@kind_argument
@in_option
@out_option()
@k_option
@click.option("--design", type=click.Choice(["greedy", *get_args(Design)]), help="For microdata; exchange if left out.")
@click.option(
    "--trim",
    type=click.Choice(["off", "both", "people"]),
    help="For microdata, with greedy: take back widening that k matches of people, or of people and rows, do not need.",
)
@click.option(
    "--randomized/--no-randomized",
    default=None,
    help="Draw who is behind a row (the default), or leave it to the person it was built around, whom `replay` finds.",
)
@seed_option("Seed of all randomness. It is part of the secret; drawn from the system if left out.", default=None)
@replace_option
@json_option
@click.pass_obj
def make(
    registry: Registry,
    kind: str,
    source: Path,
    target: Path,
    k: int,
    design: str | None,
    trim: str | None,
    randomized: bool | None,
    seed: int | None,
    replacing: bool,
    as_json: bool,
) -> None:
    """Make a release and verify it."""
    from icefire.frames.previous import add_previous, previous_releases

    given = {"k": k, "design": design, "trim": trim, "randomized": randomized}
    settings = {name: value for name, value in given.items() if value is not None}
    step = cast(AnyAnonymizer, parameters.build(registry.find(kind, "anonymize", "conceal"), settings))
    auditor, files = _auditor(registry, kind), registry.format(kind)
    require_no_release(files, target, replacing)
    original = files.read_original(source)
    registry.kind(kind).require_roles(original, source)
    seed = fresh_seed() if seed is None else seed
    if not as_json:
        announce_making((step,), original.people)
    release = Pipeline((step,)).anonymize(original, generator(seed, "anonymize"))
    recipe = {"steps": [step.step(full=True)], "seed": seed, "icefire": __version__}
    files.write_release(release, target, recipe, files.extension(source))
    add_previous(target, previous_releases(source))
    if not as_json:
        echo(f"{step.step()}, seed {seed}: written to {target}")
    found = auditor.audit(release, k, generator(seed, "leaks"), (step,))
    _print(found, as_json)
    if found.k < k:
        raise click.exceptions.Exit(1)


def _auditor(registry: Registry, kind: str) -> Auditor:
    return cast(Auditor, registry.make(kind, "safety", "k_concealment"))


def _print(found: Finding, as_json: bool) -> None:
    if as_json:
        print_json(found.document)
        return
    rows = [(name, value if isinstance(value, str) else number(value)) for name, value in found.figures]
    print_figures("k-concealment", rows)
    echo(found.verdict)
