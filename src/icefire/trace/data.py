"""Traces of people over regions, what is released of them, and guesses at the secret."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.budget import Asked
from icefire.core.errors import DataError
from icefire.core.seeds import chosen_people
from icefire.trace.grid import Grid

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
NOTHING = -1
"""A cell that was deleted, an unknown user."""
SENSITIVE_WEIGHT = 10.0
"""What a visit to a sensitive region weighs, others being 1."""


@dataclass(frozen=True)
class Cells:
    """[trace, time]: a region, a set of regions, or nothing.

    A cell is a number: a region itself, or `regions + k` for the k-th different set, or NOTHING. So sets cost no more than
    regions however many cells hold them.
    """

    codes: NDArray[np.integer] = field(repr=False)
    regions: int
    starts: Ints = field(default_factory=lambda: np.zeros(1, dtype=np.int64), repr=False)
    members: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)
    names: pl.Series | None = field(default=None, repr=False)
    """The pseudonyms of the traces, where a file has given them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", np.asarray(self.codes, dtype=np.int32))
        largest = self.regions + self.starts.size - 1
        if self.codes.ndim != 2 or (self.codes.size and not NOTHING <= self.codes.min() <= self.codes.max() < largest):
            raise DataError(f"cells are regions 1..{self.regions}, sets of them, or nothing")
        if self.members.size and not 0 <= self.members.min() <= self.members.max() < self.regions:
            raise DataError(f"a set holds a region outside 1..{self.regions}")

    @property
    def shape(self) -> tuple[int, int]:
        return self.codes.shape[0], self.codes.shape[1]

    @property
    def exact(self) -> bool:
        """Whether every cell is one region."""
        return bool(((self.codes >= 0) & (self.codes < self.regions)).all())

    def take(self, rows: Ints) -> Cells:
        names = None if self.names is None else self.names.gather(rows)
        return Cells(self.codes[rows], self.regions, self.starts, self.members, names)

    @cached_property
    def spread(self) -> sparse.csr_array:
        """[code, region]: what each code stands for, as shares that add up to 1."""
        sizes = np.diff(self.starts)
        rows = np.concatenate([np.arange(self.regions), self.regions + np.repeat(np.arange(sizes.size), sizes)])
        columns = np.concatenate([np.arange(self.regions), self.members])
        values = np.concatenate([np.ones(self.regions), np.repeat(1.0 / np.maximum(sizes, 1), sizes)])
        return sparse.csr_array((values, (rows, columns)), shape=(self.regions + sizes.size, self.regions))

    def counts(self, weights: Floats | NDArray[np.bool_] | None = None) -> sparse.csr_array:
        """[trace, code]: how often each code occurs in a trace, or the sum of its weights, [trace, time].

        Deleted cells are left out.
        """
        there = self.codes != NOTHING
        rows, columns = np.nonzero(there if weights is None else there & (weights != 0))
        values = np.ones(rows.size) if weights is None else weights[rows, columns].astype(np.float64)
        shape = (self.shape[0], self.regions + self.starts.size - 1)
        found = sparse.csr_array((values, (rows, self.codes[rows, columns])), shape=shape)
        found.sum_duplicates()
        return found

    def drawn(self, rng: np.random.Generator) -> Ints:
        """Each cell as one region: itself, a random member, or any region at all."""
        codes = self.codes.astype(np.int64)
        sets = np.maximum(codes - self.regions, 0)
        if self.members.size:
            size = np.diff(self.starts)[sets]
            member = self.members[
                np.minimum(self.starts[sets] + rng.integers(0, np.maximum(size, 1)), self.members.size - 1)
            ]
        else:
            member = np.zeros_like(codes)
        anywhere = rng.integers(0, self.regions, codes.shape)
        return np.where(codes == NOTHING, anywhere, np.where(codes < self.regions, codes, member))


def cells_of_groups(codes: Ints, groups: Ints, regions: int) -> Cells:
    """Cells that publish the whole group of regions that a region belongs to."""
    order = np.argsort(groups, kind="stable")
    names, starts = np.unique(groups[order], return_index=True)
    place = np.searchsorted(names, groups)
    shown = np.where(codes == NOTHING, NOTHING, regions + place[codes])
    return Cells(shown, regions, np.append(starts, groups.size), order.astype(np.int64))


