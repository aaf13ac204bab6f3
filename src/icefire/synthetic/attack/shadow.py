"""Learns from releases of its own how members stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from scipy.optimize import minimize
from scipy.special import expit

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.pipeline import Pipeline
from icefire.synthetic.attack.density_ratio import DensityRatio
from icefire.synthetic.attack.exact_values import ExactValues
from icefire.synthetic.attack.marginals import Marginals
from icefire.synthetic.attack.nearest_record import NearestRecord
from icefire.synthetic.data import Floats, Guess, Knowledge, Mask, People
from icefire.synthetic.roles import InformedAttack

RIDGE = 1.0


@dataclass(frozen=True)
class Shadow(InformedAttack):
    """Make releases of random halves of the candidates with the known steps, and learn from them how members stand out.

    For each candidate the scores of the other attacks are compared with what they are when the candidate is not a member. How
    much each score counts is a logistic regression over all those releases.

    Parameters:
        releases: how many are made.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.anonymize.resample import Resample
        >>> numbers = np.random.default_rng(1).permutation(60)
        >>> people = People(*(pl.DataFrame({"a": part}) for part in (numbers[:30], numbers[30:])))
        >>> release = Resample().anonymize(people, np.random.default_rng(0))
        >>> guess = Shadow().knowing((Resample(),)).attack(release.published, people.knowledge, np.random.default_rng(0))
        >>> drawn = np.isin(people.candidates["a"], release.published["a"])
        >>> bool(guess.confidence[drawn].min() > guess.confidence[~drawn].max())
        True

    Reference:
        Stadler, Oprisanu, Troncoso: Synthetic data - anonymisation groundhog day. 2022; Watson, Guo, Cormode, Sablayrolles: On
        the importance of difficulty calibration in membership inference attacks. 2022.
    """

    releases: Annotated[int, AtLeast(2)] = 8

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        steps, number = self.known_steps, knowledge.table.height
        if number < 4:
            raise Undefined(f"there are {number} candidates, too few to make releases of halves of them")
        scores, inside = [], []
        for _ in range(self.releases):
            chosen = np.zeros(number, dtype=np.bool_)
            chosen[rng.permutation(number)[: number // 2]] = True
            people = People(knowledge.table.filter(chosen), knowledge.table.filter(~chosen), knowledge.schema)
            made = Pipeline(steps).anonymize(people, rng).published
            scores.append(_scores(made, knowledge, rng))
            inside.append(chosen)
        features, own = _calibrated(np.array(scores), np.array(inside), _scores(published, knowledge, rng))
        weights = _logistic(features.reshape(-1, features.shape[2]), np.concatenate(inside))
        return Guess(confidence=own @ weights)


def _scores(published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Floats:
    """[candidate, attack]: standardized confidences of the attacks that do not know the method."""
    attacks = [
        NearestRecord(),
        NearestRecord(relative="others"),
        DensityRatio(),
        Marginals(order=min(2, len(knowledge.names))),
        ExactValues(order=min(2, len(knowledge.names))),
    ]
    found = [attack.attack(published, knowledge, rng).confidence for attack in attacks]
    table = np.stack([scores for scores in found if scores is not None], axis=1)
    return np.asarray((table - table.mean(axis=0)) / np.maximum(table.std(axis=0), 1e-12))


def _calibrated(scores: Floats, inside: Mask, own: Floats) -> tuple[Floats, Floats]:
    """The scores of shadow releases, [release, candidate, feature], and of the attacked one, each also relative to the mean of
    the shadow releases in which the candidate is not, this one left out."""
    outside = ~inside[:, :, None]
    total, number = (scores * outside).sum(axis=0), outside.sum(axis=0)
    left = number[None] - outside
    usual = np.where(left > 0, (total[None] - scores * outside) / np.maximum(left, 1), 0.0)
    usual_own = np.where(number > 0, total / np.maximum(number, 1), 0.0)
    return np.concatenate([scores, scores - usual], axis=2), np.concatenate([own, own - usual_own], axis=1)


def _logistic(features: Floats, labels: Mask) -> Floats:
    """The weights of a logistic regression with a little ridge."""
    signs = np.where(labels, 1.0, -1.0)

    def cost(weights: Floats) -> tuple[float, Floats]:
        margins = signs * (features @ weights[1:] + weights[0])
        slope = -signs * expit(-margins)
        loss = float(np.logaddexp(0.0, -margins).sum()) + RIDGE * float(weights[1:] @ weights[1:]) / 2
        return loss, np.append(slope.sum(), features.T @ slope + RIDGE * weights[1:])

    return np.asarray(minimize(cost, np.zeros(features.shape[1] + 1), jac=True, method="L-BFGS-B").x[1:])
