"""What private synthesizers can publish comes from the schema alone: nothing that one person holds changes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import FileError
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.synthetic.anonymize.independent import Independent
from icefire.synthetic.anonymize.noisy_marginals import NoisyMarginals
from icefire.synthetic.anonymize.private_network import PrivateNetwork
from icefire.synthetic.anonymize.randomized_response import RandomizedResponse
from icefire.synthetic.data import People, Release
from icefire.synthetic.domain import Domain, moved
from icefire.synthetic.formats.ours import Ours
from icefire.synthetic.roles import Anonymizer
from icefire.synthetic.schema import Column, Schema, read_schema, schema_toml

KIND = Registry().kind("synthetic")
PRIVATE: list[Anonymizer] = [
    NoisyMarginals(epsilon=0.5, bins=4),
    PrivateNetwork(epsilon=0.5, bins=4),
    RandomizedResponse(epsilon=0.5, bins=4),
]
SCHEMA = Schema(
    columns={
        "age": Column(low=0, high=9),
        "pay": Column(low=0, high=1, decimals=1),
        "sex": Column(values=("f", "m")),
        "code": Column(values=("1", "2", "3"), missing=True),
        "weight": Column(low=0.5, high=2.5, missing=True),
    }
)
TYPES = {"age": pl.Int64, "pay": pl.Float64, "sex": pl.String, "code": pl.String, "weight": pl.Float64}
ROWS = 40
COLUMNS: dict[str, list[object]] = {
    "age": [row % 10 for row in range(ROWS)],
    "pay": [row % 11 / 10 for row in range(ROWS)],
    "sex": ["f", "m"] * (ROWS // 2),
    "code": [1 + row % 3 for row in range(ROWS)],
    "weight": [1 + row % 2 for row in range(ROWS)],
}
ODD: dict[str, tuple[str, object]] = {
    "a decimal among whole ages": ("age", 5.5),
    "a whole number among decimals": ("pay", 1),
    "an age out of bounds": ("age", 10**9),
    "a negative age": ("age", -3),
    "an empty age": ("age", None),
    "a new category": ("sex", "x"),
    "an empty category": ("sex", None),
    "a very long text": ("sex", "long" * 50_000),
    "a decimal among codes": ("code", 2.5),
    "an empty code": ("code", None),
    "a text among codes": ("code", "seven"),
    "a decimal among whole weights": ("weight", 1.2345678901),
    "a huge weight": ("weight", 1e300),
    "an empty weight": ("weight", None),
}


def people(column: str = "age", value: object = 0) -> People:
    """A table whose first row holds the value; as Python reads it, so that columns have the types that all values need."""
    cells = {**COLUMNS, column: [value, *COLUMNS[column][1:]]}
    table = pl.DataFrame({name: _series(name, held) for name, held in cells.items()})
    return People(table, table[1:], SCHEMA)


def _series(name: str, held: list[object]) -> pl.Series:
    """Texts as soon as there is one, decimals as soon as there is one."""
    if any(isinstance(value, str) for value in held):
        return pl.Series(name, [None if value is None else str(value) for value in held])
    kind = pl.Float64 if any(isinstance(value, float) for value in held) else pl.Int64
    return pl.Series(name, held, dtype=kind)


def support(method: Anonymizer, data: People, seeds: int) -> dict[str, set[object]]:
    """What a method publishes in any of many runs, by column."""
    seen: dict[str, set[object]] = {name: set() for name in data.names}
    for seed in range(seeds):
        published = method.anonymize(data, generator(seed, "domain")).published
        assert dict(published.schema) == TYPES
        assert published.height == ROWS
        for name in published.columns:
            seen[name] |= set(published[name].to_list())
    return seen


POSSIBLE: dict[str, set[object]] = {
    "age": set(range(10)),
    "pay": {tenths / 10 for tenths in range(11)},
    "sex": {"f", "m"},
    "code": {"1", "2", "3", None},
    "weight": {tenths / 10 for tenths in range(5, 26)} | {None},
}


@pytest.mark.parametrize("method", PRIVATE, ids=lambda method: method.name)
@pytest.mark.parametrize("odd", sorted(ODD))
def test_one_odd_cell_changes_nothing_of_what_can_be_published(odd: str, method: Anonymizer) -> None:
    assert support(method, people(*ODD[odd]), 60) == POSSIBLE


@pytest.mark.parametrize("odd", sorted(ODD))
def test_one_odd_cell_changes_no_code_of_anybody_else(odd: str) -> None:
    usual, changed = (Domain.of(data, 4).codes(data.members) for data in (people(), people(*ODD[odd])))
    assert (usual[1:] == changed[1:]).all()
    assert (usual != changed).any(axis=1).sum() <= 1
    assert (changed >= 0).all()
    assert (changed < Domain.of(people(), 4).sizes).all()


@pytest.mark.parametrize("extension", [".csv", ".parquet"])
@pytest.mark.parametrize("method", PRIVATE, ids=lambda method: method.name)
def test_files_tell_nothing_of_the_types_of_the_members(method: Anonymizer, extension: str, tmp_path: Path) -> None:
    texts, types = set(), []
    for place, odd in enumerate([("age", 0), *ODD.values()]):
        folder = tmp_path / str(place)
        Ours().write_release(method.anonymize(people(*odd), generator(place)), folder, {}, extension)
        path = folder / f"published{extension}"
        if extension == ".parquet":
            types.append(str(pl.read_parquet_schema(path)))
        else:
            header, *lines = path.read_text().splitlines()
            types.append(header)
            texts |= {tuple(cell.count(".") for cell in line.split(",")[:2]) for line in lines}
    assert all(each == types[0] for each in types)
    # Whole ages without a point, pay with one.
    assert texts <= {(0, 1)}


def test_members_of_any_type_make_a_release_of_the_stated_one() -> None:
    """Small numbers hold neither cents nor large bounds."""
    schema = Schema(columns={"pay": Column(low=0, high=10**9, decimals=2)})
    for kind in (pl.Int8, pl.Float32, pl.Int64, pl.Float64):
        table = pl.DataFrame({"pay": [0, 1, 2] * 20}, schema={"pay": kind})
        published = NoisyMarginals(epsilon=0.01).anonymize(People(table, table, schema), generator(1)).published
        assert published["pay"].dtype == pl.Float64
        made = published["pay"].to_numpy()
        assert made.max() > 10**8
        assert np.abs(made * 100 - np.rint(made * 100)).max() < 1e-4
        assert (made != np.rint(made)).any()


def test_a_number_is_any_of_its_bin() -> None:
    """Ten digits in four bins: all ten are published, and what is coded comes back in its bin."""
    data = people()
    domain = Domain.of(data, 4)
    codes = domain.codes(data.members)
    again = domain.codes(domain.table(codes, generator(1)))
    assert (codes == again).all()
    assert domain.sizes == (4, 4, 2, 4, 5)
    assert Domain.of(data, 50).sizes == (10, 11, 2, 4, 22)
    drawn = domain.table(np.repeat([[2, 0, 0, 0, 0]], 3000, axis=0).astype(np.int32), generator(1))["age"]
    assert sorted(drawn.unique()) == [5, 6, 7]
    assert np.bincount(drawn.to_numpy())[5:].min() > 900


def test_cells_beyond_the_domain_are_told_to_the_defender_alone() -> None:
    data = people("sex", "x")
    assert moved(data.members, SCHEMA) == {"sex": 1}
    (note,) = KIND.notes(PRIVATE[0].anonymize(data, generator(1)))
    assert note.startswith("1 cells of the column 'sex' are outside its domain")
    assert KIND.notes(Independent().anonymize(people(), generator(1))) == []
    assert KIND.notes(Release(data, data.members)) == []


def test_decimals_in_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_text(schema_toml(SCHEMA), encoding="utf-8")
    again = read_schema(path)
    assert again == SCHEMA
    assert [again.column(name).places for name in SCHEMA.columns] == [0, 1, None, None, 1]
    for line, problem in [
        ("decimals = -1", "decimals must be 0 or more"),
        ("decimals = 1.5", "decimals must be a whole number"),
        ("decimals = true", "decimals must be a whole number"),
        ('values = ["x"]\ndecimals = 1', "a column of texts has no decimals"),
    ]:
        path.write_text(f"[columns.a]\n{line}\n", encoding="utf-8")
        with pytest.raises(FileError, match=problem):
            read_schema(path)
