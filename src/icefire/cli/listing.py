"""`icefire list`: every method, with its parameters."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields

import click

from icefire.cli.options import json_option
from icefire.cli.output import print_json, print_table
from icefire.cli.speech import echo
from icefire.core import parameters
from icefire.core.errors import UnknownName
from icefire.core.registry import ROLES, Registry
from icefire.core.roles import Method, Metric


@click.command("list")
@click.argument("kind", required=False)
@click.argument("name", required=False)
@json_option
@click.pass_obj
def listing(registry: Registry, kind: str | None, name: str | None, as_json: bool) -> None:
    """List every anonymizer, attack, metric, data set and file format with its parameters; explain the one that is named."""
    methods = registry.methods(kind)
    if name is not None:
        wanted = name.lower().replace("-", "_")
        chosen = [m for m in methods if wanted in {m.name, *(alias.lower() for alias in m.aliases)}]
        if not chosen:
            raise UnknownName.of(f"method for {kind}", name, [m.name for m in methods], f"icefire list {kind}")
        methods = chosen
        if not as_json:
            for method in chosen:
                _explain(method)
            return
    if as_json:
        print_json([describe(method) for method in methods])
        return
    for name in sorted({method.kind for method in methods}):
        for role in ROLES:
            chosen = [method for method in methods if (method.kind, method.role) == (name, role)]
            if chosen:
                print_table(
                    f"{name}: {role}", ["name", "parameters", "what it does"], [_row(m) for m in chosen], left=3
                )


def _explain(method: type[Method]) -> None:
    """The whole docstring, and what each parameter accepts."""
    echo(f"{method.kind} {method.role} {method.name}", bold=True)
    echo(inspect.cleandoc(method.__doc__ or ""))
    if issubclass(method, Metric):
        echo(f"  {method.scale}")
    hints = parameters.hints(method)
    for field in fields(method):
        default = "" if field.default is MISSING else f" (default {_plain(field.default)})"
        echo(f"  {field.name}: {parameters.describe(hints[field.name])}{default}")


def describe(method: type[Method]) -> dict[str, object]:
    """A method as a JSON-ready value."""
    hints = parameters.hints(method)
    return {
        "kind": method.kind,
        "role": method.role,
        "name": method.name,
        "title": method.title(),
        "summary": method.summary(),
        **({"scale": str(method.scale)} if issubclass(method, Metric) else {}),
        "parameters": {
            field.name: {
                "accepts": parameters.describe(hints[field.name]),
                **({} if field.default is MISSING else {"default": field.default}),
            }
            for field in fields(method)
        },
    }


def _row(method: type[Method]) -> list[str]:
    entries = [
        field.name if field.default is MISSING else f"{field.name}={_plain(field.default)}" for field in fields(method)
    ]
    return [method.name, ", ".join(entries), method.summary()]


def _plain(value: object) -> str:
    return "all" if value == () else "none" if value is None else str(value)
