"""Models that are handed out beside a table, or instead of one: ensembles of decision trees as JSON.

A model file is data. It is read by `json` and checked node by node; nothing in it is ever executed or unpickled.

{"target": "ill", "classes": ["no", "yes"], "base": [0.4, -0.4],
 "trees": [[{"column": "age", "at_most": 41.5, "yes": 1, "no": 2},
            {"values": [0.1, -0.1]},
            {"column": "sex", "among": ["f"], "yes": 3, "no": 4, "missing": "yes"},
            {"values": [0.0, 0.0]}, {"values": [-0.2, 0.2]}]]}

Outputs are the sums of the values of the leaves that a row falls into, one for each class: the logarithms of their odds. A
model of a number has no classes and one output. `yes` and `no` are places of nodes in their tree, which come after the node
itself; a row whose cell is missing goes to `no` unless `missing` says "yes".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
from scipy.special import softmax

from icefire.core.documents import Json
from icefire.core.errors import FileError
from icefire.synthetic.boosting import ROUNDS, classifier, regressor
from icefire.synthetic.data import Floats, Ints, Mask
from icefire.synthetic.encoding import BINS, binned, edges_of
from icefire.synthetic.trees import NONE, Tree

FILE = "model.json"
BYTES, TREES, NODES, DEPTH = 32_000_000, 10_000, 1_000_000, 64
"""Most bytes of a file, trees of a model, nodes of all trees together, and splits above a leaf."""
MODEL_KEYS, SPLIT_KEYS = {"target", "classes", "base", "trees"}, {"column", "yes", "no", "missing"}


@dataclass(frozen=True)
class Branches:
    """One tree; node 0 is the root."""

    columns: tuple[str | None, ...]
    """[node]: the column that decides; None for a leaf."""
    bounds: Floats
    """[node]: rows with a number up to this go to `yes`; NaN where texts decide."""
    among: Mapping[int, frozenset[str]]
    """[node]: rows with one of these texts go to `yes`."""
    missing: Mask
    """[node]: whether rows with a missing cell go to `yes`."""
    yes: Ints
    no: Ints
    values: Floats
    """[node, output]: what a leaf adds."""

    def outputs(self, cells: Mapping[str, _Column], rows: int) -> Floats:
        """[row, output]."""
        nodes = np.zeros(rows, dtype=np.int64)
        moving = np.arange(rows)
        while moving.size:
            # Rows of one node lie together, and a node that no row reaches costs nothing.
            moving = moving[np.argsort(nodes[moving], kind="stable")]
            begins = np.flatnonzero(np.diff(nodes[moving], prepend=-1))
            further = []
            for part in np.split(moving, begins[1:]):
                node = int(nodes[part[0]])
                name = self.columns[node]
                if name is not None:
                    goes = self._goes(node, cells[name], part)
                    nodes[part] = np.where(goes, self.yes[node], self.no[node])
                    further.append(part)
            moving = np.concatenate(further) if further else moving[:0]
        return self.values[nodes]

    def _goes(self, node: int, column: _Column, rows: Ints) -> Mask:
        """[row]: whether they go to `yes`."""
        missing = bool(self.missing[node])
        if node not in self.among:
            numbers = column.numbers[rows]
            return np.where(np.isnan(numbers), missing, numbers <= self.bounds[node])
        met = np.zeros(len(column.texts) + 1, dtype=np.bool_)
        met[[column.texts[text] for text in self.among[node] if text in column.texts]] = True
        met[-1] = missing
        return met[column.codes[rows]]


@dataclass(frozen=True)
class _Column:
    """A column of a table that a model is applied to."""

    numbers: Floats
    """[row]: NaN if missing; nothing of texts."""
    codes: Ints
    """[row]: the place of the text, after the last one if missing; nothing of numbers."""
    texts: Mapping[str, int]

    @classmethod
    def of(cls, column: pl.Series) -> _Column:
        if column.dtype.is_numeric():
            numbers = column.cast(pl.Float64).fill_null(float("nan")).to_numpy()
            return cls(numbers, np.zeros(0, dtype=np.int64), {})
        texts = column.unique().drop_nulls().sort()
        codes = column.cast(pl.Enum(texts)).to_physical().cast(pl.Int64).fill_null(len(texts)).to_numpy()
        return cls(np.zeros(0), codes, {text: place for place, text in enumerate(texts)})


@dataclass(frozen=True)
class Model:
    """A sum of trees that tells a column from others."""

    target: str
    classes: tuple[str, ...]
    """The texts of the target; empty if it is a number."""
    base: Floats
    trees: tuple[Branches, ...] = field(repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it asks for."""
        return tuple(dict.fromkeys(name for tree in self.trees for name in tree.columns if name is not None))

    def outputs(self, table: pl.DataFrame) -> Floats:
        """[row, output]."""
        total, cells = np.tile(self.base, (table.height, 1)), {name: _Column.of(table[name]) for name in self.columns}
        for tree in self.trees:
            total += tree.outputs(cells, table.height)
        return total

    def predicted(self, table: pl.DataFrame) -> pl.Series:
        """[row]: the most probable class, or the number."""
        outputs = self.outputs(table)
        if not self.classes:
            return pl.Series(self.target, outputs[:, 0])
        return pl.Series(self.target, self.classes).gather(outputs.argmax(axis=1))

    def fit(self, table: pl.DataFrame) -> Floats:
        """[row]: how well the model fits the row's own target: the logarithm of its chance, or minus the squared error. The
        least of all where the target is missing or unknown."""
        outputs, truth = self.outputs(table), table[self.target]
        if not self.classes:
            errors = (truth.cast(pl.Float64).fill_null(float("nan")).to_numpy() - outputs[:, 0]) ** 2
            return -np.asarray(np.where(np.isnan(errors), np.nanmax(errors, initial=0.0), errors))
        chances = np.log(np.maximum(softmax(outputs, axis=1), 1e-300))
        found = chances.min(axis=1)
        for place, text in enumerate(self.classes):
            own = truth.eq_missing(text).to_numpy()
            found[own] = chances[own, place]
        return np.asarray(found)


