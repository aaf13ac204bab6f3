"""Models that are data: sums of decision trees in a JSON file, read with bounds and never run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from scipy.special import expit

from icefire.core.errors import DataError
from icefire.synthetic.data import Floats

MOST_NODES, DEEPEST, LARGEST = 100_000, 64, 20_000_000
LEAF, BRANCH = {"value"}, ({"column", "at", "yes", "no"}, {"column", "is", "yes", "no"})
ROUNDS, RATE, CUTS = 30, 0.3, 16


@dataclass(frozen=True)
class Model:
    """Log odds: a number, and what the leaves of all trees add."""

    target: str
    base: float
    trees: tuple[Mapping[str, object], ...]

    def chances(self, table: pl.DataFrame) -> Floats:
        """[row]: how probable the target is."""
        total = np.full(table.height, self.base)
        for tree in self.trees:
            pending: list[tuple[Mapping[str, object], np.ndarray]] = [(tree, np.arange(table.height))]
            while pending:
                node, rows = pending.pop()
                if "value" in node:
                    total[rows] += float(str(node["value"]))
                    continue
                asked = _asked(node, table)[rows]
                pending += [(_branch(node, "yes"), rows[asked]), (_branch(node, "no"), rows[~asked])]
        return np.asarray(expit(np.clip(total, -700, 700)))


def read_model(path: Path, table: pl.DataFrame) -> Model:
    """The model in a file, for the columns of a table; DataError says what is wrong with it.

    {"target": "stroke", "base": -2.0, "trees": [{"column": "age", "at": 60, "yes": {"value": -1}, "no": {"value": 0.5}}]}
    asks whether the age is at most 60; for texts, "is" takes the place of "at".
    """
    if not path.is_file():
        raise DataError(f"{path.name} is missing")
    if path.stat().st_size > LARGEST:
        raise DataError(f"{path.name} has more than {LARGEST:,} bytes")
    try:
        document = json.loads(path.read_bytes().decode("utf-8-sig"), parse_constant=_refused)
    except RecursionError:
        raise DataError(
            f"{path.name} is nested too deeply: trees have at most {DEEPEST} questions above a leaf"
        ) from None
    except (ValueError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name} is not JSON: {str(error)[:100]}") from None
    match document:
        case {"target": str(target), "base": int() | float() as base, "trees": list(trees), **rest} if not rest:
            pass
        case _:
            raise DataError(f"{path.name} must hold target, base and trees, and nothing else")
    if target not in table.columns:
        raise DataError(f"{path.name}: there is no column {target!r}")
    _check_trees(path.name, trees, table)
    return Model(target, _number(path.name, base), tuple(trees))


def _check_trees(where: str, trees: Sequence[object], table: pl.DataFrame) -> None:
    pending, seen = [(tree, 0) for tree in trees], 0
    while pending:
        node, depth = pending.pop()
        seen += 1
        if seen > MOST_NODES:
            raise DataError(f"{where} has more than {MOST_NODES:,} nodes")
        if depth > DEEPEST:
            raise DataError(f"{where} is nested too deeply: trees have at most {DEEPEST} questions above a leaf")
        if not isinstance(node, dict) or set(node) not in (LEAF, *BRANCH):
            raise DataError(f"{where}: a node is a value, or a column with at or is, yes and no")
        if "value" in node:
            _number(where, node["value"])
            continue
        name = node["column"]
        if not isinstance(name, str) or name not in table.columns:
            raise DataError(f"{where}: there is no column {str(name)[:40]!r}")
        if ("at" in node) != table[name].dtype.is_numeric():
            raise DataError(f"{where}: {name} is asked by {'at' if table[name].dtype.is_numeric() else 'is'}")
        if "at" in node:
            _number(where, node["at"])
        elif not isinstance(node["is"], str):
            raise DataError(f"{where}: {name} holds texts")
        pending += [(node["yes"], depth + 1), (node["no"], depth + 1)]


def _number(where: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise DataError(f"{where}: {str(value)[:40]!r} is not a number below a billion")
    return float(value)


def _refused(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _asked(node: Mapping[str, object], table: pl.DataFrame) -> np.ndarray:
    column = table[str(node["column"])]
    asked = column <= float(str(node["at"])) if "at" in node else column == str(node["is"])
    return np.asarray(asked.fill_null(False).to_numpy())


def _branch(node: Mapping[str, object], name: str) -> Mapping[str, object]:
    branch = node[name]
    assert isinstance(branch, dict)
    return branch


def trained(table: pl.DataFrame, target: str, positive: str) -> bytes:
    """The file of a small model, boosted from one question at a time."""
    told = (table[target] == positive).to_numpy().astype(np.float64)
    rate = np.clip(told.mean(), 1e-3, 1 - 1e-3)
    base = float(np.log(rate / (1 - rate)))
    score, trees = np.full(table.height, base), []
    questions: list[dict[str, object]] = []
    for name in table.columns:
        if name != target and table[name].dtype.is_numeric():
            cuts = np.unique(np.quantile(table[name].to_numpy(), np.linspace(0.05, 0.95, CUTS)))
            questions += [{"column": name, "at": round(float(cut), 6)} for cut in cuts]
        elif name != target:
            questions += [{"column": name, "is": value} for value in sorted(table[name].unique())]
    asked = np.stack([_asked(question, table) for question in questions], axis=1).astype(np.float64)
    for _ in range(ROUNDS):
        chance = expit(score)
        slope, bend = told - chance, chance * (1 - chance)
        yes, no = slope @ asked, slope.sum() - slope @ asked
        weight = bend @ asked
        values = np.stack([yes / (weight + 1), no / (bend.sum() - weight + 1)])
        best = int((values[0] * yes + values[1] * no).argmax())
        left, right = (round(float(RATE * value), 6) for value in values[:, best])
        score += np.where(asked[:, best] > 0, left, right)
        trees.append({**questions[best], "yes": {"value": left}, "no": {"value": right}})
    return json.dumps({"target": target, "base": round(base, 6), "trees": trees}).encode()
