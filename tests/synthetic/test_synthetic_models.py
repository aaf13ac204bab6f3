"""Model files are data: what they say is computed by hand, and what is no model is refused with a reason."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import FileError
from icefire.core.pipeline import Pipeline
from icefire.core.seeds import generator
from icefire.datasets.cohort import Cohort
from icefire.synthetic import model as models
from icefire.synthetic.anonymize.independent import Independent
from icefire.synthetic.attack.model_fit import ModelFit
from icefire.synthetic.data import People, Release
from icefire.synthetic.formats.ours import Ours
from icefire.synthetic.model import DEPTH, FILE, model_json, read_model, train
from icefire.synthetic.safety.auc import Auc
from icefire.synthetic.utility.model_accuracy import ModelAccuracy

TABLE = pl.DataFrame({"age": [30, 50, None], "sex": ["f", None, "m"], "ill": ["no", "yes", "no"]})
SMALL: dict[str, Any] = {
    "target": "ill",
    "classes": ["no", "yes"],
    "base": [1, 0.5],
    "trees": [
        [
            {"column": "age", "at_most": 40, "yes": 1, "no": 2},
            {"values": [0.25, 0]},
            {"column": "sex", "among": ["f", "x"], "yes": 4, "no": 3, "missing": "yes"},
            {"values": [10, 20]},
            {"values": [-1, 1]},
        ],
        [{"values": [0, 100]}],
    ],
}


def written(folder: Path, content: object) -> Path:
    path = folder / FILE
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_model_by_hand(tmp_path: Path) -> None:
    model = read_model(written(tmp_path, SMALL), TABLE)
    # 30: to the left. 50 and nobody knows what: right, and left there. No age: right, and as a man right again.
    assert model.outputs(TABLE).tolist() == [[1.25, 100.5], [0.0, 101.5], [11.0, 120.5]]
    assert model.predicted(TABLE).to_list() == ["yes"] * 3
    assert model.columns == ("age", "sex")
    chances = np.exp(model.outputs(TABLE)[1])
    assert model.fit(TABLE)[1] == pytest.approx(np.log(chances[1] / chances.sum()))
    assert (
        read_model(written(tmp_path, model_json(model)), TABLE).outputs(TABLE).tolist() == model.outputs(TABLE).tolist()
    )


@pytest.mark.parametrize("target", ["diagnosis", "cost"])
def test_a_trained_model_is_the_same_after_it_was_written(target: str, tmp_path: Path) -> None:
    rng = generator(1)
    members = Cohort(n=150).generate(rng).members
    gaps = pl.Series(rng.random(150) < 0.2)
    members = members.with_columns(
        job=pl.when(gaps).then(None).otherwise("job"), age=pl.when(gaps.reverse()).then(None).otherwise("age")
    )
    model = train(members, target, rounds=15)
    again = read_model(written(tmp_path, model_json(model)), members)
    other = Cohort(n=100).generate(generator(2)).members
    assert np.array_equal(again.outputs(members), model.outputs(members))
    assert again.predicted(other).equals(model.predicted(other))
    # Trees over codes and trees over values are the same trees.
    from icefire.synthetic.boosting import classifier, regressor
    from icefire.synthetic.encoding import binned

    names = [name for name in members.columns if name != target]
    codes = binned([members], names)
    texts = [not members[name].dtype.is_numeric() for name in names]
    if target == "cost":
        made = regressor(codes.tables[0], codes.sizes, texts, members[target].to_numpy(), rounds=15)
    else:
        classes = members[target].rank("dense").to_numpy().astype(int) - 1
        made = classifier(codes.tables[0], codes.sizes, texts, classes, len(model.classes), rounds=15)
    assert model.outputs(members) == pytest.approx(made.outputs(codes.tables[0]))


def changed(**parts: object) -> dict[str, Any]:
    return {**SMALL, **parts}


def tree(*nodes: object) -> dict[str, Any]:
    return changed(trees=[list(nodes)])


LEAF = {"values": [0, 0]}


def split(yes: object, no: object, **more: object) -> dict[str, object]:
    return {"column": "age", "at_most": 1, "yes": yes, "no": no, **more}


def chain(depth: int) -> list[object]:
    nodes: list[object] = []
    for level in range(depth):
        nodes += [split(2 * level + 2, 2 * level + 1), LEAF]
    return [*nodes, LEAF]


MALICIOUS: dict[str, tuple[object, str]] = {
    "code": ("__import__('os').system('true')", "not a model as JSON"),
    "a code as column": (
        tree({"column": "__import__('os')", "at_most": 1, "yes": 1, "no": 2}, LEAF, LEAF),
        "no column",
    ),
    "further keys": (changed(code="print(1)"), "and nothing else"),
    "a key of a node": (tree(split(1, 2, eval="1"), LEAF, LEAF), "a split has"),
    "deep nesting": ("[" * 200_000, "nested too deeply|not a model"),
    "deep objects": ('{"a":' * 200_000, "nested too deeply|not a model"),
    "a deep tree": (tree(*chain(DEPTH + 1)), "at most 64 splits"),
    "a circle": (tree(split(0, 1), LEAF), "the place of a node after it"),
    "a longer circle": (tree(split(1, 2), split(0, 2), LEAF), "the place of a node after it"),
    "two ways to a node": (tree(split(1, 1), LEAF), "two nodes lead to node 1"),
    "a node beyond the end": (tree(split(1, 9), LEAF), "below 2"),
    "a node nobody leads to": (tree(split(1, 2), LEAF, LEAF, LEAF), "no node before it leads here"),
    "a place that is no integer": (tree(split(True, 2), LEAF, LEAF), "the place of a node after it"),
    "no tree": (changed(trees=[[]]), "a list of nodes"),
    "a number for a tree": (changed(trees=[3]), "a list of nodes"),
    "not a number": (json.dumps(changed(base=[float("nan"), 0])), "NaN is not a number"),
    "endless": (json.dumps(changed(base=[float("inf"), 0])), "Infinity is not a number"),
    "beyond floats": (json.dumps(SMALL).replace("100", "1e999"), "not finite"),
    "a long integer": (json.dumps(SMALL).replace("100", "1" + "0" * 400), "not finite"),
    "a longer integer": (json.dumps(SMALL).replace("100", "9" * 5000), "not a model as JSON"),
    "texts for numbers": (tree({"values": ["0", "0"]}), "lists of 2 numbers"),
    "too few values": (tree({"values": [0]}), "lists of 2 numbers"),
    "a bound for texts": (tree({"column": "sex", "at_most": 1, "yes": 1, "no": 2}, LEAF, LEAF), "among for texts"),
    "its own target": (tree({"column": "ill", "among": ["no"], "yes": 1, "no": 2}, LEAF, LEAF), "its own target"),
    "an unknown target": (changed(target="fate"), "no column 'fate'"),
    "one class": (changed(classes=["no"]), "two or more that differ"),
    "the same class twice": (changed(classes=["no", "no"]), "two or more that differ"),
    "classes of a number": (changed(target="age"), "do not fit"),
    "a list": ([1, 2], "and nothing else"),
    "nothing": ("", "not a model as JSON"),
}


@pytest.mark.parametrize("name", MALICIOUS)
def test_what_is_no_model_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    content, reason = MALICIOUS[name]
    with pytest.raises(FileError, match=reason):
        read_model(written(tmp_path, content), TABLE)


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
            return (Path.touch, (tmp_path / "exploded",))  # type: ignore[return-value]

    path = tmp_path / FILE
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(FileError, match="not a model as JSON"):
        read_model(path, TABLE)
    assert not (tmp_path / "exploded").exists()


def test_a_huge_model_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, SMALL)
    with monkeypatch.context() as patch:
        patch.setattr(models, "BYTES", 100)
        with pytest.raises(FileError, match="at most 100 bytes"):
            read_model(path, TABLE)
    for limit in ("NODES", "TREES"):
        with monkeypatch.context() as patch:
            patch.setattr(models, limit, 1)
            with pytest.raises(FileError, match="at most"):
                read_model(path, TABLE)
    with path.open("wb") as file:
        file.truncate(models.BYTES + 1)
    with pytest.raises(FileError, match=r"at most 32,000,000 bytes, and this file 32,000,001"):
        read_model(path, TABLE)


def test_the_deepest_tree_that_is_allowed_is_read(tmp_path: Path) -> None:
    model = read_model(written(tmp_path, tree(*chain(DEPTH))), TABLE)
    assert model.outputs(TABLE).shape == (3, 2)


def test_a_model_is_handed_out_with_the_release_and_attacked(tmp_path: Path) -> None:
    plain = Cohort(n=200).generate(generator(1))
    people = plain.with_model(train(plain.members, "diagnosis"))
    release = Pipeline((Independent(),)).anonymize(people, generator(2))
    Ours().write_release(release, tmp_path, {})
    assert (tmp_path / FILE).is_file()
    again = Ours().read_release(tmp_path)
    assert again.original.model is not None
    published, knowledge = Ours().read_handout(tmp_path)
    assert knowledge.model is not None
    guess = ModelFit().attack(published, knowledge, generator(3))
    score = Auc().measure(Release(people, published), guess)
    assert score.interval is not None
    assert score.interval.low > 0.5
    # The same model tells nothing about people whom it was not trained on.
    fresh = Cohort(n=400).generate(generator(4))
    others = People(fresh.members, fresh.control, fresh.schema, model=people.model)
    unknown = ModelFit().attack(others.members, others.knowledge, generator(3))
    score = Auc().measure(Release(others, others.members), unknown)
    assert score.interval is not None
    assert score.interval.low <= 0.5 <= score.interval.high
    detail = ModelAccuracy().measure(people, release).detail
    assert 0.3 < float(detail["model handed out"]) < 1.0  # type: ignore[arg-type]
    (tmp_path / FILE).write_text("[]")
    with pytest.raises(FileError, match="and nothing else"):
        Ours().read_release(tmp_path)
