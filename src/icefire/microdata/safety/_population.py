"""The population of which a released table is a sample: the original, or a table in a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from icefire.core.errors import Undefined, UnknownName
from icefire.frames.reading import read_anything
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
    table = read_anything(file).frame
    for name in everything:
        if name not in table.columns:
            raise UnknownName.of(f"column in {file}", name, table.columns)
    texts = [name for name in everything if original.column(name).dtype == pl.String]
    table = table.select(everything).with_columns(pl.col(texts).cast(pl.String))
    columns = {name: original.schema.column(name) for name in everything}
    return Microdata(table, Schema(names, sensitive, columns), file)


def larger_population(release: Release, file: str | None, metric: str) -> Microdata:
    """The population that a file names, or the original if not everybody of it is in the release."""
    if file is None and np.bincount(release.rows, minlength=release.original.height).all():
        raise Undefined(
            "the release holds everybody of the original: name a file with the QI of the population, as in "
            f"{metric}(population='people.csv')"
        )
    return population_of(release, file)