@dataclass(frozen=True)
class Reference:
    """What the attacker knows: where each user was on other days, and the map."""

    regions: NDArray[np.int32] = field(repr=False)
    """[user, time]."""
    grid: Grid
    slots: Ints = field(repr=False)
    """Time of day of each reference time, as a number from 0."""
    published_slots: Ints = field(repr=False)
    """The same for the published times."""
    sensitive: NDArray[np.bool_] = field(repr=False)
    """Regions whose visits weigh more, such as hospitals."""
    points: NDArray[np.int32] | None = field(default=None, repr=False)
    """[user, published time]: where users are known to have been at published times, NOTHING where it is not known; None
    for attackers who know other days."""

    @property
    def users(self) -> int:
        return int(self.regions.shape[0])

    @property
    def people(self) -> int:
        return self.users


class Traces:
    """Reference and original traces of the same users, both [user, time]; regions count from 0 here and from 1 in files.

    >>> walk = Traces(np.array([[0, 1]]), np.array([[1, 1]]), Grid(2, 2))
    >>> walk.users.to_list(), walk.cells.shape
    (['1'], (1, 2))
    """

    def __init__(
        self,
        reference: NDArray[np.integer],
        original: NDArray[np.integer] | Cells,
        grid: Grid | None = None,
        *,
        sensitive: NDArray[np.bool_] | None = None,
        day: int = 20,
        users: pl.Series | None = None,
        times: tuple[Ints, Ints] | None = None,
    ) -> None:
        self.grid = grid or Grid()
        self.day = day
        """Times in a day."""
        regions = self.grid.regions
        self.cells = original if isinstance(original, Cells) else Cells(original.astype(np.int32), regions)
        self.reference = np.asarray(reference, dtype=np.int32)
        if not self.reference.shape[0] or not self.cells.codes.size:
            raise DataError("there are no traces: there is nobody to protect or to find")
        if self.reference.shape[0] != self.cells.shape[0]:
            raise DataError(f"{self.reference.shape[0]} reference traces for {self.cells.shape[0]} original ones")
        if self.reference.size and not 0 <= self.reference.min() <= self.reference.max() < regions:
            raise DataError(f"a reference trace holds a region outside 1..{regions}")
        self.sensitive = np.zeros(regions, dtype=np.bool_) if sensitive is None else sensitive
        numbers = np.arange(1, self.reference.shape[0] + 1).astype(str)
        self.users = (pl.Series(numbers) if users is None else users).rename("user")
        known = self.reference.shape[1]
        self.times = times or (np.arange(known) + 1, np.arange(known, known + self.cells.shape[1]) + 1)
        """The labels of the reference and of the original times; a day begins with the times 1, day + 1 and so on."""

    @property
    def original(self) -> NDArray[np.integer]:
        """The original traces, where every cell is one region."""
        if not self.cells.exact:
            raise DataError("these traces hold sets or deleted cells: put this step before the ones that make them")
        return self.cells.codes

    @cached_property
    def knowledge(self) -> Reference:
        if not self.reference.size:
            raise DataError("there are no reference traces, which this method needs: choose another one")
        return Reference(
            self.reference, self.grid, (self.times[0] - 1) % self.day, self.published_slots, self.sensitive
        )

    @property
    def published_slots(self) -> Ints:
        """The time of day of each original time, as a number from 0."""
        return np.asarray((self.times[1] - 1) % self.day)

    @property
    def people(self) -> int:
        return self.cells.shape[0]

    def sample(self, people: int, rng: np.random.Generator) -> Traces:
        return self.take(chosen_people(self.people, people, rng))

    def summary(self) -> dict[str, int]:
        return {"people": self.people, "times": self.cells.shape[1], "regions": self.grid.regions}

    def begin(self, rng: np.random.Generator) -> tuple[Release, np.random.Generator]:
        return Release(self, self.cells, np.arange(self.people)), rng

    def take(self, users: Ints) -> Traces:
        """Some users alone."""
        return self._like(self.reference[users], self.cells.take(users), self.users.gather(users))

    def with_cells(self, cells: Cells) -> Traces:
        """Other traces of the same users."""
        return self._like(self.reference, cells, self.users)

    def _like(self, reference: NDArray[np.integer], cells: Cells, users: pl.Series) -> Traces:
        return Traces(
            reference, cells, self.grid, sensitive=self.sensitive, day=self.day, users=users, times=self.times
        )

    def __repr__(self) -> str:
        return f"Traces({self.cells.shape[0]:,} users, {self.cells.shape[1]} times, {self.grid.regions:,} regions)"


