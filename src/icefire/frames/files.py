"""Reading and writing of .csv, .csv.gz and .parquet files, with errors that name the line.

Writing is all or nothing: files are written under temporary names and renamed together at the end.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import re
import shutil
import tempfile
import tomllib
import warnings
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import polars as pl

from icefire.core import grid
from icefire.core.errors import DataError, FileError, InputWarning, UnknownName
from icefire.frames.set_bounds import check_sets
from icefire.words import translated

EXTENSIONS = (".parquet", ".csv", ".csv.gz")
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
INFERRED = 10_000
"""Number of rows of a CSV file by which the types of its columns are tried first."""


MADE_BY = {
    "original": "icefire init FILE makes a working folder of your table",
    "published": "there is no release yet; icefire anonymize makes one",
}
AT_LINE = re.compile(r"line\D([0-9]+)")


def find_table(folder: Path, stem: str) -> Path:
    """The file of a table in a working folder, given its name without extension."""
    if not folder.is_dir():
        raise FileError(f"no folder {folder}: give an existing working folder")
    found = [folder / f"{stem}{extension}" for extension in EXTENSIONS if (folder / f"{stem}{extension}").is_file()]
    if not found and (folder / f"{stem}.parquet").is_dir():
        raise FileError(f"{folder / stem}.parquet is a folder of files, which an engine reads: name one in --format")
    if not found:
        if stem in MADE_BY:
            raise FileError(f"no file {stem}{{{','.join(EXTENSIONS)}}} in {folder}: {MADE_BY[stem]}")
        raise FileError(f"no file {stem}{{{','.join(EXTENSIONS)}}} in {folder}")
    if len(found) > 1:
        raise FileError(f"{folder} holds both {found[0].name} and {found[1].name}: keep one of them")
    return found[0]


def has_table(folder: Path, stem: str) -> bool:
    """Whether a working folder holds a table of that name, with any extension."""
    return any((folder / f"{stem}{extension}").is_file() for extension in EXTENSIONS)


def plain_files(folder: Path, stem: str) -> list[Path]:
    """The files of a contest's table, which has no header: stem.csv, stem.txt, or with a name of its own, as S_aa.txt."""
    endings = (".csv", ".txt")
    found = [folder / f"{stem}{ending}" for ending in endings if (folder / f"{stem}{ending}").is_file()]
    return found + sorted(path for ending in endings for path in folder.glob(f"{stem}_*{ending}"))


def find_plain(folder: Path, stem: str) -> Path:
    """The file of a contest's table in a folder."""
    if not folder.is_dir():
        raise FileError(f"no folder {folder}: give an existing working folder")
    found = plain_files(folder, stem)
    if not found:
        raise FileError(f"no file {stem}.csv or {stem}.txt in {folder}")
    if len(found) > 1:
        raise FileError(f"{folder} holds both {found[0].name} and {found[1].name}: keep one of them")
    return found[0]


def extension_of(path: Path) -> str:
    """One of EXTENSIONS; FileError for any other."""
    name = path.name.lower()
    for extension in EXTENSIONS:
        if name.endswith(extension):
            return extension
    raise FileError(f"cannot read {path}: the name must end in {', '.join(EXTENSIONS)}")


def scan_table(path: Path) -> pl.LazyFrame:
    """A table as a lazy frame: Parquet files are scanned lazily, CSV files are read and checked at once."""
    if extension_of(path) == ".parquet" and path.is_file():
        try:
            frame = pl.scan_parquet(path)
            frame.collect_schema()
            return frame
        except (pl.exceptions.PolarsError, OSError) as error:
            raise FileError(f"{path} is not a readable Parquet file: {_first_line(error)}") from error
    return read_table(path).lazy()


