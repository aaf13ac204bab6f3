r"""What an attacker believes of hidden columns, given which published rows a person may be.

    P(v | person) = sum_r w(person, r) [cell of r holds v] / sum_r w(person, r)

w is the weight of a published row r for a person: 0 unless r may be theirs. The guess is the value of the largest
probability. For an amount it is the amount y with most probability within the tolerance t, |y - y'| <= t |y'|, or, if no
such window is as good as certain, the tenth of all published amounts with the most probability.

The baseline is what the release says about the person by everybody else: the group of people who may be the same rows
is left out, and what is left is read by a single known column c, for values of c that enough people share,

    P'(v | person) = max(P(v), max_c P(v | c)),   both over the other groups.

Such a rule ("most of the married are ...") is knowledge about a population. What only holds for a few people is not.

Where each person who has v counts 1 / n(v), for the number n(v) of people who have it, the best guess is another one:

    rare guess = argmax_v P(v | person) / n(v),    n(v) ~= sum of P(v | person) over all people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.certainty import CERTAIN
from icefire.frames.notation import parse_set
from icefire.microdata.cells import Domain, as_text, parse_interval
from icefire.microdata.data import Microdata
from icefire.microdata.hierarchy import ANYTHING
from icefire.microdata.inferences import Inference
from icefire.microdata.partition import group_equal
from icefire.microdata.schema import TOLERANCE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
POINTS = 11
"""Amounts that stand for a published interval."""
TENTHS = 10
ROUNDS, PSEUDO_ROWS = 100, 0.05
"""Rounds of expectation maximization, and how many rows the shares of the whole table stand for in it."""
SHARED = 0.05
"""Share of the people who have to share a known value for it to be general knowledge what goes with it."""
COARSE = 4_000
"""Most values that are told apart for the baseline."""
FIFTHS = 5
"""Parts into which known numbers are divided for that."""


@dataclass(frozen=True)
class Candidates:
    """Which published rows a person may be. People with the same candidates form a group, equal rows a class."""

    weights: sparse.csr_array
    """[group of people, class of published rows]: the weight of each row of the class."""
    group_of: Ints
    class_of: Ints

    @cached_property
    def group_sizes(self) -> Ints:
        return np.bincount(self.group_of, minlength=self.weights.shape[0])

    @property
    def empty(self) -> Mask:
        """[group]: whether no row may be theirs."""
        return np.asarray(np.diff(self.weights.indptr) == 0)

    def probabilities(self, votes: Votes) -> sparse.csr_array:
        """[group, value]: sums to 1, or less where rows say nothing; of groups without candidates, that of all rows."""
        number = self.weights.shape[1]
        by_class = votes.by_class(self.class_of, number)
        total = self.weights @ np.bincount(self.class_of, minlength=number)
        table = sparse.csr_array(self.weights @ by_class)
        table = sparse.csr_array(sparse.diags_array(1.0 / np.where(total > 0, total, 1.0)) @ table)
        nobody = np.flatnonzero(total <= 0)
        if nobody.size:
            share = np.asarray(by_class.sum(axis=0)).ravel() / max(1, self.class_of.size)
            rows = np.zeros(total.size)
            rows[nobody] = 1.0
            everybody = sparse.csr_array(sparse.csr_array(rows[:, None]) @ sparse.csr_array(share[None, :]))
            table = sparse.csr_array(table + everybody)
        table.sort_indices()
        return table


@dataclass(frozen=True)
class Mixture:
    """Two beliefs of the same people, the first with this share; the second alone of whom the first says nothing."""

    first: Candidates
    second: Candidates
    share: float

    @cached_property
    def _groups(self) -> tuple[Ints, Ints, Ints]:
        return group_equal([self.first.group_of, self.second.group_of])

    @property
    def group_of(self) -> Ints:
        return self._groups[2]

    @property
    def group_sizes(self) -> Ints:
        return self._groups[1]

    def probabilities(self, votes: Votes) -> sparse.csr_array:
        """The same as of candidates."""
        person = self._groups[0]
        first, second = self.first.group_of[person], self.second.group_of[person]
        shares = np.where(self.first.empty[first], 0.0, self.share)
        one = sparse.diags_array(shares) @ self.first.probabilities(votes)[first]
        other = sparse.diags_array(1.0 - shares) @ self.second.probabilities(votes)[second]
        table = sparse.csr_array(one + other)
        table.sort_indices()
        return table


@dataclass(frozen=True)
class Votes:
    """A hidden column as published: each row votes for the values that its cell stands for, with one vote altogether.

    Rows that say nothing (`*`) do not vote.
    """

    rows: Ints
    values: Ints
    """Positions in `texts` or `amounts`."""
    shares: Floats
    texts: tuple[str | None, ...] = ()
    amounts: Floats | None = None
    """Sorted, where the column holds amounts; a missing amount is one position more."""

    @property
    def width(self) -> int:
        return len(self.texts) if self.amounts is None else self.amounts.size + 1

    @classmethod
    def of(cls, published: Microdata, name: str) -> Votes:
        series = published.column(name)
        if published.is_numeric(name):
            present = series.cast(pl.Float64)
            amounts = present.drop_nulls().unique().sort().to_numpy()
            places = np.searchsorted(amounts, present.fill_null(np.inf).to_numpy()).astype(np.int64)
            return cls(np.arange(places.size), places, np.ones(places.size), amounts=amounts)
        texts = as_text(series)
        cells = texts.unique().sort(nulls_last=True)
        codes = texts.cast(pl.Enum(cells.drop_nulls())).to_physical().fill_null(len(cells) - 1)
        categorical = published.schema.column(name).type == "categorical"
        return cls._of_cells(cells.to_list(), codes.to_numpy().astype(np.int64), categorical)

    @classmethod
    def _of_cells(cls, cells: Sequence[str | None], codes: Ints, categorical: bool) -> Votes:
        points = [[np.inf] if cell is None else _points(cell) for cell in cells]
        amounts: Floats | None = None
        texts: tuple[str | None, ...] = ()
        if not categorical and any(points) and None not in points and any(cell is not None for cell in cells):
            listed = np.unique([amount for part in points for amount in part or ()])
            amounts = listed[np.isfinite(listed)]
            members = [np.searchsorted(amounts, part or []).astype(np.int64) for part in points]
        else:
            atoms = [[None] if cell is None else _atoms(cell) for cell in cells]
            texts = (*sorted({atom for part in atoms for atom in part if atom is not None}), None)
            place = {atom: position for position, atom in enumerate(texts)}
            members = [np.array([place[atom] for atom in part], dtype=np.int64) for part in atoms]
        sizes = np.array([part.size for part in members], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        every = np.concatenate([*members, []]).astype(np.int64)
        counts = sizes[codes]
        rows = np.repeat(np.arange(codes.size), counts)
        within = np.arange(rows.size) - np.repeat(np.cumsum(counts) - counts, counts)
        chosen = every[np.repeat(starts[codes], counts) + within]
        return cls(rows, chosen, 1.0 / np.repeat(counts, counts), texts, amounts)

    def by_class(self, classes: Ints, number: int) -> sparse.csr_array:
        """[class, value]: votes."""
        shape = number, self.width
        table = sparse.csr_array((self.shares, (classes[self.rows], self.values)), shape=shape)
        table.sum_duplicates()
        return table

    def decode(self, positions: Ints) -> pl.Series:
        """The values at these positions; missing where nothing is known."""
        if self.amounts is None:
            return pl.Series([*self.texts, None], dtype=pl.String).gather(positions)
        return pl.Series(np.append(self.amounts, np.nan)[positions]).fill_nan(None)

    @cached_property
    def edges(self) -> Floats:
        """The amounts between which the tenths change."""
        assert self.amounts is not None
        counts = np.bincount(self.values, self.shares, self.width)[:-1]
        return tenth_edges(self.amounts, counts)

    @cached_property
    def bands(self) -> Ints:
        """[value]: its tenth, or the value itself where the column holds no amounts."""
        if self.amounts is None:
            return np.arange(self.width)
        tenths = np.searchsorted(self.edges, self.amounts, side="right")
        return np.append(tenths, self.edges.size + 1)


def tenth_edges(amounts: Floats, counts: NDArray[np.float64] | Ints) -> Floats:
    """The amounts between which the tenths change: each amount lies in the tenth of its middle rank.

    So an amount that most people share has a tenth of its own.

    >>> tenth_edges(np.array([0.0, 10.0, 20.0]), np.array([8, 1, 1])).tolist()
    [5.0, 15.0]
    """
    if amounts.size <= 1:
        return np.zeros(0)
    middle = (np.cumsum(counts) - counts / 2) / np.sum(counts)
    tenth = np.floor(middle * TENTHS)
    change = np.flatnonzero(tenth[1:] != tenth[:-1])
    return np.asarray((amounts[change] + amounts[change + 1]) / 2)


def value_groups(domain: Domain, numeric: bool) -> Ints:
    """[value]: the values that are disclosed together: each by itself, or the tenth of an amount."""
    if not numeric or domain.positions.size <= TENTHS:
        return np.arange(len(domain.values))
    edges = tenth_edges(domain.positions, domain.counts[: domain.positions.size])
    tenths = np.searchsorted(edges, domain.positions, side="right")
    return np.append(tenths, edges.size + 1).astype(np.int64) if domain.missing else tenths.astype(np.int64)


def _points(cell: str) -> list[float] | None:
    """Amounts that stand for a cell of an amount; None if it is no such cell. A cell that says nothing has none."""
    if cell == ANYTHING:
        return []
    if (parts := parse_set(cell)) is not None:
        points = [_points(part) for part in parts]
        return None if any(part is None for part in points) else [p for part in points for p in part or ()]
    if (interval := parse_interval(cell)) is not None:
        return [float(point) for point in np.linspace(*interval, POINTS)]
    try:
        number = float(cell)
    except ValueError:
        return None
    return [number] if np.isfinite(number) else None


def _atoms(cell: str) -> Sequence[str | None]:
    """The members of a cell; none if it says nothing."""
    if cell == ANYTHING:
        return []
    parts = parse_set(cell)
    return [cell] if parts is None else [atom for part in parts for atom in _atoms(part)]


@dataclass(frozen=True)
class Channel:
    """A random step on a column, as attackers know it."""

    cells: tuple[str | None, ...]
    values: tuple[str, ...]
    chances: Floats
    """[value, cell]: how likely the value is published as the cell."""

    def invert(self, votes: Votes, table: sparse.csr_array, weight: Floats) -> sparse.csr_array:
        """The same table of probabilities before the step. `weight` is how many rows a group is read from."""
        columns = [votes.texts.index(cell) for cell in self.cells]
        shown = table[:, columns].toarray() * weight[:, None]
        overall = _expectation_maximization(shown.sum(axis=0)[None, :], self.chances, None)
        values = _expectation_maximization(shown, self.chances, overall[0])
        result = np.zeros((table.shape[0], votes.width))
        result[:, [votes.texts.index(value if value != "" else None) for value in self.values]] = values
        inverted = sparse.csr_array(result)
        inverted.sort_indices()
        return inverted


def _expectation_maximization(shown: Floats, chances: Floats, prior: Floats | None) -> Floats:
    """[group, value]: the most likely shares of values behind the cells that are shown."""
    size = chances.shape[0]
    start = np.full(size, 1.0 / size) if prior is None else prior
    pseudo = 0.0 if prior is None else PSEUDO_ROWS
    shares = np.tile(start, (len(shown), 1))
    for _ in range(ROUNDS):
        expected = np.maximum(shares @ chances, 1e-300)
        shares = pseudo * start + shares * ((shown / expected) @ chances.T)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    return shares


def infer(
    published: Microdata,
    known: Microdata,
    names: Sequence[str],
    candidates: Candidates | Mixture,
    channels: Mapping[str, Channel] | None = None,
) -> Inference:
    """The guesses of all hidden columns for the people of the known table."""
    general = _GeneralKnowledge(known, candidates)
    values: dict[str, pl.Series] = {}
    confidence: dict[str, Floats] = {}
    baseline: dict[str, Floats] = {}
    intervals: dict[str, tuple[Floats, Floats]] = {}
    rare_values: dict[str, pl.Series] = {}
    group = candidates.group_of
    for name in names:
        votes = Votes.of(published, name)
        table = candidates.probabilities(votes)
        if channels and name in channels and isinstance(candidates, Candidates):
            rows = candidates.weights @ np.bincount(candidates.class_of, minlength=candidates.weights.shape[1])
            crowd = np.asarray(rows * candidates.group_sizes, dtype=np.float64)
            table = channels[name].invert(votes, table, np.maximum(crowd, 1.0))
        guess = _guess(votes, table, published.schema.column(name).tolerance or TOLERANCE)
        values[name] = votes.decode(guess.place[group])
        rare_values[name] = votes.decode(_guess_rare(votes, table, candidates.group_sizes)[group])
        if votes.amounts is not None:
            intervals[name] = guess.low[group], guess.high[group]
        confidence[name] = guess.share[group]
        baseline[name] = general.probability(table, guess)
    rows = _guess_rows(published, names, candidates)[group]
    return Inference(values, confidence, known.schema.names, None, baseline, intervals, rare_values, rows)


def _guess_rows(published: Microdata, names: Sequence[str], candidates: Candidates | Mixture) -> Ints:
    """For each group a row of the combination of hidden cells with the largest weight; any row where nothing is known."""
    cells = [as_text(published.column(name)).rank("dense").fill_null(0).to_numpy().astype(np.int64) for name in names]
    first, _, combination = group_equal(cells)
    everybody = Votes(np.arange(combination.size), combination, np.ones(combination.size), (None,) * first.size)
    table = candidates.probabilities(everybody)
    return first[_largest(table, table.data)[0]]


@dataclass(frozen=True)
class _Guess:
    """For each group, the guessed value, and the range of values of which it is one."""

    place: Ints
    share: Floats
    """How sure the attacker is that the value lies in the range."""
    first: Ints
    last: Ints
    """The range: columns of the table of probabilities, the last one excluded."""
    low: Floats
    high: Floats
    """The smallest and the largest amount of the range."""


def _guess(votes: Votes, table: sparse.csr_array, tolerance: float) -> _Guess:
    none = np.zeros(0)
    if votes.amounts is None:
        place, share = _largest(table, table.data)
        return _Guess(place, share, place, place + 1, none, none)
    amounts = votes.amounts
    ends = np.stack([amounts / (1 + tolerance), amounts / (1 - tolerance)])
    low, high = ends.min(axis=0), ends.max(axis=0)
    # A missing amount is a value of its own, which no interval holds.
    first = np.append(np.searchsorted(amounts, low - 1e-12 * np.abs(low)), amounts.size)
    last = np.append(np.searchsorted(amounts, high + 1e-12 * np.abs(high), side="right"), amounts.size + 1)
    place, share = _largest(table, _window_sums(table, first, last))
    low, high = (np.append(end, np.nan)[place] for end in (low, high))
    by_band = _add_columns(table, votes.bands)
    band, band_share = _largest(by_band, by_band.data)
    wider = (share < CERTAIN) & (band_share >= CERTAIN) & (band < votes.edges.size + 1)
    edges = np.concatenate([[-np.inf], votes.edges, [np.inf]])
    band = np.minimum(band, votes.edges.size)
    begin, end = (np.searchsorted(votes.bands[:-1], band, side=side) for side in ("left", "right"))
    return _Guess(
        # Some amount of the band, to be written.
        np.where(wider, begin, place),
        np.where(wider, band_share, share),
        np.where(wider, begin, first[place]),
        np.where(wider, end, last[place]),
        np.where(wider, edges[band], low),
        np.where(wider, edges[band + 1], high),
    )


def _guess_rare(votes: Votes, table: sparse.csr_array, sizes: Ints) -> Ints:
    """For each group the value, or an amount of the tenth, that is most probable for how many people have it."""
    by_band = _add_columns(table, votes.bands)
    holders = np.asarray(sizes @ by_band, dtype=np.float64)
    band, _ = _largest(by_band, by_band.data / np.maximum(holders, 1e-300)[by_band.indices])
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    return _largest(table, np.where(votes.bands[table.indices] == band[rows], table.data, 0.0))[0]


def _add_columns(table: sparse.csr_array, groups: Ints) -> sparse.csr_array:
    """The sums of the columns of each group."""
    by_group = sparse.csr_array(table @ sparse.csr_array((np.ones(groups.size), (np.arange(groups.size), groups))))
    by_group.sort_indices()
    return by_group


def _largest(table: sparse.csr_array, scores: Floats) -> tuple[Ints, Floats]:
    """The column of the largest score of each row, and the score; the last column and 0 of an empty row."""
    place = np.full(table.shape[0], table.shape[1] - 1, dtype=np.int64)
    best = np.zeros(table.shape[0])
    some = np.flatnonzero(np.diff(table.indptr))
    if some.size:
        starts = table.indptr[some]
        best[some] = np.maximum.reduceat(scores, starts)
        rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        hits = np.flatnonzero(scores >= best[rows] - 1e-12)
        first = hits[np.searchsorted(rows[hits], some)]
        place[some] = table.indices[first]
    return place, np.minimum(best, 1.0)


def _window_sums(table: sparse.csr_array, first: Ints, last: Ints) -> Floats:
    """For each entry of a table, the sum of its row from column `first[c]` up to `last[c]`, where c is its column."""
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    width = table.shape[1] + 1
    keys = rows * width + table.indices
    sums = np.concatenate([[0.0], np.cumsum(table.data)])
    begin = np.searchsorted(keys, rows * width + first[table.indices])
    end = np.searchsorted(keys, rows * width + last[table.indices])
    return np.asarray(sums[end] - sums[begin])


class _GeneralKnowledge:
    """What goes with single known values that many people share."""

    def __init__(self, known: Microdata, candidates: Candidates | Mixture) -> None:
        self.candidates = candidates
        codes = [_shared_values(known.domain(name), known.codes(name)) for name in known.schema.names]
        self.codes = [column for column in codes if column.max(initial=-1) >= 0]

    def probability(self, table: sparse.csr_array, guess: _Guess) -> Floats:
        """[person]: the probability of the range that their group guesses, as the other groups tell it."""
        group, sizes = self.candidates.group_of, self.candidates.group_sizes
        table, first, last = _coarsen(table, guess)
        everybody = _cumulate(sizes @ table)
        others = np.maximum(group.size - sizes, 1)
        own = sizes * guess.share
        best = np.clip((everybody[last] - everybody[first] - own) / others, 0.0, 1.0)[group]
        for column in self.codes:
            shared = np.flatnonzero(column >= 0)
            width = int(column.max()) + 1
            keys, which, many = _count_keys(group[shared] * width + column[shared])
            pair_group, pair_value = keys // width, keys % width
            counts = sparse.csr_array((many.astype(np.float64), (pair_value, pair_group)), shape=(width, sizes.size))
            people: Floats = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
            # Nobody's own group counts.
            claimed = -many * guess.share[pair_group]
            for value in range(width):
                mine = np.flatnonzero(pair_value == value)
                sums, at = _cumulate(counts[[value]] @ table), pair_group[mine]
                claimed[mine] += sums[last[at]] - sums[first[at]]
            left = people[pair_value] - many
            share = np.where(left >= SHARED * group.size, claimed / np.maximum(left, 1), 0.0)
            best[shared] = np.maximum(best[shared], np.clip(share, 0.0, 1.0)[which])
        return best


def _coarsen(table: sparse.csr_array, guess: _Guess) -> tuple[sparse.csr_array, Ints, Ints]:
    """The table with neighbouring values as one, if there are many, and the ranges of the guesses in it."""
    width = table.shape[1]
    if width <= COARSE:
        return table, guess.first, guess.last
    cell_of = np.arange(width) * COARSE // width
    merge = sparse.csr_array((np.ones(width), (np.arange(width), cell_of)), shape=(width, COARSE))
    first = cell_of[np.minimum(guess.first, width - 1)]
    return sparse.csr_array(table @ merge), first, cell_of[guess.last - 1] + 1


def _cumulate(sums: Floats | sparse.csr_array) -> Floats:
    """[value]: the sum of those before it, and at the end of all."""
    row = sums.toarray() if sparse.issparse(sums) else sums
    return np.concatenate([[0.0], np.cumsum(np.asarray(row, dtype=np.float64).ravel())])


def _count_keys(keys: Ints) -> tuple[Ints, Ints, Ints]:
    unique, which, many = np.unique(keys, return_inverse=True, return_counts=True)
    return unique, which, many


def _shared_values(domain: Domain, codes: Ints) -> Ints:
    """[person]: the known value, or the fifth of all numbers in which it lies; -1 where few people share it."""
    if domain.ordinal and domain.positions.size > 4 * FIFTHS:
        ranks = (np.cumsum(domain.counts) - domain.counts / 2) / max(1, int(domain.counts.sum()))
        groups = np.floor(ranks * FIFTHS).astype(np.int64)
    else:
        groups = np.arange(len(domain.values))
    sizes = np.bincount(groups, domain.counts)
    number = np.cumsum(sizes >= SHARED * codes.size) - 1
    return np.where(sizes >= SHARED * codes.size, number, -1)[groups][codes].astype(np.int64)


def gather_candidates(
    classes: Ints, groups: Ints, row_weights: Floats, group_number: int
) -> tuple[sparse.csr_array, Ints]:
    """From pairs of a class of rows and a group of equal people whom it covers: [set of classes, class], with the weight of
    each row, and the set of each group. Groups that the same classes cover share a set.
    """
    marks = np.random.default_rng(0).integers(0, 1 << 64, row_weights.size, dtype=np.uint64)
    # Sums of random marks: two sets of classes have the same one by no chance that matters.
    sums = np.zeros(group_number, dtype=np.uint64)
    np.add.at(sums, groups, marks[classes])
    first, set_of = np.unique(sums, return_index=True, return_inverse=True)[1:]
    position = np.full(group_number, -1)
    position[first] = np.arange(first.size)
    one_each = position[groups] >= 0
    rows, columns = position[groups[one_each]], classes[one_each]
    shape = first.size, row_weights.size
    return sparse.csr_array((row_weights[columns], (rows, columns)), shape=shape), set_of