@dataclass(frozen=True)
class Release:
    """Anonymized traces in the order of the users, and the secret: pseudonym j is user `owners[j]`."""

    original: Traces = field(repr=False)
    cells: Cells
    owners: Ints = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "owners", np.asarray(self.owners, dtype=np.int64))
        if self.cells.shape != self.original.cells.shape:
            raise DataError(f"anonymized traces of the shape {self.cells.shape}, original {self.original.cells.shape}")
        if not np.array_equal(np.sort(self.owners), np.arange(self.cells.shape[0])):
            raise DataError("the pseudonym table does not name every user once")

    @cached_property
    def published(self) -> Cells:
        """The traces in the order of their pseudonyms."""
        return self.cells.take(self.owners)

    @property
    def working(self) -> Traces:
        return self.original.with_cells(self.cells)

    def then(self, step: Release) -> Release:
        """This release after one more step; users keep their places until the end."""
        return Release(self.original, step.cells, self.owners)

    def finished(self, rng: np.random.Generator) -> Release:
        return Release.shuffled(self.original, self.cells, rng)

    def reshuffled(self, rng: np.random.Generator) -> Release:
        return Release.shuffled(self.original, self.cells, rng)

    @classmethod
    def shuffled(cls, original: Traces, cells: Cells, rng: np.random.Generator) -> Release:
        """A release whose order says nothing: every anonymizer ends with this."""
        return cls(original, cells, rng.permutation(cells.shape[0]))


@dataclass(frozen=True)
class Guess:
    """An attacker's answers: the user behind each pseudonym, and where each user was at each time.

    One of the two may be left out: it is empty then, and metrics of it are undefined. Where a search among everybody takes too
    long for all, some pseudonyms (of the first answer) and some users (of the second) were `asked` for, and the other answers
    mean nothing. What the attacker knew already, [user, time], is `known`: nothing of the published times if it is None.
    """

    users: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)
    traces: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int32), repr=False)
    asked: Asked | None = field(default=None, repr=False)
    known: NDArray[np.bool_] | None = field(default=None, repr=False)

    @classmethod
    def of_asked(cls, users: Ints, traces: NDArray[np.int32], asked: Asked) -> Guess:
        """An answer for some: [pseudonym] of all, and [user, time] of the users who were asked for."""
        whole = np.zeros((users.size, traces.shape[1]), dtype=np.int32)
        whole[asked.people] = traces
        return cls(users, whole, asked)

    def check(self, published: Cells, knowledge: Reference | Traces) -> None:
        """Raise DataError unless the answer has the shape of the question."""
        count, times = published.shape
        if not self.users.size and not self.traces.size:
            raise DataError("the guess names neither users nor regions")
        if self.users.size and self.users.shape != (count,):
            raise DataError(f"the guess names {self.users.size} users for {count} pseudonyms")
        if self.traces.size and self.traces.shape != (count, times):
            raise DataError(f"the guessed traces have the shape {self.traces.shape}, not {(count, times)}")
        if self.users.size and not NOTHING <= self.users.min() <= self.users.max() < count:
            raise DataError("the guess names a user who does not exist")
        regions = knowledge.grid.regions
        if self.traces.size and not 0 <= self.traces.min() <= self.traces.max() < regions:
            raise DataError(f"a guessed trace holds a region outside 1..{regions}")
