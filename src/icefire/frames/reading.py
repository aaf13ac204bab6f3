"""Reading of the files that people have: text files of any encoding and separator, spreadsheets, JSON lines, databases.

What a file does not say is recognized and told: how it is encoded, what separates its columns, which lines stand above the
header. Whoever knows better says so. Cells are read as texts first, and a column is of numbers or of dates if all its cells
are; codes with leading zeros stay texts.
"""

from __future__ import annotations

import codecs
import csv
import glob
import gzip
import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from icefire.core.errors import FileError, InputError, UnknownName
from icefire.frames.databases import is_database, read_database, without_password
from icefire.frames.files import check_names, check_widths

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
ENCODINGS = ("utf_8", "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5", "cp949", "cp1252")
"""What a text that is not UTF-8 may be."""
NAMES = {
    "cp932": "cp932 (Shift_JIS)",
    "utf_8": "UTF-8",
    "utf_16": "UTF-16",
    "euc_jp": "EUC-JP",
    "cp1252": "Windows-1252",
}
LOOKED_AT = 500
"""Lines by which separator and header are recognized."""
HEAD = 1 << 20
"""Bytes in which they are."""
SAMPLED = 1 << 16
"""Bytes by which the encoding is recognized."""
LARGEST = 1 << 35
"""Bytes that an archive may hold: more is taken for an attack on the disk."""
INTEGER = r"^[+-]?(0|[1-9][0-9]{0,17})$"
NUMBER = r"^[+-]?(0|[1-9][0-9]*|[1-9][0-9]{0,2}(,[0-9]{3})+)?(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$"
JAPANESE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e々〇年月日]")
DATES = {
    r"^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}( 00:00:00)?$": "%Y-%m-%d",
    r"^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}( 00:00:00)?$": "%Y/%m/%d",
    r"^[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日$": "%Y年%m月%d日",
    r"^[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4}$": "%d %b %Y",
    r"^[A-Z][a-z]{2} [0-9]{1,2}, [0-9]{4}$": "%b %d, %Y",
    r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$": "%d.%m.%Y",
}
SLASHED = r"^[0-9]{1,2}[/-][0-9]{1,2}[/-][0-9]{4}$"
"""Days and months in an order that only a day beyond the twelfth shows."""
ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
ERA = rf"^({'|'.join(ERAS)}|[MTSHRmtshr])\.?([0-9]{{1,2}}|元)[-/.年]([0-9]{{1,2}})[-/.月]([0-9]{{1,2}})日?$"
"""Days of Japanese eras, 昭和55年1月31日 or S55.1.31."""


@dataclass(frozen=True)
class Reading:
    """How to read a file; what is None is recognized."""

    encoding: str | None = None
    separator: str | None = None
    sheet: str | None = None
    """Name or number (from 1) of a sheet."""
    skip: int | None = None
    """Lines above the header, or above the first row where names are given."""
    names: Sequence[str] | None = None
    """The names of the columns, for a file without a header."""
    table: str | None = None
    """A table of a database."""


@dataclass(frozen=True)
class Table:
    """A table, and what was recognized about it, in words."""

    frame: pl.DataFrame
    recognized: tuple[str, ...] = ()


def read_anything(source: str | Path, how: Reading | None = None) -> Table:
    """Read a file, a folder or a glob of files of one form, an archive, or a table of a database."""
    how, name = how or Reading(), str(source)
    if is_database(name):
        found, chosen = read_database(name, how.table)
        return _checked(
            without_password(name), found, [f"the table {chosen!r}"] if how.table is None and "#" not in name else []
        )
    if how.table is not None:
        raise InputError(f"{name} is no database: leave --table out")
    paths = _paths(name)
    tables = [_read_file(path, how) for path in paths]
    if len(tables) == 1:
        return tables[0]
    first = tables[0].frame
    for path, table in zip(paths, tables, strict=True):
        if table.frame.columns != first.columns:
            raise FileError(f"{path} has other columns than {paths[0]}")
    frame = pl.concat([table.frame for table in tables], how="vertical_relaxed")
    return Table(frame, (f"{len(paths)} files", *tables[0].recognized))


