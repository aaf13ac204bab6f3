"""`icefire list`: every method, with its parameters."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import click

from icefire.cli.options import json_option
from icefire.cli.output import print_json, print_table
from icefire.core import parameters
from icefire.core.registry import Registry
from icefire.core.roles import ROLES, Method


@click.command("list")
@click.argument("kind", required=False)
@json_option
@click.pass_obj
def listing(registry: Registry, kind: str | None, as_json: bool) -> None:
    """Every anonymizer, attack, metric and data set, with its parameters."""
    methods = registry.methods(kind)
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


def describe(method: type[Method]) -> dict[str, Any]:
    """A method as a JSON-ready value."""
    hints = parameters.hints(method)
    return {
        "kind": method.kind,
        "role": method.role,
        "name": method.name,
        "title": method.title(),
        "summary": method.summary(),
        "parameters": {
            field.name: {
                "accepts": parameters.describe(hints[field.name]),
                **({} if field.default is MISSING else {"default": field.default}),
            }
            for field in fields(method)  # type: ignore[arg-type]
        },
    }


def _row(method: type[Method]) -> list[str]:
    entries = [
        field.name if field.default is MISSING else f"{field.name}={_plain(field.default)}"
        for field in fields(method)  # type: ignore[arg-type]
    ]
    return [method.name, ", ".join(entries), method.summary()]


def _plain(value: Any) -> str:
    return "all" if value == () else "none" if value is None else str(value)