class TableFile:
    """A table in a file, which is read once: its header first, its cells when it is known how to read them."""

    def __init__(self, path: Path) -> None:
        self.path, self._parquet = path, extension_of(path) == ".parquet"
        if not path.is_file():
            raise FileError(f"no file {path}")
        if path.stat().st_size == 0:
            raise FileError(f"{path} is empty: expected a header and at least one row")

    @cached_property
    def header(self) -> list[str]:
        """The names of the columns."""
        if self._parquet:
            return scan_table(self.path).collect_schema().names()
        return _checked_header(self.path, _lines(self._content))

    def read(self, texts: Collection[str] = ()) -> pl.DataFrame:
        """The table. Columns named in `texts` are read as strings, so that codes such as 007 keep their zeros."""
        frame = scan_table(self.path).collect() if self._parquet else self._read_csv(texts)
        if frame.height == 0:
            raise FileError(f"{self.path} has a header but 0 rows")
        return frame

    @cached_property
    def _content(self) -> bytes:
        return _bytes(self.path)

    def _read_csv(self, texts: Collection[str]) -> pl.DataFrame:
        path, names = self.path, self.header
        overrides = {name: pl.String for name in names if name in texts}
        try:
            frame = _inferred(self._content, overrides)
        # A quotation mark at the end of a column of numbers makes polars panic, which is no Exception.
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            _check_widths(path, _lines(self._content), len(names))
            raise _malformed(path, self._content, error) from error
        if frame.width != len(names):
            raise FileError(f"{path}, line 1: the header ends in an unusual way: end lines by LF or CRLF")
        # polars keeps the quotation marks that stand twice in a name.
        frame.columns = names
        if _looks_ragged(frame):
            _check_widths(path, _lines(self._content), len(names))
        _check_repeated_header(path, frame, names)
        check_sets(path, frame, first_line=2)
        return self._with_codes(frame)

    def _with_codes(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame with columns of codes such as 007 as texts: as numbers, they would lose their zeros."""
        numbers = [name for name, dtype in frame.schema.items() if dtype.is_numeric()]
        if not numbers or not re.search(rb'[,\n"]0[0-9]', self._content):
            return frame
        cells = pl.read_csv(self._content, columns=numbers, infer_schema=False)
        codes = [name for name in numbers if cells[name].str.contains(r"^0[0-9]+$").any()]
        if codes:
            listed = ", ".join(codes)
            warnings.warn(f"{self.path}: codes that begin with 0 stay texts: {listed}", InputWarning, stacklevel=2)
        return frame.with_columns(cells.select(codes))


def _inferred(content: bytes, overrides: Mapping[str, type[pl.String]]) -> pl.DataFrame:
    """A CSV table with types that hold for all rows. The first rows mostly tell them; otherwise, all rows are looked at."""
    try:
        first = pl.read_csv(content, n_rows=INFERRED, infer_schema_length=INFERRED, schema_overrides=overrides)
        # A column without values yet could become anything.
        if first.height < INFERRED or not any(first[name].null_count() == first.height for name in first.columns):
            return pl.read_csv(content, schema_overrides={**first.schema, **overrides})
    except pl.exceptions.PolarsError:
        pass
    return pl.read_csv(content, infer_schema_length=None, schema_overrides=overrides)


def read_table(path: Path, texts: Collection[str] = ()) -> pl.DataFrame:
    """Read a table; columns named in `texts` are read as strings."""
    return TableFile(path).read(texts)


def read_texts(path: Path) -> pl.DataFrame:
    """Read a table, every column of a CSV file as strings. Columns of a Parquet file keep their types."""
    file = TableFile(path)
    return file.read(file.header)


def read_plain(path: Path, names: Sequence[str]) -> pl.DataFrame:
    """Read a CSV file without a header, given its column names. Every cell is a string, an empty cell an empty string."""
    return _plain(path, _existing(path), names)


def read_counted(path: Path, names: Sequence[str]) -> tuple[pl.DataFrame, int]:
    """Read a CSV file without a header whose first line may hold the number of rows alone; with the line of the first row."""
    content = _existing(path)
    first, _, rest = content.partition(b"\n")
    if not first.strip().isdigit():
        return _plain(path, content, names), 1
    table = _plain(path, rest, names, first_line=2) if rest.strip() else pl.DataFrame()
    if table.height != int(first):
        raise FileError(f"{path}, line 1: {int(first)} rows are announced, and {table.height} follow")
    return table, 2


def _existing(path: Path) -> bytes:
    if not path.is_file():
        raise FileError(f"no file {path}")
    return _bytes(path)


def _plain(path: Path, content: bytes, names: Sequence[str], first_line: int = 1) -> pl.DataFrame:
    _check_widths(path, _lines(content), len(names), "a record", first_line)
    try:
        table = pl.read_csv(content, has_header=False, new_columns=list(names), infer_schema=False).fill_null("")
    except pl.exceptions.PolarsError as error:
        raise _malformed(path, content, error, first_line) from error
    check_sets(path, table, first_line)
    return table


def _malformed(path: Path, content: bytes, error: BaseException, first_line: int = 1) -> FileError:
    """What to say of a file that polars refuses: mostly, a quotation mark has no partner."""
    for number, line in enumerate(content.split(b"\n"), start=first_line):
        if line.count(b'"') % 2:
            return FileError(
                f"{path}, line {number}: a quotation mark is opened and not closed, or the other way round"
            )
    return FileError(f"cannot read {path}: {_first_line(error)}")


def _bytes(path: Path) -> bytes:
    """The content of a file, unzipped and checked to be UTF-8, without a byte order mark."""
    try:
        content = gzip.decompress(path.read_bytes()) if path.name.lower().endswith(".gz") else path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"cannot read {path}: {_first_line(error)}") from error
    # Some programs add a second byte order mark.
    while content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    # So do those that write CRLF as text, whose LF becomes CRLF.
    content = content.replace(b"\r\r\n", b"\r\n")
    if not content or content.isspace():
        raise FileError(f"{path} is empty: expected a header and at least one row")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(_not_utf8(path, line, error)) from error
    return content


def csv_header(path: Path) -> list[str]:
    """The names of the columns of a CSV file, of which only the first line is read."""
    with _text(path) as lines:
        return _checked_header(path, lines)


def check_csv(path: Path, names: Sequence[str]) -> None:
    """Raise FileError at the first line of a CSV file that is malformed, too short or too long, or repeats the header."""
    with _text(path) as lines:
        _check_widths(path, lines, len(names))
    with _text(path) as lines:
        for number, line in enumerate(lines, start=1):
            if number > 1 and next(csv.reader([line]), []) == list(names):
                raise FileError(_repeated_header(path, number))


@contextmanager
def _text(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file, unzipped and decoded one after the other; FileError at the first that is not UTF-8."""
    number = 0

    def lines(file: Iterable[bytes]) -> Iterator[str]:
        nonlocal number
        for number, line in enumerate(file, start=1):
            yield line.removeprefix(b"\xef\xbb\xbf").decode() if number == 1 else line.decode()

    try:
        with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
            yield lines(file)
    except UnicodeDecodeError as error:
        raise FileError(_not_utf8(path, number, error)) from error
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"cannot read {path}: {_first_line(error)}") from error