def read_rows(path: Path) -> list[list[str]]:
    """The rows of a file of texts, whatever its encoding and separator; the header, if there is one, is the first."""
    content = _unzipped(path) if path.name.lower().endswith(".gz") else _bytes_of(path)
    if not content.strip():
        raise FileError(f"{path} is empty: expected at least one row")
    lines = _as_utf8(str(path), content, None)[0].decode().splitlines(keepends=True)
    separator = _separator(lines[:LOOKED_AT])
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator) if row]
    check_widths(str(path), lines, len(rows[0]), separator, 0)
    return rows


def is_plain(source: str) -> bool:
    """Whether the engines read it themselves: Parquet, a database file, or CSV files in UTF-8 with commas."""
    if "://" in source or is_database(source):
        # Addresses of storage are handed to the engine, those of databases are not.
        return not is_database(source) or "://" not in source
    paths = _paths(source)
    if all(path.suffix.lower() == ".parquet" for path in paths):
        return True
    return all(path.name.lower().endswith((".csv", ".csv.gz")) and _is_plain_text(path) for path in paths)


def _is_plain_text(path: Path) -> bool:
    try:
        with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
            head = file.read(SAMPLED)
        lines = head.decode("utf-8-sig", errors="strict" if len(head) < SAMPLED else "ignore").splitlines()[:LOOKED_AT]
    except UnicodeDecodeError:
        return False
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"cannot read {path}: {error}") from error
    return _separator(lines) == "," and len(set(map(len, _rows(lines[:2], ",")))) == 1


def _bytes_of(path: Path) -> bytes:
    if not path.is_file():
        raise FileError(f"no file {path}")
    return path.read_bytes()


def _paths(source: str) -> list[Path]:
    """The file of that name, or the files of a folder or a glob, sorted."""
    if Path(source).is_file():
        return [Path(source)]
    pattern = str(Path(source) / "**" / "*") if Path(source).is_dir() else source
    found = sorted(Path(path) for path in glob.glob(pattern, recursive=True) if Path(path).is_file())
    # Spark and others leave marks such as _SUCCESS beside the data.
    found = [path for path in found if not path.name.startswith(("_", "."))]
    if not found:
        raise FileError(f"the folder {source} holds no files" if Path(source).is_dir() else f"no file {source}")
    endings = {path.suffix.lower() for path in found}
    if len(endings) > 1:
        raise FileError(
            f"{source} holds files of several kinds ({', '.join(sorted(endings))}): name one kind, as *.csv"
        )
    return found


def _read_file(path: Path, how: Reading) -> Table:
    name = path.name.lower()
    if name.endswith(".zip"):
        return _from_archive(path, how)
    if name.endswith(".gz"):
        return _from_bytes(str(path), path.name[:-3], _unzipped(path), how)
    if name.endswith(SHEETS):
        return _from_sheets(str(path), path, how)
    if name.endswith((".parquet", ".arrow", ".feather")):
        return _checked(str(path), _attempt(path, lambda: _binary(path.name, path)), [])
    return _from_bytes(str(path), path.name, path.read_bytes(), how)


def _from_bytes(where: str, name: str, content: bytes, how: Reading) -> Table:
    """A table from the content of a file, by the ending of its name."""
    ending = name.lower()
    if ending.endswith(SHEETS):
        return _from_sheets(where, content, how)
    if ending.endswith((".parquet", ".arrow", ".feather")):
        return _checked(where, _attempt(where, lambda: _binary(name, io.BytesIO(content))), [])
    if not content.strip():
        raise FileError(f"{where} is empty: expected a header and at least one row")
    if ending.endswith((".jsonl", ".ndjson", ".json")):
        lines = content.lstrip().startswith(b"{")
        read = pl.read_ndjson if lines else pl.read_json
        frame = _attempt(where, lambda: read(io.BytesIO(content), infer_schema_length=None))
        return _checked(where, frame, ["JSON lines" if lines else "JSON"])
    return _from_text(where, content, how)


