"""Tables as people have them: each gets the answer that a careful officer would give, by every door and in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import icefire
from icefire.cli.main import icefire as command
from icefire.core.budget import Budget
from icefire.core.errors import DataError
from icefire.desk.sessions import Session, private_folder, write_document
from icefire.desk.tasks.decide import FOUND, decide
from icefire.desk.worker import Work
from icefire.report.words import WORDS
from icefire.words import LANGUAGES, Language

MINUTES = 0.001
"""Budget of an attack."""


def people(rows: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "town": rng.choice([f"town {letter}" for letter in "ABCD"], rows),
            "sex": rng.choice(["f", "m"], rows),
            "disease": rng.choice(["flu", "cold", "none"], rows),
        }
    )


def one_town_is_ill() -> pl.DataFrame:
    """Every man in town A is HIV positive."""
    ill = (pl.col("town") == "town A") & (pl.col("sex") == "m")
    return people(800).with_columns(disease=pl.when(ill).then(pl.lit("HIV")).otherwise("disease"))


def groups_that_are_ill() -> pl.DataFrame:
    """Of forty groups of ten, eight are ill."""
    place = pl.int_range(400)
    return pl.select(
        ward=pl.format("ward {}", place // 10),
        disease=pl.when(place // 10 % 5 == 0).then(pl.lit("HIV")).otherwise(pl.lit("none")),
    ).sample(400, shuffle=True, seed=0)


def postal_codes() -> pl.DataFrame:
    place = pl.int_range(2_500)
    return people(2_500).with_columns(zip=pl.select(place=1_000_000 + 7 * (place % 2_414))["place"])


def dates_of_birth() -> pl.DataFrame:
    days = np.random.default_rng(3).integers(0, 25_000, 4_000)
    born = [date(1940, 1, 1) + timedelta(days=int(day)) for day in days]
    return people(4_000).with_columns(born=pl.Series(born))


def nothing_is_left() -> pl.DataFrame:
    """As good as every person differs in every quasi-identifier."""
    return pl.DataFrame(
        {"town": [f"town {n}" for n in range(40)], "job": [f"job {n}" for n in range(40)]}
    ).with_columns(disease=pl.Series(["flu", "cold"] * 20))


def members() -> pl.DataFrame:
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon"]
    last = ["Abel", "Baker", "Cole", "Dunn", "Evans", "Ford"]
    who = [f"{first} {second}" for first in names for second in last]
    mails = [f"{name.lower().replace(' ', '.')}@example.org" for name in who]
    return people(60).with_columns(contact=pl.Series(mails), who=pl.Series(who))


def positions() -> pl.DataFrame:
    rng = np.random.default_rng(2)
    return people(200).with_columns(
        x=pl.Series(rng.uniform(35.5, 35.9, 200).round(5)), y=pl.Series(rng.uniform(139.4, 139.9, 200).round(5))
    )


def remarks() -> pl.DataFrame:
    texts = [
        f"please call 090-{1000 + 37 * n % 9000}-{1000 + 61 * n % 9000}, or write to person{n}@example.org"
        if n % 2
        else "no remark"
        for n in range(120)
    ]
    return people(120).with_columns(remark=pl.Series(texts))


def harmless() -> pl.DataFrame:
    return people(600)


@dataclass(frozen=True)
class Case:
    """A table, what is done to it, and the answer."""

    make: Callable[[], pl.DataFrame]
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    step: str
    limit: float
    """Of re-identification, so that it is another risk that decides."""
    decision: str
    said: tuple[str, ...]
    """What the reasons name, in every language."""

    def headline(self, language: Language) -> str:
        """How the answer begins, for recipients of whom it is said what they know."""
        key = "decision release to" if self.decision == "release" else f"decision {self.decision}"
        return WORDS[key][language].partition("{")[0]


CASES = {
    "a town whose men are ill": Case(
        one_town_is_ill,
        ("town", "sex"),
        ("disease",),
        "mondrian(k=5)",
        0.2,
        "do_not_release",
        ("disease", "HIV", "20%"),
    ),
    "groups of ten who are ill": Case(
        groups_that_are_ill, ("ward",), ("disease",), "mondrian(k=10)", 0.2, "do_not_release", ("disease", "HIV")
    ),
    "2,414 postal codes": Case(
        postal_codes, ("zip", "town", "sex"), ("disease",), "mondrian(k=20)", 0.01, "do_not_release", ("zip",)
    ),
    "3,700 dates of birth": Case(
        dates_of_birth, ("born", "town", "sex"), ("disease",), "mondrian(k=20)", 0.01, "do_not_release", ("born",)
    ),
    "nothing but stars": Case(nothing_is_left, ("town", "job"), ("disease",), "mondrian(k=40)", 0.05, "release", ()),
    "names and e-mails that are called sensitive": Case(
        members,
        ("town", "sex"),
        ("disease", "contact", "who"),
        "mondrian(k=5)",
        1.0,
        "do_not_release",
        ("contact", "who", "accepted"),
    ),
    "coordinates under x and y": Case(
        positions,
        ("town", "sex"),
        ("disease", "x", "y"),
        "mondrian(k=5)",
        1.0,
        "do_not_release",
        ("x", "y", "accepted"),
    ),
    "remarks with phone numbers": Case(
        remarks, ("town", "sex", "remark"), ("disease",), "mondrian(k=5)", 1.0, "do_not_release", ("remark", "accepted")
    ),
    "many people of a few kinds": Case(harmless, ("town", "sex"), ("disease",), "mondrian(k=25)", 0.05, "release", ()),
}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


@pytest.fixture
def work(case: Case, tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    case.make().write_csv(folder / "original.csv")
    (folder / "schema.toml").write_text(f'kind = "microdata"\nqi = {list(case.qi)}\nsa = {list(case.sa)}\n')
    return folder


def test_the_command_line_in_japanese(case: Case, work: Path) -> None:
    release = work.parent / "release"
    words = ["anonymize", "microdata", case.step, "--in", str(work), "--out", str(release), "--seed", "1"]
    assert CliRunner().invoke(command, words).exit_code == 0
    words = ["redteam", "microdata", "--in", str(release), "--max-risk", str(case.limit), "--attacker", "qi"]
    words += ["--budget", str(MINUTES), "--seed", "1", "--lang", "ja"]
    result = CliRunner().invoke(command, words)
    assert result.exit_code == {"release": 0, "do_not_release": 1}[case.decision], result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith(case.headline("ja"))
    assert len(lines) <= 30
    report = (release / "report.html").read_text(encoding="utf-8")
    assert case.headline("ja") in report
    for text in case.said:
        assert text in result.stdout, text
        assert text in report, text


def test_python(case: Case) -> None:
    data = icefire.table(case.make(), qi=case.qi, sa=case.sa)
    with Budget(MINUTES).spent():
        findings = data.anonymize(case.step, seed=1).attack(attacker="qi")
    assert findings.decision(case.limit) == case.decision
    for language in LANGUAGES:
        answer = findings.answer(case.limit, language=language)
        assert answer.startswith(case.headline(language))
        for text in case.said:
            assert text in answer, text


def test_the_desk_and_its_report(case: Case, work: Path, tmp_path: Path) -> None:
    session = Session(tmp_path / "session")
    private_folder(session.folder)
    session.work.symlink_to(work)
    write_document(session.folder / "session.json", {"kind": "microdata"})
    job = private_folder(tmp_path / "job")
    arguments = {"steps": [case.step], "seed": 1, "level": "qi", "limit": case.limit, "budget": MINUTES}
    decide(Work(session, job, arguments, "en"))
    document = json.loads((job / FOUND).read_text(encoding="utf-8"))
    assert document["decision"] == case.decision
    for language in LANGUAGES:
        shown = document["answer"][language]
        assert shown["headline"].startswith(case.headline(language))
        report = (job / f"{language}-report.html").read_text(encoding="utf-8")
        for text in case.said:
            assert text in " ".join(shown["why"]), text
            assert text in report, text


def test_whoever_knows_more_knows_less_as_well() -> None:
    """Nothing is disclosed to somebody who knows the disease; but it is to others who know no more than they do."""
    data = icefire.table(one_town_is_ill(), qi=["town", "sex"], sa=["disease"])
    with Budget(MINUTES).spent():
        assessment = data.anonymize("mondrian(k=5)", seed=1).attack().assess(0.2)
    assert assessment.decision == "do_not_release"
    assert assessment.would_pass == []


def test_stars_leave_nothing() -> None:
    data = icefire.table(nothing_is_left(), qi=["town", "job"], sa=["disease"])
    score = data.anonymize("mondrian(k=40)", seed=1).utility["information_left"].score
    assert score is not None
    assert score.by_column() == {"town": 0.0, "job": 0.0, "disease": 1.0}
    assert score.detail["lost"] == ["town", "job"]


def test_numbers_of_which_nothing_is_known_are_quasi_identifiers(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    people(300).with_columns(
        Alter=pl.Series(rng.integers(20, 4_000, 300)), dep=pl.Series(rng.normal(50, 9, 300))
    ).write_csv(tmp_path / "people.csv")
    words = ["init", str(tmp_path / "people.csv"), "--out", str(tmp_path / "work"), "--yes"]
    assert CliRunner().invoke(command, words).exit_code == 0
    schema = icefire.folder(tmp_path / "work").original.schema
    assert {"Alter", "dep"} <= set(schema.qi)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_that_are_no_people_are_refused(tmp_path: Path, language: Language) -> None:
    place = pl.int_range(600) // 12
    patients = people(50).select("town", "sex")[pl.select(place).to_series()]
    visits = patients.with_columns(patient=pl.format("p{}", place), disease=people(600)["disease"])
    visits.write_csv(tmp_path / "original.csv")
    (tmp_path / "schema.toml").write_text('qi = ["town", "sex"]\nsa = ["disease"]\nidentifying = ["patient"]\n')
    words = ["anonymize", "microdata", "mondrian(k=10)", "--in", str(tmp_path), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(command, [*words, "--lang", language])
    assert isinstance(result.exception, DataError)
    assert "600 rows have 50 different values of 'patient'" in str(result.exception)
    with pytest.raises(DataError, match="some people have several rows"):
        icefire.table(visits, qi=["town", "sex"], sa=["disease"], identifying=["patient"])
