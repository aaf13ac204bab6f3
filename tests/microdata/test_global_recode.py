from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import DataError, ParameterError
from icefire.microdata.anonymize import global_recode
from icefire.microdata.anonymize.global_recode import GlobalRecode
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.lattice import Lattice, _slots
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.schema import Column
from icefire.microdata.utility.loss import Loss

RNG = np.random.default_rng(0)


def table(seed: int, rows: int, missing: bool = False) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 60, rows),
            "zip": rng.integers(100, 120, rows).astype(str),
            "sex": rng.choice(["f", "m"], rows),
            "ill": rng.choice(["a", "b", "c"], rows, p=[0.6, 0.3, 0.1]),
        }
    )
    if missing:
        frame = frame.with_columns(age=pl.when(pl.Series(rng.random(rows) < 0.2)).then(None).otherwise("age"))
    columns = {
        "age": Column(hierarchy=Hierarchy(widths=(5, 10, 20))),
        "zip": Column(hierarchy=Hierarchy(digits=(2, 1))),
    }
    return Microdata(frame, Schema(["age", "zip", "sex"], ["ill"], columns))


def brute_force(people: Microdata, step: GlobalRecode) -> float | None:
    """Least loss over all nodes, with row-by-row Python."""
    levels = [global_recode._levels(people.domain(name)) for name in people.qi]
    whole = people.frame["ill"].value_counts()
    best = None
    for node in product(*[range(level.height) for level in levels]):
        labels = [
            [level.labels[height][code] for code in people.codes(name)]
            for level, height, name in zip(levels, node, people.qi, strict=True)
        ]
        groups: dict[tuple[str, ...], list[int]] = {}
        for row, key in enumerate(zip(*labels, strict=True)):
            groups.setdefault(key, []).append(row)
        good = [rows for rows in groups.values() if _fine(people.frame["ill"][rows].to_list(), step, whole)]
        kept = sum(len(rows) for rows in good)
        if people.height - kept > step.suppression * people.height + 1e-9:
            continue
        cost = float((people.height - kept) * len(people.qi))
        for rows in good:
            for name, column in zip(people.qi, labels, strict=True):
                cells = people.domain(name).read(pl.Series([column[rows[0]] or None], dtype=pl.String))
                cost += len(rows) * float(cells.losses()[0])
        value = cost / (people.height * len(people.qi))
        best = value if best is None else min(best, value)
    return best


def _fine(values: list[str], step: GlobalRecode, whole: pl.DataFrame) -> bool:
    if len(values) < step.k:
        return False
    counts = sorted((values.count(v) for v in set(values)), reverse=True)
    if step.diversity == "distinct" and len(counts) < step.l:
        return False
    shares = np.array(counts) / len(values)
    if step.diversity == "entropy" and np.exp(-(shares * np.log(shares)).sum()) < step.l - 1e-12:
        return False
    if step.diversity == "recursive" and not counts[0] < step.c * sum(counts[step.l - 1 :]):
        return False
    if step.t is not None:
        total = whole["count"].sum()
        gap = sum(abs(values.count(v) / len(values) - c / total) for v, c in whole.rows())
        return float(gap) / 2 <= step.t + 1e-12
    if step.alpha is not None:
        return bool(shares[0] <= step.alpha + 1e-12)
    ratios = [values.count(v) / len(values) / (c / whole["count"].sum()) for v, c in whole.rows()]
    if step.beta is not None:
        return bool(max(ratios) - 1 <= step.beta + 1e-12)
    if step.delta is not None:
        return all(ratio > 0 and abs(np.log(ratio)) <= step.delta + 1e-12 for ratio in ratios)
    return True


@given(
    st.integers(0, 10**6),
    st.integers(6, 40),
    st.booleans(),
    st.sampled_from(
        [
            GlobalRecode(k=2),
            GlobalRecode(k=3, suppression=0.1),
            GlobalRecode(k=2, suppression=0.5),
            GlobalRecode(k=3, suppression=1.0),
            GlobalRecode(k=2, sensitive="ill", diversity="distinct", l=2, suppression=0.2),
            GlobalRecode(k=2, sensitive="ill", diversity="entropy", l=2, suppression=0.3),
            GlobalRecode(k=2, sensitive="ill", diversity="recursive", l=2, c=2.0, suppression=0.3),
            GlobalRecode(k=2, sensitive="ill", t=0.3, suppression=0.2),
            GlobalRecode(k=2, sensitive="ill", diversity="entropy", l=2),
            GlobalRecode(k=2, sensitive="ill", alpha=0.7, suppression=0.3),
            GlobalRecode(k=2, sensitive="ill", alpha=0.7),
            GlobalRecode(k=2, sensitive="ill", beta=0.5, suppression=0.3),
            GlobalRecode(k=2, sensitive="ill", beta=0.5),
            GlobalRecode(k=2, sensitive="ill", delta=1.0, suppression=0.3),
            GlobalRecode(k=2, sensitive="ill", delta=1.0),
        ]
    ),
)
def test_the_optimum_is_the_true_one(seed: int, rows: int, missing: bool, step: GlobalRecode) -> None:
    people = table(seed, rows, missing)
    expected = brute_force(people, step)
    if expected is None:
        with pytest.raises(DataError, match="no combination of levels"):
            step.anonymize(people, RNG)
        return
    if expected >= 1 - 1e-12:
        return  # nothing left, or everything `*`: both cost 1
    release = step.anonymize(people, np.random.default_rng(0))
    assert Loss().measure(people, release).value == pytest.approx(expected, abs=1e-12)
    assert KAnonymity().measure(release).value >= step.k
    for name in people.qi:
        cells, codes = release.cells(name), people.codes(name)[release.rows]
        assert (cells.membership[cells.codes, codes] > 0).all()


