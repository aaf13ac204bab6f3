"""A tree of columns, with differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from icefire.core.parameters import Above, AtLeast, Between
from icefire.synthetic.data import Floats, People, Release
from icefire.synthetic.domain import Domain
from icefire.synthetic.encoding import Codes
from icefire.synthetic.network import Network, conditionals, pair_counts
from icefire.synthetic.privacy import chosen, concentrated, gaussian
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class PrivateNetwork(Anonymizer):
    """Draw rows from a tree of columns chosen and counted with differential privacy (as MST does).

    A third of the budget counts each column, a third chooses the pairs that differ most from independent columns (exponential
    mechanism), and a third counts those pairs, with Gaussian noise. The domain of each column comes from schema.toml, and the
    number of rows is public.

    Parameters:
        epsilon: the budget for tables that differ in one row.
        delta: the probability with which the guarantee may fail.
        bins: number of bins of a numeric column.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.schema import Column, Schema
        >>> table = pl.DataFrame({"a": ["x", "y"] * 200, "b": ["p", "q"] * 200})
        >>> schema = Schema(columns={"a": Column(values=("x", "y")), "b": Column(values=("p", "q"))})
        >>> made = PrivateNetwork(epsilon=5).anonymize(People(table, table, schema), np.random.default_rng(0)).published
        >>> bool(((made["a"] == "x") == (made["b"] == "p")).mean() > 0.9)
        True

    Reference:
        McKenna, Miklau, Sheldon: Winning the NIST contest: a scalable and general approach to differentially private synthetic
        data. 2021.
    """

    epsilon: Annotated[float, Above(0)] = 1.0
    delta: Annotated[float, Between(1e-12, 0.1)] = 1e-6
    bins: Annotated[int, AtLeast(2)] = 10

    @classmethod
    def variants(cls, original: People) -> list[PrivateNetwork]:
        return [cls(epsilon=epsilon) for epsilon in (0.5, 2.0, 8.0)]

    @property
    def budget(self) -> tuple[float, float]:
        return self.epsilon, self.delta

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        domain = Domain.of(original, self.bins)
        codes, sizes = domain.codes(original.members), domain.sizes
        rho = concentrated(self.epsilon, self.delta) / 3
        width = len(sizes)
        columns = [
            _shares(gaussian(np.bincount(codes[:, place], minlength=size).astype(np.float64), rho / width, rng))
            for place, size in enumerate(sizes)
        ]
        edges = _edges(codes, sizes, columns, rho, rng)
        network = _counted(codes, sizes, columns, edges, rho, rng)
        return Release.shuffled(original, domain.table(network.sample(original.people, rng), rng), rng)


def _shares(counts: Floats) -> Floats:
    there = np.maximum(counts, 0.0)
    return there / there.sum() if there.sum() > 0 else np.full(there.shape, 1.0 / there.size)


def _edges(
    codes: Codes, sizes: tuple[int, ...], columns: list[Floats], rho: float, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """The edges of a tree, (parent, child), drawn one after the other."""
    width, rows = len(sizes), codes.shape[0]
    apart = np.zeros((width, width))
    for first in range(width):
        for second in range(first + 1, width):
            expected = rows * columns[first][:, None] * columns[second][None, :]
            apart[first, second] = apart[second, first] = np.abs(
                pair_counts(codes, sizes, first, second) - expected
            ).sum()
    inside, edges = [0], []
    while len(inside) < width:
        pairs = [(parent, child) for parent in inside for child in range(width) if child not in inside]
        # Another row instead of one changes two counts, and with them a sum of differences by 2 at most.
        scores = np.array([apart[pair] for pair in pairs])
        parent, child = pairs[chosen(scores, 2.0, rho / (width - 1), rng)]
        edges.append((parent, child))
        inside.append(child)
    return edges


def _counted(
    codes: Codes,
    sizes: tuple[int, ...],
    columns: list[Floats],
    edges: list[tuple[int, int]],
    rho: float,
    rng: np.random.Generator,
) -> Network:
    parents, chances = [-1] * len(sizes), [column[None, :] for column in columns]
    for parent, child in edges:
        counts = gaussian(pair_counts(codes, sizes, parent, child), rho / len(edges), rng)
        parents[child] = parent
        chances[child] = conditionals(np.maximum(counts, 0.0))
    order = (0, *(child for _, child in edges))
    return Network(order, tuple(parents), tuple(chances))
