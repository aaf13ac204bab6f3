"""What teams have sent lies where the web cannot read it, however it came there, and whatever happens on the way."""

from __future__ import annotations

import io
import os
import shutil
import stat
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from fnmatch import fnmatch
from pathlib import Path

import pytest

from contest.contest_games import START
from contest.test_faults import open_contest, release_of
from contest.toy_contest import Toy, release
from icefire.contest import admission
from icefire.contest.backup import back_up, restore
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.health import Health
from icefire.contest.rehearsal import Rehearsal
from icefire.contest.replay import replay
from icefire.contest.state import Place, Upload
from icefire.contest.uploads import files_of, pack
from icefire.contest.vault import ABANDONED, UNFINISHED, Blobs
from icefire.contest.workers import Workers, run_inline
from icefire.core.errors import DataError, FileError

SECRET = "secret*.csv"
OLD = Path(__file__).parents[1] / "golden" / "version-0.1" / "backup.tar.gz"


def unpacked(path: Path) -> Iterator[tuple[str, bytes]]:
    """A file, and the files in it if it is a zip."""
    content = path.read_bytes()
    yield path.name, content
    if zipfile.is_zipfile(io.BytesIO(content)):
        yield from files_of(content).items()


def secrets_of(contest: Contest) -> set[bytes]:
    """Which row is whose: what was sent of it, and what the judge made of it."""
    vault, state = contest.vault.folder, contest.state()
    sent = [files_of(contest.submissions.get(upload)) for upload in state.uploads.values() if upload.kind == "release"]
    found = {content for files in sent for name, content in files.items() if fnmatch(name, SECRET)}
    return found | {path.read_bytes() for path in vault.glob(f"truth/**/{SECRET}")}


def leaks(contest: Contest) -> list[Path]:
    """Files outside the vault that hold a secret, by name or by content."""
    secrets = secrets_of(contest)
    assert secrets
    outside = [
        path for path in contest.folder.rglob("*") if contest.vault.folder not in path.parents and path.is_file()
    ]
    return [
        path
        for path in outside
        if any(fnmatch(name, SECRET) or any(map(content.__contains__, secrets)) for name, content in unpacked(path))
    ]


def inbox(contest: Contest) -> list[str]:
    return sorted(path.name for path in contest.folder.glob("inbox/*"))


def in_vault(contest: Contest) -> list[Path]:
    return [path for path in (contest.vault.folder / "uploads").rglob("*") if path.is_file()]


def send(toy: Toy, value: float) -> Upload:
    """A release of Ann's that waits."""
    upload = toy.release("ann", value)
    return toy.contest.state().uploads[upload]


def age(path: Path) -> None:
    os.utime(path, (time.time() - ABANDONED - 1,) * 2)


def lay_out_as_before(contest: Contest) -> str:
    """Uploads beside what is handed out, as in version 0.1, with one that the log refused."""
    for path in in_vault(contest):
        contest.blobs.put(path.read_bytes())
    shutil.rmtree(contest.vault.folder / "uploads")
    refused = contest.blobs.put(pack({"secret.csv": b"published,original\n0,7\n"}))
    age(contest.blobs.path(refused))
    return refused


@pytest.mark.parametrize("name", ["demo", "pwscup2015"])
@pytest.mark.slow
def test_after_a_rehearsal_no_secret_lies_outside_the_vault(name: str, tmp_path: Path) -> None:
    with Rehearsal(tmp_path / "c", load_config(Path(name), small=True), seed=1) as play:
        play.play()
        contest = play.contest
        assert leaks(contest) == []
        assert inbox(contest) == []
        sent = {upload.sha256 for upload in contest.state().uploads.values()}
        assert {path.name for path in in_vault(contest)} == sent
        assert {stat.S_IMODE(path.stat().st_mode) for path in in_vault(contest)} == {0o600}
        handed_out = {path.name for path in contest.blobs.folder.rglob("*") if path.is_file()}
        assert handed_out >= contest.state().files
        assert not handed_out & sent


