"""`icefire anonymize`: make a release."""

from __future__ import annotations

from pathlib import Path

import click

from icefire import __version__
from icefire.cli.options import format_option, in_option, json_option, kind_argument, out_option, seed_option
from icefire.cli.output import print_json
from icefire.core.registry import Registry
from icefire.core.seeds import fresh_seed, generator
from icefire.frames.files import extension_of, find_table, has_table


@click.command()
@kind_argument
@click.argument("steps", nargs=-1, required=True, metavar="STEP...")
@in_option
@out_option()
@seed_option("Seed of all randomness. It is part of the secret; drawn from the system if left out.", default=None)
@format_option
@json_option
@click.pass_obj
def anonymize(
    registry: Registry,
    kind: str,
    steps: tuple[str, ...],
    source: Path,
    target: Path,
    seed: int | None,
    form: str | None,
    as_json: bool,
) -> None:
    """Anonymize a working folder. A STEP is a name, or a name with parameters: 'mondrian(k=5, columns=[age, sex])'."""
    owner = registry.kind(kind).in_format(form)
    pipeline = owner.pipeline([registry.make(kind, "anonymize", step) for step in steps])
    original = owner.read_original(source)
    if form is None and has_table(source, "published"):
        click.echo(f"note: this begins with the original of {source}, not with the release in it", err=True)
    seed = fresh_seed() if seed is None else seed
    release = pipeline.anonymize(original, generator(seed, "anonymize"))
    recipe = {"steps": [step.step(full=True) for step in pipeline.steps], "seed": seed, "icefire": __version__}
    extension = extension_of(find_table(source, "original")) if form is None else ".csv"
    owner.write_release(release, target, recipe, extension)
    if as_json:
        print_json({"kind": kind, **recipe, "folder": str(target)})
        return
    click.echo(f"{pipeline.step()}, seed {seed}: written to {target}")
    click.echo(f"Hand out {owner.handed_out} alone. All else links it back (the seed, too): keep it to yourself.")
