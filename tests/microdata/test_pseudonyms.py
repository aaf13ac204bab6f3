"""Keyed pseudonyms: equal for equal people under one key, unlinkable under another, and the key stays where it is."""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import icefire
from icefire.cli.main import icefire as command
from icefire.core.errors import DataError, FileError, InputError, UnknownName
from icefire.microdata import pseudonyms as module
from icefire.microdata.pseudonyms import create_key, pseudonymized, pseudonyms, read_key

NAMES = pl.Series("name", [f"p{i}" for i in range(60)])
FRAME = pl.DataFrame({"name": NAMES, "age": [20 + i % 30 for i in range(60)], "ill": [0, 1] * 30})


@pytest.fixture
def key(tmp_path: Path) -> Path:
    create_key(tmp_path / "keys" / "one.key")
    return tmp_path / "keys" / "one.key"


def test_the_standard_construction() -> None:
    """RFC 4231, test case 2, cut to its first 20 digits; and written out by hand with hashlib."""
    assert pseudonyms(pl.Series(["what do ya want for nothing?"]), b"Jefe").to_list() == ["5bdcc146bf60754e6a04"]
    inner = hashlib.sha256(bytes(64 * [0x36 ^ 7]) + b"ann").digest()
    by_hand = hashlib.sha256(bytes(64 * [0x5C ^ 7]) + inner).hexdigest()
    assert pseudonyms(pl.Series(["ann"]), bytes(64 * [7])).to_list() == [by_hand[:20]]


def test_equal_people_stay_equal_and_missing_ones_missing(key: Path) -> None:
    held = read_key(key)
    shown = pseudonyms(pl.Series("name", ["ann", None, "bob", "ann"]), held).to_list()
    assert shown[0] == shown[3] != shown[2]
    assert shown[1] is None
    assert pseudonyms(pl.Series([7, 8]), held).equals(pseudonyms(pl.Series(["7", "8"]), held))
    assert pseudonyms(pl.Series(["bob"]), held)[0] == shown[2], "in another release"


def test_another_key_gives_other_pseudonyms(key: Path, tmp_path: Path) -> None:
    create_key(tmp_path / "other.key")
    first, second = (set(pseudonyms(NAMES, read_key(path))) for path in (key, tmp_path / "other.key"))
    assert not first & second


def test_collisions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DIGITS", 1)
    with pytest.raises(DataError, match="two values of the column 'name' have the same pseudonym"):
        pseudonyms(NAMES, bytes(32))


def test_several_rows_of_a_person_are_refused(key: Path) -> None:
    with pytest.raises(DataError, match="has 2 rows whose value is in an earlier row"):
        pseudonymized(pl.DataFrame({"name": ["a", "a", "a", "b"]}), read_key(key))


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_key_is_readable_by_its_owner_alone(key: Path) -> None:
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o640)
    with pytest.raises(FileError, match="can be read by others: chmod 600"):
        read_key(key)


def test_a_key_is_never_replaced_and_never_shown(key: Path, tmp_path: Path) -> None:
    before = key.read_text()
    with pytest.raises(FileError, match="exists already"):
        create_key(key)
    assert key.read_text() == before
    with pytest.raises(FileError, match="icefire key"):
        read_key(tmp_path / "missing.key")
    key.write_text(before[:-5])
    with pytest.raises(FileError, match="is no key") as raised:
        read_key(key)
    assert before[:8] not in str(raised.value)


def test_from_python(key: Path, tmp_path: Path) -> None:
    data = icefire.table(FRAME, qi=["age"], sa=["ill"], identifying=["name"])
    release = data.anonymize("mondrian(k=5)", seed=7, pseudonyms=["name"], key=key)
    shown = release.published.to_native()
    held = read_key(key)
    expected = [hmac.digest(held, f"p{row}".encode(), "sha256").hex()[:20] for row in release.secret.rows]
    assert shown["name"].to_list() == expected
    assert release.attack("id_rand", attacker="qi").risk.value < 0.5
    release.save(tmp_path / "release")
    assert pl.read_csv(tmp_path / "release" / "published.csv")["name"].to_list() == expected
    with pytest.raises(UnknownName, match="no identifying column 'nam'"):
        data.anonymize("mondrian(k=5)", pseudonyms=["nam"], key=key)
    with pytest.raises(InputError, match="need both"):
        data.anonymize("mondrian(k=5)", pseudonyms=["name"])


def test_from_the_command_line(tmp_path: Path, key: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    FRAME.write_csv(work / "original.csv")
    (work / "schema.toml").write_text('qi = ["age"]\nsa = ["ill"]\nidentifying = ["name"]\n', encoding="utf-8")
    out = str(tmp_path / "release")
    steps = ["anonymize", "microdata", "mondrian(k=5)", "--in", str(work), "--out", out, "--pseudonym", "name"]
    runner = CliRunner()
    made = runner.invoke(command, [*steps, "--key", str(key)], catch_exceptions=False)
    assert made.exit_code == 0, made.output
    assert "can tell who is who" in made.output
    shown = pl.read_csv(tmp_path / "release" / "published.csv")
    assert shown["name"].n_unique() == 60
    assert shown["name"].str.len_chars().unique().to_list() == [20]
    secret = key.read_text().strip()
    for file in (tmp_path / "release").iterdir():
        content = file.read_text(encoding="utf-8")
        assert secret not in content
        assert "p17" not in content
    assert secret not in made.output
    judged = runner.invoke(command, ["evaluate", "microdata", "--in", out, "--json"], catch_exceptions=False)
    assert judged.exit_code == 0, judged.output
    inside = tmp_path / "release" / "k.key"
    create_key(inside)
    refused = runner.invoke(command, [*steps, "--replace", "--key", str(inside)])
    assert isinstance(refused.exception, InputError) or "keep it apart" in refused.output
