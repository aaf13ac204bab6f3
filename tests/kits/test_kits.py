"""The kits give the same scores as we do, in every language that is there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from icefire.core.registry import Registry
from icefire.microdata.attack.sort import Sort
from icefire.microdata.formats.ours import Ours
from icefire.microdata.safety.re_identification import ReIdentification
from icefire.microdata.utility.mean_mae import MeanMae

KITS = Path(__file__).parents[2] / "kits"
COMMANDS = {
    "python": [sys.executable, str(KITS / "python" / "kit.py")],
    "r": ["Rscript", str(KITS / "r" / "kit.R")],
    "ruby": ["ruby", str(KITS / "ruby" / "kit.rb")],
    "java": ["java", str(KITS / "java" / "Kit.java")],
}
# `java Kit.java` compiles first, which takes a JDK.
PROGRAMS = {"r": "Rscript", "ruby": "ruby", "java": "javac"}


@pytest.mark.parametrize("language", COMMANDS)
def test_kit(language: str, program: Callable[[str], str], tmp_path: Path) -> None:
    command = COMMANDS[language]
    if language in PROGRAMS:
        program(PROGRAMS[language])
    files = Ours()
    original = Registry().make("microdata", "dataset", "households(n=120)").generate(np.random.default_rng(3))
    files.write_original(original, tmp_path)
    amounts = ",".join(original.numeric_sa)

    def run(*arguments: object) -> str:
        done = subprocess.run(
            [*command, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    table = tmp_path / "original.csv"
    run("anonymize", table, amounts, tmp_path, 7)
    run("attack", table, tmp_path / "published.csv", amounts, tmp_path)
    told = json.loads(
        run("score", table, tmp_path / "published.csv", tmp_path / "secret.csv", tmp_path / "guess-sort.csv", amounts)
    )
    release = files.read_release(tmp_path)
    guess = files.read_guess(tmp_path / "guess-sort.csv", release.published, original)
    assert told["mean_mae"] == pytest.approx(MeanMae().measure(original, release).value, rel=1e-9)
    assert told["re_identification"] == pytest.approx(ReIdentification().measure(release, guess).value, rel=1e-9)
    ours = Sort().attack(release.published, original, np.random.default_rng(0))
    same = (ours.rows == guess.rows).mean()
    assert same > 0.9, "but for ties the attack is ours"
    assert sorted(release.rows) == list(range(120))
    assert not np.array_equal(release.rows, np.arange(120))
