"""The log: it folds to the state, every change of it is found, and boards keep to the freeze."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contest.contest_games import TOYS, toy_config
from contest.toy_contest import Toy, playing
from icefire.contest.board import board
from icefire.contest.engine import Contest
from icefire.contest.events.registry import EVENTS, decode
from icefire.contest.export import export
from icefire.contest.fold import apply, fold
from icefire.contest.log import Entry, verified
from icefire.contest.replay import replay
from icefire.contest.state import Place, State
from icefire.contest.store import EVENTS as EVENTS_TABLE
from icefire.core.errors import DataError, InputError

Step: TypeAlias = tuple[int, int, int]
steps = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 30), st.integers(0, 30)), min_size=5, max_size=40)
relaxed = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@contextmanager
def script() -> Iterator[Toy]:
    config, teams = toy_config(rounds=2), ("Ann", "Bob", "Cy")
    with TemporaryDirectory() as name, playing(Path(name) / "c", config, teams=teams) as toy:
        yield toy


def play(toy: Toy, taken: list[Step]) -> None:
    """Do what drawn numbers say; what is refused does not matter."""
    for step in taken:
        play_step(toy, *step)


def play_step(toy: Toy, what: int, first: int, second: int) -> None:
    contest, schedule, teams = toy.contest, toy.contest.schedule, ("ann", "bob", "cy")
    team, other, value = teams[first % 3], teams[second % 3], (first * 7 + second) % 11 / 10
    actions: list[Callable[[], object]] = [
        lambda: toy.clock.advance(minutes=second),
        lambda: toy.clock.advance(minutes=second),
        lambda: schedule.tick(),
        lambda: toy.judge(),
        lambda: toy.release(team, value),
        lambda: toy.guess(team, other, value),
        lambda: schedule.freeze("op", "why not"),
        lambda: schedule.pause("op", "why not"),
        lambda: schedule.resume("op", "why not"),
        lambda: schedule.extend(second, "op", "why not"),
        lambda: contest.desk.rule(Place(0, team, "s"), bool(second % 2), "op", "why not"),
        lambda: contest.teams.withdraw(team, "op", "why not") if second == 29 else None,
    ]
    with suppress(InputError):
        actions[what % len(actions)]()


def frozen_part(toy: Toy, viewer: str) -> str:
    """Everything but a team's own part and the time."""
    not_frozen = ("own", "phase", "paused", "schedule")
    return json.dumps({key: value for key, value in toy.board(viewer).items() if key not in not_frozen})


@relaxed
@given(steps, steps)
def test_after_the_freeze_nothing_public_changes(before: list[Step], after: list[Step]) -> None:
    with script() as toy:
        play(toy, before)
        if toy.contest.state().frozen is None:
            toy.contest.schedule.freeze("op", "the last minutes")
        seen = frozen_part(toy, "public")
        for step in after:
            play_step(toy, *step)
            # Teams see of others what the public sees.
            assert frozen_part(toy, "public") == frozen_part(toy, "team:ann") == seen
            state, public = toy.contest.state(), toy.board("public")
            assert public["paused"] == (state.paused is not None), "time is not frozen"
            assert public["schedule"] == toy.board("operator")["schedule"]


@relaxed
@given(steps)
def test_every_prefix_folds_and_replay_equals_live(taken: list[Step]) -> None:
    with script() as toy:
        play(toy, taken)
        entries = toy.contest.log()
        state = State()
        for entry in entries:
            state = apply(state, entry)
            assert json.dumps(board(state, "operator"))
        assert state == fold(entries) == toy.contest.state()
        again, faults = replay(toy.contest)
        assert faults == []
        assert again == sum(entry.who == "judge" for entry in entries)


@relaxed
@given(steps, st.integers(0, 10_000), st.sampled_from(["at", "who", "what", "data", "previous", "hash"]))
def test_a_tampered_log_is_found_at_the_event(taken: list[Step], place: int, column: str) -> None:
    with script() as toy:
        play(toy, taken)
        count = toy.contest.store.verify()
        seq = place % count + 1
        with closing(sqlite3.connect(toy.contest.folder / "contest.db")) as database, database:
            database.execute(f"UPDATE events SET {column} = '{{\"x\":1}}' WHERE seq = ?", (seq,))
        with pytest.raises(DataError, match=f"broken at event {seq}:"):
            toy.contest.store.verify()
        with pytest.raises(DataError, match=f"broken at event ({seq}|{seq + 1}):"):
            Contest(toy.contest.folder, games=TOYS)


def test_a_log_that_was_cut_or_reordered_is_found(toy: Toy) -> None:
    toy.reach(1)
    entries = toy.contest.log()
    with pytest.raises(DataError, match="event 3: expected number 2"):
        list(verified([entries[0], *entries[2:]]))
    with closing(sqlite3.connect(toy.contest.folder / "contest.db")) as database, database:
        database.execute("DELETE FROM events WHERE seq = ?", (len(entries),))
    with pytest.raises(DataError, match=f"broken after event {len(entries) - 1}"):
        toy.contest.store.verify()


def test_entries_fold_in_their_order_only(toy: Toy) -> None:
    first, second, third = toy.contest.log()[:3]
    state = fold([first, second])
    for entry, message in ((second, "event 2 cannot follow event 2"), (first, "event 1 cannot follow event 2")):
        with pytest.raises(DataError, match=message):
            apply(state, entry)
    with pytest.raises(DataError, match="event 3 cannot follow event 1"):
        fold([first, third])
    assert fold([third], state) == fold([first, second, third])


def test_unknown_events_are_refused() -> None:
    entry = Entry(1, "", "", "exploded", {}, "", "")
    with pytest.raises(DataError, match="unknown event 'exploded'; was it written by a later version"):
        apply(State(), entry)
    with pytest.raises(DataError, match="the data of the event 'team_added' cannot be read"):
        decode("team_added", {"team": "ann", "name": "Ann", "colour": "blue"})
    assert len(EVENTS) == 30


def test_what_cannot_be_folded_is_not_written(toy: Toy) -> None:
    before = toy.contest.log()
    rejected = decode("rejected", {"upload": "none", "faults": []})
    with pytest.raises(KeyError):
        toy.contest.store.append(lambda _: [("judge", rejected)])
    assert toy.contest.log() == before


def test_export_is_safe_for_spreadsheets(tmp_path: Path) -> None:
    with playing(tmp_path / "c", teams=["=cmd()"]) as toy:
        toy.reach(1)
        toy.release("cmd", 0.9)
        toy.judge()
        _, standings, _, _ = export(toy.contest, tmp_path / "out")
    assert standings.read_bytes().startswith("\ufeff".encode()), "spreadsheets in Japan need it"
    assert "defenders,1,'=cmd()," in standings.read_text()
    assert ",=cmd" not in standings.read_text()


def test_every_column_of_the_log_must_be_filled(toy: Toy) -> None:
    columns = sa.inspect(toy.contest.store.engine).get_columns("events")
    assert {column["name"] for column in columns} == set(EVENTS_TABLE.columns.keys())
    assert [column["name"] for column in columns if column["nullable"]] == []
