"""Whatever data look like: every attack and every metric ends with a number or a reason, and none ends the others."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icefire.core.errors import DataError
from icefire.history.data import History
from icefire.microdata.data import Microdata
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.schema import Column, Schema
from icefire.report.release import release_page
from icefire.synthetic.data import People
from icefire.synthetic.schema import Schema as PeopleSchema
from icefire.trace.data import Traces
from icefire.trace.grid import Grid
from ugly import COLUMNS, REGISTRY, column, judged

TABLES, HISTORIES, TRACES, MEMBERS = (REGISTRY.kind(name) for name in ("microdata", "history", "trace", "synthetic"))
STEPS = [
    [],
    ["mondrian(k=2)"],
    ["noise(scale=0.2)", "swap"],
    ["pram(keep=0.8)"],
    ["microaggregate(k=3)"],
    ["k_member(k=2)"],
    ["conceal(k=2)"],
    ["drop_rows(outliers=0.2)"],
    ["local_suppression(k=2)"],
    ["global_recode(k=2)"],
    ["resample"],
    ["top_bottom_code"],
    ["mondrian(k=2)", "noise(scale=0.1)"],
]
FEWER = settings().max_examples // 3


def table(sorts: dict[str, tuple[str, ...]], rows: int, missing: float, seed: int) -> Microdata:
    """A table with columns of these sorts in each role."""
    names = {role: tuple(f"{role}{place}" for place in range(len(some))) for role, some in sorts.items()}
    pairs = [(name, sort) for role, some in sorts.items() for name, sort in zip(names[role], some, strict=True)]
    frame = {name: column(sort, rows, missing, seed + place) for place, (name, sort) in enumerate(pairs)}
    schema = Schema(names.get("qi", ()), names.get("sa", ()), other=names.get("other", ()))
    return Microdata(pl.DataFrame(frame), schema)


@pytest.mark.parametrize("sort", COLUMNS)
@pytest.mark.parametrize("role", ["qi", "sa"])
def test_tables_of_one_column(sort: str, role: str) -> None:
    place = list(COLUMNS).index(sort)
    for rows in (1, 2, 30):
        one = {"qi": (), role: (sort,)}
        for steps in ([], STEPS[(place + rows) % len(STEPS)]):
            judged(TABLES, table(one, rows, 0.3 * (rows == 30), place), steps)


@settings(max_examples=FEWER)
@given(
    st.lists(st.sampled_from(list(COLUMNS)), max_size=3),
    st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=3),
    st.lists(st.sampled_from(list(COLUMNS)), max_size=1),
    st.sampled_from([1, 2, 3, 10, 40]),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from(STEPS),
    st.integers(0, 1000),
)
def test_tables_of_all_sorts(
    qi: list[str], sa: list[str], other: list[str], rows: int, missing: float, steps: list[str], seed: int
) -> None:
    judged(TABLES, table({"qi": tuple(qi), "sa": tuple(sa), "other": tuple(other)}, rows, missing, seed), steps)


MANY = 5_000
HIERARCHIES = {
    "digits": Hierarchy(digits=(5, 3)),
    "widths": Hierarchy(widths=(100, 10_000)),
    "learned": Hierarchy(learned=3),
}


def crowd(role: str) -> Microdata:
    """People with a column of 5,000 values in a role; the quasi-identifiers may have a hierarchy, an order or be dates."""
    rng, how = np.random.default_rng(0), role.partition(" ")[2]
    codes = pl.Series([1_000_000 + 37 * place for place in rng.permutation(MANY)])
    many = codes.cast(pl.Float64) / 4e4 if role == "weight" else codes if how == "widths" else codes.cast(pl.String)
    columns = {"v": Column(hierarchy=HIERARCHIES[how])} if how in HIERARCHIES else {}
    if how == "ordered":
        columns = {"v": Column("ordered", order=tuple(sorted(many)))}
    if how == "dates":
        many = pl.Series([date(1940, 1, 1) + timedelta(place) for place in rng.permutation(MANY)])
    frame = pl.DataFrame({"sex": rng.choice(["f", "m"], MANY), "pay": rng.lognormal(8, 1, MANY).round(2), "v": many})
    roles: dict[str, tuple[str, ...]] = {"qi": ("sex",), "sa": ("pay",), "other": (), "identifying": ()}
    role = role.partition(" ")[0]
    if role in roles:
        return Microdata(frame, Schema(**{**roles, role: (*roles[role], "v")}, columns=columns))  # type: ignore[arg-type]
    return Microdata(frame, Schema(("sex",), ("pay",), **{role: "v"}))  # type: ignore[arg-type]


ROLES = ["qi", "qi digits", "qi widths"]


@pytest.mark.parametrize("role", [*ROLES, "sa"])
def test_a_column_of_5000_values(role: str) -> None:
    result = judged(TABLES, crowd(role), ["mondrian(k=5)"], levels=["qi"])
    assert result is not None
    assert result.risk > 0
    # Size alone is no reason to measure nothing.
    metrics = {outcome.method.name: outcome.score for outcome in result.utility}
    assert metrics["concealment_cost"] is not None


@pytest.mark.parametrize("rows", [1, 2])
def test_a_table_of_70_quasi_identifiers(rows: int) -> None:
    rng = np.random.default_rng(0)
    names = [f"c{at}" for at in range(80)]
    frame = pl.DataFrame({name: rng.integers(0, 5, rows) for name in names})
    table = Microdata(frame, Schema(names[:70], names[70:]))
    assert judged(REGISTRY.kind("microdata"), table, [], ["qi"]) is not None


def test_attackers_who_know_nothing_are_left_out() -> None:
    people = table({"sa": ("integers", "categories")}, 30, 0.0, 0)
    assert TABLES.levels_of(people) == ("qi+2", "all")
    result = judged(TABLES, people, ["noise(scale=0.2)"])
    assert result is not None
    assert "<html" in release_page(result, "", "en").html()
    with pytest.raises(DataError, match="no quasi-identifiers for anybody to know"):
        TABLES.known(people, "qi")


def log(users: int = 12, records: int = 5, days: int = 90, items: int = 20, **columns: pl.Expr) -> History:
    rng, rows = np.random.default_rng(0), users * records
    frame = pl.DataFrame(
        {
            "user": [f"c{place // records}" for place in range(rows)],
            "invoice": [f"i{place // 2}" for place in range(rows)],
            "date": [date(2011, 1, 1) + timedelta(int(day)) for day in rng.integers(0, days, rows)],
            "time": [f"{hour:02}:00" for hour in rng.integers(0, 24, rows)],
            "item": [f"{place % items:05}" for place in rng.permutation(rows)],
            "price": rng.lognormal(1, 0.6, rows).round(2),
            "quantity": rng.integers(1, 40, rows),
        }
    )
    return History(frame.with_columns(**columns))


def gaps(name: str) -> pl.Expr:
    return pl.when(pl.int_range(pl.len()) % 3 > 0).then(name)


LOGS = {
    "one record": log(1, 1),
    "one customer": log(1, 20),
    "two customers": log(2, 1),
    "a record each": log(records=1),
    "one day": log(days=1),
    "one item": log(items=1),
    "gaps": log(price=gaps("price"), quantity=gaps("quantity"), time=gaps("time"), invoice=gaps("invoice")),
    "no amounts": log(price=pl.lit(None, dtype=pl.Float64), quantity=pl.lit(None, dtype=pl.Int64)),
    "nothing costs anything": log(price=pl.lit(0.0)),
}


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("steps", [[], ["noise(quantity=0.1)"]])
def test_histories(name: str, steps: list[str]) -> None:
    judged(HISTORIES, LOGS[name], steps)


def walks(
    users: int, times: int, rows: int = 4, day: int = 4, place: int | None = None, known: int | None = None
) -> Traces:
    grid, rng = Grid(rows, rows), np.random.default_rng(0)
    shapes = (users, times if known is None else known), (users, times)
    before, after = (
        rng.integers(0, grid.regions, shape) if place is None else np.full(shape, place) for shape in shapes
    )
    return Traces(before, after, grid, sensitive=np.arange(grid.regions) % 3 == 0, day=day)


WALKS = {
    "one user": walks(1, 8),
    "one time": walks(8, 1),
    "one cell": walks(1, 1),
    "one region": walks(8, 4, rows=1),
    "one place": walks(8, 8, place=2),
    "nothing known": walks(8, 8, known=0),
    "part of a day": walks(8, 3, day=20),
}


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.parametrize("steps", [[], ["krr(epsilon=1.0)"], ["decoys"]])
def test_traces(name: str, steps: list[str]) -> None:
    judged(TRACES, WALKS[name], steps)


def members(**columns: pl.Series) -> People:
    return People(pl.DataFrame(columns), schema=PeopleSchema(list(columns)[-1:]))


def of_sort(sort: str, rows: int = 30) -> pl.Series:
    return column(sort, rows, 0.0, 0)


@pytest.mark.parametrize("sort", COLUMNS)
def test_members(sort: str) -> None:
    steps = [["independent"], ["sequential_trees"], ["gaussian_copula"], []][list(COLUMNS).index(sort) % 4]
    judged(MEMBERS, members(v=of_sort(sort), sex=of_sort("categories")), steps)
    judged(MEMBERS, members(sex=of_sort("categories"), v=of_sort(sort)), steps)


def test_members_of_one_column() -> None:
    judged(MEMBERS, People(pl.DataFrame({"sex": of_sort("categories")}), schema=PeopleSchema()), ["independent"])


def test_one_member() -> None:
    one, other = (pl.DataFrame({"age": [age], "sex": ["f"]}) for age in (30, 40))
    for steps in ([], ["independent"], ["sequential_trees"]):
        judged(MEMBERS, People(one, other, PeopleSchema(["sex"])), steps)


def test_members_of_5000_categories() -> None:
    people = members(v=of_sort("texts of one's own", MANY), sex=of_sort("categories", MANY))
    assert judged(MEMBERS, people, ["independent"], levels=["release"]) is not None