def _binary(name: str, file: Path | io.BytesIO) -> pl.DataFrame:
    return pl.read_parquet(file) if name.lower().endswith(".parquet") else pl.read_ipc(file)


def _attempt(where: object, read: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    try:
        return read()
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise FileError(f"cannot read {where}: {reason}") from error


def _unzipped(path: Path) -> bytes:
    content = bytearray()
    try:
        with gzip.open(path) as file:
            while part := file.read(1 << 24):
                content += part
                if len(content) > LARGEST:
                    raise FileError(_too_large(path, len(content)))
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"cannot read {path}: {error}") from error
    return bytes(content)


def _too_large(path: Path, size: int) -> str:
    return f"{path} would unpack to {size / 1e9:,.1f} GB or more: unpack it yourself"


def _from_archive(path: Path, how: Reading) -> Table:
    try:
        with zipfile.ZipFile(path) as archive:
            inside = [entry for entry in archive.infolist() if not entry.is_dir()]
            inside = [entry for entry in inside if not entry.filename.startswith("__MACOSX")]
            if len(inside) != 1:
                listed = ", ".join(entry.filename for entry in inside[:5])
                raise FileError(f"{path} holds {len(inside)} files ({listed}): unpack it, and name one")
            if inside[0].file_size > LARGEST:
                raise FileError(_too_large(path, inside[0].file_size))
            with archive.open(inside[0]) as file:
                content = file.read(inside[0].file_size + 1)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, zlib.error) as error:
        raise FileError(f"cannot read {path}: {error}") from error
    return _from_bytes(f"{path}, {inside[0].filename}", inside[0].filename, content, how)


def _from_text(where: str, content: bytes, how: Reading) -> Table:
    body, told = _as_utf8(where, content, how.encoding)
    head = body[:HEAD].decode(errors="ignore").splitlines(keepends=True)[:LOOKED_AT]
    separator = how.separator or _separator(head)
    if separator != "," or how.separator:
        told.append(f"columns separated by {SEPARATORS.get(separator, repr(separator))}")
    rows = _rows(head, separator)
    if not rows:
        raise FileError(f"{where} is no table of texts: no line of it can be split into columns")
    skip, header, more = _header(where, rows, how)
    names = header or [f"column{i + 1}" for i in range(len(rows[skip]))]
    above = _lines_of(head, separator, skip + _is_line(header, how))

    if len(rows) == skip + _is_line(header, how):
        raise FileError(f"{where} has a header but 0 rows")

    def read() -> pl.DataFrame:
        return pl.read_csv(
            body, has_header=False, separator=separator, skip_lines=above, new_columns=names, infer_schema=False
        )

    try:
        frame = _attempt(where, read)
    except FileError:
        check_widths(where, _text_lines(body), len(names), separator, above)
        raise
    if frame.width != len(names) or frame.to_series(-1).null_count():
        # Short lines are filled up.
        check_widths(where, _text_lines(body), len(names), separator, above)
    return _typed(where, _emptied(frame), told + more)


def _is_line(header: list[str], how: Reading) -> bool:
    """Whether the header stands in the file."""
    return bool(header) and how.names is None


def _text_lines(body: bytes) -> Iterable[str]:
    return io.TextIOWrapper(io.BytesIO(body), encoding="utf-8", newline="")


def _as_utf8(where: str, content: bytes, encoding: str | None) -> tuple[bytes, list[str]]:
    """The content of a text file in UTF-8, and how it was encoded unless that goes without saying."""
    try:
        found = codecs.lookup(encoding).name.replace("-", "_") if encoding else _encoding(where, content)
    except LookupError:
        raise InputError(f"--encoding: {encoding!r} is no encoding; try cp932, utf-8 or utf-16") from None
    try:
        body = content if found == "utf_8" and not encoding else content.decode(found).encode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "" if encoding else " Say with --encoding what it is."
        raise FileError(
            f"{where}, line {line}: byte 0x{content[error.start]:02x} is not {NAMES.get(found, found)}.{hint}"
        ) from error
    body = body.removeprefix(codecs.BOM_UTF8)
    if b"\n" not in body:
        body = body.replace(b"\r", b"\n")
    return body, [] if found == "utf_8" else [f"encoded in {NAMES.get(found, found)}"]