def _lines(content: bytes) -> Iterable[str]:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> str:
    return f"{path}, line {line}: byte 0x{error.object[error.start]:02x} is not UTF-8. Save the file as UTF-8 and try again."


def _repeated_header(path: Path, line: int) -> str:
    return f"{path}, line {line}: the header is repeated. Remove that line."


def _checked_header(path: Path, lines: Iterable[str]) -> list[str]:
    try:
        names = next(csv.reader(lines), [])
    except csv.Error as error:
        raise FileError(f"{path}, line 1: {error}") from error
    if not names:
        raise FileError(f"{path} is empty: expected a header and at least one row")
    for separator, word in ((";", "semicolon"), ("\t", "tab"), ("|", "bar")):
        if len(names) == 1 and separator in names[0]:
            raise FileError(f"{path}, line 1: the columns are separated by {word}s. Separate them by commas.")
    check_names(str(path), names, 1)
    return names


def check_names(where: str, names: Sequence[str], line: int) -> None:
    """Raise FileError if a column has no name, or the name of another."""
    seen: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise FileError(f"{where}, line {line}, column {position}: the column has no name")
        if name in seen:
            raise FileError(
                f"{where}, line {line}: the column {name!r} occurs twice (columns {seen[name]} and {position})"
            )
        seen[name] = position


def _check_repeated_header(path: Path, frame: pl.DataFrame, names: list[str]) -> None:
    if frame.height and all(dtype == pl.String for dtype in frame.dtypes):
        same = pl.all_horizontal(pl.col(name) == name for name in names)
        repeated = frame.select(same.arg_true()).to_series()
        if len(repeated):
            raise FileError(_repeated_header(path, repeated[0] + 2))


def _looks_ragged(frame: pl.DataFrame) -> bool:
    # polars pads short rows with nulls.
    return frame.width > 1 and frame.height > 0 and frame.to_series(frame.width - 1).null_count() > 0


