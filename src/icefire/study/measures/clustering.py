"""Clusters of customers, and the dummies that they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import ParameterError
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.history.anonymize._clusters import item_sets, union_cost
from icefire.history.anonymize._dummies import ClusterDummies
from icefire.study.measure import Measure, Setting, Value


@dataclass(frozen=True)
class Clustering(Measure):
    """Dummies, and the sizes of clusters, without making a release.

    Parameters:
        step: an anonymizer that clusters customers and adds dummies.
    """

    kinds: ClassVar[tuple[str, ...]] = ("history",)

    step: str

    def check(self, registry: Registry, kind: str) -> None:
        self._method(registry)

    def _method(self, registry: Registry) -> ClusterDummies:
        method = registry.make("history", "anonymize", self.step)
        if not isinstance(method, ClusterDummies):
            raise ParameterError.of("Clustering", "step", "an anonymizer that adds dummies to clusters", self.step)
        return method

    def measure(self, setting: Setting) -> Iterator[Value]:
        method = self._method(setting.registry)
        sets = item_sets(setting.data)
        labels = method.labels(sets, generator(setting.seed, "clusters"))
        sizes = np.bincount(labels, minlength=method.clusters)
        yield Value("dummies", float(union_cost(sets, labels)))
        yield Value("largest", float(sizes.max()))
        yield Value("smallest", float(sizes.min()))
        yield Value("alone", float((sizes == 1).sum()))
        for rank, size in enumerate(sorted(sizes.tolist(), reverse=True), start=1):
            yield Value("size", float(size), {"cluster": rank})
