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
from icefire.microdata.attack.id_sa import IdSa
from icefire.microdata.attack.sa21 import Sa21
from icefire.microdata.attack.sort import Sort
from icefire.microdata.formats.ours import Ours
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.k_anonymity_mean import KAnonymityMean
from icefire.microdata.safety.re_identification import ReIdentification

KITS = Path(__file__).parents[2] / "kits" / "microdata"
COMMANDS = {
    "python": [sys.executable, str(KITS / "kit.py")],
    "r": ["Rscript", str(KITS / "kit.R")],
    "ruby": ["ruby", str(KITS / "kit.rb")],
    "java": ["java", str(KITS / "Kit.java")],
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
    registry = Registry()
    utility = ("mean_mae", "cross_mean", "cross_count", "correlation_mae", "information_loss")
    expected = {
        **{name: registry.make("microdata", "utility", name).measure(original, release).value for name in utility},
        "rows_lost": 0,
        "k_anonymity(copies=false)": KAnonymity(copies=False).measure(release).value,
        "k_anonymity_mean": KAnonymityMean().measure(release).value,
        "re_identification": ReIdentification().measure(release, guess).value,
    }
    assert told == pytest.approx(expected, rel=1e-9)
    for attack in (Sort(), Sa21(), IdSa()):
        guess = files.read_guess(tmp_path / f"guess-{attack.name}.csv", release.published, original)
        ours = attack.attack(release.published, original, np.random.default_rng(0))
        assert (ours.rows == guess.rows).mean() > 0.9, f"but for ties it is our {attack.name}"
    drawn = files.read_guess(tmp_path / "guess-id_rand.csv", release.published, original)
    equal, shown = (table.select(original.qi).write_csv() for table in (original.frame[drawn.rows], release.shown))
    assert equal == shown, "IdRand draws among equals"
    assert sorted(release.rows) == list(range(120))
    assert not np.array_equal(release.rows, np.arange(120))
