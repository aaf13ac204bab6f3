"""Back-ups: what is in them comes back, and nothing else is unpacked."""

from __future__ import annotations

import io
import os
import shutil
import stat
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from contest.contest_games import TOYS, toy_config
from contest.test_rounds_and_prizes import together
from contest.toy_contest import Toy, playing
from icefire.contest import backup
from icefire.contest.backup import back_up, extract, restore
from icefire.contest.engine import DATABASE, Contest
from icefire.contest.replay import replay
from icefire.contest.workers import run_inline
from icefire.core.errors import DataError, FileError, InputError

SHA = "ab" * 32


def test_a_running_contest_goes_on_elsewhere(tmp_path: Path) -> None:
    source = tmp_path / "backup.tar.gz"
    with playing(tmp_path / "c") as toy:
        toy.reach(1)
        toy.release("ann", 0.6)
        toy.judge()
        toy.release("bob", 0.9)
        back_up(toy.contest, source)
        assert stat.S_IMODE(source.stat().st_mode) == 0o600
        with restore(source, tmp_path / "other", clock=toy.clock, games=TOYS) as restored:
            other = Toy(restored, toy.clock)
            assert other.contest.log() == toy.contest.log()
            assert stat.S_IMODE(other.contest.folder.stat().st_mode) == 0o700
            files = [path for path in other.contest.folder.rglob("*") if not path.name.startswith("contest.db")]
            assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600, 0o700}
            for each in (toy, other):
                each.reach(126)
            rows = [each.board()["rounds"][0]["defenders"] for each in (toy, other)]
            assert rows[0] == rows[1]
            assert {row["team"]: row["total"] for row in rows[1]} == pytest.approx({"bob": 0.65, "ann": 0.35})
            assert other.contest.store.verify()
    with pytest.raises(FileError, match="not empty"):
        restore(source, tmp_path / "other")


class Traffic:
    """Another process, which uploads and judges before each step of a back-up: a statement to the database, a file packed."""

    def __init__(self, other: Contest) -> None:
        self.other, self.steps, self._busy = other, 0, False

    def pass_by(self, *_: object) -> None:
        if self._busy:
            return
        self._busy = True
        self.steps += 1
        Toy(self.other, None).release("ann", self.steps % 10 / 10)  # type: ignore[arg-type]
        if self.steps % 2:
            run_inline(self.other)
        self._busy = False

    @contextmanager
    def flowing(self, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        add = tarfile.TarFile.addfile

        def addfile(archive: tarfile.TarFile, *what: Any) -> None:
            self.pass_by()
            add(archive, *what)

        sa.event.listen(engine, "before_cursor_execute", self.pass_by)
        with monkeypatch.context() as patch:
            patch.setattr(tarfile.TarFile, "addfile", addfile)
            yield
        sa.event.remove(engine, "before_cursor_execute", self.pass_by)


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_uploads_come_between_all_steps_of_a_backup(
    place: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = DATABASE if place == "sqlite" else request.getfixturevalue("database")
    limits = {"releases": 1000, "waiting": 1000}
    config = together().model_copy(update={"limits": toy_config(limits=limits).limits})
    with (
        playing(tmp_path / "c", config, url) as toy,
        Contest(tmp_path / "c", toy.clock, games=TOYS) as other,
    ):
        toy.reach(1)
        before, traffic = len(toy.contest.log()), Traffic(other)
        with traffic.flowing(toy.contest.store.engine, monkeypatch):
            count = back_up(toy.contest, tmp_path / "backup.tar.gz")
        log = toy.contest.log()
        assert traffic.steps > 20
        assert before < count < len(log) - traffic.steps // 2, "it saw some uploads, and more came afterwards"
        with restore(tmp_path / "backup.tar.gz", tmp_path / "d", clock=toy.clock, games=TOYS) as restored:
            assert restored.log() == log[:count]
            judged, faults = replay(restored)
    assert faults == []
    assert judged == sum(entry.who == "judge" for entry in log[:count])


def test_what_the_judge_is_writing_may_vanish_during_a_backup(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.judge()
    unfinished = toy.contest.vault.folder / "problems" / ".writing-x"
    unfinished.mkdir()
    scandir = os.scandir

    def gone(path: Any) -> Any:
        # As if it had been renamed since its name was read.
        if str(path) == str(unfinished):
            raise FileNotFoundError(2, "No such file or directory")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", gone)
    assert back_up(toy.contest, toy.contest.folder / "backup.tar.gz") == len(toy.contest.log())


def test_a_vault_that_cannot_be_read_is_an_error(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.judge()
    monkeypatch.setattr(backup, "_check_vault", lambda *_: None)
    scandir = os.scandir

    def denied(path: Any) -> Any:
        if str(path).endswith("problems"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)
    with pytest.raises(FileError, match="Permission denied"):
        back_up(toy.contest, toy.contest.folder / "backup.tar.gz")


def test_nothing_is_left_of_a_failed_restore(tmp_path: Path) -> None:
    with playing(tmp_path / "c") as toy:
        back_up(toy.contest, tmp_path / "backup.tar.gz")
        folder = toy.contest.folder
    for source, url, message in (
        (folder / "settings.json", DATABASE, "is not a back-up"),
        (tmp_path / "backup.tar.gz", f"sqlite:///{folder / 'contest.db'}", "holds a contest already"),
    ):
        with pytest.raises(InputError, match=message):
            restore(source, tmp_path / "third", url, games=TOYS)
        assert not (tmp_path / "third").exists()


def test_a_changed_file_is_not_backed_up(tmp_path: Path) -> None:
    with playing(tmp_path / "c") as toy:
        toy.judge()
        problem = next(iter(toy.contest.state().dealt.values()))
        toy.contest.blobs.path(problem.sha256).write_bytes(b"changed")
        with pytest.raises(DataError, match="was changed after it was stored"):
            back_up(toy.contest, tmp_path / "backup.tar.gz")
        assert list(tmp_path.glob("backup*")) == []


def test_a_missing_secret_is_not_backed_up(tmp_path: Path) -> None:
    with playing(tmp_path / "c") as toy:
        toy.judge()
        shutil.rmtree(toy.contest.vault.folder / "problems")
        with pytest.raises(DataError, match="the problem of 'ann' is missing in the vault"):
            back_up(toy.contest, tmp_path / "backup.tar.gz")
        assert list(tmp_path.glob("backup*")) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("vault/seeds.json", "is damaged: vault/seeds.json is not what was packed"),
        ("vault/problems/0/shared/s/problem.csv", "problem.csv is not what was packed"),
        ("vault/extra.csv", "is damaged: vault/extra.csv is not part of it"),
    ],
)
def test_a_damaged_backup_is_not_restored(tmp_path: Path, name: str, told: str) -> None:
    source = tmp_path / "backup.tar.gz"
    with playing(tmp_path / "c") as toy:
        toy.judge()
        back_up(toy.contest, source)
    extract(source, tmp_path / "unpacked")
    (tmp_path / "unpacked" / name).write_text("changed")
    with tarfile.open(source, "w:gz") as archive:
        for path in sorted((tmp_path / "unpacked").rglob("*")):
            if path.is_file():
                archive.add(path, path.relative_to(tmp_path / "unpacked"))
    with pytest.raises(FileError, match=told):
        restore(source, tmp_path / "d", games=TOYS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.tar.gz", "c", "unpacked"]


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
