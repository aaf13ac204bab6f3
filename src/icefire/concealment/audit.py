"""Verification of k-concealment: matches, components, effect of leaked links, number of possible worlds."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from icefire.concealment.finding import Finding
from icefire.concealment.graph import Graph
from icefire.concealment.worlds import Worlds, count_worlds, effective_matches
from icefire.core.documents import JsonObject

LEAKS = 50
"""Largest number of leaked links that are simulated."""


@dataclass(frozen=True)
class Audit:
    """The figures of a release. k-concealment is about matches; neighbours are an upper bound on them."""

    records: int
    least_matches: int
    mean_matches: float
    least_neighbours: int
    least_covered: int
    """Least number of records that a released record covers."""
    complete: bool
    """Whether all records and all released records have the same number of matches."""
    below: int
    """Records with fewer than k matches."""
    components: int
    """Components of the graph of matches: records can be exchanged within a component only."""
    largest_component: int
    leaks: int
    """Number of true links that were assumed to leak; 0 if the truth is unknown."""
    exposed_mean: float
    """Number of other records left with a single match after a leak, mean over leaks."""
    exposed_most: int
    """The same, maximum over leaks."""
    worlds: Worlds
    effective_mean: float
    """Effective number of records behind a released one (exponential of the entropy) if all worlds are equally likely."""
    effective_least: float
    informed: tuple[float, float] | None = None
    """The same for an attacker who knows the method and repeats it, mean and least; None if that was not measured."""
    not_measured: str = "the method is not known"
    """Why not."""

    @property
    def k(self) -> int:
        """The largest k for which the release is k-concealed."""
        return self.least_matches

    def as_dict(self) -> JsonObject:
        worlds: JsonObject = {"log10 at least": self.worlds.low, "log10 at most": self.worlds.high}
        if self.worlds.exact is not None:
            worlds["exact"] = str(self.worlds.exact)
        informed: JsonObject = {"not measured": self.not_measured}
        if self.informed is not None:
            informed = {"mean": self.informed[0], "least": self.informed[1]}
        figures = {name: value for name, value in asdict(self).items() if name != "not_measured"}
        return {**figures, "worlds": worlds, "informed": informed}

    def finding(self, k: int) -> Finding:
        """The figures with labels and a verdict, to print."""
        figures: list[tuple[str, float | str]] = [
            ("records", self.records),
            ("matches, least", self.least_matches),
            ("matches, mean", self.mean_matches),
            (f"records with fewer than {k} matches", self.below),
            ("rows that cover a record, least", self.least_neighbours),
            ("records that a row covers, least", self.least_covered),
            ("complete (the same number of matches for all)", "yes" if self.complete else "no"),
            ("components within which records can be exchanged", self.components),
            ("records in the largest component", self.largest_component),
            ("possible assignments of records to rows", str(self.worlds)),
            ("effective matches of a row, all assignments equally likely: mean", self.effective_mean),
            ("effective matches of a row, all assignments equally likely: least", self.effective_least),
        ]
        informed = self.informed or ("-", self.not_measured)
        figures.append(("effective matches of a row for whoever repeats the method: mean", informed[0]))
        figures.append(("effective matches of a row for whoever repeats the method: least", informed[1]))
        if self.leaks:
            figures.append((f"other records exposed by a leaked link, mean of {self.leaks}", self.exposed_mean))
            figures.append(("other records exposed by a leaked link, most", self.exposed_most))
        verdict = f"The release is {self.k}-concealed."
        if self.below:
            verdict = (
                f"The release is not {k}-concealed: {self.below:,} of {self.records:,} records have fewer than {k} matches; "
                f"the least is {self.k}."
            )
        return Finding(self.k, tuple(figures), {"k": k, **self.as_dict()}, verdict)


def audit(graph: Graph, k: int, rng: np.random.Generator, truth: bool = True) -> Audit:
    """Verify k-concealment. Up to LEAKS links are leaked, drawn at random; none if the graph's matching is not the truth."""
    matches, backwards = graph.matches()
    neighbours, covered = graph.neighbours()
    sizes = np.bincount(graph.components[0][graph.records])
    leaks = np.sort(rng.permutation(graph.size)[: LEAKS if truth else 0])
    exposed = graph.exposed_by_leak(leaks)
    worth = effective_matches(graph)
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
        effective_mean=float(worth.mean()),
        effective_least=float(worth.min()),
    )
