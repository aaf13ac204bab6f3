"""`icefire key`: a key for pseudonyms."""

from __future__ import annotations

from pathlib import Path

import click

from icefire.cli.speech import echo


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def key(file: Path) -> None:
    """Make a key for pseudonyms (icefire anonymize --pseudonym). FILE is readable by you alone, and never replaced."""
    from icefire.microdata.pseudonyms import create_key

    create_key(file)
    echo(f"{file}: whoever has it can tell who is behind each pseudonym. Keep it apart from what you hand out.")
