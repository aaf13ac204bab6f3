"""The kits of past contests make valid files, attack as we do and give the same scores, in every language that is there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from icefire.core.formats import AnyFormat
from icefire.core.registry import Registry
from icefire.evaluation.runs import score_of

KITS = Path(__file__).parents[2] / "kits"
FILES = {"python": "kit.py", "r": "kit.R", "ruby": "kit.rb", "java": "Kit.java"}
COMMANDS = {"python": sys.executable, "r": "Rscript", "ruby": "ruby", "java": "java"}
# `java Kit.java` compiles first, which takes a JDK.
PROGRAMS = {"r": "Rscript", "ruby": "ruby", "java": "javac"}
# The format, the data, what the kit writes as guesses with the attack of ours that it is, and its metrics.
YEARS = {
    "history": ("ours", "purchases(n=30, items=300)", {"guess-jaccard.csv": "jaccard"}, ("top_items", "re_identification")),
    "pwscup2017": (
        "pwscup2017",
        "purchases(n=20, items=300)",
        {f"Fh_S{number}.csv": f"key_match(key=S{number})" for number in range(1, 7)},
        ("quantity_similarity", "small_quantity_similarity", "popular_items", "popular_similarity", "date_shift", "price_ratio",
         "rows_deleted", "user_matching", "month_matching"),
    ),
    "pwscup2018": (
        "pwscup2018",
        "purchases(n=30, items=300)",
        {"F1_jaccard.csv": "jaccard"},
        ("ut_il", "identification_test"),
    ),
    "pwscup2019": (
        "pwscup2019",
        "walks(n=25, days=2)",
        {"etable_visit.csv": "visit_prob(share=1, ties=first)", "etable_home.csv": "home_prob(ties=first)"},
        ("closeness", "id_safety", "trace_safety"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", FILES)
@pytest.mark.parametrize("year", YEARS)
def test_kit(year: str, language: str, program: Callable[[str], str], tmp_path: Path) -> None:
    if language in PROGRAMS:
        program(PROGRAMS[language])
    name, source, guesses, metrics = YEARS[year]
    kind, registry = ("trace" if year == "pwscup2019" else "history"), Registry()
    files: AnyFormat = registry.format(kind, name)

    command = [COMMANDS[language], str(KITS / year / FILES[language])]
    if language == "java":
        # `java Kit.java` compiles it anew each time.
        subprocess.run(["javac", "-d", tmp_path / "classes", command[1]], check=True, timeout=300)
        command = ["java", "-cp", str(tmp_path / "classes"), "Kit"]

    def run(*arguments: object) -> str:
        done = subprocess.run(
            [*command, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    problem, judge = tmp_path / "problem", tmp_path / "judge"
    if kind == "trace":
        _check_anonymizers(files, registry, run, tmp_path)
    files.write_original(registry.make(kind, "dataset", source).generate(np.random.default_rng(3)), problem)
    run("anonymize", problem, problem, 7)
    files.write_release(files.read_release(problem).reshuffled(np.random.default_rng(4)), judge, {})
    run("attack", judge, judge)
    release = files.read_release(judge)
    published, known = files.read_handout(judge)
    for file, attack in guesses.items():
        guess = files.read_guess(judge / file, published, known)
        ours = registry.make(kind, "attack", attack).attack(published, known, np.random.default_rng(0))
        found, expected = (each.users if kind == "trace" else each.owners for each in (guess, ours))
        assert (found == expected).mean() > 0.9, f"but for ties {file} is {attack}"
    last = list(guesses)[-1] if year != "history" else "owners-jaccard.csv"
    more = [judge / "etraces_home.csv"] if kind == "trace" else []
    told = json.loads(run("score", judge, judge / last, *more))
    assert set(told) == set(metrics)
    for metric in metrics:
        if registry.knows(kind, "utility", metric):
            ours = score_of(registry.make(kind, "utility", metric), release.original, release)
        else:
            ours = score_of(registry.make(kind, "safety", metric), release, guess)
        assert told[metric] == pytest.approx(ours.value, rel=1e-9), metric


def _check_anonymizers(files: AnyFormat, registry: Registry, run: Callable[..., str], tmp_path: Path) -> None:
    """The samples of 2019: every one makes a valid release, and does what ours of its name does."""
    made = registry.make("trace", "dataset", "walks(n=25, days=2)").generate(np.random.default_rng(3))
    for method in ("mrlh", "pl", "ya"):
        folder = tmp_path / method
        files.write_original(made, folder)
        run("anonymize", folder, folder, 7, method)
        release = files.read_release(folder)
        true, cells = release.original.original, release.cells
        if method == "ya":
            shown, hidden = (sorted(map(tuple, table.tolist())) for table in (cells.codes, true))
            assert (shown == hidden, np.array_equal(cells.codes, true)) == (True, False)
            continue
        ours = {"mrlh": "mrlh(x=1, y=1, delete=0.1)", "pl": "planar_laplace(level=4)"}[method]
        expected = registry.make("trace", "anonymize", ours).anonymize(release.original, np.random.default_rng(5))
        closeness = registry.make("trace", "utility", "closeness")
        found, wanted = (closeness.measure(release.original, each).value for each in (release, expected))
        assert found == pytest.approx(wanted, abs=0.03), method
