"""The overlap model of the paper of 2016: dummies, and the best number of clusters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from icefire.core.parameters import Above, AtLeast, Share
from icefire.history.theory.clusters import OverlapModel
from icefire.study.measure import Measure, Setting, Value


@dataclass(frozen=True)
class Clusters(Measure):
    """E(dm) and the objective at a number of clusters, and the best number.

    Parameters:
        users: n.
        items: b, items of a customer.
        jaccard: mu, mean similarity of two customers.
        clusters: c; the best number by search if left out.
    """

    users: Annotated[int, AtLeast(2)]
    items: Annotated[float, Above(0)]
    jaccard: Share
    clusters: Annotated[float, Above(0)] | None = None

    def measure(self, setting: Setting) -> Iterator[Value]:
        model = OverlapModel(self.users, self.items, self.jaccard)
        best = model.best_clusters()
        at = float(best if self.clusters is None else self.clusters)
        if at < model.fewest_clusters:
            yield Value("dummies", None, note="the model does not hold for so few clusters")
        else:
            yield Value("dummies", model.dummies(at))
            yield Value("objective", model.objective(at))
        yield Value("best", float(best))
        yield Value("closed_form", float(model.best_clusters_closed_form()))
        yield Value("valid_from", float(model.fewest_clusters))
        yield Value("found", at / self.users)
        yield Value("shared", model.shared)
