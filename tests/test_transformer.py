"""Anonymizers as steps of scikit-learn pipelines."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import icefire
from icefire import Transformer
from icefire.core.errors import InputError, ParameterError, UnknownName
from icefire.microdata.anonymize.mondrian import Mondrian

RNG = np.random.default_rng(0)
AGE = RNG.integers(20, 70, 300)
FRAME = pl.DataFrame({"age": AGE, "town": RNG.choice(["a", "b", "c"], 300), "hours": RNG.integers(0, 12, 300)})
Y = (AGE > 45).astype(int)


def made(**parameters: Any) -> Transformer:
    return Transformer(parameters.pop("steps", "mondrian(k=5)"), qi=["age", "town"], sa=["hours"], seed=7, **parameters)


def test_rows_keep_their_order_and_classes_have_k_rows() -> None:
    shown = made().fit_transform(FRAME, Y)
    assert shown.columns == FRAME.columns
    assert shown["hours"].equals(FRAME["hours"])
    assert shown.group_by("age", "town").len()["len"].min() >= 5
    released = icefire.table(FRAME, qi=["age", "town"], sa=["hours"]).anonymize("mondrian(k=5)", seed=7).secret
    towns = released.published.frame["town"][np.argsort(released.rows)]
    assert shown["town"].equals(towns)
    # Midpoints lie within the range of their class.
    low, high = (getattr(FRAME["age"], end)() for end in ("min", "max"))
    assert shown["age"].is_between(low, high).all()
    assert np.corrcoef(shown["age"], AGE)[0, 1] > 0.9


def test_the_type_of_the_frame_comes_back() -> None:
    assert isinstance(made().fit_transform(FRAME), pl.DataFrame)
    assert type(made().fit_transform(FRAME.to_arrow())) is type(FRAME.to_arrow())
    pandas = FRAME.to_pandas().set_index(np.arange(300) + 1000)
    shown = made().fit_transform(pandas)
    assert isinstance(shown, pd.DataFrame)
    assert shown.index.equals(pandas.index)
    assert isinstance(made().set_output(transform="polars").fit_transform(pandas), pl.DataFrame)
    assert isinstance(made().set_output(transform="pandas").fit_transform(FRAME), pd.DataFrame)
    with pytest.raises(UnknownName, match="no output 'arow'"):
        made().set_output(transform="arow")  # type: ignore[arg-type]


def test_new_rows_are_refused_unless_it_is_said_what_to_do() -> None:
    fitted = made().fit(FRAME)
    with pytest.raises(InputError, match="a release of its own"):
        fitted.transform(FRAME[:3])
    assert made(new_rows="keep").fit(FRAME).transform(FRAME[:3]).equals(FRAME[:3])
    again = made(new_rows="anonymize").fit(FRAME).transform(FRAME[:20])
    assert again.group_by("age", "town").len()["len"].min() >= 5
    with pytest.raises(ParameterError, match="'new_rows' parameter"):
        made(new_rows="all").transform(FRAME)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="every row of X once"):
        made(steps="drop_rows(outliers=0.1)").fit_transform(FRAME)
    with pytest.raises(InputError, match="every row of X once"):
        made(steps=["drop_columns(columns=[town])", Mondrian(k=5)]).fit_transform(FRAME)
    with pytest.raises(InputError, match="columns need names"):
        made().fit_transform(FRAME.to_numpy())  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no parameter of Transformer 'step'"):
        made().set_params(step="mondrian")


def test_parameters() -> None:
    step = made(steps=Mondrian(k=5))
    assert Transformer(**step.get_params()).get_params() == step.get_params()  # type: ignore[arg-type]
    assert step.set_params(steps="mondrian(k=9)").get_params()["steps"] == "mondrian(k=9)"
    assert step.fit(FRAME).get_feature_names_out().tolist() == FRAME.columns


def test_scikit_learn_is_not_imported() -> None:
    told = (
        "import sys, polars as pl, icefire; "
        "icefire.Transformer('mondrian(k=2)', qi=['a']).fit_transform(pl.DataFrame({'a': [1, 1, 2, 2]})); "
        "assert not any(name.startswith('sklearn') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", told], check=True)


@pytest.mark.parametrize("frame", [FRAME.to_pandas(), FRAME], ids=["pandas", "polars"])
def test_in_a_pipeline(frame: Any) -> None:
    sklearn = pytest.importorskip("sklearn", reason="pip install scikit-learn")
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    assert sklearn.clone(made()).get_params() == made().get_params()
    encoded = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["town"]), remainder="passthrough")
    model = make_pipeline(made(new_rows="keep"), encoded, LogisticRegression(max_iter=2000))
    assert model.fit(frame, Y).score(frame, Y) > 0.85
    choices = {"transformer__steps": ["mondrian(k=5)", "mondrian(k=20)"]}
    search = GridSearchCV(model, choices, cv=3).fit(frame, Y)
    assert search.best_params_["transformer__steps"] in choices["transformer__steps"]
    shown = make_pipeline(made()).set_output(transform="pandas").fit_transform(frame)
    assert isinstance(shown, pd.DataFrame)
