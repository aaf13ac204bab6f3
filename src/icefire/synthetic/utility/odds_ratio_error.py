"""Are odds ratios kept?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import Floats, People, Release
from icefire.synthetic.regression import Coefficients, Terms
from icefire.synthetic.roles import Utility
from icefire.synthetic.utility._overlap import scored


@dataclass(frozen=True)
class OddsRatioError(Utility):
    """Share of the confidence intervals of odds ratios that the members and the release do not have in common.

    For each pair of texts of two columns, each text against all others of its column; the most frequent one of a column is left
    out. Intervals are those of Woolf for the logarithm, with half a person added to each of the four counts. Pairs with a
    hidden column, or all pairs if none is hidden. The detail has the odds ratio that is kept worst, as a logarithm.

    Example:
        >>> import polars as pl
        >>> smokes, ill = ["yes"] * 40 + ["no"] * 60, ["yes"] * 10 + ["no"] * 30 + ["yes", "no"] * 30
        >>> table = pl.DataFrame({"smokes": smokes, "ill": ill})
        >>> people = People(table, table)
        >>> score = OddsRatioError().measure(people, Release(people, table))
        >>> score.value, round(score.detail["worst"]["before"]["value"], 3), round(np.log(10.5 / 30.5), 3).item()
        (0.0, -1.066, -1.066)

    Reference:
        Woolf: On estimating the relation between blood group and disease. 1955; Haldane: The estimation and significance of the
        logarithm of a ratio of frequencies. 1956.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, original: People, release: Release) -> Score:
        terms = Terms.of(original.members, original.names)
        hidden = set(original.schema.hidden)
        pairs = [
            (one, two)
            for one, two in combinations(range(len(terms.texts)), 2)
            if terms.texts[one][0] != terms.texts[two][0]
            and (not hidden or hidden & {terms.texts[one][0], terms.texts[two][0]})
        ]
        if not pairs:
            raise Undefined("there are no two text columns with values frequent enough for an odds ratio")
        texts = Terms((), terms.texts)
        before, after = (log_odds_ratios(texts.matrix(table), pairs) for table in (original.members, release.published))
        gaps: dict[str, tuple[float, dict[str, Json]]] = {}
        for place, (one, two) in enumerate(pairs):
            told: dict[str, Json] = {"before": before.told(place), "after": after.told(place)}
            gaps[f"{texts.names[one]} ~ {texts.names[two]}"] = 1.0 - float(before.overlap(after)[place]), told
        return scored(self, gaps)


def log_odds_ratios(matrix: Floats, pairs: list[tuple[int, int]]) -> Coefficients:
    """[pair]: the logarithms of the odds ratios of two columns of 0 and 1, with their standard errors.

    >>> exposed, ill = [1] * 4 + [0] * 4, [1, 1, 1, 0, 1, 0, 0, 0]
    >>> found = log_odds_ratios(np.array([exposed, ill], dtype=float).T, [(0, 1)])
    >>> np.exp(found.values).round(3).tolist(), (found.errors**2).round(3).tolist()  # 3.5 ** 2 / 1.5 ** 2, 2 / 3.5 + 2 / 1.5
    ([5.444], [1.905])
    """
    values, errors = [], []
    for one, two in pairs:
        first, second = matrix[:, one], matrix[:, two]
        there = ~(np.isnan(first) | np.isnan(second))
        first, second = first[there], second[there]
        counts = np.array(
            [
                (first * second).sum(),
                (first * (1 - second)).sum(),
                ((1 - first) * second).sum(),
                ((1 - first) * (1 - second)).sum(),
            ]
        )
        logs = np.log(counts + 0.5)
        values.append(logs[0] + logs[3] - logs[1] - logs[2])
        errors.append(np.sqrt((1 / (counts + 0.5)).sum()))
    return Coefficients(np.array(values), np.array(errors))
