"""Contests on data of the organizer's own, with metrics of their own."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from icefire.contest.backup import back_up, restore
from icefire.contest.bots import defend
from icefire.contest.clock import ManualClock
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.rehearsal import Rehearsal
from icefire.contest.sandbox import Sandbox
from icefire.contest.state import Place
from icefire.contest.workers import run_inline
from icefire.core.errors import FileError, InputWarning
from icefire.core.registry import Registry

KINDS = {
    "microdata": ("households(n=90)", "information_loss", "re_identification", "sort", "mondrian(k=5)"),
    "history": ("purchases(n=30, items=200)", "item_similarity", "re_identification", "jaccard", "pseudonyms"),
    "trace": ("walks(n=40)", "closeness", "id_safety", "visit_prob", "krr(epsilon=8)"),
}
PLUGIN = '''
from dataclasses import dataclass
from typing import ClassVar
from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale
from icefire.microdata.roles import Utility

@dataclass(frozen=True)
class OwnLoss(Utility):
    """The share of rows that are gone."""
    scale: ClassVar[Scale] = BAD_SHARE
    def measure(self, original, release):
        return self.score(1 - release.published.height / original.height)
'''


def contest_file(folder: Path, kind: str, source: str, utility: str = "") -> Path:
    """A contest of one round with two bots."""
    _, metric, task, attack, step = KINDS[kind]
    loss = utility or metric
    file = folder / "own.toml"
    file.write_text(
        f"""
