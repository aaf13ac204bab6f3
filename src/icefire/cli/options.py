"""Options that several commands take."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Protocol, TypeVar

import click

from icefire.core.errors import InputError, UnknownName
from icefire.core.formats import AnyFormat
from icefire.core.registry import Registry

Function = TypeVar("Function", bound=Callable[..., object])


class Decorator(Protocol):
    """What click's decorators do: the function stays as it is."""

    def __call__(self, function: Function, /) -> Function: ...


def _checked_kind(context: click.Context, _: click.Parameter, value: str) -> str:
    """The kind of data. A step in its place means that it was left out."""
    kinds = context.find_object(Registry)
    if kinds is not None and value not in kinds.kind_names:
        raise UnknownName.of("kind of data", value, kinds.kind_names, "it comes first: icefire COMMAND microdata ...")
    return value


kind_argument: Decorator = click.argument("kind", callback=_checked_kind)
json_option: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)
in_option: Decorator = click.option(
    "--in", "source", required=True, type=click.Path(path_type=Path), help="Working folder to read."
)

format_option: Decorator = click.option(
    "--format", "form", help="File format, such as pwscup2017, pwscup2018 or pwscup2019; icefire's own if left out."
)


max_risk_option: Decorator = click.option(
    "--max-risk",
    "limit",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="The largest share of the people who may be re-identified.",
)
max_disclosure_option: Decorator = click.option(
    "--max-disclosure",
    "disclosure",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    help="The largest share of the people with a value of whom it may become certain, beyond what is known without "
    "the release.",
)
replace_option: Decorator = click.option(
    "--replace", "replacing", is_flag=True, help="Write over a release in the folder, whose secret is lost then."
)


def require_no_release(files: AnyFormat, folder: Path, replacing: bool) -> None:
    """A release is written over on demand only: nobody could ever link it back."""
    if files.has_release(folder) and not replacing:
        raise InputError(
            f"{folder} holds a release, whose secret would be lost: choose a new folder, or give it up with --replace"
        )


def out_option(required: bool = True, text: str = "Working folder to write.") -> Decorator:
    return click.option("--out", "target", required=required, type=click.Path(path_type=Path), help=text)


def seed_option(text: str, default: int | None = 0) -> Decorator:
    return click.option(
        "--seed", type=click.IntRange(min=0), default=default, show_default=default is not None, help=text
    )


def budget_option() -> Decorator:
    text = (
        "Minutes of processor time for one attack on a table, a history or traces, roughly. Where comparing everybody with "
        "everybody takes longer, some published rows (of histories and traces: pseudonyms and people) are sampled, and each is "
        "searched among all."
    )
    return click.option(
        "--budget", type=click.FloatRange(min=0, min_open=True), default=1.0, show_default=True, help=text
    )


def minutes_option(default: float) -> Decorator:
    text = "Minutes of the search, roughly. Then the best so far are verified, which takes a while longer."
    return click.option(
        "--minutes", type=click.FloatRange(min=0, min_open=True), default=default, show_default=True, help=text
    )


def memory_option(function: Callable[..., None]) -> Callable[..., None]:
    """`--memory`, which bounds the whole command."""

    @wraps(function)
    def bounded_function(*args: object, memory: float | None, **options: object) -> None:
        from icefire.core.memory_bound import GIGABYTE, bounded

        with bounded(None if memory is None else int(memory * GIGABYTE)):
            function(*args, **options)

    text = "Gigabytes of memory: attacks and metrics that need more are ended, and say so. Half of the machine's if left out."
    option = click.option("--memory", type=click.FloatRange(min=0, min_open=True), help=text)
    return option(bounded_function)


def refuse_both(knowledge: Path | None, levels: object) -> None:
    """A file of what is known leaves no level to choose."""
    if knowledge is not None and levels:
        raise InputError("--knowledge says what the attacker knows: leave --attacker out")
