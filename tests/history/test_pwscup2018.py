"""The official files of 2018, on files small enough to check by hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from statistics import mean, pstdev

import numpy as np
import pytest

from icefire.core.errors import DataError, FileError, IcefireError, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.seeds import generator
from icefire.history.anonymize.generalize import Generalize
from icefire.history.anonymize.method1 import Method1
from icefire.history.attack.evidence import Evidence
from icefire.history.attack.jaccard import Jaccard
from icefire.history.data import Release
from icefire.history.examples import example
from icefire.history.facets import Facets
from icefire.history.formats.pwscup2018 import COLUMNS, Pwscup2018
from icefire.history.safety.identification_test import IdentificationTest
from icefire.history.safety.re_identification import ReIdentification
from icefire.history.safety.user_matching import UserMatching
from icefire.history.utility.cell_loss import CellLoss
from icefire.history.utility.ut_il import UtIl

OFFICIAL = Pwscup2018()
T = (
    "13047,2010/12/1,84879,1.69,32\n"
    "13047,2010/12/3,22745,2.1,6\n"
    "13748,2010/12/1,22086,2.55,80\n"
    "17809,2010/12/9,22961,165,24\n"
    "17809,2010/12/9,85049A,1.45,12\n"
)
A = (
    "1,[2010/12/1;2010/12/3],{84879;22745},1.69,*\n"
    "1,*,22745,[1.69;2.10],6\n"
    "*,*,*,*,*\n"
    "3,2010/12/9,*,*,[12;24]\n"
    "3,2010/12/9,85049A,1.45,12\n"
)
A1 = (
    "1,*,22745,[1.69;2.10],6\n"
    "1,[2010/12/1;2010/12/3],{84879;22745},1.69,*\n"
    "3,2010/12/9,*,*,[12;24]\n"
    "3,2010/12/9,85049A,1.45,12\n"
)


def write(folder: Path, **contents: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content)
    return folder


def released(folder: Path, **contents: str) -> Release:
    return OFFICIAL.read_release(write(folder, **({"T": T, "A": A} | contents)))


def test_t_and_a_are_enough_to_evaluate(tmp_path: Path) -> None:
    release = released(tmp_path / "judge")
    # In the order of A', and each record with its line in T.
    assert [",".join(line) for line in release.published.texts().rows()] == A1.splitlines()
    assert release.rows.tolist() == [1, 0, 3, 4]
    again = OFFICIAL.read_release(write(tmp_path / "judge", A1=A1))
    assert (again.rows.tolist(), again.pseudonyms.tolist()) == (release.rows.tolist(), release.pseudonyms.tolist())
    assert again.first_owners.tolist() == [0, 2]


def loss(original: str, aligned: str) -> float:
    """ut-il cell by cell, in days, cents and pieces."""

    def number(text: str, column: int) -> int:
        if column == 1:
            return date(*map(int, text.split("/"))).toordinal()
        return round(float(text) * 100) if column == 3 else int(text)

    before, after = ([line.split(",") for line in table.splitlines()] for table in (original, aligned))
    columns = []
    for column in range(1, 5):
        cells = []
        spread = 0.0 if column == 2 else pstdev(number(line[column], column) for line in before)
        for x, y in zip((line[column] for line in before), (line[column] for line in after), strict=True):
            if y == "*":
                cells.append(1.0)
            elif y[0] == "{":
                cells.append(1 - 1 / len(y[1:-1].split(";")))
            elif y[0] == "[":
                a, b = (number(end, column) for end in y[1:-1].split(";"))
                true = number(x, column)
                cells.append(((a - true) ** 2 + (b - true) ** 2 + (b - a)) / (2 * (b - a + 1) * spread))
            else:
                cells.append(0.0)
        columns.append(mean(cells))
    return mean(columns)


def test_the_loss_by_hand(tmp_path: Path) -> None:
    release = released(tmp_path / "a")
    value = UtIl().measure(release.original, release)
    # Items: 1/2 for the set of two, 1 for the deleted cell and 1 for the deleted record.
    assert value.by_column()["item"] == pytest.approx((0.5 + 1 + 1) / 5)
    # Prices: [1.69;2.10] around 2.10 is 41 cents wide; a deleted cell, a deleted record.
    cents = [169, 210, 255, 16500, 145]
    interval = (41**2 + 0 + 41) / (2 * 42 * pstdev(cents))
    assert value.by_column()["price"] == pytest.approx((interval + 1 + 1) / 5)
    assert value.value == pytest.approx(loss(T, A))
    # All values are true or deleted, so that the strict form is the same.
    assert CellLoss().measure(release.original, release).value == pytest.approx(value.value)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        # A single value is free, true or not; the strict form charges it.
        ("3,2010/12/9,85049A,1.45,12", "3,2010/12/1,22961,99.99,1", False),
        # A set costs its size, with or without the true item.
        ("{84879;22745}", "{22086;22745}", False),
        # [a;a] is an interval and no single value.
        (",1.69,*", ",[1.7;1.7],*", True),
        ("3,2010/12/9,85049A,1.45,12", "3,[2010/12/2;2010/12/20],85049A,[1;200.5],[5;6]", True),
        ("3,2010/12/9,85049A,1.45,12", "3,*,*,*,*", True),
    ],
)
def test_the_loss_to_the_letter(tmp_path: Path, old: str, new: str, same: bool) -> None:
    release = released(tmp_path / "a", A=A.replace(old, new))
    value = UtIl().measure(release.original, release).value
    assert value == pytest.approx(loss(T, A.replace(old, new)))
    strict = CellLoss().measure(release.original, release).value
    assert strict == pytest.approx(value) if same else strict > value


def test_pseudonyms_of_several_customers_and_customers_with_several_pseudonyms(tmp_path: Path) -> None:
    plain = (
        T.replace("13047,2010/12/1", "1,2010/12/1").replace("13047", "2").replace("13748", "2").replace("17809", "3")
    )
    release = released(tmp_path / "a", A=plain)
    # The first customer under 2 is the second record's, 13047.
    assert release.first_owners.tolist() == [0, 0, 2]
    (tmp_path / "a" / "F1_x.csv").write_text("2,13047\n1,13748\n3,17809\n")
    guess = OFFICIAL.read_guess(tmp_path / "a" / "F1_x.csv", release.published, release.original)
    assert IdentificationTest().measure(release, guess).detail["right"] == 2
    for metric, problem in ((UserMatching(), "customer has several"), (ReIdentification(), "stands for several")):
        with pytest.raises(Undefined, match=problem):
            metric.measure(release, guess)


def test_an_attacker_needs_t_and_a_prime(tmp_path: Path) -> None:
    (tmp_path / "attacker").mkdir()
    for name, content in {"T": T, "A1_team01": A1}.items():
        (tmp_path / "attacker" / f"{name}.txt").write_bytes(content.replace("\n", "\r\n").encode())
    published, known = OFFICIAL.read_handout(tmp_path / "attacker")
    guess = Evidence().attack(published, known, np.random.default_rng(0))
    path = OFFICIAL.guess_path(tmp_path / "attacker", "evidence")
    OFFICIAL.write_guess(guess, path, published, known)
    assert path.read_text() == "1,13047\n3,17809\n"
    assert OFFICIAL.guesses(tmp_path / "attacker") == [path]
    again = OFFICIAL.read_guess(path, published, known)
    assert (again.owners.tolist(), again.table.tolist()) == (guess.owners.tolist(), [[0], [-1], [1]])


def test_deleted_dates_do_not_hide_the_others(tmp_path: Path) -> None:
    """Dates alone tell these people apart."""
    lines = [f"{100 + who},2010/12/{1 + who},x,1,1" for who in range(20)]
    shown = [f"{who},{'*' if who == 7 else f'2010/12/{1 + who}'},x,1,1" for who in range(20)]
    folder = write(tmp_path / "a", T="\n".join(lines) + "\n", A1="\n".join(shown) + "\n")
    published, known = OFFICIAL.read_handout(folder)
    owners = Evidence(assign="assignment").attack(published, known, np.random.default_rng(0)).owners
    names = {published.users[j]: known.users[int(user)] for j, user in enumerate(owners)}
    assert names == {str(who): str(100 + who) for who in range(20)}


def test_deleted_items_do_not_look_like_all_items(tmp_path: Path) -> None:
    """Items alone tell these people apart, although every pseudonym has a deleted one."""
    lines = [f"{100 + who},2010/12/1,{item},1,1" for who in range(20) for item in (f"x{who}", "y")]
    shown = [f"{who},2010/12/1,{item},1,1" for who in range(20) for item in (f"x{who}", "*")]
    folder = write(tmp_path / "a", T="\n".join(lines) + "\n", A1="\n".join(shown) + "\n")
    published, known = OFFICIAL.read_handout(folder)
    guess = Jaccard().attack(published, known, np.random.default_rng(0))
    names = {published.users[j]: known.users[int(user)] for j, user in enumerate(guess.owners)}
    assert names == {str(who): str(100 + who) for who in range(20)}
    left, _ = Facets(published, known).profiles(("item",))
    assert left.nnz == 20


def test_a_release_survives(tmp_path: Path) -> None:
    release = released(tmp_path / "a")
    OFFICIAL.write_release(release, tmp_path / "b", {"seed": 1})
    assert [(tmp_path / "b" / f"{name}.csv").read_text() for name in ("T", "A", "A1")] == [T, A, A1]


def test_our_own_releases(tmp_path: Path) -> None:
    OFFICIAL.write_original(example(), tmp_path)
    original = OFFICIAL.read_original(tmp_path)
    assert (original.periods.labels, tuple(original.frame.columns)) == (("all",), COLUMNS)
    step = Generalize(item=3, date="week", price=4, quantity=3)
    release = Pipeline((step,)).anonymize(original, generator(1))
    OFFICIAL.write_release(release, tmp_path, {})
    again = OFFICIAL.read_release(tmp_path)
    for metric in (UtIl(), CellLoss()):
        before, after = (metric.measure(original, one).value for one in (release, again))
        assert after == pytest.approx(before, abs=2e-3), "ends of intervals are rounded to cents"
    assert again.table.shape == (30, 1)
    with pytest.raises(DataError, match="have no place for dummy records"):
        OFFICIAL.write_release(Method1(clusters=5).anonymize(original, generator(1)), tmp_path, {})


@pytest.mark.parametrize(
    ("contents", "complaint"),
    [
        (
            {"A": A.replace("22745,[", "XX22745,[")},
            r"A.csv, line 2: 'XX22745' is not an item of T, a set \{a;b\} of them, or \*",
        ),
        ({"A": A.replace("{84879;22745}", "{XX;22745}")}, r"A.csv, line 1: '\{XX;22745\}' is not an item of T"),
        ({"A": A.replace("*,*,*,*,*", "*,*,22086,*,*")}, r"A.csv, line 3: the record has values and no pseudonym"),
        ({"A": A.replace("*,*,*,*,*\n", "")}, r"A.csv has 4 lines, T 5: a deleted record is \*,\*,\*,\*,\*"),
        (
            {"A": A.replace("[1.69;2.10]", "[2.10;1.69]")},
            r"A.csv, line 2: the interval \[2.10;1.69\] ends before it begins",
        ),
        ({"A": A.replace("[1.69;2.10]", "[1.69;2.105]")}, r"A.csv, line 2: the price '\[1.69;2.105\]' is not a number"),
        ({"A": A.replace("[1.69;2.10]", "{1.69;2.10}")}, r"A.csv, line 2: the price"),
        ({"A": A.replace("[12;24]", "[12;24")}, r"A.csv, line 4: '\[12;24' is not a whole number"),
        ({"A": A.replace("3,2010/12/9,85049A", "3,2010/13/9,85049A")}, r"A.csv, line 5: .* is not a date"),
        ({"A": A.replace(",1.45,12", ",1.45")}, r"A.csv, line 5: 4 columns where a record has 5"),
        ({"A1": A1.replace("85049A", "84879")}, r"A1.csv does not hold the records of A.csv"),
        ({"T": T.replace("1.45", "1.455")}, r"T.csv, line 5: the price '1.455' is not a number of at most 2 decimals"),
    ],
)
def test_bad_files_are_named_with_their_line(tmp_path: Path, contents: dict[str, str], complaint: str) -> None:
    with pytest.raises(IcefireError, match=complaint):
        released(tmp_path / "a", **contents)


@pytest.mark.parametrize(
    ("guess", "complaint"),
    [
        ("1,13047\n2,17809\n", r"line 2: the guess names the pseudonym '2', which was not published"),
        ("1,13047\n3,17808\n", r"line 2: the guess names the unknown customer '17808'"),
        ("2\n1,13047\n1,17809\n", r"line 3: the guess names the pseudonym '1' twice"),
        ("1,13047,5\n", r"line 1: 3 columns where a record has 2"),
    ],
)
def test_bad_guesses_are_named_with_their_line(tmp_path: Path, guess: str, complaint: str) -> None:
    release = released(tmp_path / "a")
    (tmp_path / "F1_x.csv").write_text(guess)
    with pytest.raises(FileError, match=complaint):
        OFFICIAL.read_guess(tmp_path / "F1_x.csv", release.published, release.original)
