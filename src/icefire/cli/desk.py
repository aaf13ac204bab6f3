"""`icefire desk`: a page on this machine for one's own data."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import click

from icefire.cli.speech import echo
from icefire.core.errors import InputError, need


@click.command()
@click.argument("source", required=False, metavar="[FILE]")
@click.option(
    "--folder", type=click.Path(path_type=Path), help="Folder of the sessions; in your home folder if left out."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page; any free one if left out.")
@click.option("--no-browser", "quiet", is_flag=True, help="Print the address, and open no browser.")
def desk(source: str | None, folder: Path | None, port: int, quiet: bool) -> None:
    """Look at your own data, search for releases and decide on one, in a page served on this machine alone.

    FILE is anything that icefire init reads. Nothing leaves the machine, and nobody else can open the page: its address has a
    token, which is new each time.
    """
    # Before minutes of work at whose end a report could not be written.
    for name in ("fastapi", "uvicorn", "altair", "vl_convert"):
        need(name, "desk")
    from icefire.desk.serve import Desk

    page = Desk(folder or _home(), port)
    address = page.url if source is None else page.open(_found(source))
    echo(f"The desk is at {address}")
    echo("It is open on this machine alone, for whoever has this address. Ctrl-C closes it; the sessions stay.")
    if not quiet:
        webbrowser.open(address)
    page.run()


def _found(source: str) -> str:
    """A file by its whole path; databases and patterns as they are typed."""
    path = Path(source)
    if "://" in source or "*" in source:
        return source
    if not path.exists():
        raise InputError(f"no file {source}")
    return str(path.resolve())


def _home() -> Path:
    """Where a person's sessions are kept."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "icefire" / "desk"
