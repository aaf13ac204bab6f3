"""The official files of 2019."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from icefire.core.errors import IcefireError, Undefined
from icefire.trace.attack.visit_prob import VisitProb
from icefire.trace.formats.ours import Ours
from icefire.trace.formats.pwscup2019 import HOSPITALS, Pwscup2019
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety
from icefire.trace.safety.worst_of_both import WorstOfBoth
from icefire.trace.utility.closeness import Closeness

OFFICIAL = Pwscup2019()
REF = "user_id,time_id,reg_id\n1,1,1\n1,2,2\n2,1,33\n2,2,34\n3,1,65\n3,2,66\n"
ORG = "user_id,time_id,reg_id\n1,3,1\n1,4,2\n2,3,33\n2,4,43\n3,3,65\n3,4,66\n"
ANO = "reg_id\n1 2\n2\n33\n*\n65\n66\n"
PUB = "pse_id,time_id,reg_id\n4,3,33\n4,4,*\n5,3,65\n5,4,66\n6,3,1 2\n6,4,2\n"
TABLE = "pse_id,user_id\n4,2\n5,3\n6,1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path)
    return tmp_path


def write(folder: Path, **changed: str) -> None:
    files = {"reftraces": REF, "orgtraces": ORG, "anotraces": ANO, "pubtraces": PUB, "ptable": TABLE} | changed
    for stem, content in files.items():
        (folder / f"{stem}_team001_data01_IDP.csv").write_bytes(content.replace("\n", "\r\n").encode())


def test_the_files_are_read_as_they_are(folder: Path) -> None:
    release = OFFICIAL.read_release(folder)
    assert release.owners.tolist() == [1, 2, 0]
    published = OFFICIAL.read_published(folder, release.original)
    assert np.array_equal(
        published.spread.toarray()[published.codes[2]], release.published.spread.toarray()[release.published.codes[2]]
    )
    assert (published.codes[0, 1], release.cells.codes[1, 1]) == (-1, -1)
    # A neighbour 0.34125 km away counts 1 - 0.34125/2; the pair averages to that and 1. One cell is deleted.
    half = (1 + 1 - 0.34125 / 2) / 2
    assert Closeness().measure(release.original, release).value == pytest.approx((half + 1 + 1 + 0 + 1 + 1) / 6)
    assert release.original.sensitive.sum() == len(HOSPITALS) == 37


def test_the_paper_s_example_and_the_weight_of_hospitals(folder: Path) -> None:
    release = OFFICIAL.read_release(folder)
    (folder / "etable_team020-001_data01_IDP.csv").write_text("user_id\n2\n2\n1\n")
    (folder / "etraces_team020-001_data01_IDP.csv").write_text("reg_id\n1\n2\n33\n34\n65\n66\n")
    guess = OFFICIAL.read_guess(
        folder / "etable_team020-001_data01_IDP.csv", release.published, release.original.knowledge
    )
    assert IdSafety().measure(release, guess).value == pytest.approx(1 / 3)
    # Region 43 is a hospital and weighs 10 among hospital 2 (10) and four others; it lies 9 columns from the guess.
    assert TraceSafety().measure(release, guess).value == pytest.approx(10 * 1 / (10 + 10 + 4))


def test_a_release_survives(folder: Path, tmp_path: Path) -> None:
    release = OFFICIAL.read_release(folder)
    OFFICIAL.write_release(release, tmp_path / "again", {"seed": 1})
    again = OFFICIAL.read_release(tmp_path / "again")
    assert again.owners.tolist() == release.owners.tolist()
    assert (tmp_path / "again" / "anotraces.csv").read_text() == ANO
    assert (tmp_path / "again" / "pubtraces.csv").read_text() == PUB
    assert (tmp_path / "again" / "orgtraces.csv").read_text() == ORG


BAD = [
    ({"orgtraces": ORG.replace("2,4,43", "2,4,1025")}, r"line 5: '1025' is not a region 1..1024"),
    ({"orgtraces": ORG.replace("2,4,43\n", "")}, r"line 5: expected user 2 at time 4, found user 3 at time 3"),
    ({"orgtraces": ORG.replace("1,3,1\n1,4,2\n", "1,4,2\n1,3,1\n")}, r"line 2: expected user 1 at time 3"),
    ({"orgtraces": ORG.replace("3,4,66\n", "")}, r"6 lines by user and then by time; there are 5"),
    ({"anotraces": ANO.replace("*", "* 4")}, r"anotraces.*, line 5: '\* 4' is not a cell"),
    ({"anotraces": ANO.replace("66\n", "")}, r"has 5 lines below its header; anonymized traces needs 6"),
    ({"ptable": TABLE.replace("5,3", "5,9")}, r"ptable.*, line 3: the user '9' is unknown"),
    ({"ptable": TABLE.replace("5,3", "5,2")}, r"ptable.*, line 3: the user '2' is unknown or stands there twice"),
    ({"ptable": TABLE.replace("5,3", "7,3")}, r"ptable.*, line 3: pseudonyms go from 4 to 6"),
    (
        {"pubtraces": PUB.replace("5,4,66", "5,4,65")},
        r"pubtraces.*, line 5: this is not the cell that anotraces and ptable",
    ),
    ({"pubtraces": PUB.replace("6,3,1 2\n6,4,2\n", "")}, r"pubtraces.* has other users or times than orgtraces"),
]


@pytest.mark.parametrize(("changed", "complaint"), BAD)
def test_bad_files_are_named_with_their_line(folder: Path, changed: dict[str, str], complaint: str) -> None:
    write(folder, **changed)
    with pytest.raises(IcefireError, match=complaint):
        OFFICIAL.read_release(folder)


def test_an_estimate_with_an_unknown_user(folder: Path) -> None:
    release = OFFICIAL.read_release(folder)
    (folder / "etable_x.csv").write_text("user_id\n2\n7\n1\n")
    with pytest.raises(IcefireError, match=r"etable_x.csv, line 3: the estimate names the unknown user '7'"):
        OFFICIAL.read_guess(folder / "etable_x.csv", release.published, release.original.knowledge)


def test_attackers_need_pubtraces_and_reftraces(tmp_path: Path) -> None:
    for stem, content in {"pubtraces_team001_data01_IDP": PUB, "reftraces_team001_data01_IDP": REF}.items():
        (tmp_path / f"{stem}.csv").write_bytes(content.replace("\n", "\r\n").encode())
    published, known = OFFICIAL.read_handout(tmp_path)
    guess = VisitProb().attack(published, known, np.random.default_rng(0))
    path = OFFICIAL.guess_path(tmp_path, "team020-001_data01_IDP")
    OFFICIAL.write_guess(guess, path, published, known)
    assert path.name == "etable_team020-001_data01_IDP.csv"
    assert path.read_text() == "user_id\n" + "".join(f"{user + 1}\n" for user in guess.users)
    cells = (tmp_path / "etraces_team020-001_data01_IDP.csv").read_text().split()
    assert (cells[0], len(cells)) == ("reg_id", 1 + 6)
    assert OFFICIAL.guesses(tmp_path) == [path]
    again = OFFICIAL.read_guess(path, published, known)
    assert (again.users.tolist(), again.traces.tolist()) == (guess.users.tolist(), guess.traces.tolist())


def test_the_judge_needs_no_pubtraces(folder: Path) -> None:
    whole = OFFICIAL.read_release(folder)
    (folder / "pubtraces_team001_data01_IDP.csv").unlink()
    assert OFFICIAL.read_release(folder).owners.tolist() == whole.owners.tolist()


@pytest.mark.parametrize("form", [OFFICIAL, Ours()])
def test_an_answer_to_one_task_is_judged_alone(folder: Path, tmp_path: Path, form: Pwscup2019 | Ours) -> None:
    release = OFFICIAL.read_release(folder)
    sheets = {"etable": "user_id\n2\n2\n1\n", "etraces": "reg_id\n1\n2\n33\n34\n65\n66\n"}
    if isinstance(form, Ours):
        sheets = {"guess-": "user\n2\n2\n1\n", "traces-": "region\n1\n2\n33\n34\n65\n66\n"}
    for at, (stem, content) in enumerate(sheets.items()):
        alone = tmp_path / stem
        alone.mkdir()
        (alone / f"{stem}x.csv").write_text(content)
        assert form.guesses(alone) == [alone / f"{stem}x.csv"]
        guess = form.read_guess(alone / f"{stem}x.csv", release.published, release.original.knowledge)
        judged, missing = [(IdSafety(), TraceSafety()), (TraceSafety(), IdSafety())][at]
        assert judged.measure(release, guess).value == pytest.approx([1 / 3, 10 / 24][at])
        for metric in (missing, WorstOfBoth()):
            with pytest.raises(Undefined, match="the guess names"):
                metric.measure(release, guess)
        form.write_guess(guess, form.guess_path(alone / "again", "x"), release.published, release.original.knowledge)
        assert [path.name[:4] for path in (alone / "again").iterdir()] == [stem[:4]]