def lattice(adult: Microdata, rows: int, step: GlobalRecode) -> Lattice:
    names = {"age": Hierarchy(widths=(5, 10, 20)), "education": Hierarchy(learned=2), "workclass": Hierarchy(learned=1),
             "occupation": Hierarchy(learned=1), "marital-status": Hierarchy(learned=1),
             "native-country": Hierarchy(learned=1)}  # fmt: skip
    people = Microdata(adult.frame[:rows], adult.schema.with_hierarchies(names))
    levels = {name: global_recode._levels(people.domain(name)) for name in people.qi}
    ladders = [global_recode._ladder(people.domain(name), levels[name], people.codes(name), 1.0) for name in people.qi]
    return Lattice(ladders, step.constraint(people), step.suppression)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("suppression", [0.0, 0.1, 0.4])
def test_levels_that_tell_nothing_new_are_left_out(
    seed: int, suppression: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release is the same as with all of them."""
    people = table(seed, 40, missing=seed % 2 == 1)
    wide = {
        "age": Column(hierarchy=Hierarchy(widths=(1, 10, 40, 80, 160))),
        "zip": Column(hierarchy=Hierarchy(digits=(3, 2, 1))),
    }
    people = Microdata(people.frame, Schema(["age", "zip", "sex"], ["ill"], wide))
    step = GlobalRecode(k=3, suppression=suppression)
    short = step.anonymize(people, np.random.default_rng(0)).published.frame
    monkeypatch.setattr(global_recode, "_distinct", lambda ladder: list(range(len(ladder.classes))))
    assert short.equals(step.anonymize(people, np.random.default_rng(0)).published.frame)


def test_too_many_combinations_are_refused_at_once() -> None:
    rng = np.random.default_rng(0)
    names = [f"c{number}" for number in range(20)]
    frame = pl.DataFrame({name: rng.integers(0, 100, 50) for name in names})
    columns = {name: Column(hierarchy=Hierarchy(widths=(5, 10, 20, 60))) for name in names}
    with pytest.raises(DataError, match=r"combinations of levels of 20 columns, which takes .* name fewer 'columns'"):
        GlobalRecode(k=2).anonymize(Microdata(frame, Schema(names, [], columns)), RNG)
    few = GlobalRecode(k=2, columns=("c0", "c1")).anonymize(Microdata(frame, Schema(names, [], columns)), RNG)
    assert few.published.height == 50


@pytest.mark.parametrize("suppression", [0.0, 0.05, 0.2, 0.5])
def test_few_nodes_are_looked_at(adult: Microdata, suppression: float) -> None:
    searched = lattice(adult, adult.height, GlobalRecode(k=5, suppression=suppression))
    assert np.prod(searched.shape) == 6480
    best = searched.best()
    assert best is not None
    assert best.evaluated < 400


@pytest.mark.parametrize("step", [GlobalRecode(k=3, suppression=0.1), GlobalRecode(k=2, suppression=0.4),
                                  GlobalRecode(k=2, sensitive="income", diversity="distinct", suppression=0.2)])  # fmt: skip
def test_pruning_leaves_the_best_of_all_nodes(adult: Microdata, step: GlobalRecode) -> None:
    searched = lattice(adult, 1000, step)
    best = searched.best()
    assert best is not None
    least = np.inf
    for node in np.ndindex(*searched.shape):
        kept = searched.evaluate(node)
        if searched.weights[~kept].sum() <= searched.limit:
            rows = [
                losses[level][values]
                for losses, level, values in zip(searched.losses, node, searched.values, strict=True)
            ]
            least = min(least, float(np.where(kept, np.sum(rows, axis=0), 1.0) @ searched.weights) / searched.rows)
    assert best.loss == pytest.approx(least, abs=1e-12)


def test_keys_of_any_size_get_small_numbers() -> None:
    rng = np.random.default_rng(0)
    for keys in (
        rng.integers(0, 1 << 62, 5000),
        np.arange(5000) << 40,
        rng.integers(0, 3, 5000),
        np.zeros(1, dtype=np.int64),
    ):
        keys = np.concatenate([keys, keys[:7]])
        slots, bound = _slots(keys)
        assert 0 <= slots.min() <= slots.max() < bound <= 12 * keys.size
        assert (
            len(set(zip(keys.tolist(), slots.tolist(), strict=True)))
            == len(set(keys.tolist()))
            == len(set(slots.tolist()))
        )


def test_missing_values_generalize_to_nothing_but_a_star() -> None:
    people = Microdata(
        pl.DataFrame({"age": [21, 22, None, None, 35, 36]}),
        Schema(["age"], columns={"age": Column(hierarchy=Hierarchy(widths=(10,)))}),
    )
    cells = GlobalRecode(k=2).anonymize(people, RNG).published.frame["age"].to_list()
    assert sorted(str(cell) for cell in cells) == ["None"] * 2 + ["[20..29]"] * 2 + ["[30..39]"] * 2
    lonely = people.take([0, 1, 2])
    assert GlobalRecode(k=2).anonymize(lonely, RNG).published.frame["age"].to_list() == ["*"] * 3
    assert (
        GlobalRecode(k=2, suppression=0.4).anonymize(lonely, RNG).published.frame["age"].to_list() == ["[20..29]"] * 2
    )


def test_what_cannot_be_done_is_said() -> None:
    people = Microdata(
        pl.DataFrame({"job": ["cook", "clerk", "judge"], "ill": ["y", "y", "y"]}),
        Schema(["job"], ["ill"], {"job": Column(hierarchy=Hierarchy.mapping({"cook": "service", "clerk": "office"}))}),
    )
    with pytest.raises(DataError, match="the value 'judge' of column 'job' is missing from its hierarchy"):
        GlobalRecode(k=2).anonymize(people, RNG)
    plain = Microdata(people.frame, Schema(["job"], ["ill"]))
    with pytest.raises(DataError, match="no combination of levels satisfies it with at most 0% of the rows dropped"):
        GlobalRecode(k=2, sensitive="ill", diversity="distinct", l=2).anonymize(plain, RNG)
    with pytest.raises(DataError, match="would drop every row"):
        GlobalRecode(k=2, sensitive="ill", diversity="distinct", l=2, suppression=1.0).anonymize(plain, RNG)
    with pytest.raises(ParameterError, match="must be at most the number of rows, 3"):
        GlobalRecode(k=4).anonymize(plain, RNG)


@given(st.integers(0, 10**6), st.integers(6, 30), st.sampled_from([0.0, 0.3]))
def test_the_optimum_goes_by_the_importance_of_columns(seed: int, rows: int, suppression: float) -> None:
    """Over all nodes, the least weighted mean of the losses of columns; a dropped row loses 1 in each."""
    people = weighed(table(seed, rows), age=2.0, zip=0.5)
    step = GlobalRecode(k=2, suppression=suppression)
    least = min(
        (
            loss
            for node in product(range(5), range(4), range(2))
            if (loss := weighted_loss(people, step, node)) is not None
        ),
        default=None,
    )
    if least is None:
        with pytest.raises(DataError, match="cannot reach"):
            step.anonymize(people, RNG)
        return
    try:
        release = step.anonymize(people, RNG)
    except DataError as error:
        assert "every row" in str(error)  # noqa: PT017
        return
    assert Loss().measure(people, release).value == pytest.approx(least)


def weighed(people: Microdata, **importance: float) -> Microdata:
    columns = {name: replace(people.schema.column(name), importance=value) for name, value in importance.items()}
    return Microdata(people.frame, replace(people.schema, columns={**people.schema.columns, **columns}))


def weighted_loss(people: Microdata, step: GlobalRecode, node: tuple[int, ...]) -> float | None:
    """The loss of one node; None if it drops too many rows."""
    levels = [global_recode._levels(people.domain(name)) for name in people.qi]
    cells = [
        [level.labels[height][code] or None for code in people.codes(name)]
        for level, height, name in zip(levels, node, people.qi, strict=True)
    ]
    keys = list(zip(*cells, strict=True))
    dropped = [keys.count(key) < step.k for key in keys]
    if sum(dropped) > step.suppression * people.height + 1e-9:
        return None
    weights = [people.schema.column(name).importance for name in people.qi]
    total = 0.0
    for name, column, weight in zip(people.qi, cells, weights, strict=True):
        losses = people.domain(name).read(pl.Series(column, dtype=pl.String)).losses()
        total += weight * sum(1.0 if gone else float(loss) for gone, loss in zip(dropped, losses, strict=True))
    return total / people.height / sum(weights)