def train(table: pl.DataFrame, target: str, rounds: int = ROUNDS, bins: int = BINS) -> Model:
    """A boosted model of a column by all others, such as a defender may hand out.

    >>> table = pl.DataFrame({"a": [1, 2, 3, 4] * 10, "ill": ["no", "no", "yes", "yes"] * 10})
    >>> train(table, "ill").predicted(pl.DataFrame({"a": [0, 9]})).to_list()
    ['no', 'yes']
    """
    table = table.filter(pl.col(target).is_not_null())
    names = [name for name in table.columns if name != target]
    codes = binned([table], names, bins)
    categorical = [not table[name].dtype.is_numeric() for name in names]
    meaning = [
        table[name].unique().drop_nulls().sort().to_list() if texts else edges_of(table[name], bins)
        for name, texts in zip(names, categorical, strict=True)
    ]
    if table[target].dtype.is_numeric():
        classes: list[str] = []
        numbers = table[target].cast(pl.Float64).to_numpy()
        made = regressor(codes.tables[0], codes.sizes, categorical, numbers, rounds)
    else:
        classes = table[target].unique().sort().to_list()
        own = table[target].cast(pl.Enum(classes)).to_physical().to_numpy().astype(np.int64)
        made = classifier(codes.tables[0], codes.sizes, categorical, own, len(classes), rounds)
    trees = [_branches(tree, values, names, meaning) for tree, values in zip(made.trees, made.values, strict=True)]
    return Model(target, tuple(classes), made.base, tuple(trees))


def _branches(tree: Tree, values: Floats, names: Sequence[str], meaning: Sequence[Sequence[str] | Floats]) -> Branches:
    """A tree over codes as one over values."""
    bounds, among = np.full(tree.columns.size, np.nan), {}
    missing = np.zeros(tree.columns.size, dtype=np.bool_)
    for node in np.flatnonzero(tree.columns != NONE):
        held = meaning[tree.columns[node]]
        end = tree.starts[node] + len(held)
        if isinstance(held, np.ndarray):
            # The codes are the bins between the edges; the one after those is for missing cells, which go right.
            goes_left = tree.left[tree.starts[node] : end]
            bounds[node] = held[int(goes_left.sum()) - 1]
        else:
            goes_left = tree.left[tree.starts[node] : end]
            among[int(node)] = frozenset(text for text, goes in zip(held, goes_left, strict=True) if goes)
            missing[node] = end < tree.left.size and bool(tree.left[end]) and _has_missing(tree, int(node), len(held))
    columns = tuple(None if column == NONE else names[column] for column in tree.columns)
    return Branches(columns, bounds, among, missing, tree.children, tree.children + 1, values)


def _has_missing(tree: Tree, node: int, texts: int) -> bool:
    """Whether the codes of the node's column include one for missing cells."""
    later = tree.starts[tree.starts > tree.starts[node]]
    end = int(later.min()) if later.size else tree.left.size
    return end - int(tree.starts[node]) > texts


def model_json(model: Model) -> str:
    """The text of a model file."""
    trees = []
    for tree in model.trees:
        nodes: list[Json] = []
        for node, name in enumerate(tree.columns):
            if name is None:
                nodes.append({"values": tree.values[node].tolist()})
                continue
            test: dict[str, Json] = {"column": name}
            if node in tree.among:
                test["among"] = list[Json](sorted(tree.among[node]))
            else:
                test["at_most"] = float(tree.bounds[node])
            test |= {"yes": int(tree.yes[node]), "no": int(tree.no[node])}
            nodes.append({**test, **({"missing": "yes"} if tree.missing[node] else {})})
        trees.append(nodes)
    content = {"target": model.target, "classes": list(model.classes), "base": model.base.tolist(), "trees": trees}
    return json.dumps(content, ensure_ascii=False) + "\n"


