"""`icefire init`: a working folder from a file as people have it, with a schema that says why."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from icefire.cli.options import json_option, memory_option, out_option
from icefire.cli.output import print_json, print_table
from icefire.cli.speech import echo
from icefire.core.errors import InputError, UnknownName
from icefire.words import label, term

if TYPE_CHECKING:
    import polars as pl

    from icefire.frames.reading import Reading
    from icefire.microdata.inspection import Inspection, Look
    from icefire.microdata.repeated import RepeatedKey

FEW = 20
"""Rows below which no release is safe."""


@click.command()
@click.argument("source")
@out_option(required=False, text="Working folder to write; by the name of the file if left out.")
@click.option("--yes", is_flag=True, help="Take all suggestions without asking.")
@click.option("--encoding", help="How the text is encoded, such as cp932; recognized if left out.")
@click.option("--separator", help="What separates columns, such as ';' or 'tab'; recognized if left out.")
@click.option("--sheet", help="Name or number of a sheet; the first one if left out.")
@click.option("--skip", type=click.IntRange(min=0), help="Lines above the header; recognized if left out.")
@click.option("--names", help="Names of the columns, comma separated, for a file without a header.")
@click.option("--table", help="Table to read, where the source is a database.")
@click.option("--one-row-per", "person", metavar="COLUMN", help="Keep the first row of each person, by this column.")
@click.option("--records", is_flag=True, help="Make a history: the rows are what people did, and when.")
@click.option("--item", metavar="COLUMN", help="With --records, the column of what somebody bought, visited or did.")
@click.option("--synthetic", is_flag=True, help="For synthetic tables, which have no row for each person.")
@click.option("--replace", "replacing", is_flag=True, help="Write a schema anew that is there already.")
@memory_option
@json_option
def init(
    source: str,
    target: Path | None,
    yes: bool,
    encoding: str | None,
    separator: str | None,
    sheet: str | None,
    skip: int | None,
    names: str | None,
    table: str | None,
    person: str | None,
    records: bool,
    item: str | None,
    synthetic: bool,
    replacing: bool,
    as_json: bool,
) -> None:
    """Look at a table, suggest what its columns are, and make a working folder of it.

    SOURCE is a file (CSV and other texts in any encoding, Excel, JSON lines, Parquet, zip), a folder or glob of such files, a
    database (shop.sqlite, sqlite:///shop.db#table, postgresql://...), or a working folder that has an original already.
    """
    from icefire.frames.databases import without_password
    from icefire.frames.reading import Reading
    from icefire.microdata.beginning import write_folder
    from icefire.microdata.inspection import Inspection

    separator = {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)
    if separator is not None and len(separator) != 1:
        raise InputError(f"--separator: {separator!r} is not one character, such as ';', or the word tab")
    listed = None if names is None else [name.strip() for name in names.split(",")]
    how = Reading(encoding, separator, sheet, skip, listed, table)
    folder, frame, told, inside = _opened(source, target, how, replacing)
    if person is not None:
        frame, inside = _first_rows(frame, person, folder, inside), False
    inspection = Inspection.of(frame)
    # The schema goes with releases: neither passwords nor folders of this machine belong into it.
    shown = without_password(source)
    if not as_json:
        echo(f"{shown}: {frame.height:,} rows, {frame.width} columns" + "".join(f"\n  {words}" for words in told))
    if not yes and not as_json and _is_terminal():
        inspection = replace(inspection, looks=tuple(_asked(look) for look in inspection.looks))
    if records:
        _begin_records(folder, frame, inspection, item, inside, as_json)
        return
    if synthetic:
        _begin_synthetic(folder, frame, inspection, inside)
    else:
        write_folder(shown if "://" in shown else Path(shown).name, folder, None if inside else frame, inspection)
    if as_json:
        columns = {
            look.name: {
                "role": look.role,
                "reasons": list(look.reasons),
                "values": look.distinct,
                "missing": look.missing,
                "alone": look.alone,
                "copies": list(look.copies),
            }
            for look in inspection.looks
        }
        print_json({"folder": str(folder), "rows": frame.height, "recognized": list(told), "columns": columns})
        return
    rows = [
        [look.name, term(look.role), "; ".join(look.reasons), f"{look.distinct:,}", f"{look.alone:.1%}"]
        for look in inspection.looks
    ]
    print_table("Suggested roles", ["column", "role", "why", "values", "alone"], rows, left=3)
    if inspection.together:
        echo(f"{list(inspection.together.values())[-1]:.1%} of the rows are alone with their quasi-identifiers (qi).")
    if all(look.role in ("identifying", "household") for look in inspection.looks):
        echo("Nothing is left to publish: all columns identify people, or are empty.")
        return
    if (repeated := inspection.repeated) is not None and repeated.of == "person":
        _offer(source, frame, repeated)
        return
    if frame.height < FEW:
        echo(f"With {frame.height} rows, there are too few people for anybody to hide among.")
    echo(f"Look through {folder / 'schema.toml'}, and change what you know better. Then, for example:")
    example = "synthetic sequential_trees" if synthetic else 'microdata "mondrian(k=5)"'
    echo(f"  icefire anonymize {example} --in {folder} --out release")


def _first_rows(frame: pl.DataFrame, person: str, folder: Path, inside: bool) -> pl.DataFrame:
    """The first row of each person."""
    if person not in frame.columns:
        raise UnknownName.of("column", person, frame.columns)
    if inside:
        raise InputError(f"{folder} keeps its original: begin with the file itself and --out for one row per {person}")
    return frame.unique(subset=[person], keep="first", maintain_order=True)


def _offer(source: str, frame: pl.DataFrame, repeated: RepeatedKey) -> None:
    """What can be done with a table in which people have several rows."""
    from icefire.microdata.repeated import columns_of_records

    echo(
        f"{repeated.rows:,} rows have {repeated.values:,} different values of {repeated.column!r}: some people have several "
        "rows, and figures would count rows as people. Begin again with one of these:"
    )
    file, column = shlex.quote(source), shlex.quote(repeated.column)
    if columns_of_records(frame, repeated.column) is not None:
        echo(f"  icefire init {file} --records --out records")
    echo(f"  icefire init {file} --one-row-per {column} --out people")


def _begin_records(
    folder: Path, frame: pl.DataFrame, inspection: Inspection, item: str | None, inside: bool, as_json: bool
) -> None:
    """A working folder of a history."""
    import polars as pl

    from icefire.core.registry import Registry
    from icefire.front import records
    from icefire.microdata.repeated import columns_of_records

    if item is not None and item not in frame.columns:
        raise UnknownName.of("column", item, frame.columns)
    repeated = inspection.repeated
    if repeated is None or repeated.of != "person":
        raise InputError("no column repeats as numbers of people do, so that the rows are no records of people")
    if inside:
        raise InputError(f"{folder} keeps its original: begin with the file itself and --out for records")
    columns = columns_of_records(frame, repeated.column, item)
    if columns is None:
        raise InputError(
            "records need a date and what somebody did: no column holds dates, or --item names what was done"
        )
    used = frame.select(columns.values())
    days = [column.name for column in used if column.dtype == pl.Datetime]
    complete = used.with_columns(pl.col(days).dt.date()).drop_nulls([columns[key] for key in ("user", "date", "item")])
    names: dict[str, Any] = dict(columns)
    data = records(complete, **names)
    Registry().format("history", None).write_original(data.original, folder)
    left_out = [name for name in frame.columns if name not in columns.values()]
    if as_json:
        print_json({"folder": str(folder), "rows": used.height, "columns": columns, "left_out": left_out})
        return
    print_table(
        "Columns of the records", ["column", "meaning"], [[given, key] for key, given in columns.items()], left=2
    )
    if left_out:
        echo(f"Left out: {', '.join(left_out)}")
    echo(f"{data.original.people:,} people, {data.original.height:,} records. Then, for example:")
    echo(f"  icefire anonymize history pseudonyms --in {folder} --out release")


def _begin_synthetic(folder: Path, frame: pl.DataFrame, inspection: Inspection, inside: bool) -> None:
    from icefire.synthetic.beginning import identifying, write_folder

    out = identifying(inspection)
    if inside and out:
        raise InputError(
            f"{folder} holds columns that identify people ({', '.join(out)}): begin with the file itself and --out, and they "
            "are left out"
        )
    write_folder(folder, frame, inspection)


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _opened(
    source: str, target: Path | None, how: Reading, replacing: bool
) -> tuple[Path, pl.DataFrame, tuple[str, ...], bool]:
    """The working folder, the table, what was recognized, and whether the table lies in the folder already."""
    from icefire.frames.files import find_table, has_table
    from icefire.frames.reading import read_anything
    from icefire.microdata.schema import FILE

    inside = Path(source).is_dir() and has_table(Path(source), "original")
    stem = re.sub(r"[^\w.-]+", "_", Path(source.partition("#")[0]).name.partition(".")[0]) or "table"
    folder = Path(source) if inside else target or Path(stem)
    if inside and target is not None and target != folder:
        raise InputError(f"{source} is a working folder, whose schema is written into it: leave --out out")
    if (folder / FILE).exists() and not replacing:
        raise InputError(f"{folder / FILE} is there already: --replace writes it anew, --out chooses another folder")
    if not inside and has_table(folder, "original"):
        raise InputError(f"{folder} holds another original table: choose another folder with --out")
    table = read_anything(find_table(folder, "original") if inside else source, how)
    return folder, table.frame, table.recognized, inside


def _asked(look: Look) -> Look:
    """The column with the role that the user gives it."""
    from icefire.microdata.inspection import Role

    echo(f"\n{look.name}: {look.distinct:,} values; {'; '.join(look.reasons)}")
    role = click.prompt(f"  {label('role')}", type=click.Choice(get_args(Role)), default=look.role, show_choices=True)
    return replace(look, role=role, hierarchy=look.hierarchy if role == "qi" else None)
