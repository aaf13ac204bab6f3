"""`icefire knowledge`: what one known fact gives away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from icefire.cli.options import json_option, memory_option, seed_option
from icefire.cli.output import number, print_json, print_table, progress
from icefire.cli.speech import echo
from icefire.core.errors import InputError

if TYPE_CHECKING:
    from icefire.frames.sources import Engine
    from icefire.knowledge.identification import Identification, Model


Measured = TypeVar("Measured")


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> list[list[str]]:
    return [list(dict.fromkeys(name.strip() for name in value.split(",") if name.strip())) for value in values]


def _known(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> list[dict[str, int]]:
    """From `ride=1,shop=2` to {"ride": 1, "shop": 2}."""
    found = []
    for value in values:
        pairs = [part.strip().partition("=") for part in value.split(",")]
        if not all(name and number.isdecimal() for name, _, number in pairs):
            raise InputError(
                f"cannot read {value!r}: write how many records of each sort are known, such as ride=1,shop=1"
            )
        found.append({name.strip(): int(number) for name, _, number in pairs})
    return found


@click.command()
@click.argument("source")
@click.option("--user", help="Column that says whose record it is; without it every row is its own user.")
@click.option("--columns", multiple=True, callback=_split, help="Columns to look at, comma separated; all if left out.")
@click.option(
    "--together", multiple=True, callback=_split, help="Columns known together, comma separated; may be repeated."
)
@click.option("--model", type=click.Choice(["exact", "mean", "cost", "sampling"]), default="exact", show_default=True)
@click.option(
    "--sample", type=click.IntRange(min=2), default=10, show_default=True, help="Values to draw, for --model sampling."
)
@click.option(
    "--values", "top_values", type=click.IntRange(min=1), help="Also list so many of the most dangerous values."
)
@click.option("--users", "top_users", type=click.IntRange(min=1), help="Also list so many of the most exposed users.")
@click.option(
    "--curve", type=click.IntRange(min=1), help="Also identification by 0, 1, ... so many records (needs --user)."
)
@click.option(
    "--type",
    "type_column",
    help="Column that says what sort of record it is, for --known; of ride/C07, what stands before the slash.",
)
@click.option(
    "--known",
    multiple=True,
    callback=_known,
    help="Also identification by records of several sorts, such as ride=1,shop=1 (needs --user and --type); may be repeated.",
)
@click.option(
    "--engine",
    type=click.Choice(["polars", "duckdb", "spark"]),
    help="What reads and counts; duckdb for a database and polars for files if left out.",
)
@click.option("--table", help="Table to read, where the source is a database.")
@memory_option
@seed_option("Seed for drawing.")
@json_option
def knowledge(
    source: str,
    user: str | None,
    columns: list[list[str]],
    together: list[list[str]],
    model: Model,
    sample: int,
    top_values: int | None,
    top_users: int | None,
    curve: int | None,
    type_column: str | None,
    known: list[dict[str, int]],
    engine: Engine | None,
    table: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Average identification probability of columns: the chance that one known fact singles a person out.

    SOURCE is whatever `icefire init` reads; --engine reads Parquet and CSV files, folders and globs of them, and databases.
    """
    from icefire.frames import engines, relational
    from icefire.frames.reading import Reading, is_plain, read_anything
    from icefire.frames.sources import open_table
    from icefire.knowledge import dangerous_values, exposed_users, identification, identification_curve
    from icefire.knowledge.curve import TYPE, with_types

    if known and (user is None or type_column is None):
        raise InputError("--known counts records of a person by their sort: give --user and --type")
    if (top_users or curve) and user is None:
        raise InputError("--users and --curve look at people with several records: say with --user whose record it is")
    if engine is None and not is_plain(source):
        found_out = read_anything(source, Reading(table=table))
        data: engines.Native = found_out.frame
        if found_out.recognized and not as_json:
            echo(f"{source}: " + "; ".join(found_out.recognized), err=True)
    else:
        data = open_table(source, engine, table)
    header = engines.columns(data)
    relational.require_columns(
        data,
        [name for group in [*columns, *together] for name in group] + [n for n in (user, type_column) if n is not None],
    )
    sets = [[name] for group in columns for name in group] + together
    sets = sets or [[name] for name in header if name != user]
    records = relational.row_count(data)
    wanted = [True, bool(known), bool(top_values), bool(top_users), bool(curve)]
    with progress(len(sets) * sum(wanted), as_json) as bar:

        def each(measure: Callable[[list[str]], Measured]) -> dict[str, Measured]:
            """A measure of each set of columns, one after the other."""
            measured = {}
            for names in sets:
                bar("+".join(names))
                measured["+".join(names)] = measure(names)
            return measured

        found = list(each(lambda names: identification(data, names, user, model, sample, seed)).values())
        document: dict[str, Any] = {
            "records": records,
            "users": relational.row_count(relational.count_by(data, [user])) if user else records,
            "columns": {"+".join(fact.columns): fact.as_dict() for fact in found},
        }
        if known and user and type_column:
            by_type = with_types(data, type_column)
            mixed = each(lambda s: identification_curve(by_type, user, s, known, type_column=TYPE, seed=seed))
            document["mixed"] = {name: [point.as_dict() for point in line] for name, line in mixed.items()}
        if model == "sampling" or curve or known:
            document["seed"] = seed
        if top_values:
            document["values"] = each(lambda s: dangerous_values(data, s, user, top_values).to_dicts())
        if top_users and user:
            document["exposed"] = each(lambda s: exposed_users(data, s, user, top_users).to_dicts())
        if curve and user:
            curves = each(lambda s: identification_curve(data, user, s, range(curve + 1), seed=seed))
            document["curves"] = {name: [point.as_dict() for point in line] for name, line in curves.items()}
    if as_json:
        print_json(document)
    else:
        _print(document, found)


def _print(document: dict[str, Any], found: list[Identification]) -> None:
    ranked = sorted(found, key=lambda fact: -fact.probability)
    rows = [
        [
            " + ".join(fact.columns),
            fact.probability,
            fact.values,
            fact.mean_records,
            fact.cost_model,
            f"{number(fact.interval.low)} .. {number(fact.interval.high)}" if fact.interval else "",
        ]
        for fact in ranked
    ]
    title = (
        f"Identification probability by one known fact ({document['records']:,} records, {document['users']:,} users)"
    )
    print_table(title, ["known", "probability", "values", "records per user", "least cost", "90% interval"], rows)
    for key, title in (("values", "Most dangerous values of {}"), ("exposed", "Users most exposed by {}")):
        for name, table in document.get(key, {}).items():
            print_table(
                title.format(name), list(table[0]), [list(row.values()) for row in table], names=name.split("+")
            )
    for name, line in document.get("curves", {}).items():
        rows = [[p["known"]["any"], p["probability"], p["bits"], p["unicity"], p["users"], p["exact"]] for p in line]
        header = ["records known", "probability", "bits left", "unicity", "users", "exact"]
        print_table(f"Identification by several records: {name}", header, rows)
    for name, line in document.get("mixed", {}).items():
        rows = [
            [
                " + ".join(f"{number} {sort}" for sort, number in p["known"].items()),
                p["probability"],
                p["bits"],
                p["unicity"],
            ]
            for p in line
        ]
        print_table(
            f"Identification by records of several sorts: {name}",
            ["known", "probability", "bits left", "unicity"],
            rows,
        )