def test_a_contest_of_before_is_migrated_by_the_first_judge(tmp_path: Path) -> None:
    with Rehearsal(tmp_path / "c", load_config(Path("demo"), small=True), seed=1) as play:
        play.play()
    with Contest(tmp_path / "c") as contest:
        sound = replay(contest)
        refused = lay_out_as_before(contest)
        state = contest.state()
        releases = {upload.sha256 for upload in state.uploads.values() if upload.kind == "release"}
        # A guess may be right about everybody.
        assert {path.name for path in leaks(contest)} >= {*releases, refused}
        assert replay(contest) == sound, "it is read as it is, too"
        assert back_up(contest, tmp_path / "backup.tar.gz") == len(contest.log())
        assert not in_vault(contest), "reading changes nothing"
        with Workers(contest, number=1) as crew:
            crew.run(until=lambda: leaks(contest) == [])
        assert {path.name for path in contest.blobs.folder.rglob("*") if path.is_file()} >= state.files
        assert len(in_vault(contest)) == len({upload.sha256 for upload in state.uploads.values()}) + 1
        assert replay(contest) == sound
        assert [trouble for trouble in Health(contest).look(at_once=60) if trouble["kind"] == "file"] == []
    with restore(tmp_path / "backup.tar.gz", tmp_path / "d") as restored:
        assert leaks(restored) == []
        assert replay(restored) == sound


def test_a_backup_of_version_0_1_is_migrated_when_it_is_restored(tmp_path: Path) -> None:
    with tarfile.open(OLD) as archive:
        names = archive.getnames()
    assert not any(name.startswith("vault/uploads") for name in names)
    with restore(OLD, tmp_path / "c") as contest:
        assert leaks(contest) == []
        uploads = {upload.sha256 for upload in contest.state().uploads.values()}
        assert {path.name for path in in_vault(contest)} == uploads


def test_a_running_judge_empties_the_inbox(tmp_path: Path) -> None:
    with open_contest(tmp_path / "c") as contest, Workers(contest, number=1) as crew:
        thread = threading.Thread(target=crew.run)
        thread.start()
        content, end = release_of(contest), time.monotonic() + 60
        uploads = [contest.uploads.release(team, "households", content) for team in ("ann", "bob")]
        while inbox(contest) or any(contest.state().uploads[upload].status == "waiting" for upload in uploads):
            assert time.monotonic() < end, "the judge does not come to it"
            time.sleep(0.02)
        crew.close()
        thread.join()
        assert leaks(contest) == []
        assert {contest.state().uploads[upload].status for upload in uploads} == {"accepted"}


def test_a_file_is_read_wherever_it_is_on_its_way(toy: Toy) -> None:
    toy.reach(1)
    upload = send(toy, 0.6)
    assert inbox(toy.contest) == [upload.id]
    assert not list(toy.contest.blobs.folder.rglob(upload.sha256))
    assert toy.contest.submissions.get(upload) == release(0.6)
    assert toy.contest.submissions.collect(toy.contest.state) == 1
    assert inbox(toy.contest) == []
    assert toy.contest.submissions.get(upload) == release(0.6)
    assert toy.contest.submissions.collect(toy.contest.state) == 0
    (path,) = in_vault(toy.contest)
    path.unlink()
    with pytest.raises(DataError, match=f"the stored file {upload.sha256[:12]} of the upload {upload.id} is missing"):
        toy.contest.submissions.get(upload)


