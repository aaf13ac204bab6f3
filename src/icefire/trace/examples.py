"""Traces for the conformance suite."""

from __future__ import annotations

import numpy as np

from icefire.core.examples import Examples
from icefire.core.roles import Method
from icefire.trace.data import Cells, Guess, Release, Traces
from icefire.trace.grid import Grid


def example(users: int = 30, days: int = 2, seed: int = 0) -> Traces:
    """People with three places each on a small grid, four times a day."""
    rng = np.random.default_rng(seed)
    grid = Grid(rows=8, columns=8)
    places = rng.integers(0, grid.regions, (users, 3))
    walks = [places[np.arange(users)[:, None], rng.integers(0, 3, (users, 4 * days))] for _ in range(2)]
    sensitive = np.zeros(grid.regions, dtype=np.bool_)
    sensitive[::9] = True
    return Traces(walks[0], walks[1], grid, sensitive=sensitive, day=4)


class TraceExamples(Examples[Traces, Cells, Release, Guess]):
    """Traces of several people, of one, and of one time."""

    original_type, release_type, guess_type = Traces, Release, Guess
    last_step = "Release.shuffled"

    def originals(self) -> dict[str, Traces]:
        smallest = Traces(np.array([[3]]), np.array([[3]]), Grid(rows=4, columns=4), day=1)
        return {"plain": example(), "of one user": example(1), "of one cell": smallest}

    def large(self) -> Traces:
        return example(200, days=5)

    def honest_release(self, original: Traces) -> Release:
        return Release.shuffled(original, original.cells, np.random.default_rng(1))

    def truth(self, release: Release, judged: type = object) -> Guess:
        return Guess(release.owners, release.original.original.astype(np.int32))

    def content(self, data: Traces | Cells) -> object:
        if isinstance(data, Traces):
            return data.reference.tolist(), data.cells.codes.tolist()
        return data.codes.tolist(), data.starts.tolist(), data.members.tolist()

    def release_content(self, release: Release) -> object:
        return self.content(release.cells), release.owners.tolist()

    def guess_content(self, guess: Guess) -> object:
        return guess.users.tolist(), guess.traces.tolist()

    def check_release(self, method: Method, original: Traces, release: Release) -> None:
        assert release.cells.shape == original.cells.shape, f"{method.name} changes the number of cells"

    def check_guess(self, method: Method, release: Release, guess: Guess) -> None:
        guess.check(release.published, release.original.knowledge)

    def order(self, release: Release) -> float:
        return abs(float(np.corrcoef(np.arange(release.owners.size), release.owners)[0, 1]))

    def hits(self, release: Release, guess: Guess) -> float:
        return float((guess.users == release.owners).mean())
