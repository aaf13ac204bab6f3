"""Data of one's own, as icefire's folders hold them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, TypeVar

import numpy as np
import polars as pl

from icefire.core.data import Original
from icefire.core.errors import FileError
from icefire.core.parameters import AtLeast
from icefire.history.data import History
from icefire.history.formats.ours import Ours as HistoryFormat
from icefire.history.roles import Dataset as HistoryDataset
from icefire.microdata.data import Microdata
from icefire.microdata.formats.ours import Ours as MicrodataFormat
from icefire.microdata.roles import Dataset as MicrodataDataset
from icefire.synthetic.data import People
from icefire.synthetic.formats.ours import Ours as SyntheticFormat
from icefire.synthetic.roles import Dataset as SyntheticDataset
from icefire.trace.data import Traces
from icefire.trace.formats.ours import Ours as TraceFormat
from icefire.trace.roles import Dataset as TraceDataset

SCHEMA = "schema.toml"
OriginalT = TypeVar("OriginalT", bound=Original)


@contextmanager
def _folder(path: Path, schema: str) -> Iterator[Path]:
    """The folder itself, or one in which a table and its schema lie under the names that the format expects."""
    if path.is_dir():
        if schema:
            raise FileError(f"{path} is a folder, which has a {SCHEMA} of its own: leave the schema out")
        yield path
        return
    if not path.is_file():
        raise FileError(f"no file or folder {path}")
    beside = Path(schema) if schema else path.with_name(SCHEMA)
    if not beside.is_file():
        raise FileError(f"no file {beside}, which says what the columns of {path.name} are: icefire init writes one")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"original{path.suffix}").symlink_to(path.resolve())
        (folder / SCHEMA).symlink_to(beside.resolve())
        yield folder


@dataclass(frozen=True)
class _Own:
    """Files that somebody names."""

    paths: ClassVar[tuple[str, ...]] = ("path", "schema")
    path: str
    schema: str = ""
    people: Annotated[int, AtLeast(1)] | None = None

    @property
    def fixed(self) -> bool:
        return self.people is None

    def _drawn(self, original: OriginalT, rng: np.random.Generator) -> OriginalT:
        return original if self.people is None else original.sample(self.people, rng)


@dataclass(frozen=True)
class MicrodataFile(_Own, MicrodataDataset):
    """A table of one's own: a folder as `icefire init` makes it, or a file with its schema.

    Parameters:
        path: the folder, or the file.
        schema: the schema of a file; schema.toml beside it if left out.
        people: number of rows to draw at random; all in their order if left out.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> with tempfile.TemporaryDirectory() as name:
        ...     _ = (Path(name) / "pay.csv").write_text("age,pay\\n30,100\\n40,200\\n")
        ...     _ = (Path(name) / "schema.toml").write_text('kind = "microdata"\\nqi = ["age"]\\nsa = ["pay"]\\n')
        ...     table = MicrodataFile(path=f"{name}/pay.csv").generate(np.random.default_rng(0))
        >>> table.frame.rows()
        [(30, 100), (40, 200)]
    """

    def generate(self, rng: np.random.Generator) -> Microdata:
        with _folder(Path(self.path), self.schema) as folder:
            return self._drawn(MicrodataFormat().read_original(folder), rng)


@dataclass(frozen=True)
class HistoryFile(_Own, HistoryDataset):
    """Histories of one's own: a folder with original.csv (and master.csv), or a file with its schema.

    Parameters:
        path: the folder, or the file with a record in each line.
        schema: the schema of a file; schema.toml beside it if left out.
        people: number of people to draw at random; all of them if left out.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> with tempfile.TemporaryDirectory() as name:
        ...     _ = (Path(name) / "sales.csv").write_text("user,date,item\\nann,2026-01-02,tea\\nbob,2026-01-03,milk\\n")
        ...     _ = (Path(name) / "schema.toml").write_text('kind = "history"\\n')
        ...     sales = HistoryFile(path=f"{name}/sales.csv").generate(np.random.default_rng(0))
        >>> sales.summary()
        {'people': 2, 'records': 2, 'periods': 1}
    """

    def generate(self, rng: np.random.Generator) -> History:
        with _folder(Path(self.path), self.schema) as folder:
            return self._drawn(HistoryFormat().read_original(folder), rng)


@dataclass(frozen=True)
class TraceFile(_Own, TraceDataset):
    """Traces of one's own: a folder with original.csv, reference.csv and schema.toml.

    Parameters:
        path: the folder.
        schema: not for traces, whose folder has one.
        people: number of people to draw at random; all of them if left out.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from icefire.trace.examples import example
        >>> with tempfile.TemporaryDirectory() as name:
        ...     TraceFormat().write_original(example(), Path(name))
        ...     walks = TraceFile(path=name, people=3).generate(np.random.default_rng(0))
        >>> walks.people
        3
    """

    def generate(self, rng: np.random.Generator) -> Traces:
        if not Path(self.path).is_dir():
            raise FileError(f"{self.path} is no folder: traces need original.csv, reference.csv and {SCHEMA} in one")
        with _folder(Path(self.path), self.schema) as folder:
            return self._drawn(TraceFormat().read_original(folder), rng)


@dataclass(frozen=True)
class SyntheticFile(_Own, SyntheticDataset):
    """People of one's own for synthetic tables: a folder with original.csv (and control.csv), or a file with its schema.

    Parameters:
        path: the folder, or the file.
        schema: the schema of a file; schema.toml beside it if left out.
        people: number of members to draw at random from all people there; the others are the control group. The members that
            the files name if left out.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> with tempfile.TemporaryDirectory() as name:
        ...     _ = (Path(name) / "ages.csv").write_text("age\\n" + "\\n".join(map(str, range(20))))
        ...     _ = (Path(name) / "schema.toml").write_text('kind = "synthetic"\\n')
        ...     SyntheticFile(path=f"{name}/ages.csv", people=5).generate(np.random.default_rng(0))
        People(5 members, 15 others, 1 columns)
    """

    def generate(self, rng: np.random.Generator) -> People:
        with _folder(Path(self.path), self.schema) as folder:
            found = SyntheticFormat().read_original(folder)
        if self.people is None:
            return found
        table = pl.concat([found.members, found.control])
        if self.people >= table.height:
            raise FileError(f"{self.path} has {table.height} people: draw fewer than that, so that some are no members")
        order = rng.permutation(table.height)
        return People(table[order[: self.people]], table[order[self.people :]], found.schema)