name = "Our own"
kind = "{kind}"
[scoring]
rule = "weighted"
weights = {{ "worst.people.identity" = 1.0 }}
[[sets]]
name = "people"
source = "{source}"
per_team = {str(kind == "trace").lower()}
utility = ["{loss}"]
[[sets.tasks]]
name = "identity"
metric = "{task}"
baselines = ["{attack}"]
[[rounds]]
name = "only"
defence = {{ opens = 2026-01-01T09:00:00Z, closes = 2026-01-01T10:00:00Z }}
attack = {{ opens = 2026-01-01T10:00:00Z, closes = 2026-01-01T11:00:00Z }}
[[bots]]
name = "Ice"
defend = ["{step}"]
attack = "{attack}"
[[bots]]
name = "Fire"
defend = ["{step}"]
attack = "{attack}"
""",
        encoding="utf-8",
    )
    return file


def own_data(folder: Path, kind: str) -> Path:
    registry = Registry()
    original = registry.make(kind, "dataset", KINDS[kind][0]).generate(np.random.default_rng(1))
    registry.format(kind).write_original(original, folder)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_a_contest_on_a_folder_of_ones_own(kind: str, tmp_path: Path) -> None:
    own_data(tmp_path / "data", kind)
    draw = ", people=25" if kind == "trace" else ""
    file = contest_file(tmp_path, kind, f"file(path='data'{draw})")
    config = load_config(file, opened=True)
    with Rehearsal(tmp_path / "c", config, seed=1) as play:
        # The contest has its own copy, wherever it is run.
        shutil.rmtree(tmp_path / "data")
        outcome = play.play()
        assert play.contest.state().contest.sets[0].source == f"file(path='data'{draw})"
    totals = [row["total"] for row in outcome["total"]["defenders"]]
    assert len(totals) == 2
    assert all(total is not None for total in totals)
    assert outcome["alarms"] == []


@pytest.mark.parametrize("page", ["contests.md", "ja/contests.md"])
def test_the_file_of_the_documentation(page: str, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text("utf-8")
    file = tmp_path / "own.toml"
    file.write_text(text.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    own_data(tmp_path / "data", "microdata")
    with Rehearsal(tmp_path / "c", load_config(file, opened=True), seed=1) as play:
        outcome = play.play()
    assert outcome["final"]
    assert outcome["alarms"] == []
    assert all(row["total"] for row in outcome["total"]["defenders"])


def test_a_table_with_its_schema(tmp_path: Path) -> None:
    own_data(tmp_path, "microdata")
    table, schema = tmp_path / "original.csv", tmp_path / "schema.toml"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "people (1).csv").write_bytes(table.read_bytes())
    (tmp_path / "kinds.toml").write_bytes(schema.read_bytes())
    file = contest_file(tmp_path, "microdata", "file(path='sub/people (1).csv', schema='kinds.toml', people=50)")
    with Contest.create(tmp_path / "c", load_config(file, opened=True)) as contest:
        team = contest.teams.add("Ann")
        run_inline(contest)
        problem = contest.state().dealt[Place(0, team, "people")]
        assert problem.summary["people"] == 50
        back_up(contest, tmp_path / "c.tar.gz")
    with restore(tmp_path / "c.tar.gz", tmp_path / "d") as other:
        other.teams.add("Bob")
        run_inline(other)
        assert len(other.state().dealt) == 2
        assert not other.state().alarms


def test_names_of_people_are_not_dealt(tmp_path: Path) -> None:
    (tmp_path / "staff.csv").write_text("name,age,pay\nAnn,30,100\nBob,41,220\nCy,52,300\n", encoding="utf-8")
    (tmp_path / "schema.toml").write_text('identifying = ["name"]\nqi = ["age"]\nsa = ["pay"]\n', encoding="utf-8")
    file = contest_file(tmp_path, "microdata", "file(path='staff.csv')")
    with Contest.create(tmp_path / "c", load_config(file)) as contest:
        team = contest.teams.add("Red")
        run_inline(contest)
        contest.store.state()
        files = contest.blobs.get(contest.state().dealt[Place(0, team, "people")].sha256)
    assert b"original.csv" in files
    assert all(b"Ann" not in path.read_bytes() for path in (tmp_path / "c" / "vault" / "problems").rglob("*.csv"))


@pytest.mark.parametrize(
    ("kind", "source", "message"),
    [
        ("microdata", "file(path='nowhere')", "line 9: sets[1].source: no file or folder"),
        ("microdata", "file(path='own.toml')", "says what the columns of own.toml are: icefire init writes one"),
        ("trace", "file(path='data')", "it gives all teams the same people"),
        ("trace", "file(path='own.toml', people=9)", "is no folder: traces need original.csv, reference.csv"),
        ("microdata", "file(path='data', schema='x')", "is a folder, which has a schema.toml of its own"),
    ],
)
def test_data_that_cannot_be_opened(kind: str, source: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(FileError) as raised:
        load_config(contest_file(tmp_path, kind, source), opened=True)
    assert message in str(raised.value)


def test_a_metric_without_a_value_is_found_before_the_contest_and_at_the_first_upload(tmp_path: Path) -> None:
    # An illness is no amount.
    rows = "".join(f"{20 + i},{'flu' if i % 3 else 'gout'}\n" for i in range(30))
    (tmp_path / "ill.csv").write_text("age,illness\n" + rows, encoding="utf-8")
    (tmp_path / "schema.toml").write_text('qi = ["age"]\nsa = ["illness"]\n', encoding="utf-8")
    file = contest_file(tmp_path, "microdata", "file(path='ill.csv')", "mean_mae")
    with pytest.raises(FileError, match=r"line 11: sets\[1\].utility: mean_mae has no value on these data: "):
        load_config(file, opened=True)
    config = load_config(file)
    clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5))
    with Contest.create(tmp_path / "c", config, clock=clock) as contest:
        place = Place(0, contest.teams.add("Ann"), "people")
        clock.reach(config.rounds[0].defence.opens)
        contest.schedule.tick()
        run_inline(contest)
        defend(contest, place, ["mondrian(k=5)"], np.random.default_rng(0))
        run_inline(contest)
        (alarm,) = contest.state().alarms.values()
        told = (contest.folder / "alarms" / f"{alarm.reference}.txt").read_text(encoding="utf-8")
    assert "mean_mae has no value on these data" in told
    assert "No release can be scored by it: mend the contest's file." in told


def test_plugins_come_along_into_every_process(tmp_path: Path) -> None:
    plugin = tmp_path / "own_loss.py"
    plugin.write_text(PLUGIN, encoding="utf-8")
    own_data(tmp_path / "data", "microdata")
    registry = Registry()
    registry.add_plugin(plugin)
    file = contest_file(tmp_path, "microdata", "file(path='data')", "own_loss")
    with pytest.warns(InputWarning, match="own_loss is 0 for the unchanged data"):
        config = load_config(file, registry, opened=True)
    clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5))
    with Contest.create(tmp_path / "c", config, clock=clock, registry=registry) as contest:
        place = Place(0, contest.teams.add("Ann"), "people")
        clock.reach(config.rounds[0].defence.opens)
        contest.schedule.tick()
        run_inline(contest)
        upload = defend(contest, place, ["mondrian(k=5)"], np.random.default_rng(0))
        plugin.unlink()
        # The process of a worker knows nothing but the folder.
        (job,) = contest.docket.due()
        with Sandbox(contest.folder) as sandbox:
            contest.docket.record(job, sandbox.run(job, config.limits))
        measures = contest.state().uploads[upload].measures
        back_up(contest, tmp_path / "c.tar.gz")
    assert measures["own_loss"].as_dict()["value"] == 0.0
    with restore(tmp_path / "c.tar.gz", tmp_path / "d") as other:
        assert other.registry.knows("microdata", "utility", "own_loss")
