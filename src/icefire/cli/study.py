"""`icefire study`: declared, cached, reproducible runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from icefire import words
from icefire.cli.options import json_option, out_option
from icefire.cli.output import duration, print_json, print_table, progress
from icefire.cli.speech import SpokenGroup, echo
from icefire.core.commands import shell_command
from icefire.core.errors import InputError
from icefire.core.registry import Registry

if TYPE_CHECKING:
    from icefire.study.results import Results
    from icefire.study.runner import Runner

SHOWN = 30
"""Changes that `compare` prints."""


@click.group(cls=SpokenGroup)
def study() -> None:
    """Studies: runs that a file declares, with the figures of papers beside what comes out."""


@study.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--all", "every", is_flag=True, help="All studies that ship.")
@click.option("--small", is_flag=True, help="Try studies out with little data, in seconds.")
@click.option(
    "--out",
    "target",
    type=click.Path(path_type=Path),
    default="studies-out",
    show_default=True,
    help="Folder to write; each study gets a folder in it.",
)
@click.option(
    "--data", "folder", type=click.Path(path_type=Path), help="Folder of data files; ICEFIRE_DATA if left out."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes at a time; one for each processor if left out.")
@click.option(
    "--cache", type=click.Path(path_type=Path), help="Folder of what was computed before; in your home if left out."
)
@json_option
@click.pass_obj
def run(
    registry: Registry,
    files: tuple[Path, ...],
    every: bool,
    small: bool,
    target: Path,
    folder: Path | None,
    jobs: int | None,
    cache: Path | None,
    as_json: bool,
) -> None:
    """Run studies: FILES, or names of studies that ship (`icefire study list`).

    Writes a page, tables as CSV and LaTeX, figures as SVG, and all numbers in results.parquet. What was computed before is not
    computed again: after Ctrl-C the same command goes on. Exit code 1 if a printed figure deviates and nobody says why.
    """
    from icefire.study.cache import Cache
    from icefire.study.file import load_study, shipped
    from icefire.study.runner import Runner
    from icefire.study.sources import folders_of

    names = [Path(name) for name in shipped()] if every else list(files)
    if not names or (every and files):
        raise InputError("which study? Give its file, the name of one that ships, or --all")
    runners = {}
    for found, file in [load_study(name, registry, small) for name in names]:
        runners[file] = Runner(found, folders_of(file, folder), registry, Cache(cache), jobs or os.cpu_count() or 1)
    documents = []
    with progress(sum(len(runner.cells) for runner in runners.values()), as_json) as step:
        for file, runner in runners.items():
            runner.progress = step
            documents.append(_made(runner, file, target, small))
    if as_json:
        print_json({"studies": documents})
    else:
        _print(documents)
    if any(document["differs"] for document in documents):
        raise click.exceptions.Exit(1)


def _made(runner: Runner, file: Path, target: Path, small: bool) -> dict[str, object]:
    """Run a study and write its folder."""
    from icefire.study.output import write_study
    from icefire.study.results import Results

    try:
        results = Results(runner.run())
    except KeyboardInterrupt:
        echo("Ended. What was computed is kept: the same command goes on.", err=True)
        raise click.exceptions.Exit(130) from None
    if not small:
        # With little data, runs may do less than tables are made for.
        results.require_all()
    name = file.stem if file.parent.name == "studies" else str(file)
    command = shell_command(["icefire", "study", "run", name, *(["--small"] if small else [])])
    page = write_study(results, target / results.study.name, file, command, small, words.language())
    return _document(results, page)


def _document(results: Results, page: Path) -> dict[str, object]:
    verdicts = [row.verdict for row in results.comparisons()]
    outcome = results.outcome
    return {
        "study": results.study.name,
        "page": str(page),
        "cells": len(outcome.values),
        "reused": outcome.reused,
        "seconds": round(outcome.seconds, 2),
        **{verdict: verdicts.count(verdict) for verdict in ("agrees", "explained", "differs", "absent")},
        "missing": outcome.absent,
    }


def _print(documents: list[dict[str, object]]) -> None:
    header = ["study", "agrees", "explained", "differs", "absent", "cells", "reused", "time"]
    rows = [
        [*(document[name] for name in header[:-1]), duration(float(str(document["seconds"])))] for document in documents
    ]
    print_table("Studies", header, rows)
    for document in documents:
        missing = document["missing"]
        for name, why in missing.items() if isinstance(missing, dict) else ():
            echo(f"{document['study']}, {name}: {why}", err=True)
        echo(f"written: {document['page']}")


@study.command(name="list")
@json_option
@click.pass_obj
def listing(registry: Registry, as_json: bool) -> None:
    """List the studies that ship."""
    from icefire.study.file import load_study, shipped

    language = words.language()
    found = [load_study(Path(name), registry)[0] for name in shipped()]
    if as_json:
        print_json({each.name: {"title": each.title.told(language), "paper": each.paper} for each in found})
        return
    rows = [[each.name, each.title.told(language), each.paper] for each in found]
    print_table("Studies", ["study", "title", "paper"], rows, left=3, names=["study"])


@study.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(["microdata", "history"]), default="microdata", show_default=True)
@out_option(text="File of the study to write, such as mine.toml.")
@json_option
def new(file: Path, kind: str, target: Path, as_json: bool) -> None:
    """Write a commented study of your own data FILE, to change and run."""
    from icefire.frames.files import staged
    from icefire.study.template import new_study

    if target.exists():
        raise InputError(f"{target} exists: choose another name")
    with staged() as stage:
        stage.text(new_study(target.stem.lower(), kind, file, words.language()), target)
    if as_json:
        print_json({"study": str(target)})
    else:
        echo(f"{target}: written. Say what the columns are, then: icefire study run {target}")


@study.command()
@click.argument("left", type=click.Path(path_type=Path))
@click.argument("right", type=click.Path(path_type=Path))
@json_option
def compare(left: Path, right: Path, as_json: bool) -> None:
    """Compare two folders of a study: which figures changed. Exit code 1 if any did."""
    from icefire.study.output import compared, read_results

    found = compared(read_results(left), read_results(right))
    changed = found["changed"]
    if as_json:
        print_json({name: frame.to_dicts() for name, frame in found.items()})
    else:
        rows = [
            [row["run"], row["at"], row["quantity"], row["value"], row["value_after"]] for row in changed.to_dicts()
        ]
        print_table("Changed", ["run", "where", "quantity", "before", "after"], rows[:SHOWN], left=3, names=["run"])
        echo(
            f"{changed.height} figures changed, {found['gone'].height} are gone, {found['new'].height} are new "
            f"({left} and {right})"
        )
    if any(frame.height for frame in found.values()):
        raise click.exceptions.Exit(1)
