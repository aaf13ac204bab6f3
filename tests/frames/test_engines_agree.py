"""Every relational function gives the same answer on every engine, missing values included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pytest

from icefire.core.errors import DataError, UnknownName
from icefire.frames import engines, relational
from icefire.knowledge import curve, dangerous_values, exposed_users, identification, identification_curve
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.safety.distinct_diversity import DistinctDiversity
from icefire.microdata.safety.entropy_diversity import EntropyDiversity
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.k_anonymity_mean import KAnonymityMean
from icefire.microdata.safety.recursive_diversity import RecursiveDiversity
from icefire.microdata.safety.t_closeness import TCloseness
from icefire.microdata.safety.unique_share import UniqueShare
from icefire.microdata.utility.correlation_mae import CorrelationMae
from icefire.microdata.utility.cross_count import CrossCount
from icefire.microdata.utility.cross_mean import CrossMean
from icefire.microdata.utility.mean_mae import MeanMae

ROWS = 500
Convert = Callable[[pl.DataFrame], Any]
SPARK_SCHEMA = "user long, day long, place string, pay double, cost double"


def records(seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "user": rng.integers(0, 60, ROWS),
            "day": rng.integers(0, 40, ROWS),
            "place": rng.choice(["a", "b", "c", "d"], ROWS),
            "pay": rng.lognormal(3, 1, ROWS),
            "cost": rng.normal(1e6, 3, ROWS),
        }
    )
    gap = pl.Series(rng.random(ROWS) < 0.1)
    return frame.with_columns(
        place=pl.when(gap).then(None).otherwise("place"), pay=pl.when(gap.reverse()).then(None).otherwise("pay")
    )


def _pandas(frame: pl.DataFrame) -> Any:
    converted = frame.to_pandas()
    converted.index = converted.index[::-1] * 7  # an index that means nothing
    return converted


ENGINES: dict[str, Convert] = {
    "polars lazy": lambda frame: frame.lazy(),
    "pandas": _pandas,
    "arrow": lambda frame: frame.to_arrow(),
}


@pytest.fixture(params=[*ENGINES, "duckdb", "spark"])
def like(request: pytest.FixtureRequest) -> Iterator[Convert]:
    """Converts a table to a frame of the engine."""
    if request.param == "duckdb":
        # A connection of its own: helpers must not fall back to the default one.
        with pytest.importorskip("duckdb").connect() as connection:
            yield lambda frame: connection.from_arrow(frame.to_arrow())
    elif request.param == "spark":
        session = request.getfixturevalue("spark")
        yield lambda frame: session.createDataFrame(frame.rows(), SPARK_SCHEMA)
    else:
        yield ENGINES[request.param]


@pytest.fixture
def data(like: Convert) -> Any:
    return like(records())


def test_counts(data: Any) -> None:
    base = records()
    assert relational.row_count(data) == ROWS
    assert relational.class_size_summary(data, ["place", "day"]) == relational.class_size_summary(
        base, ["place", "day"]
    )
    expected = Counter(Counter(base["place"].to_list()).values())
    sizes, classes = relational.class_sizes(data, ["place"])
    assert dict(zip(sizes.tolist(), classes.tolist(), strict=True)) == expected


def test_missing_values_form_a_class(data: Any) -> None:
    nulls = records()["place"].null_count()
    assert nulls in relational.class_sizes(data, ["place"])[0].tolist()
    assert relational.class_size_summary(data, ["place"])[1] == 5


def test_means_and_correlations(data: Any) -> None:
    base = records()
    assert relational.means(data, ["pay", "cost"]) == pytest.approx(relational.means(base, ["pay", "cost"]), rel=1e-12)
    complete = base.drop_nulls("pay")
    expected = np.corrcoef(complete["pay"].to_numpy(), complete["cost"].to_numpy())[0, 1]
    assert relational.correlations(data, ["pay", "cost"])[0, 1] == pytest.approx(expected, abs=1e-9)
    grouped = relational.group_means(data, ["place"], ["pay", "cost"]).sort("place")
    assert grouped["mean_0"].to_list() == pytest.approx(
        relational.group_means(base, ["place"], ["pay"]).sort("place")["mean_0"].to_list(), rel=1e-12
    )


@pytest.mark.parametrize("known", [["place"], ["day"], ["place", "day"]])
def test_identification_is_the_same_to_the_last_digit(data: Any, known: list[str]) -> None:
    assert identification(data, known, "user") == identification(records(), known, "user")
    assert identification(data, known) == identification(records(), known)
    drawn = identification(records(), known, "user", "sampling", 4, seed=3)
    assert identification(data, known, "user", "sampling", 4, seed=3) == drawn


def test_dangerous_values_and_exposed_users(data: Any) -> None:
    ours, theirs = (dangerous_values(d, ["place", "day"], "user") for d in (data, records()))
    assert ours.rows() == theirs.rows()
    ours, theirs = (exposed_users(d, ["place", "day"], "user") for d in (data, records()))
    assert ours["user"].to_list() == theirs["user"].to_list()
    assert ours["exposure"].to_list() == pytest.approx(theirs["exposure"].to_list())


def test_curve(data: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enumerated, drawn, by type of record and coarsened: the same numbers to the last digit."""
    monkeypatch.setattr(curve, "ENUMERATE", 500)
    setting: dict[str, Any] = {
        "known": [0, 2, {"a": 1, "missing": 1}],
        "type_column": "place",
        "coarsen": {"cost": 1.0, "day": 3},
    }
    expected = identification_curve(records(), "user", ["cost", "day"], samples=100, **setting)
    assert [point.exact for point in expected] == [True, False, True]
    assert identification_curve(data, "user", ["cost", "day"], samples=100, **setting) == expected


