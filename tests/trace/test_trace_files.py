"""Traces in folders: what is written comes back, and what is wrong is named with its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import FileError, IcefireError
from icefire.core.pipeline import Pipeline
from icefire.datasets.walks import Walks
from icefire.trace.anonymize.mrlh import Mrlh
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.attack.visit_prob import VisitProb
from icefire.trace.data import Release
from icefire.trace.examples import example
from icefire.trace.formats.ours import Ours
from icefire.trace.schema import read_schema

FILES = Ours()
Rng = np.random.default_rng


@pytest.fixture
def released(tmp_path: Path) -> Path:
    release = Pipeline((Mrlh(x=1, delete=0.2),)).anonymize(example(12), Rng(0))
    FILES.write_release(release, tmp_path, {"seed": 0})
    return tmp_path


@pytest.mark.parametrize("extension", [".csv", ".parquet", ".csv.gz"])
def test_a_release_survives_its_files(tmp_path: Path, extension: str) -> None:
    original = example(12)
    release = Pipeline((Mrlh(x=1, delete=0.2),)).anonymize(original, Rng(0))
    FILES.write_release(release, tmp_path, {"seed": 0}, extension)
    again = FILES.read_release(tmp_path)
    assert again.owners.tolist() == release.owners.tolist()
    before, after = (r.published.spread.toarray()[r.published.codes] for r in (release, again))
    assert np.allclose(before[release.published.codes >= 0], after[again.published.codes >= 0])
    assert again.original.grid == original.grid
    assert again.original.sensitive.tolist() == original.sensitive.tolist()
    guess = VisitProb().attack(again.published, again.original.knowledge, Rng(0))
    FILES.write_guess(guess, tmp_path / "guess-x.csv", again.published, again.original.knowledge)
    back = FILES.read_guess(tmp_path / "guess-x.csv", again.published, again.original.knowledge)
    assert back.users.tolist() == guess.users.tolist()
    assert back.traces.tolist() == guess.traces.tolist()


def lines(text: str, *order: int) -> str:
    """The text with its lines in another order."""
    all_lines = text.splitlines()
    return "\n".join([all_lines[at] for at in order] + all_lines[len(order) :]) + "\n"


BAD = [
    ("original.csv", lambda t: t.replace("\n1,9,", "\n1,9,x", 1), r"original.csv, line 2: 'x.*' is not a region 1..64"),
    (
        "original.csv",
        lambda t: t.rsplit("\n", 2)[0] + "\n",
        r"line 96: expected user 12 at time 15.*there are 95",
    ),
    ("original.csv", lambda t: lines(t, 0, 2, 1), r"line 2: expected user 1 at time 9, found user 1 at time 10"),
    ("reference.csv", lambda t: t.replace("user,", "who,", 1), r"expected the columns user, time, region"),
    ("published.csv", lambda t: t.replace("*", "* 3", 1), r"published.csv, line \d+: '\* 3' is not a cell"),
    ("published.csv", lambda t: t.replace("*", "99", 1), r"published.csv, line \d+: '99' is not a cell"),
    ("published.csv", lambda t: t.replace("*", "", 1), r"published.csv, line \d+: the cell is empty"),
    ("secret.csv", lambda t: t.replace("\n13,", "\n13,77", 1), r"secret.csv, line 2: the user '77.*' is unknown"),
]


@pytest.mark.parametrize(("name", "change", "complaint"), BAD)
def test_bad_files_are_named_with_their_line(released: Path, name: str, change: object, complaint: str) -> None:
    path = released / name
    path.write_text(change(path.read_text()))  # type: ignore[operator]
    with pytest.raises(IcefireError, match=complaint):
        FILES.read_release(released)


def test_crlf_and_bom_are_accepted(released: Path) -> None:
    before = FILES.read_release(released)
    for name in ("original.csv", "reference.csv", "published.csv", "secret.csv"):
        path = released / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    again = FILES.read_release(released)
    assert again.published.codes.tolist() == before.published.codes.tolist()


def test_bad_guesses_are_named(released: Path) -> None:
    release = FILES.read_release(released)
    path = released / "guess-x.csv"
    path.write_text("user\n" + "99\n" * 12)
    with pytest.raises(FileError, match=r"guess-x.csv, line 2: '99' is not a user's place 1..12"):
        FILES.read_guess(path, release.published, release.original.knowledge)
    path.write_text("user\n1\n")
    with pytest.raises(FileError, match="has 1 lines below its header; a guess needs 12"):
        FILES.read_guess(path, release.published, release.original.knowledge)


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ("sensitive = [99999]", "sensitive must list regions 1..1024"),
        ("day = 0", "day must be the number of times in a day"),
        ("[grid]\nrow = 3", "no key under"),
        ("[grid]\nrows = 0", "must be an integer of at least 1"),
        ('kind = "history"', 'kind must be "trace"'),
    ],
)
def test_bad_schemas_are_named(released: Path, schema: str, complaint: str) -> None:
    (released / "schema.toml").write_text(schema)
    with pytest.raises(IcefireError, match=complaint):
        FILES.read_original(released)


def test_generated_walks_are_as_identifiable_as_the_contest_s() -> None:
    from icefire.trace.attack.home_prob import HomeProb

    two = Walks(n=2000, days=2).generate(Rng(0))
    release = Release.shuffled(two, two.cells, Rng(1))
    home = np.mean(HomeProb().attack(release.published, two.knowledge, Rng(2)).users == release.owners)
    assert 0.09 <= home <= 0.12
    twenty = Walks(n=2000, days=20).generate(Rng(0))
    release = Release.shuffled(twenty, twenty.cells, Rng(1))
    visit = np.mean(VisitProb().attack(release.published, twenty.knowledge, Rng(2)).users == release.owners)
    assert 0.35 <= visit <= 0.5
    from icefire.core.matching import match_dense

    scores = SlotLikelihood().scores(release.published, twenty.knowledge)
    found = match_dense(scores, "assignment", Rng(3)).rows == release.owners
    assert found.mean() >= 0.99


POINTS = """user,timestamp,latitude,longitude
ann,2019-10-01 08:10:00,35.0,139.0
ann,2019-10-01 12:00:00,35.9,139.9
ann,2019-10-02 09:00:00,35.9,139.0
bob,2019-10-01 10:00:00,35.0,139.9
cat,2019-10-02T17:59:00Z,35.0,139.0
bob,2019-10-02 03:00,35.0,139.9
"""


def test_points_are_put_on_a_grid(tmp_path: Path) -> None:
    from icefire.datasets.gps import Gps

    path = tmp_path / "points.csv"
    path.write_text(POINTS)
    traces = Gps(file=str(path), rows=2, columns=2, minutes=60).generate(Rng(0))
    # Cat has no point on the first day. Ann moves from the south-west to the north-east at 12:00.
    assert traces.users.to_list() == ["ann", "bob"]
    assert traces.day == 10
    assert traces.reference[0].tolist() == [0] * 4 + [3] * 6
    assert traces.original[0].tolist() == [2] * 10
    assert traces.reference[1].tolist() == traces.original[1].tolist() == [1] * 10
    for change, complaint in (
        (("latitude", "lat"), "has no column latitude"),
        (("2019-10-01 12:00:00", "noon"), r"points.csv, line 3: 'noon' is not a time"),
        (("35.9,139.9", "95.9,139.9"), r"line \d: 95.9 is not a latitude"),
        (("2019-10-02", "2019-10-01"), "points of one day only"),
    ):
        path.write_text(POINTS.replace(*change))
        with pytest.raises(IcefireError, match=complaint):
            Gps(file=str(path), rows=2, columns=2).generate(Rng(0))


def test_times_keep_their_labels_and_their_time_of_day(tmp_path: Path) -> None:
    lines = {"reference": range(3, 8), "original": range(101, 104)}
    for stem, times in lines.items():
        rows = [f"{user},{time},{1 + user}" for user in (1, 2) for time in times]
        (tmp_path / f"{stem}.csv").write_text("\n".join(["user,time,region", *rows]) + "\n")
    (tmp_path / "schema.toml").write_text("day = 4\n[grid]\nrows = 2\ncolumns = 2\n")
    files = Ours()
    people = files.read_original(tmp_path)
    assert people.knowledge.slots.tolist() == [2, 3, 0, 1, 2]
    assert people.knowledge.published_slots.tolist() == [0, 1, 2]
    files.write_release(Mrlh().anonymize(people, np.random.default_rng(0)), tmp_path / "out", {})
    published = pl.read_csv(tmp_path / "out" / "published.csv")
    assert published["time"].unique().sort().to_list() == [101, 102, 103]
    assert (tmp_path / "out" / "original.csv").read_text() == (tmp_path / "original.csv").read_text()


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ("grid = 5", "grid must be a table"),
        ("sensitive = 5", "sensitive must be a list of regions"),
        ("sensitive = [true]", "sensitive must list regions"),
        ("day = true", "day must be the number of times in a day"),
        ("[grid]\nrows = 8.0", "'rows' parameter of Grid must be an integer"),
        ('[grid]\ncell_height = "x"', "'cell_height' parameter of Grid must be a number"),
        ("[grid]\ncell_height = nan", "'cell_height' parameter of Grid must be a number"),
        ("[grid]\ncell_width = 0", "'cell_width' parameter of Grid must be above 0"),
    ],
)
def test_schemas_that_make_no_sense(tmp_path: Path, schema: str, says: str) -> None:
    (tmp_path / "schema.toml").write_text(schema)
    with pytest.raises(FileError, match=says):
        read_schema(tmp_path / "schema.toml")
