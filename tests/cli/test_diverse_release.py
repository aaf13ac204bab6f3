"""Where a disease would be certain, `advise` proposes a release in which it is not, and `redteam` agrees."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import polars as pl
from click.testing import CliRunner

from icefire.cli.main import icefire

LIMITS = ["--max-risk", "0.2", "--attacker", "qi"]


def test_a_diversity_constraint_makes_the_answer_release(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    towns, sexes = rng.choice(list("ABCD"), 300), rng.choice(["f", "m"], 300)
    ill = np.where((towns == "A") & (sexes == "m"), "HIV", rng.choice(["flu", "none"], 300))
    folder = tmp_path / "work"
    folder.mkdir()
    pl.DataFrame({"town": towns, "sex": sexes, "disease": ill}).write_csv(folder / "original.csv")
    (folder / "schema.toml").write_text('qi = ["town", "sex"]\nsa = ["disease"]\n')

    def run(*words: str) -> int:
        return CliRunner().invoke(icefire, list(words), catch_exceptions=False).exit_code

    source = ["--in", str(folder)]
    plain = str(tmp_path / "plain")
    assert run("anonymize", "microdata", "mondrian(k=5)", *source, "--out", plain) == 0
    assert run("redteam", "microdata", "--in", plain, *LIMITS) == 1
    words = ["advise", "microdata", *source, *LIMITS, "--minutes", "0.5", "--seed", "1", "--json"]
    advice = json.loads(CliRunner().invoke(icefire, words, catch_exceptions=False).stdout)
    proposed = [r for r in advice["releases"].values() if any("alpha=" in step for step in r["steps"])]
    assert proposed
    for number, release in enumerate(proposed):
        diverse = str(tmp_path / f"diverse{number}")
        assert run(*shlex.split(release["command"].replace("DIR", diverse))[1:]) == 0
        assert run("redteam", "microdata", "--in", diverse, *LIMITS) == 0