def read_model(path: Path, like: pl.DataFrame) -> Model:
    """Read a model of columns of a table; FileError with the reason if it is anything else."""
    size = path.stat().st_size
    if size > BYTES:
        raise FileError(f"{path}: a model has at most {BYTES:,} bytes, and this file {size:,}")
    try:
        content = json.loads(path.read_bytes(), parse_constant=_refused)
    except RecursionError as error:
        raise FileError(f"{path}: nested too deeply for a model") from error
    except ValueError as error:
        raise FileError(f"{path}: not a model as JSON: {error}") from error
    return _Reader(path, like).model(content)


def _refused(word: str) -> float:
    raise ValueError(f"{word} is not a number of JSON")


@dataclass(frozen=True)
class _Reader:
    """Checks a model on the way in."""

    path: Path
    like: pl.DataFrame

    def fault(self, why: str) -> FileError:
        return FileError(f"{self.path}: {why}")

    def model(self, content: object) -> Model:
        if not isinstance(content, dict) or set(content) != MODEL_KEYS:
            raise self.fault("a model is an object with target, classes, base and trees, and nothing else")
        target = self._column(content["target"])
        classes = content["classes"]
        if not isinstance(classes, list) or not all(isinstance(text, str) for text in classes):
            raise self.fault("classes must be a list of texts")
        if len(set(classes)) < len(classes) or len(classes) == 1:
            raise self.fault("classes must be none for a number, or two or more that differ")
        if bool(classes) == self.like[target].dtype.is_numeric():
            raise self.fault(f"the column {target!r} and classes do not fit: texts have classes, and numbers have none")
        base = self._numbers(content["base"], max(1, len(classes)))
        trees = content["trees"]
        if not isinstance(trees, list) or not all(isinstance(tree, list) and tree for tree in trees):
            raise self.fault("trees must be a list of trees, and each of those a list of nodes")
        if len(trees) > TREES or sum(map(len, trees)) > NODES:
            raise self.fault(f"a model has at most {TREES:,} trees and {NODES:,} nodes")
        made = tuple(self._tree(tree, place, target, base.size) for place, tree in enumerate(trees, start=1))
        return Model(target, tuple(classes), base, made)

    def _column(self, name: object) -> str:
        if not isinstance(name, str) or name not in self.like.columns:
            raise self.fault(f"there is no column {str(name)[:80]!r} in the table")
        return name

    def _numbers(self, given: object, number: int) -> Floats:
        if not isinstance(given, list) or len(given) != number or not all(type(x) in (int, float) for x in given):
            raise self.fault(f"base and values must be lists of {number} numbers, one for each class")
        found = np.array([_float(x) for x in given])
        if not np.isfinite(found).all() or np.abs(found).max(initial=0.0) > 1e100:
            raise self.fault("a number of the model is not finite, or beyond all measure")
        return found

    def _tree(self, nodes: list[object], place: int, target: str, outputs: int) -> Branches:
        number = len(nodes)
        columns: list[str | None] = [None] * number
        bounds, missing = np.full(number, np.nan), np.zeros(number, dtype=np.bool_)
        yes, no = np.zeros(number, dtype=np.int64), np.zeros(number, dtype=np.int64)
        values, depths = np.zeros((number, outputs)), np.full(number, NONE)
        among: dict[int, frozenset[str]] = {}
        depths[0] = 0
        for node, entry in enumerate(nodes):
            where = f"tree {place}, node {node}"
            if not isinstance(entry, dict):
                raise self.fault(f"{where}: a node is an object")
            if depths[node] == NONE:
                raise self.fault(f"{where}: no node before it leads here")
            if set(entry) == {"values"}:
                values[node] = self._numbers(entry["values"], outputs)
                continue
            columns[node] = self._column(entry.get("column"))
            if columns[node] == target:
                raise self.fault(f"{where}: the model asks for its own target")
            self._test(entry, node, where, bounds, among)
            missing[node] = entry.get("missing", "no") == "yes"
            for side, children in (("yes", yes), ("no", no)):
                child = entry.get(side)
                if type(child) is not int or not node < child < number:
                    raise self.fault(f"{where}: {side} must be the place of a node after it, below {number}")
                if depths[child] != NONE:
                    raise self.fault(f"{where}: two nodes lead to node {child}, and a tree has no such ways or circles")
                if depths[node] >= DEPTH:
                    raise self.fault(f"{where}: a tree has at most {DEPTH} splits above a leaf")
                children[node], depths[child] = child, depths[node] + 1
        return Branches(tuple(columns), bounds, among, missing, yes, no, values)

    def _test(
        self, entry: Mapping[str, object], node: int, where: str, bounds: Floats, among: dict[int, frozenset[str]]
    ) -> None:
        tests = set(entry) - SPLIT_KEYS
        numeric = self.like[str(entry["column"])].dtype.is_numeric()
        if tests != ({"at_most"} if numeric else {"among"}) or entry.get("missing", "no") not in ("yes", "no"):
            raise self.fault(f"{where}: a split has column, yes, no, and at_most for numbers or among for texts")
        if numeric:
            bounds[node] = self._numbers([entry["at_most"]], 1)[0]
            return
        texts = entry["among"]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise self.fault(f"{where}: among must be a list of texts")
        among[node] = frozenset(texts)


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf")
