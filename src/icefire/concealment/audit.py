"""What a release conceals, in figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from icefire.concealment.finding import Finding
from icefire.concealment.graph import Graph
from icefire.concealment.worlds import Worlds, count_worlds
from icefire.core.documents import JsonObject

LEAKS = 50
"""Leaked links that are tried where there are more than these."""


@dataclass(frozen=True)
class Audit:
    """Figures on a graph. Matches are what counts; neighbours are what they would be taken for."""

    records: int
    least_matches: int
    mean_matches: float
    least_neighbours: int
    least_covered: int
    """By a released record."""
    complete: bool
    """Whether everybody, and every released record, has the same number of matches."""
    below: int
    """Records with fewer than k matches."""
    components: int
    """Parts within which people may be exchanged, and no further."""
    largest_component: int
    leaks: int
    """True links that were supposed to become known; 0 where the truth is not."""
    exposed_mean: float
    """Others who are left with one match then, on average over leaks."""
    exposed_most: int
    worlds: Worlds

    @property
    def k(self) -> int:
        """The release is k-concealed for this k."""
        return self.least_matches

    def as_dict(self) -> JsonObject:
        worlds: JsonObject = {"log10 at least": self.worlds.low, "log10 at most": self.worlds.high}
        if self.worlds.exact is not None:
            worlds["exact"] = str(self.worlds.exact)
        return {**asdict(self), "worlds": worlds}

    def finding(self, k: int) -> Finding:
        """The figures in words."""
        figures: list[tuple[str, float | str]] = [
            ("records", self.records),
            ("matches, least", self.least_matches),
            ("matches, mean", self.mean_matches),
            (f"records with fewer than {k} matches", self.below),
            ("rows that cover a person, least", self.least_neighbours),
            ("people a row covers, least", self.least_covered),
            ("complete (all have the same number)", "yes" if self.complete else "no"),
            ("parts within which people may be exchanged", self.components),
            ("people in the largest part", self.largest_component),
            ("possible assignments of everybody", str(self.worlds)),
        ]
        if self.leaks:
            figures.append((f"others exposed by one leaked link, mean of {self.leaks}", self.exposed_mean))
            figures.append(("others exposed by one leaked link, most", self.exposed_most))
        verdict = f"The release is {self.k}-concealed."
        if self.below:
            verdict = (
                f"The release is not {k}-concealed: {self.below:,} of {self.records:,} have fewer matches, "
                f"the least is {self.k}."
            )
        return Finding(self.k, tuple(figures), {"k": k, **self.as_dict()}, verdict)


def audit(graph: Graph, k: int, rng: np.random.Generator, truth: bool = True) -> Audit:
    """All figures; leaks are a sample where there are many records, and are left out where the matching is not the truth."""
    matches, backwards = graph.matches()
    neighbours, covered = graph.neighbours()
    sizes = np.bincount(graph.components[0][graph.records])
    leaks = np.sort(rng.permutation(graph.size)[: LEAKS if truth else 0])
    exposed = graph.exposed_by_leak(leaks)
    return Audit(
        records=graph.size,
        least_matches=int(matches.min()),
        mean_matches=float(matches.mean()),
        least_neighbours=int(neighbours.min()),
        least_covered=int(covered.min()),
        complete=bool((matches == matches[0]).all() and (backwards == matches[0]).all()),
        below=int((matches < k).sum()),
        components=int((sizes > 0).sum()),
        largest_component=int(sizes.max()),
        leaks=leaks.size,
        exposed_mean=float(exposed.mean()) if truth else 0.0,
        exposed_most=int(exposed.max(initial=0)),
        worlds=count_worlds(graph),
    )
