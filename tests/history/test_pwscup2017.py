"""The official files of 2017 and the exact rules of its judge, on files small enough to check by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from icefire.core.errors import FileError, IcefireError, InputWarning, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.seeds import generator
from icefire.history.anonymize.delete_records import DeleteRecords
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.attack.key_match import KeyMatch
from icefire.history.data import Guess
from icefire.history.formats.ours import Ours
from icefire.history.formats.pwscup2017 import Pwscup2017
from icefire.history.safety.month_matching import MonthMatching
from icefire.history.safety.re_identification import ReIdentification
from icefire.history.safety.user_matching import UserMatching
from icefire.history.utility.date_shift import DateShift
from icefire.history.utility.popular_items import PopularItems
from icefire.history.utility.popular_similarity import PopularSimilarity
from icefire.history.utility.price_ratio import PriceRatio
from icefire.history.utility.quantity_similarity import QuantitySimilarity
from icefire.history.utility.rows_deleted import RowsDeleted
from icefire.history.utility.small_quantity_similarity import SmallQuantitySimilarity
from icefire.history.utility.utility_2017 import Utility2017

OFFICIAL = Pwscup2017()
M = "100,f,1950/1/1,France\n101,m,1960/1/1,Germany\n102,f,1970/1/1,France\n"
T = (
    "100,0,2010/12/1,8:00,22728,3.50,12\n"
    "101,0,2010/12/1,9:00,22727,3.75,12\n"
    "100,0,2011/1/5,10:00,21724,0.85,6\n"
    "102,0,2011/1/5,10:30,21883,0.85,24\n"
)
AT = "7,0,2010/12/2,8:00,22728,3.50,12\n8,0,2010/12/1,9:00,22727,3.75,12\nDEL,,,,,,\n9,0,2011/1/5,10:30,21883,0.85,24\n"
S = "9,0,2011/1/5,10:30,21883,0.85,24\n8,0,2010/12/1,9:00,22727,3.75,12\n7,0,2010/12/2,8:00,22728,3.50,12\n"
F = "100,7,DEL\n101,8,DEL\n102,DEL,9\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path)
    return tmp_path


def write(folder: Path, **files: str) -> None:
    for name, content in ({"M": M, "T": T, "AT": AT, "S": S, "F": F} | files).items():
        (folder / f"{name}.csv").write_text(content)


def keys(folder: Path, key: str, knowledge: Path | None = None, **settings: object) -> list[list[str]]:
    """The guess of a sample attack as the contest would write it."""
    published, original = OFFICIAL.read_handout(folder)
    known = original if knowledge is None else OFFICIAL.read_knowledge(knowledge, original)
    guess = KeyMatch(key=key, **settings).attack(published, known, np.random.default_rng(0))  # type: ignore[arg-type]
    OFFICIAL.write_guess(guess, folder / "Fh_x.csv", published, original)
    first, *lines = (folder / "Fh_x.csv").read_text().splitlines()
    assert first == str(len(original.users))
    return [line.split(",") for line in lines]


def test_files_are_read_and_written_as_they_are(folder: Path, tmp_path: Path) -> None:
    original = OFFICIAL.read_original(folder)
    assert original.users.to_list() == ["100", "101", "102"]
    assert original.periods.labels == ("2010-12", "2011-01")
    release = OFFICIAL.read_release(folder)
    assert release.rows.tolist() == [3, 1, 0]
    assert [release.published.users[int(p)] for p in release.pseudonyms[[0, 1, 2], [0, 0, 1]]] == ["7", "8", "9"]
    OFFICIAL.write_original(original, tmp_path / "again")
    for name, content in (("M", M), ("T", T)):
        assert (tmp_path / "again" / f"{name}.csv").read_text() == content
    OFFICIAL.write_release(release, tmp_path / "again", {})
    for name, content in (("AT", AT), ("F", F)):
        assert (tmp_path / "again" / f"{name}.csv").read_text() == content


def test_key_s1_takes_the_last_published_record_of_a_key_and_the_last_hit_of_a_customer(folder: Path) -> None:
    # Published keys (date, quantity): (1/5, 24) -> 9, (12/1, 12) -> 8, (12/2, 12) -> 7.
    # T: 100 has (12/1, 12), which is 8's; 101 has it, too; 100's (1/5, 6) finds nothing; 102's (1/5, 24) is 9's.
    assert keys(folder, "S1") == [["100", "8", "DEL"], ["101", "8", "DEL"], ["102", "DEL", "9"]]
    # Another record with the same key further down in S takes the key over.
    write(folder, S=S + "9,0,2010/12/1,9:00,99999,1,12\n")
    assert keys(folder, "S1") == [["100", "9", "DEL"], ["101", "9", "DEL"], ["102", "DEL", "9"]]


def test_keys_with_items_compare_two_characters(folder: Path) -> None:
    # (item, price): 22/3.50 -> 7, 22/3.75 -> 8, 21/0.85 -> 9: so 100 is given 9 in January by 21724 at 0.85.
    assert keys(folder, "S2") == [["100", "7", "9"], ["101", "8", "DEL"], ["102", "DEL", "9"]]
    # In full, 21724 is not 21883.
    assert keys(folder, "S2", darc=True) == [["100", "7", "DEL"], ["101", "8", "DEL"], ["102", "DEL", "9"]]
    # (item, quantity): 22/12 belongs to 8 and then to 7, who comes later in S.
    assert keys(folder, "S3") == [["100", "7", "DEL"], ["101", "7", "DEL"], ["102", "DEL", "9"]]
    # (date, item): 12/1 with 22 is 8's alone, since 7's date was moved; 1/5 with 21 is 9's.
    assert keys(folder, "S4") == [["100", "8", "9"], ["101", "8", "DEL"], ["102", "DEL", "9"]]
    # (item, price, quantity).
    assert keys(folder, "S5") == [["100", "7", "DEL"], ["101", "8", "DEL"], ["102", "DEL", "9"]]
    # (item, date, quantity), and with the price instead of the quantity.
    assert keys(folder, "S6") == [["100", "8", "DEL"], ["101", "8", "DEL"], ["102", "DEL", "9"]]
    assert keys(folder, "S6", darc=True) == [["100", "DEL", "DEL"], ["101", "8", "DEL"], ["102", "DEL", "9"]]


def test_keys_compare_texts_as_they_are_written(folder: Path) -> None:
    write(folder, S=S.replace("3.50", "3.5"))
    assert keys(folder, "S5")[0] == ["100", "DEL", "DEL"]
    write(folder, S=S.replace("2010/12/1,", "2010/12/01,"))
    assert keys(folder, "S4") == [["100", "DEL", "9"], ["101", "DEL", "DEL"], ["102", "DEL", "9"]]


def test_a_later_row_of_the_attacker_overwrites_an_earlier_one(folder: Path) -> None:
    more = "102,0,2011/1/6,10:30,22728,3.50,12\n"
    write(folder, T=T + more, AT=AT + "DEL,,,,,,\n")
    # 102 first finds 9 by (21883, 0.85) and then 7 by (22728, 3.50): the key knows no month.
    assert keys(folder, "S2")[2] == ["102", "DEL", "7"]


def test_the_attackers_tables(folder: Path, tmp_path: Path) -> None:
    OFFICIAL.write_original(OFFICIAL.read_original(folder), tmp_path / "kit", seed=3)
    full = (tmp_path / "kit" / "T100.csv").read_text()
    assert full == T.replace("22728", "22").replace("22727", "22").replace("21724", "21").replace("21883", "21")
    half = (tmp_path / "kit" / "T50.csv").read_text().splitlines()
    assert sum(line == "DEL,,,,,," for line in half) == 2
    assert all(line in ("DEL,,,,,,", whole) for line, whole in zip(half, full.splitlines(), strict=True))
    known = OFFICIAL.read_knowledge(tmp_path / "kit" / "T50.csv", OFFICIAL.read_original(folder))
    assert known.height == 2
    assert not known.complete
    assert set(known.frame["item"]) <= {"22*", "21*"}
    # The sample attacks read the same text from T100 as from T.
    assert keys(folder, "S2", knowledge=tmp_path / "kit" / "T100.csv") == keys(folder, "S2")


def test_um_and_mm_of_a_guess_file(folder: Path) -> None:
    release = OFFICIAL.read_release(folder)
    (folder / "guess-x.csv").write_text("102,DEL,9\n100,7,9\n101,7,DEL\n")
    guess = OFFICIAL.read_guess(folder / "guess-x.csv", release.published, release.original)
    # Rows may come in any order. Right: 100 Dec; 101 Jan (DEL); 102 both. DEL in F: 3 of 6 cells.
    assert UserMatching().measure(release, guess).value == 1 / 3
    assert MonthMatching().measure(release, guess).value == (4 - 3) / (6 - 3)


BASKETS = (
    "100,0,2011/1/1,8:00,aX,1.00,24\n"
    "100,0,2011/1/1,8:00,aY,1.00,12\n"
    "101,0,2011/1/1,8:00,aX,1.00,12\n"
    "101,0,2011/1/1,8:00,aZ,1.00,80\n"
)


def utility(
    folder: Path, aligned: str, table: str = "100,7\n101,8\n102,DEL\n", records: str = BASKETS
) -> dict[str, float]:
    write(folder, T=records, AT=aligned, F=table)
    (folder / "S.csv").unlink()
    release = OFFICIAL.read_release(folder)
    metrics = (
        QuantitySimilarity,
        SmallQuantitySimilarity,
        PopularItems,
        PopularSimilarity,
        DateShift,
        PriceRatio,
        RowsDeleted,
    )
    found = {}
    for metric in (*metrics, Utility2017):
        try:
            found[metric.title()] = metric().measure(release.original, release).value
        except IcefireError:
            found[metric.title()] = -1.0
    return found


def named(text: str) -> str:
    return text.replace("100,", "7,", 2).replace("101,", "8,")


def test_e1_by_hand(folder: Path) -> None:
    # Scores: X (a 24 -> 2, b 12 -> 1), Y (a 1), Z (b 80 -> 6). cos(X, Y) = 2/sqrt 5, cos(X, Z) = 1/sqrt 5.
    deleted = named(BASKETS).replace("7,0,2011/1/1,8:00,aY,1.00,12", "DEL,,,,,,")
    # Without Y only cos(X, Z) is left: 2/sqrt 5 of 3/sqrt 5 is lost.
    assert utility(folder, deleted)["E1"] == pytest.approx(2 / 3)
    less = named(BASKETS).replace("aX,1.00,12", "aX,1.00,11")
    # b's X falls below 12 and is dropped: cos(X, Y) becomes 1, cos(X, Z) becomes 0.
    root = 5**0.5
    assert utility(folder, less)["E1"] == pytest.approx(((1 - 2 / root) + 1 / root) / (3 / root))
    # A pair that only the release has is ignored: Z for a, too, changes cos(X, Z), and nothing for (Y, Z).
    same = named(BASKETS)
    assert utility(folder, same) == dict.fromkeys(
        ["E1", "E3 items", "E3 similarity", "E4", "E5", "E6"], pytest.approx(0)
    ) | {"E2": -1.0, "UTL": -1.0}


def test_e2_by_hand(folder: Path) -> None:
    # Quantities up to 11 count themselves; 12 is dropped.
    records = BASKETS.replace(",24\n", ",3\n").replace("aY,1.00,12", "aY,1.00,5").replace("aX,1.00,12", "aX,1.00,4")
    records = records.replace(",80\n", ",12\n") + "101,0,2011/1/2,8:00,aW,1.00,11\n"
    # X (3, 4), Y (5, 0), W (0, 11), Z dropped: cos(X, Y) = 3/5, cos(X, W) = 4/5.
    aligned = named(records).replace("aX,1.00,4", "aX,1.00,8")
    # X becomes (3, 8): 3/sqrt 73 and 8/sqrt 73.
    root = 73**0.5
    expected = (abs(3 / 5 - 3 / root) + abs(4 / 5 - 8 / root)) / (3 / 5 + 4 / 5)
    assert utility(folder, aligned, records=records)["E2"] == pytest.approx(expected)
    # Totals count, not records: 6 twice is 12 and is dropped.
    twice = records.replace("aY,1.00,5", "aY,1.00,6") + "100,0,2011/1/3,8:00,aY,1.00,6\n"
    before = utility(folder, twice.replace("100,", "7,").replace("101,", "8,"), records=twice)
    assert before["E2"] == 0
    changed = (
        twice.replace("100,", "7,").replace("101,", "8,").replace("2011/1/3,8:00,aY,1.00,6", "2011/1/3,8:00,aY,1.00,1")
    )
    # Y comes back with 7, but (X, Y) was no pair before.
    assert utility(folder, changed, records=twice)["E2"] == 0


def test_e3_by_hand(folder: Path) -> None:
    # X has two customers, Y and Z one each: of equals the later id comes first, so the top 2 are X and Z.
    write(folder, T=BASKETS, AT=named(BASKETS), F="100,7\n101,8\n102,DEL\n")
    (folder / "S.csv").unlink()
    release = OFFICIAL.read_release(folder)
    assert PopularItems(number=2).measure(release.original, release).value == 0
    aligned = named(BASKETS).replace("8,0,2011/1/1,8:00,aZ,1.00,80", "8,0,2011/1/1,8:00,aY,1.00,80")
    write(folder, T=BASKETS, AT=aligned, F="100,7\n101,8\n102,DEL\n")
    (folder / "S.csv").unlink()
    release = OFFICIAL.read_release(folder)
    assert PopularItems(number=2).measure(release.original, release).value == 1 / 2
    # Over X and Z as bought or not: cos = 1/sqrt 2 before, 0 after.
    assert PopularSimilarity(number=2).measure(release.original, release).value == pytest.approx(1)
    # Over all three: (X, Y) was 1/sqrt 2 and is 1, (X, Z) was 1/sqrt 2 and is 0.
    root = 2**0.5
    assert PopularSimilarity().measure(release.original, release).value == pytest.approx(
        ((1 - 1 / root) + 1 / root) / (2 / root)
    )


def test_e4_e5_e6_by_hand(folder: Path) -> None:
    aligned = "7,0,2011/1/11,8:00,aX,2.00,24\nDEL,,,,,,\n8,0,2011/1/4,8:00,aX,0.75,12\n8,0,2011/1/1,8:00,aZ,1.00,80\n"
    found = utility(folder, aligned)
    assert found["E4"] == pytest.approx((10 + 3) / (31 * 4))
    assert found["E5"] == pytest.approx((0.5 + 0.25) / 4)
    assert found["E6"] == 1 / 4


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"F": "100,7,DEL\n101,7,DEL\n102,DEL,9\n"},
            r"AT.csv, line 2: '8' is not the pseudonym that '101' has in 2010-12, '7'",
        ),
        ({"F": "100,7,DEL\n101,8,DEL\n"}, r"F.csv: the pseudonym table lacks 1 customers, the first is '102'"),
        ({"F": F + "100,7,DEL\n"}, r"F.csv, line 4: the pseudonym table names the customer '100' twice"),
        ({"F": F.replace("102", "103")}, r"F.csv, line 3: the pseudonym table names the unknown customer '103'"),
        (
            {"F": F.replace("9", "77")},
            r"F.csv, line 3: the pseudonym table names the pseudonym '77', which was not published",
        ),
        ({"F": F.replace(",9", "")}, r"F.csv, line 3: 2 columns where a record has 3"),
        ({"AT": AT.replace("2010/12/2", "2011/1/2")}, r"AT.csv, line 1: the date 2011/1/2 has left its month"),
        ({"AT": AT.replace("21883", "99999")}, r"AT.csv, line 4: the item '99999' is unknown to T"),
        ({"AT": AT.replace("9,0", "100,0")}, r"AT.csv, line 4: the pseudonym '100' is an original customer id"),
        (
            {"AT": AT.replace("0.85", "0.855")},
            r"AT.csv, line 4: the price '0.855' has more than 5 digits or 2 decimals",
        ),
        ({"AT": AT.replace(",24", ",-24")}, r"AT.csv, line 4: the quantity '-24' is not of 1 to 6 digits"),
        ({"AT": AT.replace("DEL,,,,,,", "DEL,0,,,,,")}, r"AT.csv, line 3: a deleted row has no other values"),
        ({"AT": AT.replace("22727", "DEL")}, r"AT.csv, line 2: DEL stands in the column item"),
        ({"AT": AT.replace("10:30,21883,0.85,24\n", "10:30,21")}, r"AT.csv, line 4: 5 columns where a record has 7"),
        ({"AT": "".join(AT.splitlines(keepends=True)[:3])}, r"AT.csv has 3 rows, T 4"),
        (
            {"AT": "DEL,,,,,,\n" * 3 + AT.splitlines()[3] + "\n"},
            r"AT.csv keeps 1 of 4 rows: at least half have to stay",
        ),
        (
            {"F": "100,8,DEL\n101,7,DEL\n102,DEL,9\n"},
            r"AT.csv, line 1: '7' is not the pseudonym that '100' has in 2010-12, '8'",
        ),
        ({"F": F.replace("100,7,DEL", "100,7,9")}, r"F.csv, line 1: '100' has '9' in 2011-01, but no record there"),
        ({"S": S.replace("24", "25")}, r"S.csv does not hold the rows of AT.csv"),
        ({"T": T.replace("102,", "555,")}, r"T.csv, line 4: the customer '555' is not among the known ones"),
        ({"T": T.replace(",24", ",-24")}, r"T.csv, line 4: the quantity -24 is negative"),
        ({"T": T.replace("2011/1/5,10:30", "2011/13/5,10:30")}, r"T.csv, line 4: '2011-?/?13.* is not a date"),
        ({"M": M + M.splitlines()[0] + "\n"}, r"M.csv, line 4: the customer '100' is listed twice"),
    ],
)
def test_bad_files_are_named_with_their_line(folder: Path, files: dict[str, str], complaint: str) -> None:
    write(folder, **files)
    with pytest.raises(IcefireError, match=complaint):
        OFFICIAL.read_release(folder)


def test_a_released_date_outside_all_periods(folder: Path) -> None:
    write(folder, S=S.replace("2010/12/2", "2012/12/2"))
    with pytest.raises(
        IcefireError, match=r"S.csv, line 3: the date 2012-12-02 is outside the periods 2010-12 to 2011-01"
    ):
        OFFICIAL.read_handout(folder)


@pytest.mark.parametrize(
    ("guess", "complaint"),
    [
        ("100,7,DEL\n101,8,DEL\n101,8,DEL\n", r"line 3: the guess names the customer '101' twice"),
        ("100,7,DEL\n101,8,DEL\n", r"the guess lacks 1 customers, the first is '102'"),
        ("100,7,DEL\n101,8,DEL\n102,DEL\n", r"line 3: 2 columns where a record has 3"),
        ("3\n100,7,DEL\n101,8,DEL\n102,DEL\n", r"line 4: 2 columns where a record has 3"),
        ("3\n100,7,DEL\n101,8,DEL\n103,DEL,9\n", r"line 4: the guess names the unknown customer '103'"),
        ("4\n100,7,DEL\n101,8,DEL\n102,DEL,9\n", r"line 1: 4 rows are announced, and 3 follow"),
    ],
)
def test_bad_guesses_are_named_with_their_line(folder: Path, guess: str, complaint: str) -> None:
    release = OFFICIAL.read_release(folder)
    path = folder / "guess-bad.csv"
    path.write_text(guess)
    with pytest.raises(FileError, match=complaint):
        OFFICIAL.read_guess(path, release.published, release.original)


def test_our_own_releases_survive_both_formats(folder: Path, tmp_path: Path) -> None:
    original = OFFICIAL.read_original(folder)
    release = Pipeline((Pseudonyms(), DeleteRecords(share=0.25))).anonymize(original, generator(1))
    for kind, place in ((OFFICIAL, tmp_path / "a"), (Ours(), tmp_path / "b")):
        kind.write_release(release, place, {"seed": 1})
        again = kind.read_release(place)
        truth = Guess(again.pseudonyms, again.owners.max(axis=1))
        assert MonthMatching().measure(again, truth).value == 1
        assert RowsDeleted().measure(again.original, again).value == 0.25


def test_crlf_and_bom_are_accepted(folder: Path) -> None:
    for name, content in {"M": M, "T": T, "AT": AT, "S": S, "F": F}.items():
        (folder / f"{name}.csv").write_bytes(b"\xef\xbb\xbf" + content.replace("\n", "\r\n").encode())
    release = OFFICIAL.read_release(folder)
    assert release.published.users.to_list() == ["7", "8", "9"]
    assert keys(folder, "S5") == [["100", "7", "DEL"], ["101", "8", "DEL"], ["102", "DEL", "9"]]


# As participants had them: .txt, CRLF, names that go on, unknown records marked DEL, items of two characters.
T50 = "100,0,2010/12/1,8:00,22,3.50,12\nDEL,,,,,,\nDEL,,,,,,\n102,0,2011/1/5,10:30,21,0.85,24\n"


def handed_out(folder: Path, **contents: str) -> Path:
    """A folder of an attacker, who has neither T nor AT nor F."""
    folder.mkdir()
    for name, content in ({"M": M, "S_aa_20171023": S} | contents).items():
        (folder / f"{name}.txt").write_bytes(content.replace("\n", "\r\n").encode())
    return folder


def test_an_attacker_needs_no_more_than_s_and_a_table(tmp_path: Path) -> None:
    folder = handed_out(tmp_path / "attacker", T50=T50)
    published, known = OFFICIAL.read_handout(folder)
    assert published.users.to_list() == ["7", "8", "9"]
    assert known.users.to_list() == ["100", "101", "102"]
    assert (known.frame["item"].to_list(), known.complete) == (["22*", "21*"], False)
    guess = KeyMatch(key="S5").attack(published, known, np.random.default_rng(0))
    path = OFFICIAL.guess_path(folder, "S5")
    OFFICIAL.write_guess(guess, path, published, known)
    # S5 prints the number of customers first. 101 is not known to have bought anything.
    assert path.read_text() == "3\n100,7,DEL\n101,DEL,DEL\n102,DEL,9\n"
    assert OFFICIAL.guesses(folder) == [path]


def test_an_attacker_with_several_tables_says_which(tmp_path: Path) -> None:
    folder = handed_out(tmp_path / "attacker", T50=T50, T25="DEL,,,,,,\n" * 3 + T50.splitlines()[3] + "\n")
    with pytest.raises(FileError, match=r"holds T25.txt, T50.txt: say which of them is known, --knowledge"):
        OFFICIAL.read_handout(folder)
    _, known = OFFICIAL.read_partial(folder, folder / "T25.txt")
    assert known.height == 1
    # Without M there are only the customers of the table.
    (folder / "M.txt").unlink()
    with pytest.warns(InputWarning, match=r"has no M: the guess is about the 2 customers of T50.txt alone"):
        _, known = OFFICIAL.read_partial(folder, folder / "T50.txt")
    assert known.users.to_list() == ["100", "102"]


def test_a_folder_without_a_table_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"no file T.csv or T.txt in "):
        OFFICIAL.read_handout(handed_out(tmp_path / "attacker"))


def test_m_t_and_at_are_enough_to_evaluate(folder: Path, tmp_path: Path) -> None:
    whole = OFFICIAL.read_release(folder)
    (tmp_path / "judge").mkdir()
    for name, content in {"M": M, "T": T, "AT_bb": AT}.items():
        (tmp_path / "judge" / f"{name}.txt").write_text(content)
    release = OFFICIAL.read_release(tmp_path / "judge")
    assert release.pseudonyms.tolist() == whole.pseudonyms.tolist()
    two = AT.replace("DEL,,,,,,", "6,0,2010/12/3,8:00,21724,0.85,6")
    (tmp_path / "judge" / "AT_bb.txt").write_text(two)
    (tmp_path / "judge" / "T.txt").write_text(T.replace("2011/1/5,10:00", "2010/12/5,10:00"))
    with pytest.raises(FileError, match=r"AT_bb.txt, line 3: '6' is not the pseudonym that '100' has in 2010-12, '7'"):
        OFFICIAL.read_release(tmp_path / "judge")


@pytest.mark.parametrize("count", ["", "3\n"])
def test_a_guess_may_begin_with_the_number_of_customers(folder: Path, count: str) -> None:
    release = OFFICIAL.read_release(folder)
    (folder / "Fh25_aa.txt").write_bytes((count + F).replace("\n", "\r\n").encode())
    assert OFFICIAL.guesses(folder) == [folder / "Fh25_aa.txt"]
    guess = OFFICIAL.read_guess(folder / "Fh25_aa.txt", release.published, release.original)
    assert UserMatching().measure(release, guess).value == 1


def test_pseudonyms_that_were_never_published_count_as_wrong(folder: Path) -> None:
    release = OFFICIAL.read_release(folder)
    (folder / "Fh_x.csv").write_text("100,7,66\n101,8,DEL\n102,DEL,9\n")
    with pytest.warns(InputWarning, match=r"line 1: the guess names pseudonyms that were not published \(1 cells\)"):
        guess = OFFICIAL.read_guess(folder / "Fh_x.csv", release.published, release.original)
    # 100 is DEL in January: 66 is wrong there, and must not pass for DEL.
    assert UserMatching().measure(release, guess).value == 2 / 3
    OFFICIAL.write_guess(guess, folder / "Fh_y.csv", release.published, release.original)
    assert (folder / "Fh_y.csv").read_text() == "3\n100,7,?\n101,8,DEL\n102,DEL,9\n"


def test_two_customers_may_share_a_pseudonym(folder: Path) -> None:
    write(folder, AT=AT.replace("8,0", "7,0"), S=S.replace("8,0", "7,0"), F="100,7,DEL\n101,7,DEL\n102,DEL,9\n")
    with pytest.warns(InputWarning, match=r"'7' stands for two customers in 2010-12, '100' and '101'"):
        release = OFFICIAL.read_release(folder)
    (folder / "Fh_x.csv").write_text("3\n100,7,DEL\n101,7,DEL\n102,DEL,9\n")
    guess = OFFICIAL.read_guess(folder / "Fh_x.csv", release.published, release.original)
    assert UserMatching().measure(release, guess).value == 1
    with pytest.raises(Undefined, match="a pseudonym stands for several customers"):
        ReIdentification().measure(release, guess)


def test_half_of_the_rows_is_rounded_down(folder: Path) -> None:
    # 22,458 of 44,917; here 2 of 5.
    records = T + "102,0,2011/1/6,10:30,21883,0.85,24\n"
    kept = "".join(line + "\n" if at < 2 else "DEL,,,,,,\n" for at, line in enumerate((AT + "-").splitlines()))
    write(folder, T=records, AT=kept, F="100,7,DEL\n101,8,DEL\n102,DEL,DEL\n")
    (folder / "S.csv").unlink()
    assert OFFICIAL.read_release(folder).published.height == 2
    write(folder, T=records, AT=kept.replace(AT.splitlines()[0], "DEL,,,,,,"))
    with pytest.raises(FileError, match=r"AT.csv keeps 1 of 5 rows: at least half have to stay"):
        OFFICIAL.read_release(folder)
