"""A thousand files that are no releases: each is refused with a reason, and none does any harm."""

from __future__ import annotations

import io
import random
import resource
import zipfile
from collections.abc import Iterator
from typing import Any

from icefire.contest.uploads import files_of, pack
from web.conftest_web import Hall, good_guess, good_release


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return made.getvalue()


def bad_files(good: dict[str, bytes], rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """(what is wrong, a file), without end."""
    published, secret = good["published.csv"], good["secret.csv"]
    lines, rows = published.split(b"\n"), secret.split(b"\n")

    def with_published(content: bytes) -> bytes:
        return pack({**good, "published.csv": content})

    def with_secret(content: bytes) -> bytes:
        return pack({**good, "secret.csv": content})

    def changed_line(text: list[bytes], new: bytes) -> bytes:
        # Neither the header nor the empty end.
        place = rng.randrange(1, len(text) - 1)
        return b"\n".join([*text[:place], new, *text[place + 1 :]])

    def changed_cell(new: bytes) -> bytes:
        place = rng.randrange(1, len(lines) - 1)
        cells = lines[place].split(b",")
        # The last columns hold amounts.
        cells[-1 - rng.randrange(3)] = new
        return b"\n".join([*lines[:place], b",".join(cells), *lines[place + 1 :]])

    kinds: list[tuple[str, Any]] = [
        ("no zip", lambda: rng.randbytes(rng.randrange(1, 3000))),
        ("text", lambda: published[: rng.randrange(1, len(published))]),
        ("cut zip", lambda: pack(good)[: rng.randrange(5, len(pack(good)) - 30)]),
        ("zip with noise", lambda: b"PK\x03\x04" + rng.randbytes(rng.randrange(10, 500))),
        ("empty zip", lambda: zipped({})),
        ("file missing", lambda: pack({"published.csv": published})),
        ("secret missing", lambda: pack({"secret.csv": secret})),
        ("more files", lambda: pack({**good, f"x{rng.randrange(99)}.exe": b"MZ"})),
        ("traversal", lambda: zipped({**good, "../" * rng.randrange(1, 6) + "published.csv": published})),
        ("absolute", lambda: zipped({**good, "/etc/passwd": b"x"})),
        ("backslashes", lambda: zipped({**good, "..\\..\\published.csv": published})),
        ("deep folders", lambda: zipped({"a/b/" + name: content for name, content in good.items()})),
        ("twice", lambda: zipped({**good, "PUBLISHED.csv": published})),
        ("bomb", lambda: with_published(published + b"1," * 2_000_000)),
        ("many files", lambda: zipped({f"{number}.csv": b"1" for number in range(200)})),
        ("lzma", lambda: zipped(good, zipfile.ZIP_LZMA)),
        ("utf-16", lambda: with_published(published.decode().encode("utf-16"))),
        ("latin-1", lambda: with_published(changed_cell("é".encode("latin-1")))),
        ("NUL", lambda: with_published(changed_cell(b"1\x002"))),
        ("huge field", lambda: with_published(changed_cell(b"9" * 1_200_000))),
        ("ragged", lambda: with_published(changed_line(lines, lines[1] + b",1" * rng.randrange(1, 9)))),
        ("short row", lambda: with_published(changed_line(lines, lines[1].rsplit(b",", rng.randrange(1, 4))[0]))),
        ("infinite", lambda: with_published(changed_cell(rng.choice([b"1e999", b"-1e999", b"inf", b"NaN"])))),
        (
            "formula",
            lambda: with_published(changed_cell(rng.choice([b"=cmd()", b"@SUM(1)", b"+cmd|'x'", b"-A1", b'"=1"']))),
        ),
        ("no header", lambda: with_published(b"\n".join(lines[1:]))),
        ("other header", lambda: with_published(b"\n".join([b"a,b,c", *lines[1:]]))),
        (
            "header twice",
            lambda: with_published(published.replace(lines[0], lines[0] + b"," + lines[0].split(b",")[0], 1)),
        ),
        ("semicolons", lambda: with_published(published.replace(b",", b";"))),
        ("only header", lambda: with_published(lines[0] + b"\n")),
        ("empty file", lambda: with_published(b"")),
        ("quotes", lambda: with_published(changed_line(lines, b'"' + lines[1]))),
        ("rows from 0", lambda: with_secret(changed_line(rows, b"0"))),
        ("row outside", lambda: with_secret(changed_line(rows, str(rng.randrange(1_000, 10**12)).encode()))),
        (
            "row no number",
            lambda: with_secret(changed_line(rows, rng.choice([b"one", b"1.5", b"=1", b"9" * 40, b"", b"1,2"]))),
        ),
        ("rows too short", lambda: with_secret(b"\n".join(rows[:-3]) + b"\n")),
        ("rows too long", lambda: with_secret(secret + b"1\n" * rng.randrange(1, 50))),
    ]
    while True:
        for name, make in kinds:
            yield name, make()


def test_a_thousand_bad_files(hall: Hall) -> None:
    hall.reach(1)
    good = files_of(good_release(hall, "aoi"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    events = len(hall.contest.log())
    rng = random.Random(7)
    with hall.client(hall.team_login("aoi")) as client:
        for number, (what, content) in enumerate(bad_files(good, rng)):
            if number == 1_000:
                break
            answer = client.put("/api/releases/households", content=content)
            assert 400 <= answer.status_code < 500, (what, answer.status_code, answer.text[:300])
            faults = answer.json()["faults"]
            assert faults, what
            assert all(fault.strip() for fault in faults), what
            assert "/tmp" not in answer.text, (what, answer.text)
            assert "Traceback" not in answer.text, what
        own = client.get("/api/own").json()
        assert own["uploads"] == []
        assert own["releases_left"] == {"households": 10}
        assert client.put("/api/releases/households", content=pack(good)).status_code == 202
    assert len(hall.contest.log()) == events + 1
    assert len(list(hall.contest.folder.glob("inbox/*"))) == 1, "what was refused is not kept"
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < 400, f"{grown:.0f} MB more"


def test_bad_answers(hall: Hall) -> None:
    hall.reach(1)
    for team in ("aoi", "kaede"):
        hall.contest.uploads.release(team, "households", good_release(hall, team))
    hall.reach(71)
    (name, content), *_ = files_of(good_guess(hall, "kaede")).items()
    rows = content.split()
    wrong = [
        b"",
        b"\x00" * 10,
        content + b"1\n",
        b"\n".join(rows[:-1]),
        b"\n".join([b"0", *rows[1:]]),
        b"\n".join([b"41", *rows[1:]]),
        b"\n".join([b"1e999", *rows[1:]]),
        content.decode().encode("utf-16"),
    ]
    with hall.client(hall.team_login("aoi")) as client:
        for body in wrong:
            for sent in (pack({name: body}), body):
                answer = client.put("/api/guesses/kaede/households", content=sent)
                assert answer.status_code == 422, answer.text
                assert answer.json()["faults"]
        # A byte order mark, CRLF and a folder in the zip do no harm.
        loose = zipped({f"my answer/{name}": b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"), "__MACOSX/._x": b"x"})
        assert client.put("/api/guesses/kaede/households", content=loose).status_code == 202


def test_a_file_that_is_too_large_is_not_taken_in(hall: Hall) -> None:
    hall.reach(1)
    with hall.client(hall.team_login("aoi")) as client:
        answer = client.put("/api/releases/households", content=b"x" * 21_000_000)
        assert answer.status_code == 413
        assert "larger than 20 MB" in answer.text
