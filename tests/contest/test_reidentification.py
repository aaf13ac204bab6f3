"""Guesses of several levels of knowledge, and answers to one task alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from icefire.contest.config import Config, Dataset, Task
from icefire.contest.configfile import load_config
from icefire.contest.game import Files
from icefire.contest.reidentification import Reidentification
from icefire.core.errors import DataError
from icefire.core.registry import Registry
from icefire.core.values import Score


class Table:
    """A contest with one release that is open to attack."""

    def __init__(self, registry: Registry, folder: Path, name: str, source: str, step: str) -> None:
        whole = load_config(Path(name))
        self.folder = folder
        self.dataset: Dataset = whole.sets[0].model_copy(update={"source": source, "require": (), "utility": ()})
        self.config: Config = whole.model_copy(update={"sets": (self.dataset,)})
        self.game = Reidentification(registry, self.config)
        problem = self.game.deal(self.dataset, self.new("problem"), np.random.default_rng(1))
        sent = self.put("sent", self.game.bot_release(problem.files, [step], np.random.default_rng(2)))
        self.private = self.new("private")
        self.handout: Files = self.game.publish(
            self.dataset, folder / "problem", sent, self.private, [], np.random.default_rng(3)
        ).public

    def new(self, name: str) -> Path:
        (self.folder / name).mkdir()
        return self.folder / name

    def put(self, name: str, files: Files) -> Path:
        folder = self.new(name)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        return folder

    def judged(self, name: str, files: Files) -> dict[str, float | str]:
        self.game.check_guess(self.handout, self.put(f"{name}-checked", files))
        measures = self.game.judge(self.dataset, self.private, "aoi", self.put(name, files))
        return {task: m.value if isinstance(m, Score) else m.reason for task, m in measures.items()}


@pytest.fixture(scope="module")
def tables(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("tables")
    return Table(registry, folder, "pwscup2017", "purchases(n=25)", "pseudonyms")


def test_a_guess_for_each_table(tables: Table) -> None:
    guess = tables.game.bot_guess(tables.handout, "key_match(key=S5)", np.random.default_rng(4))
    names = [f"Fh_T{percent}.csv" for percent in (25, 50, 75, 100)]
    assert set(names) <= set(guess)
    found = tables.judged("four", guess)
    values = [found[task] for task in ("t25", "t50", "t75", "t100")]
    assert float(values[0]) < float(values[-1])
    # The judge's own attacks know the same tables.
    baseline = tables.game.baseline(tables.dataset, tables.private, "key_match(key=S5)", np.random.default_rng(4))
    assert [m.value for m in baseline.values() if isinstance(m, Score)] == values
    some = tables.judged("two", {name: guess[name] for name in names[:2]})
    assert (some["t25"], some["t50"], some["t75"]) == (*values[:2], "no guess from T75 was sent")
    # A single guess is an answer to every table.
    alone = tables.judged("one", {"Fh_mine.csv": guess[names[3]]})
    assert alone == {task: found["t100"] if task.startswith("t") else found[task] for task in found}
    with pytest.raises(DataError, match=r"Fh_mine.csv: several guesses are called by what they know: Fh_T25.csv"):
        tables.judged("odd", {"Fh_mine.csv": guess[names[3]], names[0]: guess[names[0]]})


def test_attackers_that_do_not_exist(registry: Registry) -> None:
    config = load_config(Path("pwscup2017"))
    task: Task = config.sets[0].tasks[0].model_copy(update={"attacker": "T33"})
    wrong = config.model_copy(update={"sets": (config.sets[0].model_copy(update={"tasks": (task,)}),)})
    ((where, what),) = Reidentification.check(registry, wrong)
    assert where == ("sets", 0, "tasks", 0, "attacker")
    assert "T33" in what


def test_an_answer_to_one_task_alone(registry: Registry, tmp_path: Path) -> None:
    walks = Table(registry, tmp_path, "pwscup2019", "walks(n=20)", "krr(epsilon=8)")
    guess = walks.game.bot_guess(walks.handout, "visit_prob", np.random.default_rng(4))
    whole = walks.judged("both", guess)
    users = walks.judged("users", {name: guess[name] for name in guess if name.startswith("etable")})
    assert users == {"identity": whole["identity"], "traces": "the guess names users and no regions"}
    regions = walks.judged("regions", {name: guess[name] for name in guess if name.startswith("etraces")})
    assert regions == {"identity": "the guess names regions and no users", "traces": whole["traces"]}
    with pytest.raises(DataError, match="0 guesses were sent"):
        walks.judged("nothing", {})
