"""Back-ups: what is in them comes back, and nothing else is unpacked."""

from __future__ import annotations

import io
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from contest_games import TOYS
from toy_contest import playing, reach, release

from icefire.contest.backup import back_up, extract, restore
from icefire.core.errors import FileError

SHA = "ab" * 32


def test_a_running_contest_goes_on_elsewhere(tmp_path: Path) -> None:
    source = tmp_path / "backup.tar.gz"
    with playing(tmp_path / "c") as (contest, clock):
        reach(contest, clock, 1)
        contest.upload_release("ann", "s", release(0.6))
        back_up(contest, source)
        assert stat.S_IMODE(source.stat().st_mode) == 0o600
        with restore(source, tmp_path / "other", clock=clock, games=TOYS) as other:
            assert other.events() == contest.events()
            for path in other.folder.rglob("*"):
                assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 or path.name.startswith("contest.db"), path
    with pytest.raises(FileError, match="not empty"):
        restore(source, tmp_path / "other")


def test_nothing_is_left_of_a_failed_restore(tmp_path: Path) -> None:
    with playing(tmp_path / "c") as (contest, _):
        back_up(contest, tmp_path / "backup.tar.gz")
        database = f"sqlite:///{contest.folder / 'contest.db'}"
    for source, url in (
        (contest.folder / "settings.json", "sqlite:///contest.db"),
        (tmp_path / "backup.tar.gz", database),
    ):
        with pytest.raises(Exception, match=r"not a back-up|holds a contest already"):
            restore(source, tmp_path / "third", url, games=TOYS)
        assert not (tmp_path / "third").exists()


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 1) -> Callable[[tarfile.TarFile], None]:
    def add(archive: tarfile.TarFile) -> None:
        info = tarfile.TarInfo(name)
        info.type, info.linkname, info.size = kind, link, size if kind == tarfile.REGTYPE else 0
        info.mode = 0o777
        archive.addfile(info, io.BytesIO(b"0" * info.size))

    return add


@pytest.mark.parametrize(
    "bad",
    [
        entry("../escaped"),
        entry("/tmp/escaped"),
        entry("vault/../../escaped"),
        entry("vault/./seeds.json"),
        entry("vault/.writing-x/seeds.json"),
        entry("vault//seeds.json"),
        entry("vault/seeds.json/"),
        entry(f"files/ab/{SHA}x"),
        entry("files/ab/../../../escaped"),
        entry("alarms/0123abcd.sh"),
        entry("settings.json"),
        entry("contest.db"),
        entry("events.jsonl\n"),
        entry("vault/link", tarfile.SYMTYPE, "/etc/passwd"),
        entry("vault/link", tarfile.LNKTYPE, "events.jsonl"),
        entry("vault/pipe", tarfile.FIFOTYPE),
        entry("vault/device", tarfile.CHRTYPE),
        entry("vault/folder", tarfile.DIRTYPE),
    ],
)
def test_only_plain_files_with_our_names_are_unpacked(tmp_path: Path, bad: Callable[[tarfile.TarFile], None]) -> None:
    source, folder = tmp_path / "backup.tar.gz", tmp_path / "deep" / "folder"
    with tarfile.open(source, "w:gz") as archive:
        bad(archive)
    with pytest.raises(FileError, match="is not a back-up of a contest: it holds"):
        extract(source, folder)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [source]


def test_what_is_unpacked_is_bounded_and_stands_there_once(tmp_path: Path) -> None:
    source = tmp_path / "backup.tar.gz"
    with tarfile.open(source, "w:gz") as archive:
        entry("vault/zeros", size=50_000_000)(archive)
    with pytest.raises(FileError, match="200 times as large"):
        extract(source, tmp_path / "a")
    with tarfile.open(source, "w:gz") as archive:
        for _ in range(2):
            entry("vault/twice")(archive)
    with pytest.raises(FileError, match="is not a back-up"):
        restore(source, tmp_path / "b", games=TOYS)
    with tarfile.open(source, "w:gz") as archive:
        entry(f"files/ab/{SHA}")(archive)
        entry("vault/problems/0/shared/s/my data.csv")(archive)
    extract(source, tmp_path / "c")
    paths = [path for path in (tmp_path / "c").rglob("*") if path.is_file()]
    assert len(paths) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o600}
