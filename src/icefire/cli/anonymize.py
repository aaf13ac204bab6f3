"""`icefire anonymize`: make a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from icefire import __version__
from icefire.cli.options import (
    format_option,
    in_option,
    json_option,
    kind_argument,
    out_option,
    replace_option,
    require_no_release,
    seed_option,
)
from icefire.cli.output import print_json
from icefire.cli.recipes import announce_making
from icefire.cli.speech import echo
from icefire.core.errors import InputError
from icefire.core.formats import AnyFormat
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import fresh_seed, generator

if TYPE_CHECKING:
    import polars as pl


@click.command()
@kind_argument
@click.argument("steps", nargs=-1, required=True, metavar="STEP...")
@in_option
@out_option()
@seed_option("Seed of all randomness. It is part of the secret; drawn from the system if left out.", default=None)
@click.option(
    "--pseudonym",
    "pseudonyms",
    multiple=True,
    metavar="COLUMN",
    help="Identifying column to publish as keyed pseudonyms.",
)
@click.option(
    "--key", type=click.Path(path_type=Path), help="File with the key of the pseudonyms; icefire key makes one."
)
@format_option
@replace_option
@json_option
@click.pass_obj
def anonymize(
    registry: Registry,
    kind: str,
    steps: tuple[str, ...],
    source: Path,
    target: Path,
    seed: int | None,
    pseudonyms: tuple[str, ...],
    key: Path | None,
    form: str | None,
    replacing: bool,
    as_json: bool,
) -> None:
    """Anonymize a working folder. A STEP is a name, or a name with parameters: 'mondrian(k=5, columns=[age, sex])'."""
    from icefire.frames.previous import add_previous, previous_releases

    files = registry.format(kind, form)
    pipeline = Pipeline(tuple(registry.make(kind, "anonymize", step) for step in steps))
    require_no_release(files, target, replacing)
    beside = _pseudonyms(files, source, target, pseudonyms, key)
    original = files.read_original(source)
    registry.kind(kind).require_roles(original, source)
    if files.has_release(source):
        echo(f"note: this begins with the original of {source}, not with the release in it", err=True)
    seed = fresh_seed() if seed is None else seed
    if not as_json:
        announce_making(pipeline.steps, original.people)
    release = pipeline.anonymize(original, generator(seed, "anonymize"))
    if beside is not None:
        release = release.with_pseudonyms(beside)
    recipe = {"steps": [step.step(full=True) for step in pipeline.steps], "seed": seed, "icefire": __version__}
    files.write_release(release, target, recipe, files.extension(source))
    add_previous(target, previous_releases(source))
    if as_json:
        print_json({"kind": kind, **recipe, "folder": str(target)})
        return
    echo(f"{pipeline.step()}: written to {target}")
    for note in registry.kind(kind).notes(release):
        echo(f"note: {note}", err=True)
    published = {path.name for pattern in files.published_files for path in target.glob(pattern)}
    handed_out = " and ".join(sorted(published))
    echo(f"Publish {handed_out} only: all else in {target} links it back to people, so keep it private.")
    if beside is not None:
        echo(
            f"{', '.join(pseudonyms)}: pseudonyms. Whoever has {key} can tell who is who, and other releases with the same key "
            "can be linked to this one."
        )


def _pseudonyms(
    files: AnyFormat, source: Path, target: Path, names: tuple[str, ...], key: Path | None
) -> pl.DataFrame | None:
    if not names and key is None:
        return None
    if not names or key is None:
        raise InputError(
            "pseudonyms need both: --pseudonym with an identifying column, and --key with the file of the key"
        )
    from icefire.microdata.pseudonyms import pseudonymized, read_key

    if target.resolve() in key.resolve().parents:
        raise InputError(f"the key {key} lies in the folder of the release: keep it apart from what is handed out")
    return pseudonymized(files.read_identifying(source, names), read_key(key))
