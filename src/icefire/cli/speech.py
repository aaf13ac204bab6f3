"""The command line in the language of the person: `--lang`, help pages, and what click itself says."""

from __future__ import annotations

import os
from collections.abc import Iterable
from inspect import cleandoc
from typing import cast

import click

from icefire.words import LANGUAGES, Language, language, of_environment, speak, translated
from icefire.words.width import columns, lines

OPTION = "--lang"


def echo(text: str, err: bool = False, bold: bool = False) -> None:
    """Print a text in the language of the person."""
    click.secho(translated(text), err=err, bold=bold or None)


def show(error: click.ClickException) -> None:
    """Print what click objects to."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(context.get_usage(), err=True)
        echo(f"Try '{context.command_path} --help' for help.\n", err=True)
    click.echo(translated("Error: {}").replace("{}", translated(error.format_message())), err=True)


def _chosen(_: click.Context, __: click.Parameter, value: str | None) -> None:
    if value is not None:
        speak(cast(Language, value))


lang_option = click.option(
    OPTION,
    type=click.Choice(LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_chosen,
    help="Language of messages, tables and reports; by LC_ALL, LC_MESSAGES or LANG if left out. It may stand anywhere.",
)


class SpokenGroup(click.Group):
    """A group whose page lists its commands in the language of the person. The outermost one takes --lang anywhere."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.parent is None:
            # Help is printed as soon as it is seen, with or without --lang.
            speak(of_environment(os.environ))
            args = _language_first(args)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if language() == "en":
            super().format_commands(ctx, formatter)
            return
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_sentence(command)) for name, command in self.commands.items()])


def _language_first(args: list[str]) -> list[str]:
    """The words of a command line with --lang in front, so that help and faults are in this language, too."""
    own: list[str] = []
    rest = list(args)
    end = rest.index("--") if "--" in rest else len(rest)
    for place in reversed(range(end)):
        if rest[place].startswith(f"{OPTION}="):
            own = own or [rest[place]]
            del rest[place]
        elif rest[place] == OPTION:
            own = own or rest[place : place + 2]
            del rest[place : place + 2]
    return own + rest


def _first_sentence(command: click.Command) -> str:
    paragraph = " ".join(cleandoc(command.help or "").partition("\n\n")[0].split())
    told = translated(paragraph)
    sentence, stop, _ = told.partition("。")
    return sentence if stop else told


class _Formatter(click.HelpFormatter):
    """Help pages in the language of the person, lined up by the columns that characters take."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        start = f"{translated('Usage:')}{prog} "
        first, *others = lines(args, max(self.width - columns(start), 20)) or [""]
        self.write(f"{start}{first}".rstrip() + "\n")
        self.write("".join(" " * columns(start) + line + "\n" for line in others))

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{translated(heading + ':')}\n")

    def write_text(self, text: str) -> None:
        indent, paragraphs = " " * self.current_indent, text.split("\n\n")
        told = [lines(translated(" ".join(text.split())), self.width - self.current_indent) for text in paragraphs]
        self.write("\n".join("".join(f"{indent}{line}\n" for line in paragraph) for paragraph in told))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        second = min(max(columns(name) for name, _ in rows), col_max) + col_spacing
        indent = " " * self.current_indent
        for name, text in rows:
            told = _option(text, max(self.width - second - self.current_indent, 20))
            if columns(name) > second - col_spacing or not told:
                self.write(f"{indent}{name}\n")
            else:
                self.write(f"{indent}{name}{' ' * (second - columns(name))}{told.pop(0)}\n")
            self.write("".join(f"{indent}{' ' * second}{line}\n" for line in told))


def _option(text: str, width: int) -> list[str]:
    """What an option is, and in brackets its default and so on, which are not broken."""
    words, bracket, more = text.rpartition("[")
    if not bracket or not more.endswith("]"):
        return lines(translated(text), width)
    told = lines(translated(words.strip()), width)
    notes = f"[{'; '.join(map(_note, more[:-1].split('; ')))}]"
    if told and columns(told[-1]) + 2 + columns(notes) <= width:
        told[-1] += f"  {notes}"
        return told
    return [*told, notes]


def _note(text: str) -> str:
    """Such as `default: 5`. It is looked up as a whole, since finding a template would take longer than the rest."""
    name, colon, value = text.partition(": ")
    return translated(f"{name}: {{}}").replace("{}", value) if colon else translated(text)


class _Context(click.Context):
    def make_formatter(self) -> click.HelpFormatter:
        if language() == "en":
            return super().make_formatter()
        return _Formatter(width=self.terminal_width, max_width=self.max_content_width)


def spoken(command: click.Command) -> click.Command:
    """A command, and all below it, with help pages in the language of the person."""
    command.context_class = _Context
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        spoken(inner)
    return command
