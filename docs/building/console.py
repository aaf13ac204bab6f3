"""Runs the console sessions of a page line by line, and compares what is printed with what the page says."""

from __future__ import annotations

import doctest
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from building.blocks import blocks

END = "@@ended"
VERDICTS = {"Do not release": 1, "Cannot say yet": 3}
"""Exit codes of `icefire redteam`, by how its output begins."""
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
"""`...` stands for anything, and lines may break elsewhere."""


@dataclass(frozen=True)
class Step:
    """A command, what it has to print (nothing is compared if the page shows nothing), and where that stands."""

    command: str
    expected: str
    line: int


def steps(page: str) -> list[Step]:
    """The commands of all console blocks of a page.

    Example:
        >>> steps("```console\\n$ ls\\na.csv\\n$ cd a\\n```\\n")
        [Step(command='ls', expected='a.csv\\n', line=2), Step(command='cd a', expected='', line=4)]
    """
    found: list[Step] = []
    for block in blocks(page):
        if block.language != "console":
            continue
        for number, line in enumerate(block.code.splitlines(), start=block.line):
            if line.startswith("$ "):
                found.append(Step(line.removeprefix("$ "), "", number))
            else:
                last = found.pop()
                found.append(Step(last.command, f"{last.expected}{line}\n", last.line))
    return found


def expected_code(command: str, output: str) -> int:
    """The exit code of a command that does its work: that of its verdict, if it gives one.

    Example:
        >>> expected_code("icefire redteam trace", "Do not release. ..."), expected_code("ls", "Do not release. ...")
        (1, 0)
    """
    if not command.startswith("icefire redteam"):
        return 0
    # Progress may be printed before.
    return next((code for begin, code in VERDICTS.items() if f"\n{begin}" in f"\n{output}"), 0)


def differences(
    page: str, folder: Path, environment: Mapping[str, str], shell: tuple[str, ...] = ("bash",)
) -> list[str]:
    """Run all steps in one shell; what failed or printed something else, in words."""
    wanted = steps(page)
    script = "".join(f"{{ {step.command}; }} 2>&1; code=$?; echo; echo {END} $code\n" for step in wanted)
    done = subprocess.run(
        [*shell], input=script, cwd=folder, env=dict(environment), capture_output=True, text=True, check=False
    )
    outputs = done.stdout.split(f"\n{END} ")
    if len(outputs) != len(wanted) + 1:
        return [f"the shell ended after {len(outputs) - 1} of {len(wanted)} commands: {done.stderr[-500:]}"]
    faults: list[str] = []
    code_of = [int(part.split("\n", 1)[0]) for part in outputs[1:]]
    printed = [outputs[0], *(part.partition("\n")[2] for part in outputs[1:-1])]
    for step, output, code in zip(wanted, printed, code_of, strict=True):
        if code != expected_code(step.command, output):
            faults.append(f"line {step.line}: {step.command} ended with {code}:\n{output}")
        elif step.expected and not doctest.OutputChecker().check_output(step.expected, output, LENIENT):
            faults.append(f"line {step.line}: {step.command} printed\n{output}\nand the page says\n{step.expected}")
    return faults