@pytest.mark.parametrize(
    "metric",
    [
        KAnonymity(), KAnonymityMean(), UniqueShare(), DistinctDiversity("place"), EntropyDiversity("place"),
        RecursiveDiversity("pay", l=2), TCloseness("pay"), TCloseness("cost"), TCloseness("place"),
        MeanMae(), CrossMean(), CrossCount(), CorrelationMae(),
    ],
    ids=lambda metric: metric.step(),
)  # fmt: skip
def test_metrics(like: Convert, metric: Any) -> None:
    # Classes of users and days are too small for recursive diversity.
    qi = ["place"] if isinstance(metric, RecursiveDiversity) else ["user", "day"]
    schema = Schema(qi, [name for name in ("user", "day", "place", "pay", "cost") if name not in qi])
    changed = records().with_columns(pl.col("pay") * 1.1, pl.col("day") // 2)

    def measure(convert: Convert) -> float:
        original, published = (Microdata(convert(frame), schema) for frame in (records(), changed))
        release = Release(original, published, np.arange(ROWS))
        score = metric.measure(original, release) if metric.role == "utility" else metric.measure(release)
        return float(score.value)

    assert measure(like) == pytest.approx(measure(pl.DataFrame), rel=1e-9, abs=1e-12)


def test_parts_end_where_classes_do(like: Convert, monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes are measured in parts on some engines, and none is torn."""
    monkeypatch.setattr(relational, "PART", 7)

    def largest(part: pl.DataFrame) -> float:
        sums = part.group_by(relational.CLASS).agg(pl.col(relational.COUNT).sum(), pl.len().alias("values"))
        return float((sums[relational.COUNT] * 1000 + sums["values"]).max())  # type: ignore[arg-type]

    expected = records().group_by("place", "day").agg(pl.len() * 1000 + pl.col("user").n_unique())["len"].max()
    assert max(relational.fold_classes(like(records()), ["place", "day"], "user", largest)) == expected
    total = relational.fold_classes(like(records()), [], "place", largest)
    assert total == [ROWS * 1000 + 5]


def test_lazy_frames_stay_lazy() -> None:
    def fail(_: pl.DataFrame) -> pl.DataFrame:
        raise AssertionError("the frame was collected")

    lazy = records().lazy().map_batches(fail)
    assert isinstance(relational.count_by(lazy, ["day"]), nw.LazyFrame)
    assert isinstance(relational.facts_by_value(lazy, ["day"], "user"), nw.LazyFrame)
    assert isinstance(relational.users_per_fact(lazy, ["day"], "user"), nw.LazyFrame)
    assert engines.columns(records().lazy()) == records().columns


def test_pandas_index_is_dropped() -> None:
    assert engines.polars(_pandas(records())).columns == records().columns
    assert engines.polars(_pandas(records()))["place"].to_list() == records()["place"].to_list()


def test_pandas_nan_is_a_missing_value() -> None:
    pandas = pytest.importorskip("pandas")
    assert engines.polars(pandas.DataFrame({"x": [1.0, float("nan")]}))["x"].to_list() == [1.0, None]


def test_invalid_tables_and_columns_raise() -> None:
    with pytest.raises(DataError, match=r"cannot read a builtins\.list as a table"):
        engines.lazy([1, 2])  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no column 'plaze'; did you mean 'place'"):
        relational.require_columns(records(), ["plaze"])


@pytest.mark.parametrize("constant", [0.1, 1e9, -3.0])
def test_constant_column_has_zero_correlations(constant: float) -> None:
    frame = pl.DataFrame({"x": [constant] * 10_000, "y": np.random.default_rng(0).normal(size=10_000)})
    assert relational.correlations(frame, ["x", "y"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
