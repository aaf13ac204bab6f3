"""Anonymizers as scikit-learn transformers: train a model on an anonymized table.

scikit-learn need not be installed: it is its users who bring it.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals as nw
import numpy as np
import polars as pl

from icefire.core.errors import InputError, ParameterError, UnknownName
from icefire.core.roles import Anonymizer, AnyAnonymizer
from icefire.frames import engines
from icefire.front import table

if TYPE_CHECKING:
    from icefire.microdata.data import Release
    from icefire.microdata.schema import Column

NewRows = Literal["refuse", "keep", "anonymize"]
Output = Literal["default", "pandas", "polars"]


class Transformer:
    """Anonymizes the table that a model is trained with: a step of a scikit-learn Pipeline.

    `fit_transform` anonymizes, and gives the rows back in the order of X, since y has the same order. That is for training: to
    hand a table out, use `icefire.table(...).anonymize(...)`, whose rows are shuffled. Numbers that were generalized come
    back as the midpoints of their intervals, all other cells as they would be published.

    `transform` is for rows that come later, as in `predict`. To anonymize them is a release of its own, which has other classes
    and needs at least k rows; to leave them as they are protects nobody in them. So it is refused unless you say which.

    Parameters:
        steps: one step or several, such as "mondrian(k=5)" or `icefire.microdata.Mondrian(k=5)`. Steps that drop rows or
            columns are refused.
        qi: quasi-identifiers.
        sa: sensitive columns; without it, all others, and those that look as if they identified people are asked for.
        other: columns that are neither.
        columns: types, orders, hierarchies and importance of columns.
        seed: seed of all randomness; drawn from the system if left out.
        new_rows: what `transform` does: "refuse", "keep" (rows as they are) or "anonymize" (as a release of its own).

    Example:
        >>> frame = pl.DataFrame({"age": [21, 25, 38, 40], "town": ["a", "a", "b", "b"]})
        >>> Transformer("mondrian(k=2)", qi=["age", "town"]).fit_transform(frame)["age"].to_list()
        [23.0, 23.0, 39.0, 39.0]
    """

    def __init__(
        self,
        steps: str | AnyAnonymizer | Sequence[str | AnyAnonymizer],
        *,
        qi: Sequence[str],
        sa: Sequence[str] | None = None,
        other: Sequence[str] = (),
        columns: Mapping[str, Column] | None = None,
        seed: int | None = None,
        new_rows: NewRows = "refuse",
    ) -> None:
        # As they are given: scikit-learn clones by them, and what is wrong with them is said when they are used.
        self.steps = steps
        self.qi = qi
        self.sa = sa
        self.other = other
        self.columns = columns
        self.seed = seed
        self.new_rows = new_rows

    def fit(self, X: engines.Native, y: object = None) -> Self:
        """Check that X can be anonymized."""
        self._anonymized(X)
        self.feature_names_in_ = np.array(engines.columns(X), dtype=object)
        return self

    def fit_transform(self, X: engines.Native, y: object = None) -> Any:
        """X anonymized, in the same order."""
        made = self._anonymized(X)
        self.feature_names_in_ = np.array(engines.columns(X), dtype=object)
        return self._given_back(made, X)

    def transform(self, X: engines.Native) -> Any:
        """Rows that come after those that the model was trained with."""
        if self.new_rows not in ("refuse", "keep", "anonymize"):
            raise ParameterError.of("Transformer", "new_rows", "one of 'refuse', 'keep', 'anonymize'", self.new_rows)
        if self.new_rows == "refuse":
            raise InputError(
                "to anonymize further rows is a release of its own, and to leave them as they are protects nobody in them: say "
                "new_rows='anonymize' or new_rows='keep'. The rows of training are anonymized by fit_transform"
            )
        return self._given_back(engines.polars(X) if self.new_rows == "keep" else self._anonymized(X), X)

    def _anonymized(self, given: engines.Native) -> pl.DataFrame:
        if isinstance(given, np.ndarray):
            raise InputError("columns need names to be anonymized: give a pandas, polars or Arrow table, not an array")
        steps = (self.steps,) if isinstance(self.steps, str | Anonymizer) else tuple(self.steps)
        data = table(given, qi=self.qi, sa=self.sa, other=self.other, columns=self.columns)
        release: Release = data.anonymize(*steps, seed=self.seed).secret
        names = engines.columns(given)
        rows, count = release.rows, release.original.height
        if rows.size != count or np.unique(rows).size != count or set(names) != set(release.published.schema.names):
            raise InputError(
                "these steps drop or repeat rows or columns: training needs every row of X once, with its y"
            )
        order = np.argsort(rows)
        return pl.DataFrame({name: _cells(release, name)[order] for name in names})

    def _given_back(self, frame: pl.DataFrame, given: engines.Native) -> Any:
        wanted = getattr(self, "_output", "default")
        if wanted == "polars":
            return frame
        if wanted == "pandas" or nw.from_native(given).implementation.is_pandas():
            pandas = frame.to_pandas()
            # Rows keep their labels: y has the same ones.
            return pandas.set_axis(given.index, axis=0) if hasattr(given, "index") else pandas
        return nw.from_native(frame).to_arrow() if nw.from_native(given).implementation.is_pyarrow() else frame

    def set_output(self, *, transform: Output | None = None) -> Self:
        """What is given back: "default" (the type of X), "pandas" or "polars"."""
        if transform not in (None, "default", "pandas", "polars"):
            raise UnknownName.of("output", transform, ("default", "pandas", "polars"))
        if transform is not None:
            self._output = transform
        return self

    def get_feature_names_out(self, input_features: object = None) -> Any:
        return self.feature_names_in_

    def get_params(self, deep: bool = True) -> dict[str, object]:
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: object) -> Self:
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise UnknownName.of("parameter of Transformer", name, known)
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> object:
        # Called by scikit-learn alone.
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(preserves_dtype=[]),
            input_tags=InputTags(two_d_array=False, string=True, allow_nan=True),
            non_deterministic=self.seed is None,
        )

    def __repr__(self) -> str:
        steps = self.steps if isinstance(self.steps, str) else repr(self.steps)
        return f"Transformer({steps!r}, qi={list(self.qi)!r})"


def _cells(release: Release, name: str) -> pl.Series:
    """A published column; generalized numbers as midpoints."""
    column = release.published.column(name)
    if release.original.is_numeric(name) and not column.dtype.is_numeric():
        return pl.Series(name, release.cells(name).midpoints).fill_nan(None)
    return column
