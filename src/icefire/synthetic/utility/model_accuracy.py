"""Does a model that was trained on the release work on real people?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

from icefire.core.documents import Json
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.attack.naive_bayes import likeliest
from icefire.synthetic.data import People, Release
from icefire.synthetic.encoding import binned
from icefire.synthetic.hits import TOLERANCE
from icefire.synthetic.model import Model
from icefire.synthetic.roles import Utility


@dataclass(frozen=True)
class ModelAccuracy(Utility):
    """How much accuracy a classifier loses on the control group if it is trained on the release instead of the members.

    A naive Bayes classifier of each hidden column (of each column if none is hidden) by all others, numbers in bins. A release
    on which it is no worse loses 0. If a model is handed out beside the table, the detail has the share of the control group of
    whom it is right; of numbers, within 5%.

    Parameters:
        bins: number of bins of a numeric column.

    Example:
        >>> import polars as pl
        >>> table = pl.DataFrame({"a": ["x", "y"] * 5, "b": ["p", "q"] * 5})
        >>> people = People(table, table)
        >>> ModelAccuracy().measure(people, Release(people, table.with_columns(b=table["b"].reverse()))).value
        1.0
    """

    scale: ClassVar[Scale] = BAD_SHARE

    bins: Annotated[int, AtLeast(2)] = 5

    def measure(self, original: People, release: Release) -> Score:
        codes = binned([original.members, release.published, original.control], original.names, self.bins)
        places = {name: place for place, name in enumerate(original.names)}
        targets = original.schema.hidden or original.names
        losses = {name: self._loss(codes.tables, codes.sizes, places[name]) for name in targets}
        detail: dict[str, Json] = {"by column": dict(losses)}
        if original.model is not None:
            detail["model handed out"] = _right(original.model, original.control)
        return self.score(float(np.mean(list(losses.values()))), detail=detail)

    @staticmethod
    def _loss(tables: tuple[np.ndarray, ...], sizes: tuple[int, ...], target: int) -> float:
        members, released, others = tables
        rest = [place for place in range(len(sizes)) if place != target]
        widths = tuple(sizes[place] for place in rest)
        right = []
        for trained in (members, released):
            guessed = likeliest(trained[:, [target]], sizes[target], (trained[:, rest], others[:, rest]), widths)
            right.append(float((guessed == others[:, target]).mean()))
        return max(0.0, right[0] - right[1])


def _right(model: Model, others: pl.DataFrame) -> float:
    told, truth = model.predicted(others), others[model.target]
    if model.classes:
        return float(truth.eq_missing(told).mean())  # type: ignore[arg-type]
    near = (told - truth.cast(pl.Float64)).abs() <= TOLERANCE * truth.cast(pl.Float64).abs()
    return float(near.fill_null(False).mean())  # type: ignore[arg-type]
