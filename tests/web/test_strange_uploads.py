"""Uploads that once ended in an error of ours: strange names, braces in braces, sets without end."""

from __future__ import annotations

import pytest

from icefire.contest.uploads import files_of, pack
from web.conftest_web import Hall, good_guess, good_release

NAMES = [
    "😀" * 85,
    "名" * 90,
    "a\nb",
    "a\x7fb",
    "a" * 300,
    "é" * 99,
]


def with_cell(good: dict[str, bytes], column: str, cell: str) -> bytes:
    """The release with another cell in the second row."""
    lines = good["published.csv"].decode().split("\n")
    place = lines[0].split(",").index(column)
    cells = lines[2].split(",")
    cells[place] = cell
    return pack({**good, "published.csv": "\n".join([*lines[:2], ",".join(cells), *lines[3:]]).encode()})


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:9])
def test_strange_names_are_refused_with_a_reason(hall: Hall, name: str) -> None:
    hall.reach(1)
    for team in ("aoi", "kaede"):
        hall.contest.uploads.release(team, "households", good_release(hall, team))
    hall.reach(71)
    content = next(iter(files_of(good_guess(hall, "kaede")).values()))
    with hall.client(hall.team_login("aoi")) as client:
        answer = client.put("/api/guesses/kaede/households", content=pack({f"guess-{name}.csv": content}))
        assert answer.status_code == 422, answer.text
        (fault,) = answer.json()["faults"]
        assert fault.startswith("the zip file holds")


@pytest.mark.parametrize("column", ["age", "region"])
@pytest.mark.parametrize("cell", ["{" * 20_000 + "1" + "}" * 20_000, "{{1}|2}", "{1|{{2}}}"], ids=lambda cell: cell[:9])
def test_braces_in_braces_are_refused_with_a_reason(hall: Hall, column: str, cell: str) -> None:
    hall.reach(1)
    good = files_of(good_release(hall, "aoi"))
    with hall.client(hall.team_login("aoi")) as client:
        answer = client.put("/api/releases/households", content=with_cell(good, column, cell))
        assert answer.status_code == 422, answer.text
        (fault,) = answer.json()["faults"]
        assert f"published.csv, line 3, column '{column}'" in fault
        assert len(fault) < 300


def test_sets_are_bounded(hall: Hall) -> None:
    hall.reach(1)
    good = files_of(good_release(hall, "aoi"))
    most = hall.contest.state().contest.limits.set_size
    assert most is not None
    with hall.client(hall.team_login("aoi")) as client:
        cell = "{" + "|".join(map(str, range(most + 1))) + "}"
        answer = client.put("/api/releases/households", content=with_cell(good, "age", cell))
        assert answer.status_code == 422, answer.text
        (fault,) = answer.json()["faults"]
        assert f"published.csv, line 3, column 'age': a set of {most + 1:,} values" in fault
        cell = "{" + "|".join(map(str, range(most))) + "}"
        assert client.put("/api/releases/households", content=with_cell(good, "age", cell)).status_code == 202
