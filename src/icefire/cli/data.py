"""`icefire data`: seeded synthetic data."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import cast

import click

from icefire.cli.options import format_option, json_option, kind_argument, out_option, seed_option
from icefire.cli.output import print_json
from icefire.cli.speech import echo
from icefire.core import parameters
from icefire.core.errors import InputError, UnknownName
from icefire.core.registry import Registry
from icefire.core.roles import AnyDataset
from icefire.core.seeds import generator


@click.command(context_settings={"ignore_unknown_options": True})
@kind_argument
@click.option("--name", help="Which data set, if the kind has several.")
@out_option()
@seed_option("Seed of the generator.")
@format_option
@json_option
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def data(
    registry: Registry,
    kind: str,
    name: str | None,
    target: Path,
    seed: int,
    form: str | None,
    as_json: bool,
    options: tuple[str, ...],
) -> None:
    """Make synthetic data. The data set's own parameters are options too: icefire data microdata --n 500 --out DIR."""
    sets = {method.name: method for method in registry.methods(kind, "dataset")}
    if name is not None and name not in sets:
        raise UnknownName.of(f"data set for {kind}", name, sets)
    usual = name or registry.kind(kind).usual_dataset
    chosen = sets[usual] if usual else type(registry.defaults(kind, "dataset")[0])
    dataset = cast(AnyDataset, parameters.build(chosen, _options(options)))
    original = dataset.generate(generator(seed, "data", dataset.name))
    registry.format(kind, form).write_original(original, target, seed=seed)
    if as_json:
        print_json({"dataset": dataset.step(), "seed": seed, "folder": str(target)})
    else:
        echo(f"{dataset.step()}, seed {seed}: written to {target}")


def _options(words: tuple[str, ...]) -> dict[str, object]:
    """From `--n 500` or `--n=500` to {"n": 500}."""
    values: dict[str, object] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise InputError(f"unexpected word {word!r}: options look like --n 500")
        name, equals, text = word[2:].partition("=")
        if not equals:
            if not rest:
                raise InputError(f"the option --{name} needs a value")
            text = rest.pop(0)
        try:
            values[name.replace("-", "_")] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            values[name.replace("-", "_")] = text
    return values
