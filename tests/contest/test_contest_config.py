"""What is wrong in a contest's file is named with its key, its line and the nearest valid choice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contest.contest_games import TOYS
from icefire.contest.configfile import load_config
from icefire.core.errors import FileError, InputWarning, UnknownName

CONTESTS = sorted((Path(__file__).parents[2] / "contests").glob("*.toml"))
DEMO = (Path(__file__).parents[2] / "contests" / "demo.toml").read_text()


def complaint(tmp_path: Path, *changes: tuple[str, str]) -> str:
    text = DEMO
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = tmp_path / "contest.toml"
    file.write_text(text)
    with pytest.raises(FileError) as caught:
        load_config(file)
    told = str(caught.value).replace(str(file), "FILE")
    # The line that is named holds what is wrong.
    for line in re.findall(r"FILE, line (\d+)", told):
        assert 1 <= int(line) <= len(text.splitlines())
    return told


def line_of(text: str, changed: str = DEMO) -> int:
    return next(number for number, line in enumerate(changed.splitlines(), start=1) if text in line)


@pytest.mark.parametrize("path", CONTESTS, ids=lambda path: path.stem)
def test_contests_that_ship_are_fine(path: Path) -> None:
    assert load_config(path).name


def test_unknown_key(tmp_path: Path) -> None:
    told = complaint(tmp_path, ("releases = 10", "relaeses = 10"))
    where = f"FILE, line {line_of('releases = 10')}: limits.relaeses"
    assert told.startswith(f"{where}: no key 'relaeses'; did you mean 'releases'? Valid: columns, guesses,")


def test_unknown_key_deep_inside(tmp_path: Path) -> None:
    told = complaint(tmp_path, ('metric = "re_identification"', 'metrik = "re_identification"'))
    assert (
        f"FILE, line {line_of('metric = ')}: sets[1].tasks[1].metrik: no key 'metrik'; did you mean 'metric'?" in told
    )
    assert f"FILE, line {line_of('[[sets.tasks]]')}: sets[1].tasks[1]: the key 'metric' is missing" in told


def test_phase_that_ends_before_it_starts(tmp_path: Path) -> None:
    told = complaint(tmp_path, ("closes = 2026-01-01T10:00:00+09:00", "closes = 2026-01-01T08:00:00+09:00"))
    assert told.startswith(
        f"FILE, line {line_of('defence = ')}: rounds[1].defence: the phase closes at 2026-01-01T08:00:00+09:00"
    )


def test_attack_before_the_defence_has_closed(tmp_path: Path) -> None:
    told = complaint(tmp_path, ("opens = 2026-01-01T10:10:00+09:00", "opens = 2026-01-01T09:50:00+09:00"))
    assert f"line {line_of('[[rounds]]')}: rounds[1]: the attack opens before the defence closes" in told


def test_time_without_a_zone(tmp_path: Path) -> None:
    told = complaint(tmp_path, ("freeze = 2026-01-01T10:45:00+09:00", "freeze = 2026-01-01T10:45:00"))
    assert f"line {line_of('freeze = ')}: rounds[1].freeze: 2026-01-01T10:45:00 has no zone" in told


@pytest.mark.parametrize(
    ("old", "new", "where", "hint"),
    [
        (
            '"information_loss", "mean_mae"',
            '"informaton_loss", "mean_mae"',
            "sets[1].utility",
            "did you mean 'information_loss'?",
        ),
        ('"id_rand", "sort"', '"id_rand", "srt"', "sets[1].tasks[1].baselines", "did you mean 'sort'?"),
        (
            'metric = "re_identification"',
            'metric = "reidentification"',
            "sets[1].tasks[1].metric",
            "'re_identification'",
        ),
        ('kind = "microdata"', 'kind = "mikrodata"', "kind", "did you mean 'microdata'?"),
        ('rule = "weighted"', 'rule = "wheighted"', "scoring.rule", "did you mean 'weighted'?"),
        ('source = "households(n=150)"', 'source = "housholds(n=150)"', "sets[1].source", "did you mean 'households'?"),
        ('source = "households(n=150)"', 'source = "households(n=0)"', "sets[1].source", "Got 0"),
        ("information_loss<=0.25", "information_loss>0.25", "sets[1].require", "write a metric and a bound"),
        ('attack = "inside"', 'attack = "insider"', "bots[2].attack", "did you mean 'inside'?"),
        ('kind = "microdata"', 'kind = "microdata"\ngame = "chess"', "game", "reidentification"),
    ],
)
def test_unknown_names(tmp_path: Path, old: str, new: str, where: str, hint: str) -> None:
    told = complaint(tmp_path, (old, new))
    changed = DEMO.replace(old, new, 1)
    assert f"line {line_of(new.splitlines()[-1], changed)}: {where}: " in told
    assert hint in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            'safety = ["k_anonymity"]',
            'safety = ["re_identification"]',
            "re_identification needs a guess, and there is none yet",
        ),
        ('metric = "re_identification"', 'metric = "k_anonymity"', "needs no guess, so it cannot score an attack"),
        ("releases = 10", "releases = 10\nmegabytes = inf", "limits.megabytes"),
        ("not_submitted = 0.0", "not_submitted = nan", "scoring.not_submitted"),
        ("releases = 10", 'releases = 10\n"my key" = 1', "no key 'my key'. Valid: columns"),
        ('rule = "weighted"', 'rule = "pwscup2017"', "the smallest total wins"),
    ],
)
def test_what_could_not_work_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert told in complaint(tmp_path, (old, new))


def test_weights_that_do_not_add_up(tmp_path: Path) -> None:
    told = complaint(tmp_path, ('information_loss" = 0.3', 'information_loss" = 0.4'))
    assert told == f"FILE, line {line_of('[scoring.weights]')}: scoring.weights: the weights add up to 1.1, not to 1"


def test_weight_of_something_unknown(tmp_path: Path) -> None:
    told = complaint(tmp_path, ('"worst.households.identity"', '"worst.household.identity"'))
    assert "did you mean 'worst.households.identity'?" in told
    assert told.startswith(f"FILE, line {line_of('worst.households.identity')}: ")


def test_a_misspelt_metric_is_reported_once(tmp_path: Path) -> None:
    (told,) = complaint(tmp_path, ('["information_loss"', '["informaton_loss"')).splitlines()
    assert told.startswith(f"FILE, line {line_of('utility =')}: ")
    assert "did you mean 'information_loss'?" in told


def test_what_follows_from_a_fault_is_not_reported(tmp_path: Path) -> None:
    """A set whose name is wrong is still a set."""
    (told,) = complaint(tmp_path, ('name = "households"', 'name = "世帯"')).splitlines()
    assert "a name consists of the letters a to z" in told


def test_a_metric_that_tells_nobody_apart(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    file.write_text(DEMO.replace('utility = ["information_loss"', 'utility = ["information_loss", "rows_lost"'))
    with pytest.warns(
        InputWarning, match="rows_lost is 0 for the unchanged data and for the releases of all bots"
    ) as told:
        load_config(file, small=True, opened=True)
    assert len(told) == 1


def test_names_that_stand_twice(tmp_path: Path) -> None:
    extra = DEMO[DEMO.index("[[rounds]]") : DEMO.index("[limits]")]
    told = complaint(tmp_path, ("[limits]", extra + "\n[limits]"))
    assert "rounds[2].name: the name 'final' is used twice" in told
    assert "rounds[2].defence: this round begins before the previous one has ended" in told


def test_traces_need_data_of_their_own(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "contests" / "pwscup2019.toml").read_text().replace("per_team = true\n", "", 1)
    file = tmp_path / "contest.toml"
    file.write_text(text)
    with pytest.raises(FileError, match=r"sets\[1\]\.per_team: attackers must not know the original"):
        load_config(file)


def test_columns_that_cannot_be_dealt(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    file.write_text(DEMO.replace("[[sets.tasks]]", 'columns = ["age", "incom"]\n\n[[sets.tasks]]', 1))
    with pytest.raises(FileError, match=r"sets\[1\]\.columns: no column 'incom'; did you mean 'income'"):
        load_config(file, small=True, opened=True)
    file.write_text(file.read_text().replace('kind = "microdata"', 'kind = "microdata"\ngame = "toy"'))
    with pytest.raises(FileError, match=r"sets\[1\]\.columns: the game toy deals all columns: leave them out"):
        load_config(file, games=TOYS)
    traces = (Path(__file__).parents[2] / "contests" / "pwscup2019.toml").read_text()
    file.write_text(traces.replace("withheld = true", 'columns = ["user"]\nwithheld = true', 1))
    with pytest.raises(FileError, match=r"sets\[1\]\.columns: the columns of trace cannot be chosen: leave them out"):
        load_config(file)


def test_not_toml_and_not_there(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    file.write_text("name = \n")
    with pytest.raises(FileError, match="line 1"):
        load_config(file)
    with pytest.raises(FileError, match="no file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(UnknownName, match="did you mean 'demo'"):
        load_config(Path("demos"))
