"""What commands import: help and the version nothing heavy, a single method no other."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from icefire.cli.main import icefire

HEAVY = "numpy polars narwhals scipy numba rich pandas pyarrow altair sqlalchemy pydantic fastapi"
LOADED = "import sys; print(*[name for name in sys.argv[1].split() if name in sys.modules])"


def printed(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def paths(command: click.Command, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    inner = command.commands.items() if isinstance(command, click.Group) else ()
    return [words, *(path for name, sub in inner for path in paths(sub, (*words, name)))]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_help_imports_nothing_heavy(language: str) -> None:
    pages = [" ".join([*path, "--help", "--lang", language]) for path in paths(icefire)]
    assert f"contest new --help --lang {language}" in pages
    program = (
        "import io, sys, contextlib; from icefire.cli.main import icefire\n"
        "for words in ['--version', *sys.argv[2:]]:\n"
        "    with contextlib.redirect_stdout(io.StringIO()): icefire(words.split(), standalone_mode=False)\n" + LOADED
    )
    assert printed(program, HEAVY, *pages) == ""


def test_one_method_imports_no_other() -> None:
    program = (
        "from icefire.core.registry import Registry\n"
        "registry = Registry(); registry.kind('microdata'); registry.format('microdata')\n"
        "registry.make('microdata', 'attack', 'euclid')\n" + LOADED
    )
    others = "icefire.microdata.attack.rank icefire.microdata.anonymize icefire.trace icefire.history scipy.optimize"
    assert printed(program, f"icefire.microdata.attack.euclid {others}") == "icefire.microdata.attack.euclid"


def test_an_attack_imports_no_solver_that_it_may_not_need() -> None:
    program = (
        "from icefire.core.registry import Registry\n"
        "registry = Registry(); registry.kind('history'); registry.make('history', 'attack', 'jaccard')\n" + LOADED
    )
    assert printed(program, "scipy.sparse scipy.sparse.csgraph scipy.optimize numba") == "scipy.sparse"
