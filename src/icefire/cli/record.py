"""`icefire record`: remember what was handed out."""

from __future__ import annotations

from pathlib import Path

import click

from icefire.cli.options import format_option, in_option, kind_argument
from icefire.cli.speech import echo
from icefire.core.errors import FileError, InputError
from icefire.core.registry import Registry


@click.command()
@kind_argument
@in_option
@click.option("--release", required=True, type=click.Path(path_type=Path), help="Folder of what was handed out.")
@click.option("--name", help="What to call it; the name of its folder if left out.")
@format_option
@click.pass_obj
def record(registry: Registry, kind: str, source: Path, release: Path, name: str | None, form: str | None) -> None:
    """Record that a release was handed out, so that later ones are attacked together with it.

    What was published is copied into previous/ of the working folder of the original, and named in its schema.toml.
    """
    from icefire.frames.previous import record_release

    if kind == "history":
        raise InputError("releases of histories are recorded by icefire gate --record, which judges them together")
    files = registry.format(kind, form)
    published = sorted({path for pattern in files.published_files for path in release.glob(pattern)})
    if not published:
        raise FileError(f"{release} holds no release: there is nothing to record")
    files.read_previous(release, files.read_original(source))
    entry = record_release(source, name or release.resolve().name, published)
    echo(
        f"{entry.name}: recorded in {entry.folder}. icefire redteam attacks later releases of {source} together with it."
    )
