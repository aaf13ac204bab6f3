"""Uploads that are nearly right: files and archives of a good one, changed at random."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable

Files = dict[str, bytes]

NUMBERS = ["9" * 400, "-" + "9" * 30, "9" * 19, "1e308", "1e999", "-0", "nan", "inf", "-inf", "0x10", "1_000", "1e-400"]
NUMBERS += ["007", "1.5", "-1", "0", "½", "１２", "٣", "1,5", "+1", "1 000", "99999999999", "2147483648", ".", "-.5e"]
DATES = ["0000-00-00", "9999-12-31", "10000-01-01", "2017/2/30", "2017/13/1", "1/1/1", "24:00", "99:99", "-1:00", "1e9"]
GENERAL = ["*", "**", "1**", "[", "[]", "[1..", "[..]", "[9..1]", "[1..1e309]", "[-inf..inf]", "[1;2]", "[2017/1/1;x]"]
GENERAL += ["{", "{}", "{|}", "{a", "{a|a}", "{a\\|b}", "{\\", "{a\\}", "{[1..2]|3}", "{*|1}", "{;}", "{{1}}", "}{"]
GENERAL += ["{" * 3000 + "}" * 3000, "{" + "1|" * 1500 + "1}", "[" * 3000, "\\" * 3000, "*" * 3000]
TEXTS = ["", " ", "a\u2028b", "\ufeff", "😀" * 50, "\u202e", "é", "e\u0301", "null", "None", "DEL", "NULL", "true"]
TEXTS += [
    "\x01",
    "\x7f",
    "\x85",
    "a" * 70_000,
    "\x1a",
    "%s%n",
    "../../x",
    "<b>",
    "';--",
    '"',
    '""',
    "'",
    "a\rb",
    "a\nb",
]
BYTES = [b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xef\xbb\xbf", b"\x00", b"\xf5", b"\x80"]
CELLS = [text.encode() for text in NUMBERS + DATES + GENERAL + TEXTS] + BYTES
NAMES = ["", ".", "..", "a", "😀" * 85, "名" * 70, "a" * 99, "a\nb", "a\\b", "C:\\x", "con", "-", " ", "*", "[a]", "~"]
NAMES += [
    "a\x01",
    "\u202etxt",
    "é" * 40,
    "{}",
    "%00",
    "a" * 255,
    "T25",
    "t25",
    "T25 ",
    "published",
    "original",
    "_",
    "2",
]


def _cell(rng: random.Random) -> bytes:
    cell = rng.choice(CELLS)
    return b'"' + cell.replace(b'"', b'""') + b'"' if rng.random() < 0.3 else cell


def _in_lines(change: Callable[[list[bytes], random.Random], None]) -> Callable[[bytes, random.Random], bytes]:
    def changed(content: bytes, rng: random.Random) -> bytes:
        lines = content.split(b"\n")
        change(lines, rng)
        return b"\n".join(lines)

    return changed


def _cells(lines: list[bytes], rng: random.Random) -> None:
    for _ in range(rng.choice([1, 1, 1, 5])):
        place = rng.randrange(len(lines))
        cells = lines[place].split(b",")
        cells[rng.randrange(len(cells))] = _cell(rng)
        lines[place] = b",".join(cells)


def _column(lines: list[bytes], rng: random.Random) -> None:
    column, cell = rng.randrange(lines[0].count(b",") + 1), _cell(rng)
    drop = rng.random() < 0.3
    for place in range(rng.randrange(2), len(lines)):
        cells = lines[place].split(b",")
        if column < len(cells):
            cells[column : column + 1] = [] if drop else [cell]
            lines[place] = b",".join(cells)


def _lines(lines: list[bytes], rng: random.Random) -> None:
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[other])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            lines.insert(place, rng.choice([b"", b",", b" ", b"#", b'"', _cell(rng)]))
        case 4:
            lines[place] += b"," + _cell(rng)
        case 5:
            del lines[min(place, other) : max(place, other)]


def _whole(content: bytes, rng: random.Random) -> bytes:
    ways: list[Callable[[], bytes]] = [
        lambda: b"",
        lambda: content[: rng.randrange(len(content) + 1)],
        lambda: content.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\r\r\n", b"\n\n"])),
        lambda: content.replace(b",", rng.choice([b";", b"\t", b",,", b", ", b"|"])),
        lambda: b"\xef\xbb\xbf" * rng.choice([1, 2]) + content,
        lambda: content.decode(errors="replace").encode(
            rng.choice(["utf-16", "utf-32", "cp037", "utf-8-sig"]), "replace"
        ),
        lambda: content + content,
        lambda: content.replace(b"\n", b'"\n', 1),
        lambda: content + b'"',
        lambda: content.rstrip(b"\n") + rng.choice([b"\n\n\n", b"\n ", b"\n\x1a", b""]),
        lambda: b"\n".join(b'"' + line.replace(b",", b'","') + b'"' for line in content.split(b"\n")),
        lambda: rng.choice(
            [b"[]", b"{}", b"null", b"[" * 5000, b'{"a":' * 5000, b'{"version":1e999}', b"NaN", b'"\\ud800"']
        ),
        lambda: bytes(byte ^ (rng.random() < 0.002) * rng.randrange(256) for byte in content),
    ]
    return rng.choice(ways)()


def changed(files: Files, rng: random.Random) -> Files:
    """The files of an upload, some of them changed."""
    made = dict(files)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        name = rng.choice(sorted(made))
        change = rng.choice([_in_lines(_cells), _in_lines(_cells), _in_lines(_column), _in_lines(_lines), _whole])
        made[name] = change(made[name], rng)
    return made


def mutant(files: Files, rng: random.Random) -> bytes:
    """An upload: a zip file, or one of the files by itself."""
    made = changed(files, rng)
    if rng.random() < 0.05:
        return made[rng.choice(sorted(made))]
    if rng.random() < 0.25:
        name = rng.choice(sorted(made))
        stem, dot, end = name.rpartition(".")
        new = rng.choice(NAMES)
        ways = [
            f"{new}{dot}{end}",
            f"{stem}{new}{dot}{end}",
            f"{stem}_{new}{dot}{end}",
            f"{new}/{name}",
            new,
            name.upper(),
        ]
        ways += [stem.rpartition("-")[0] + "-" + new + dot + end]
        content = made[name] if rng.random() < 0.3 else made.pop(name)
        made[rng.choice(ways)] = content
    packed = _zip(made, rng)
    return _noise(packed, rng) if rng.random() < 0.15 else packed


def _zip(files: Files, rng: random.Random) -> bytes:
    buffer = io.BytesIO()
    method = rng.choice([zipfile.ZIP_DEFLATED] * 8 + [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2])
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            if rng.random() < 0.03:
                entry.external_attr = rng.choice([0o120777 << 16, 0o40755 << 16, 0o10644 << 16, 1 << 31])
            if rng.random() < 0.03:
                entry.extra = rng.choice([b"\x01\x00\x08\x00" + b"\xff" * 8, b"up\x05\x00\x01abcd", b"xx\xff\xff"])
            archive.writestr(entry, content)
        if rng.random() < 0.03:
            archive.comment = rng.choice([b"PK\x05\x06" * 10, b"x" * 60_000])
    return buffer.getvalue()


def _noise(packed: bytes, rng: random.Random) -> bytes:
    noisy = bytearray(packed)
    match rng.randrange(4):
        case 0:
            del noisy[rng.randrange(4, len(noisy)) :]
        case 1:
            noisy += rng.randbytes(rng.randrange(1, 100))
        case _:
            # The directory is at the end, and headers of entries are where sizes, flags and methods are.
            starts = [at for at in range(len(noisy) - 4) if noisy[at : at + 2] == b"PK" and noisy[at + 2] < 7]
            for _ in range(rng.choice([1, 1, 3])):
                place = min(len(noisy) - 1, rng.choice(starts) + rng.randrange(4, 46))
                noisy[place] = rng.choice([0, 1, 8, 0xFF, rng.randrange(256)])
    return bytes(noisy)