@pytest.mark.parametrize("step", ["fsync", "replace", "unlink"])
def test_a_crash_on_the_way_loses_nothing(step: str, toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.reach(1)
    upload = send(toy, 0.6)

    unlink = Path.unlink

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def leave_unfinished(path: Path, missing_ok: bool = False) -> None:
        # A process that is killed does not clean up.
        if not path.name.startswith(UNFINISHED):
            unlink(path, missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(os if step != "unlink" else Path, step, crash)
        if step != "unlink":
            patch.setattr(Path, "unlink", leave_unfinished)
        with pytest.raises(KeyboardInterrupt):
            toy.contest.submissions.collect(toy.contest.state)
    assert inbox(toy.contest) == [upload.id]
    assert toy.contest.submissions.get(upload) == release(0.6)
    toy.judge()
    assert inbox(toy.contest) == []
    assert toy.contest.state().uploads[upload.id].status == "accepted"


def test_a_full_disk_leaves_the_file_in_the_inbox(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.reach(1)
    upload = send(toy, 0.6)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(FileError, match="No space left on device"):
            toy.contest.submissions.collect(toy.contest.state)
    assert inbox(toy.contest) == [upload.id]
    assert toy.contest.submissions.get(upload) == release(0.6)


def test_the_same_file_twice(toy: Toy) -> None:
    """By two teams, and by one that did not hear that it had arrived."""
    toy.reach(1)
    uploads = [toy.release(team, 0.6) for team in ("ann", "bob")]
    toy.judge()
    assert len(in_vault(toy.contest)) == 1
    wanted = admission.Request("release", "ann", "s")
    first = toy.contest.uploads.upload(wanted, release(0.5), "key")
    toy.judge()
    toy.contest.submissions.receive(first, release(0.5))
    assert toy.contest.uploads.upload(wanted, release(0.5), "key") == first
    toy.judge()
    assert inbox(toy.contest) == []
    assert len(in_vault(toy.contest)) == 2
    state = toy.contest.state()
    assert {state.uploads[upload].status for upload in (*uploads, first)} == {"accepted"}


def test_what_was_refused_goes_as_well(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the judge at once; by the log after an hour, since its event might still have come."""
    toy.reach(1)
    rejected = toy.release("ann", "no number")
    toy.judge()
    assert toy.contest.state().uploads[rejected].status == "rejected"
    assert inbox(toy.contest) == []
    receive = toy.contest.submissions.receive

    def slow(upload: str, content: bytes) -> str:
        toy.clock.reach(START + timedelta(minutes=61))
        return receive(upload, content)

    monkeypatch.setattr(toy.contest.submissions, "receive", slow)
    with pytest.raises(DataError, match="the defence phase has closed at"):
        toy.release("ann", 0.5)
    (name,) = inbox(toy.contest)
    toy.judge()
    assert inbox(toy.contest) == [name]
    age(toy.contest.folder / "inbox" / name)
    toy.judge()
    assert inbox(toy.contest) == []
    assert len(in_vault(toy.contest)) == 2


def test_a_team_that_sends_its_problem_back_takes_nothing_away(toy: Toy) -> None:
    toy.reach(1)
    place = Place(0, "ann", "s")
    dealt = toy.contest.state().dealt[place].sha256
    content = toy.contest.blobs.get(dealt)
    # Of an earlier version, since the toy game refuses it.
    upload = send(toy, 0.5)
    toy.contest.blobs.put(toy.contest.submissions.get(upload))
    again = toy.contest.log()[-1].data | {"upload": "f" * 16, "sha256": dealt}
    entries = [*toy.contest.log(), type(toy.contest.log()[-1])(0, "", "", "uploaded", again, "", "")]
    assert toy.contest.submissions.migrate(entries) == 1
    assert toy.contest.blobs.get(dealt) == content
    assert {path.name for path in in_vault(toy.contest)} == {dealt, upload.sha256}
    assert toy.contest.downloads.problem(place)


def test_strangers_in_the_inbox_change_nothing(toy: Toy) -> None:
    toy.reach(1)
    upload = send(toy, 0.6)
    folder = toy.contest.folder / "inbox"
    toy.judge()
    (folder / upload.id).write_bytes(b"something else")
    (folder / "notes.txt").write_bytes(b"x")
    (folder / ("e" * 16)).mkdir()
    toy.judge()
    assert inbox(toy.contest) == ["e" * 16, "notes.txt"]
    assert toy.contest.submissions.get(upload) == release(0.6)
    assert Blobs(toy.contest.vault.folder / "uploads").get(upload.sha256) == release(0.6)


def test_a_look_at_the_files_while_they_move(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator is not told of a file that a judge has just moved."""
    toy.reach(1)
    toy.release("ann", 0.6)
    health = Health(toy.contest)
    paths = health._paths
    monkeypatch.setattr(health, "_paths", lambda state: (found := paths(state)) and (run_inline(toy.contest), found)[1])
    assert [trouble for trouble in health.look() if trouble["kind"] == "file"] == []
    assert inbox(toy.contest) == []