def check_widths(where: str, lines: Iterable[str], width: int, separator: str, skip: int) -> None:
    """Raise FileError at the first line, after some that are skipped, that is malformed or does not have `width` columns."""
    rest = itertools.islice(lines, skip, None)
    _check_widths(Path(where), rest, width, first_line=skip + 1, separator=separator)


def _check_widths(
    path: Path,
    lines: Iterable[str],
    width: int,
    model: str = "the header",
    first_line: int = 1,
    separator: str = ",",
) -> None:
    """Raise FileError at the first line that is malformed or does not have `width` columns."""
    reader = csv.reader(lines, delimiter=separator)
    try:
        for row in reader:
            if row and len(row) != width:
                line = reader.line_num + first_line - 1
                raise FileError(f"{path}, line {line}: {len(row)} columns where {model} has {width}")
    except csv.Error as error:
        raise FileError(f"{path}, line {reader.line_num + first_line - 1}: {error}") from error


def read_integers(path: Path, what: str) -> list[int]:
    """Read a file with one integer per line, such as a row map or a guess. `what` names it in error messages.

    A byte order mark, CRLF line ends and blank lines at the end are accepted.
    """
    if not path.is_file():
        raise FileError(f"no file {path}")
    content = _bytes(path)
    if (plain := _plain_integers(content)) is not None:
        return plain
    lines = content.decode("utf-8").splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    numbers = []
    for number, line in enumerate(lines, start=1):
        try:
            value = int(line)
        except ValueError:
            raise FileError(
                f"{path}, line {number}: {what} must have one integer per line, found {line[:40]!r}"
            ) from None
        if abs(value) >= 1 << 62:
            raise FileError(f"{path}, line {number}: {line[:40]} is not a row number")
        numbers.append(value)
    return numbers


def _plain_integers(content: bytes) -> list[int] | None:
    """The integers of a file that holds digits and line ends alone; None for others, which are looked at line by line."""
    if content.translate(None, b"0123456789\n"):
        return None
    content = content.rstrip(b"\n")
    try:
        numbers = pl.read_csv(content, has_header=False, schema={"number": pl.Int64}).to_series()
    except pl.exceptions.PolarsError:
        return None
    if len(numbers) != content.count(b"\n") + 1 or numbers.null_count() or (numbers >= 1 << 62).any():
        return None
    return numbers.to_list()


def recipe_toml(recipe: Mapping[str, object]) -> str:
    """The text of the recipe file, which says how a release was made."""
    warning = translated("Part of the secret: the seed is enough to undo the release.")
    return f"# {warning}\n" + "".join(f"{key} = {toml_value(value)}\n" for key, value in recipe.items())


def decimals_of(published: pl.DataFrame) -> dict[str, dict[str, int | str]]:
    """What a recipe says of the grid on which numbers were published: the decimals of each column that has some.

    >>> decimals_of(pl.DataFrame({"age": [20, 21], "pay": [1.25, 3.5], "raw": [0.1 + 0.2, 1 / 3]}))
    {'decimals': {'pay': 2, 'raw': 'full'}}
    """
    found: dict[str, int | str] = {}
    for column in published:
        if column.dtype.is_float():
            numbers = column.cast(pl.Float64).drop_nulls().to_numpy()
            found[column.name] = grid.FULL if grid.is_full(numbers) else grid.own_decimals(numbers) or 0
    return {"decimals": found} if found else {}


