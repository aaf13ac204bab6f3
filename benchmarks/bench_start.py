"""Start of the command line, in seconds of processor time: help against importing click alone, a single attack against
importing the libraries that every attack needs."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

RUN = "from icefire.cli.main import main; main()"
LIBRARIES = "import click, narwhals, numpy, polars, scipy.sparse"
REPEAT = 10


def run(program: str, *arguments: str | Path) -> float:
    """User and system time of a run in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor(program: str, *arguments: str | Path) -> float:
    """The mean of some runs; the first, which may compile, is left out."""
    return sum([run(program, *arguments) for _ in range(REPEAT + 1)][1:]) / REPEAT


def compare(what: str, ours: float, floor: float) -> None:
    print(f"{what:<40} icefire {ours:.3f} s   imports alone {floor:.3f} s: {ours / floor:.1f} x")


def main() -> None:
    click, libraries = processor("import click"), processor(LIBRARIES)
    for words in ("--version", "--help", "--help --lang ja", "attack --help", "contest new --help"):
        compare(f"icefire {words}", processor(RUN, *words.split()), click)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        form = ("--format", "pwscup2018")
        run(RUN, "data", "history", "--n", "30", "--out", folder, "--seed", "1", *form)
        run(RUN, "anonymize", "history", "generalize(date=week)", "--in", folder, "--out", folder, *form)
        attack = processor(RUN, "attack", "history", "jaccard", "--in", folder, "--out", folder, *form)
        compare("icefire attack history jaccard, 30 users", attack, libraries)


if __name__ == "__main__":
    main()
