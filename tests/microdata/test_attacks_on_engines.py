"""Attacks and metrics that look at every row do so on tables of an engine, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_every_attack_comes_to_its_end(tmp_path: Path, engine: str) -> None:
    pytest.importorskip(engine)
    data, release = str(tmp_path / "data"), str(tmp_path / "release")
    for words in (
        ["data", "microdata", "--n", "200", "--seed", "1", "--out", data],
        ["anonymize", "microdata", "mondrian(k=5)", "--in", data, "--out", release, "--seed", "1"],
    ):
        assert CliRunner().invoke(icefire, words, catch_exceptions=False).exit_code == 0
    words = ["redteam", "microdata", "--in", release, "--attacker", "qi", "--max-risk", "0.5"]
    words += ["--max-disclosure", "1", "--json"]
    answers = []
    for more in ([], ["--format", f"ours(engine={engine})"]):
        found = json.loads(CliRunner().invoke(icefire, [*words, *more], catch_exceptions=False).stdout)
        assert "unfinished" not in found
        answers.append(found["answer"]["decision"])
    assert answers == ["release", "release"]