def toml_value(value: object) -> str:
    """Write a value in TOML.

    >>> toml_value({"a|b": [1, "x"]})
    '{ "a|b" = [1, "x"] }'
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_value(str(key))} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    # Strings, numbers and booleans are written the same way in JSON.
    return json.dumps(value, ensure_ascii=False)


def read_toml(path: Path, keys: Sequence[str], kind: str) -> dict[str, object]:
    """Read a schema file; FileError for another kind of data, UnknownName for an unknown key."""
    content = read_toml_text(path)
    known = ["kind", *keys, "previous"]
    for key in content:
        if key not in known:
            raise UnknownName.of(f"key of {path}", key, known)
    if content.get("kind", kind) != kind:
        raise FileError(f'{path}: kind must be "{kind}", found {content["kind"]!r}')
    return content


def read_toml_text(path: Path) -> dict[str, object]:
    """Read a TOML file; FileError with the line where it is none."""
    try:
        return tomllib.loads(text := path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        place = AT_LINE.search(str(error))
        line = text.splitlines()[int(place[1]) - 1].strip() if place else ""
        raise FileError(f"{path}: {error}" + (f": {line}" if line else "")) from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: {error}") from error


class Staged:
    """Files that are written under temporary names, to be renamed together or discarded together."""

    def __init__(self) -> None:
        self._files: list[tuple[Path, Path]] = []
        self._outdated: list[Path] = []

    def path(self, final: Path, secret: bool = False) -> Path:
        """The temporary path of a file. A secret file is readable by its owner only."""
        final.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".writing-", suffix=final.suffix, dir=final.parent)
        os.close(handle)
        if not secret:
            os.chmod(name, 0o666 & ~_umask())
        self._files.append((Path(name), final))
        return Path(name)

    def folder(self, final: Path) -> Path:
        """The temporary path of a table that may become a folder of files: nothing is there yet."""
        path = self.path(final)
        path.unlink()
        return path

    def table(self, frame: pl.DataFrame, final: Path, secret: bool = False) -> None:
        """Write a table in the format of its extension."""
        extension = extension_of(final)
        path = self.path(final, secret)
        if extension == ".parquet":
            frame.write_parquet(path)
        elif extension == ".csv":
            frame.write_csv(path)
        else:
            path.write_bytes(gzip.compress(frame.write_csv().encode(), mtime=0))

    def text(self, content: str, final: Path, secret: bool = False) -> None:
        self.path(final, secret).write_text(content, encoding="utf-8")

    def remove(self, *paths: Path) -> None:
        """Delete outdated files when the new ones are put in place."""
        self._outdated += paths

    def _commit(self) -> None:
        for path in self._outdated:
            _clear(path)
        for temporary, final in self._files:
            if temporary.is_dir() or final.is_dir():
                _clear(final)
            os.replace(temporary, final)
            # A table of the same name with another extension would contradict the new one.
            for extension in EXTENSIONS if final.name.endswith(EXTENSIONS) else ():
                stale = final.with_name(final.name.removesuffix(extension_of(final)) + extension)
                if stale != final:
                    _clear(stale)

    def _discard(self) -> None:
        for temporary, _ in self._files:
            _clear(temporary)


def _clear(path: Path) -> None:
    """Remove a file, or a folder of files, if there is one."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def staged() -> Iterator[Staged]:
    """Write several files together: all appear at the end of the block, or none if it fails."""
    stage = Staged()
    try:
        yield stage
        stage._commit()
    except BaseException:
        stage._discard()
        raise


def require_finite(frame: pl.DataFrame, name: str, where: str) -> None:
    """Raise DataError at the first NaN or infinity in a column."""
    column = frame[name]
    if column.dtype.is_float():
        bad = (column.is_nan() | column.is_infinite()).fill_null(False).arg_true()
        if len(bad):
            value = column[bad[0]]
            raise DataError(
                f"{where}, row {bad[0] + 1} (line {bad[0] + 2} of a CSV file), column {name!r}: {value} is not an amount. "
                "Leave the cell empty if the value is missing."
            )


def as_numbers(frame: pl.DataFrame, name: str, where: str) -> pl.DataFrame:
    """The frame with a column converted to numbers; DataError at the first cell that is not a number."""
    column = frame[name]
    if column.dtype.is_numeric():
        # polars gives integers of 128 bits where a cell needs them, and nothing else takes those.
        return frame.with_columns(column.cast(pl.Float64)) if str(column.dtype).endswith("Int128") else frame
    numbers = column.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
    bad = (numbers.is_null() & column.is_not_null()).arg_true()
    if len(bad):
        row = bad[0]
        raise DataError(
            f"{where}, row {row + 1} (line {row + 2} of a CSV file), column {name!r}: {column[row]!r} is not a number"
        )
    return frame.with_columns(numbers.alias(name))


def with_dates(frame: pl.DataFrame, texts: Collection[str] = ()) -> pl.DataFrame:
    """The frame with texts such as 2026-01-31 as dates, where a column holds nothing else; `texts` stay texts."""
    days = []
    for column in frame:
        if column.dtype == pl.String and column.name not in texts:
            values = column.drop_nulls()
            if len(values) and values.head(100).str.contains(DAY).all() and values.str.contains(DAY).all():
                parsed = column.str.to_date("%Y-%m-%d", strict=False)
                days += [parsed] if parsed.null_count() == column.null_count() else []
    return frame.with_columns(days)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
