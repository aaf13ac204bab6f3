"""What a recipe says of a release."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from icefire.cli.output import LONG, duration
from icefire.cli.speech import echo
from icefire.core.errors import FileError
from icefire.core.formats import RECIPE
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer


def announce_making(steps: Sequence[AnyAnonymizer], people: int) -> None:
    """Say beforehand how long it takes to make a release, if it is long."""
    seconds = 60 * sum(step.minutes(people) for step in steps)
    if seconds >= LONG:
        echo(f"about {duration(seconds)} of processor time", err=True)


def recorded_method(registry: Registry, kind: str, folder: Path) -> tuple[AnyAnonymizer, ...] | None:
    """The steps that made the release, from its recipe; None if there is none."""
    path = folder / RECIPE
    if not path.is_file():
        return None
    try:
        steps = tomllib.loads(path.read_text(encoding="utf-8")).get("steps", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error
    return tuple(_recorded(registry.make(kind, "anonymize", str(step)), str(step)) for step in steps)


def _recorded(step: AnyAnonymizer, text: str) -> AnyAnonymizer:
    # Recipes name every parameter, so one that is missing did not exist yet.
    earlier = {name: value for name, value in step.earlier.items() if f"{name}=" not in text}
    return replace(step, **earlier) if earlier else step