def _encoding(where: str, content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf_16"
    zeros = [content[i:4096:2].count(0) for i in (0, 1)]
    if max(zeros) > 100 or max(zeros) * 4 > min(len(content), 4096):
        return "utf_16_be" if zeros[0] > zeros[1] else "utf_16_le"
    try:
        content.decode("utf-8")
        return "utf_8"
    except UnicodeDecodeError:
        pass
    # Lines of plain letters say nothing about the encoding.
    telling, size = [], 0
    for line in io.BytesIO(content):
        if not line.isascii() or b"\x1b" in line:
            telling.append(line)
            size += len(line)
        if size > SAMPLED:
            break
    if _is_japanese(b"".join(telling)):
        return "cp932"
    import charset_normalizer

    match = charset_normalizer.from_bytes(b"".join(telling), cp_isolation=list(ENCODINGS)).best()
    if match is None:
        raise FileError(f"{where}: the encoding is not recognized. Say with --encoding what it is, such as cp932.")
    return str(match.encoding)


def _is_japanese(lines: bytes) -> bool:
    """Whether it reads as Japanese in cp932. What is encoded otherwise gives half-width kana or signs of elsewhere.

    >>> [_is_japanese("東京,男".encode(name)) for name in ("cp932", "euc_jp")], _is_japanese("서울,남".encode("cp949"))
    ([True, False], False)
    """
    try:
        text = lines.decode("cp932")
    except UnicodeDecodeError:
        return False
    letters = [letter for letter in text if not letter.isascii()]
    return sum(bool(JAPANESE.match(letter)) for letter in letters) > 0.9 * len(letters)


def _separator(head: list[str]) -> str:
    """The separator with which most lines have the same number of columns, and the more the better."""

    def sameness(separator: str) -> tuple[float, int]:
        widths = Counter(len(row) for row in _rows(head, separator) if row)
        widths.pop(1, None)
        if not widths:
            return 0.0, 0
        width, number = max(widths.items(), key=lambda item: (item[1], item[0]))
        return number / max(1, sum(1 for line in head if line.strip())), width

    best = max(SEPARATORS, key=lambda separator: (round(sameness(separator)[0], 1), sameness(separator)[1]))
    return best if sameness(best)[1] else ","


def _rows(head: list[str], separator: str) -> list[list[str]]:
    try:
        return list(csv.reader(head, delimiter=separator))
    except csv.Error:
        return []


def _lines_of(head: list[str], separator: str, rows: int) -> int:
    """How many lines the first rows take up: a cell in quotes may have line breaks."""
    reader = csv.reader(head, delimiter=separator)
    for _ in range(rows):
        next(reader, None)
    return reader.line_num


def _header(
    where: str, rows: Sequence[Sequence[str | None]], how: Reading, lines: Sequence[int] = ()
) -> tuple[int, list[str], list[str]]:
    """How many rows stand above the header, the header (empty if there is none), and what was recognized.

    `lines` are the numbers of the rows (from 0) where others were left out.
    """
    told: list[str] = []
    lines = lines or range(len(rows))
    counts = [sum(bool(cell and cell.strip()) for cell in row) for row in rows]
    if how.skip is not None:
        skip = sum(line < how.skip for line in lines)
        if skip >= len(rows):
            raise InputError(f"--skip {how.skip}: {where} has no lines after that")
    else:
        widths = Counter(len(row) for row in rows if row)
        width = max(widths, key=lambda width: (widths[width], width), default=0)
        # Titles fill fewer cells than rows do.
        usual = sorted(count for row, count in zip(rows, counts, strict=True) if len(row) == width)
        least = usual[len(usual) // 2] / 2 if usual else 0
        skip = next((i for i, row in enumerate(rows) if len(row) == width and counts[i] > least), 0)
        if above := lines[skip]:
            told.append(f"{above} line{'s' if above > 1 else ''} above the header left out (--skip 0 keeps them)")
    if how.names is not None:
        if len(how.names) != len(rows[skip]):
            raise InputError(f"--names gives {len(how.names)} names, and {where} has {len(rows[skip])} columns")
        return skip, list(how.names), told
    first = [(cell or "").strip() for cell in rows[skip]]
    if how.skip is None and all(first) and _all_values(first, rows[skip + 1 :]):
        told.append("no header: columns are named column1, column2, ... (--names gives names)")
        return skip, [], told
    check_names(where, first, skip + 1)
    return skip, first, told


def _all_values(first: Sequence[str], rest: Sequence[Sequence[str | None]]) -> bool:
    """Whether the first row looks like the others: a number or a date where others have one, and at least once so."""
    number = re.compile(f"{NUMBER}|{'|'.join(DATES)}")
    alike = 0
    for place, cell in enumerate(first):
        below = [row[place] for row in rest[:50] if place < len(row) and row[place]]
        if below and all(number.match(str(value).strip()) for value in below):
            if not number.match(cell):
                return False
            alike += 1
    return alike > 0


def _emptied(frame: pl.DataFrame) -> pl.DataFrame:
    """Cells without blanks around them; None where nothing is left. Rows without any cell are left out."""
    stripped = frame.with_columns(pl.all().str.strip_chars())
    filled = stripped.with_columns(pl.when(pl.all() != "").then(pl.all()))
    return filled.filter(~pl.all_horizontal(pl.all().is_null()))


def _from_sheets(where: str, file: Path | bytes, how: Reading) -> Table:
    import fastexcel

    try:
        book = fastexcel.read_excel(file)
        names = list(book.sheet_names)
        chosen, told = _sheet(where, names, how.sheet)
        sheet = book.load_sheet(chosen, header_row=None, skip_rows=0, dtypes="string").to_polars()
    except fastexcel.FastExcelError as error:
        raise FileError(f"cannot read {where}: {str(error).splitlines()[0]}") from error
    cells = sheet.cast(pl.String)
    if cells.width:
        filled = cells.select(pl.any_horizontal(pl.all().str.strip_chars() != "").fill_null(False)).to_series()
        lines = filled.arg_true().to_list()
        cells = _emptied(cells)
    cells = cells[[column.name for column in cells if column.null_count() < cells.height]]
    if not cells.height:
        raise FileError(f"{where}: the sheet {chosen!r} is empty; --sheet chooses another")
    skip, header, more = _header(where, cells.head(LOOKED_AT).rows(), how, lines[:LOOKED_AT])
    body = cells[skip + _is_line(header, how) :]
    body.columns = header or [f"column{i + 1}" for i in range(cells.width)]
    return _typed(where, body, told + more)


def _sheet(where: str, names: list[str], wanted: str | None) -> tuple[str, list[str]]:
    if wanted is None:
        if len(names) == 1:
            return names[0], []
        others = ", ".join(names[1:])
        return names[0], [f"the first of {len(names)} sheets, {names[0]!r} (--sheet chooses another: {others})"]
    if wanted in names:
        return wanted, []
    if wanted.isdigit() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1], []
    raise UnknownName.of(f"sheet in {where}", wanted, names)


def _typed(where: str, frame: pl.DataFrame, told: list[str]) -> Table:
    """Columns of texts as what all their cells are: integers, numbers, dates, or texts."""
    if not frame.height:
        raise FileError(f"{where} has a header but 0 rows")
    columns, codes = [], []
    for column in frame:
        typed = _narrowed(column)
        if typed.dtype == pl.String and column.str.contains(r"^0[0-9]+$").any():
            plain = column.str.contains(r"^[0-9]+$").all()
            codes += [column.name] if plain else []
        columns.append(typed)
    if codes:
        told = [*told, f"texts, since codes begin with 0: {', '.join(codes)}"]
    dates = [column.name for column in columns if column.dtype == pl.Date]
    if dates:
        told = [*told, f"dates: {', '.join(dates)}"]
    return Table(pl.DataFrame(columns), tuple(told))


def _narrowed(column: pl.Series) -> pl.Series:
    # Most columns show by a few cells what they are not.
    for part in (column.head(1000), column):
        values = part.drop_nulls()
        patterns = (INTEGER, NUMBER, *DATES, SLASHED, ERA)
        kinds = [pattern for pattern in patterns if len(values) and values.str.contains(pattern).all()]
        if not kinds:
            return column
    if kinds[0] == INTEGER:
        return column.str.strip_prefix("+").cast(pl.Int64)
    if kinds[0] == NUMBER:
        numbers = column.str.replace_all(",", "", literal=True).cast(pl.Float64, strict=False)
        whole = (numbers.drop_nulls() == numbers.drop_nulls().round()).all() and not column.str.contains(r"[.eE]").any()
        return column if numbers.null_count() > column.null_count() else numbers.cast(pl.Int64) if whole else numbers
    if kinds[0] in (SLASHED, ERA):
        days = _era_days(column) if kinds[0] == ERA else _slashed_days(column)
        return column if days.null_count() > column.null_count() else days
    days = column.str.replace(" 00:00:00", "", literal=True).str.to_date(DATES[kinds[0]], strict=False)
    return column if days.null_count() > column.null_count() else days


def _slashed_days(column: pl.Series) -> pl.Series:
    """
    >>> _slashed_days(pl.Series(["1/2/1980", "13/2/1980"])).to_list(), _slashed_days(pl.Series(["1/2/1980"])).null_count()
    ([datetime.date(1980, 2, 1), datetime.date(1980, 2, 13)], 1)
    """
    numbers = [column.str.extract(r"^([0-9]+)[/-]([0-9]+)", group).cast(pl.Int64) for group in (1, 2)]
    beyond = [bool((number > 12).any()) for number in numbers]
    if beyond[0] == beyond[1]:
        return pl.Series(column.name, [None] * len(column), dtype=pl.Date)
    return column.str.replace_all("-", "/").str.to_date("%d/%m/%Y" if beyond[0] else "%m/%d/%Y", strict=False)


def _era_days(column: pl.Series) -> pl.Series:
    """
    >>> _era_days(pl.Series(["昭和55年1月31日", "R元.5.1"])).to_list()
    [datetime.date(1980, 1, 31), datetime.date(2019, 5, 1)]
    """
    letters = {name: letter for letter, name in zip("MTSHR", ERAS, strict=True)}
    begins = {letters[name]: year for name, year in ERAS.items()}
    era, year, month, day = (column.str.extract(ERA, group) for group in (1, 2, 3, 4))
    begin = era.str.to_uppercase().replace(letters).replace_strict(begins, default=None, return_dtype=pl.Int32)
    years = begin + year.replace("元", "1").cast(pl.Int32)
    parts = pl.DataFrame({"year": years, "month": month.cast(pl.Int8), "day": day.cast(pl.Int8)})
    text = parts.select(pl.concat_str("year", "month", "day", separator="-")).to_series()
    return text.str.to_date("%Y-%m-%d", strict=False).alias(column.name)


def _checked(where: str, frame: pl.DataFrame, told: list[str]) -> Table:
    """A table whose columns have types already."""
    if not frame.width or not frame.height:
        raise FileError(f"{where} has 0 rows")
    check_names(where, frame.columns, 1)
    # An enumeration would name values that no row holds.
    plain = frame.with_columns(pl.col(pl.Enum, pl.Categorical).cast(pl.String), pl.col(pl.Decimal).cast(pl.Float64))
    return Table(plain, tuple(told))
