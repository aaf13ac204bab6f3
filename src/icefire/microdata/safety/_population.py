"""The population of which a released table is a sample: the original, or a table in a file."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals as nw
import numpy as np

from icefire.core.errors import Undefined, UnknownName
from icefire.frames import engines, relational
from icefire.frames.lookup import is_spark
from icefire.frames.reading import read_anything
from icefire.frames.sources import open_table
from icefire.microdata.data import Microdata, Release
from icefire.microdata.schema import Schema


def population_of(release: Release, file: str | None, sensitive: Sequence[str] = ()) -> Microdata:
    """The quasi-identifiers of the population, with the hierarchies of the original; the original if no file is named.

    Some sensitive columns are read, too, if they are named.
    """
    original = release.original
    names = [name for name in original.qi if name in release.published.schema.names]
    if not names:
        raise Undefined("no quasi-identifier was published: every row covers everybody")
    if file is None:
        return original
    everything = [*names, *sensitive]
    types = original.lazy.collect_schema()
    texts = [name for name in everything if types[name] == nw.String]
    table = _read(file, release.published, texts)
    known = engines.columns(table)
    for name in everything:
        if name not in known:
            raise UnknownName.of(f"column in {file}", name, known)
    chosen = engines.lazy(table).select(nw.col(name).cast(nw.String) if name in texts else name for name in everything)
    columns = {name: original.schema.column(name) for name in everything}
    native = relational.collect(chosen) if engines.in_memory(table) else chosen.to_native()
    return Microdata(native, Schema(names, sensitive, columns), file)


def _read(file: str, published: Microdata, texts: Sequence[str]) -> engines.Native:
    """The table of the population, read by the engine that holds the published one."""
    if engines.on_engine(published.native):
        return open_table(file, "spark" if is_spark(published.native) else "duckdb", texts=texts)
    return read_anything(file).frame


def larger_population(release: Release, file: str | None, metric: str) -> Microdata:
    """The population that a file names, or the original if not everybody of it is in the release."""
    if file is None and np.bincount(release.rows, minlength=release.original.height).all():
        raise Undefined(
            "the release holds everybody of the original: name a file with the QI of the population, as in "
            f"{metric}(population='people.csv')"
        )
    return population_of(release, file)
