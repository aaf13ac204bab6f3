from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import icefire
from icefire.core import registry as registry_module
from icefire.core.errors import FileError, InputError, UnknownName
from icefire.core.registry import ENTRY_POINT_GROUP, Registry

PLUGIN = '''
"""Guesses the row of the same number."""

from dataclasses import dataclass

import numpy as np

from icefire.microdata.data import Guess
from icefire.microdata.roles import Attack


@dataclass(frozen=True)
class SameNumber(Attack):
    """Guess that nothing was shuffled."""

    def attack(self, published, knowledge, rng):
        return Guess(np.arange(published.height) % knowledge.height)
'''


def test_the_scan_finds_every_method_once(registry: Registry) -> None:
    names = [(method.kind, method.role, method.name) for method in registry.methods()]
    assert len(names) == len(set(names))
    files = Path(icefire.__path__[0]) / "microdata"
    for role in ("anonymize", "attack", "utility", "safety"):
        modules = {path.stem for path in (files / role).glob("[!_]*.py")}
        assert modules == {name for kind, r, name in names if (kind, r) == ("microdata", role)}


def test_papers_names_work(registry: Registry) -> None:
    assert registry.find("microdata", "utility", "U5").name == "information_loss"
    assert registry.find("microdata", "safety", "k-anonyMean").name == "k_anonymity_mean"
    assert registry.find("microdata", "attack", "IdSA").name == "id_sa"


def test_a_typing_error_gets_a_suggestion(registry: Registry) -> None:
    with pytest.raises(UnknownName, match=r"no attack for microdata 'eucld'; did you mean 'euclid'\?.*icefire list"):
        registry.find("microdata", "attack", "eucld")
    with pytest.raises(UnknownName, match="no kind of data 'microdat'; did you mean 'microdata'"):
        registry.methods("microdat")


def test_a_plugin_file_adds_a_method(tmp_path: Path) -> None:
    file = tmp_path / "same_number.py"
    file.write_text(PLUGIN)
    registry = Registry()
    registry.add_plugin(file)
    assert registry.make("microdata", "attack", "same_number").step() == "same_number"
    assert "same_number" not in [method.name for method in Registry().methods()]


def test_what_is_no_plugin_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no plugin file"):
        Registry().add_plugin(tmp_path / "absent.py")
    empty = tmp_path / "empty.py"
    empty.write_text("")
    with pytest.raises(InputError, match="holds no method"):
        Registry().add_plugin(empty)


def test_an_entry_point_adds_a_method(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "outside_attack.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("outside_attack", "outside_attack", ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry_module, "entry_points", lambda group: [point] if group == ENTRY_POINT_GROUP else [])
    assert Registry().find("microdata", "attack", "outside_attack").summary() == "Guess that nothing was shuffled."


def test_an_unfinished_method_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "unfinished.py"
    file.write_text(PLUGIN.replace("def attack(", "def atack("))
    with pytest.raises(InputError, match=r"SameNumber in .*unfinished\.py does not define attack$"):
        Registry().add_plugin(file)
    metric = """
from dataclasses import dataclass
from icefire.microdata.roles import Utility

@dataclass(frozen=True)
class NoScale(Utility):
    def measure(self, original, release):
        return self.score(0.0)
"""
    (tmp_path / "no_scale.py").write_text(metric)
    with pytest.raises(InputError, match=r"NoScale in .*no_scale\.py declares no scale"):
        Registry().add_plugin(tmp_path / "no_scale.py")
