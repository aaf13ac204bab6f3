"""`icefire`: the entry point, and what all commands share."""

from __future__ import annotations

import sys
import traceback
import warnings
from pathlib import Path
from typing import TextIO

import click

from icefire import __version__
from icefire.cli.advise import advise
from icefire.cli.anonymize import anonymize
from icefire.cli.attack import attack
from icefire.cli.conceal import conceal
from icefire.cli.contest import contest
from icefire.cli.data import data
from icefire.cli.demo import demo
from icefire.cli.desk import desk
from icefire.cli.evaluate import evaluate
from icefire.cli.gate import gate
from icefire.cli.init import init
from icefire.cli.key import key
from icefire.cli.knowledge import knowledge
from icefire.cli.link import link
from icefire.cli.listing import listing
from icefire.cli.record import record
from icefire.cli.redteam import redteam
from icefire.cli.speech import SpokenGroup, lang_option, show, spoken
from icefire.cli.study import study
from icefire.cli.submit import submit
from icefire.cli.theory import theory
from icefire.cli.tune import tune
from icefire.core.errors import FaultWarning, IcefireError, InputWarning
from icefire.core.registry import Registry
from icefire.words import label, translated


@click.group(cls=SpokenGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@lang_option
@click.version_option(__version__, prog_name="icefire")
@click.option(
    "--plugin", "plugins", multiple=True, type=click.Path(path_type=Path), help="Python file with methods of your own."
)
@click.pass_context
def icefire(context: click.Context, plugins: tuple[Path, ...]) -> None:
    """Is this personal data safe to hand out, and is it still worth having?"""
    registry = Registry()
    for file in plugins:
        registry.add_plugin(file)
    context.obj = registry


COMMANDS = (
    demo,
    listing,
    data,
    init,
    desk,
    key,
    knowledge,
    anonymize,
    link,
    attack,
    evaluate,
    redteam,
    record,
    advise,
    tune,
    conceal,
    gate,
    theory,
    study,
    contest,
    submit,
)
for command in COMMANDS:
    icefire.add_command(command)
spoken(icefire)


_show_warning = warnings.showwarning


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """What is odd about the input and what went wrong here, without the line that says so; other warnings as usual."""
    if issubclass(category, InputWarning):
        click.echo(f"icefire: {label('note')}: {translated(str(message))}", err=True)
    elif issubclass(category, FaultWarning):
        click.echo(f"icefire: {translated(str(message))}", err=True)
    else:
        _show_warning(message, category, filename, lineno, file, line)


def main() -> None:
    """Run the command line: exit code 2 for bad input, never a traceback for it."""
    for category in (InputWarning, FaultWarning):
        warnings.simplefilter("always", category)
    warnings.showwarning = _show
    try:
        # click hands back the exit code of a command that ended early, None of any other.
        sys.exit(icefire(standalone_mode=False))
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        show(error)
        sys.exit(2)
    except IcefireError as error:
        click.echo(f"icefire: {translated(str(error))}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; that is not an error.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        why = translated(str(error.strerror or error))
        click.echo(f"icefire: {error.filename or 'file'}: {why}", err=True)
        sys.exit(2)
    except Exception:
        # A fault of ours must not look like the 1 of a gate that refuses.
        traceback.print_exc()
        sys.exit(70)
