"""Runs the code blocks of a page of the documentation, one after the other, beside the files that it speaks of."""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from building.blocks import Block, blocks
from building.console import expected_code
from click.testing import CliRunner

from icefire.cli.main import icefire

ROOT = Path(__file__).parents[1]
COMMANDS = ("icefire", "make", "ls", "export", "pip", "python3", "git")
ELSEWHERE = {
    "make ": "CI runs make test, and the bare machine of a release make run",
    "ls ": "no command of icefire",
    "export ": "no command of icefire",
    "pip install": "the test of the first ten minutes installs it",
    "openssl req": "tests/web/test_roles.py, which serves with it",
    "icefire contest serve": "serves until it is stopped: tests/web",
    "icefire contest run": "works until it is stopped: tests/contest",
    "icefire contest restore": "tests/web/test_move.py, with PostgreSQL",
    "icefire contest rehearse pwscup": "tests/contest/test_rehearsals.py",
    "icefire contest check contests/pwscup": "tests/contest/test_rehearsals.py",
    "icefire study run": "tests/study",
    "icefire study compare": "tests/study",
    "icefire study new FILE": "stands for any file",
    "icefire desk": "serves until it is stopped: tests/desk",
    "icefire submit": "needs a server: tests/web/test_submit.py",
    "icefire demo": "make run",
}
"""Commands that are not run here, and why. Those on Spark are in tests/frames, on a cluster."""
SMALLER = {
    r"--n (?:[1-9]\d{2,})": "--n 60",
    r"icefire data history(?! --n)": "icefire data history --n 25",
    r"icefire (tune|advise) (.*)": r"icefire \1 \2 --minutes 0.02",
    r"--days 20": "--days 2",
    r"--in shop --c 50": "--in shop --c 5",
}
"""What makes a command quicker without making it another one."""
TEXT = {"text", "nginx", "ini", "console", "pycon"}
"""Languages of blocks that show something, or are run by another test."""


@dataclass
class Setting:
    """What a page takes for granted: files, names in Python, and lines that fail as they say."""

    prepare: Callable[[Path], object] = lambda _: None
    names: Callable[[], dict[str, Any]] = dict
    fails: dict[str, int] = field(default_factory=dict)
    """The beginning of a command, and the exit code that the page announces."""


def run_page(page: Path, folder: Path, setting: Setting) -> int:
    """Run a page; returns how many commands and Python blocks were run. Fails with the page and the line."""
    setting.prepare(folder)
    names, done, here = setting.names(), 0, Path.cwd()
    os.chdir(folder)
    try:
        for block in blocks(page.read_text(encoding="utf-8")):
            try:
                done += _run(block, names, setting)
            except Exception as error:
                raise AssertionError(f"{page.relative_to(ROOT)}, line {block.line}: {error}") from error
    finally:
        os.chdir(here)
    return done


def _run(block: Block, names: dict[str, Any], setting: Setting) -> int:
    if block.note.startswith("file: "):
        Path(block.note.removeprefix("file: ")).write_text(block.code, encoding="utf-8")
        return 1
    if block.note.startswith("not run: ") or block.language in TEXT:
        return 0
    if block.language == "python":
        exec(compile(block.code, "<block>", "exec"), names)  # noqa: S102
        return 1
    if block.language == "toml":
        tomllib.loads(block.code)
        return 1
    if block.language in {"sh", "shell"} or block.code.startswith(COMMANDS):
        return sum(_command(line, setting) for line in as_lines(block.code))
    if block.language:
        raise ValueError(f"nothing says how a block of {block.language} is tested")
    return 0


def as_lines(code: str) -> list[str]:
    """The commands of a block, without comments."""
    joined = re.sub(r"\\\n\s*", " ", code)
    return [line for line in (re.sub(r"\s+#.*|^#.*", "", line).strip() for line in joined.splitlines()) if line]


def unknown_in(line: str, whole: bool = True) -> str:
    """What the program does not know of a command, without running it; less than `whole` may lack some words."""
    try:
        words = shlex.split(re.sub(r" --lang \w+| \||\.\.\.", " ", line).partition(" jq ")[0])[1:]
        command: click.Command = icefire
        context = icefire.make_context("icefire", words)
        while isinstance(command, click.Group) and (rest := [*context._protected_args, *context.args]):
            name, found, words = command.resolve_command(context, rest)
            if found is None:
                return f"No such command {name}"
            command, context = found, found.make_context(name, words, parent=context)
    except (click.exceptions.NoArgsIsHelpError, click.exceptions.Exit):
        return ""
    except click.UsageError as error:
        # Files that the page speaks of are not here, and values may stand for others.
        missing = isinstance(error, click.MissingParameter) or not isinstance(error, click.BadParameter)
        unknown = isinstance(error, click.NoSuchOption) or "No such command" in error.format_message()
        return error.format_message() if unknown or (whole and missing) else ""
    return ""


def _command(line: str, setting: Setting) -> int:
    if line.startswith(tuple(ELSEWHERE)) or "--engine spark" in line:
        return 0
    for pattern, smaller in SMALLER.items():
        line = re.sub(pattern, smaller, line)
    command, _, path = line.partition(" | jq .")
    words = shlex.split(command)
    if words[0] != "icefire":
        raise ValueError(f"nothing says how {line!r} is tested")
    done = CliRunner().invoke(icefire, words[1:], catch_exceptions=False)
    verdict = expected_code(line, done.output)
    expected = next((code for start, code in setting.fails.items() if line.startswith(start)), verdict)
    if done.exit_code != expected:
        raise ValueError(f"{line} ended with {done.exit_code}:\n{done.output[-2000:]}")
    if path:
        value = json.loads(done.stdout)
        for key in path.split("."):
            value = value[key]
    return 1
