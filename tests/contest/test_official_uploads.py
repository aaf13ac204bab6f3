"""Uploads in the files of past contests, as their participants have them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from icefire.contest.config import Config
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.game import Files
from icefire.contest.judge import unpacked
from icefire.contest.reidentification import Reidentification
from icefire.contest.state import UploadKind
from icefire.contest.uploads import pack
from icefire.core.errors import DataError
from icefire.core.registry import Registry
from icefire.core.values import Score

SOURCES = {"2017": "purchases(n=30)", "2018": "purchases(n=30)", "2019": "walks(n=25)"}
STEPS = {"2017": "pseudonyms", "2018": "generalize(item=2, date=week)", "2019": "krr(epsilon=8)"}
ATTACKS = {"2017": "key_match(key=S5)", "2018": "jaccard", "2019": "visit_prob"}
# What a participant sends: our name of a file, and theirs.
RELEASES = {
    "2017": {"AT.csv": "AT_aa.txt"},
    "2018": {"A.csv": "A_aa.txt"},
    "2019": {
        "anotraces.csv": "anotraces_team001_data01_IDP.csv",
        "ptable.csv": "ptable_team001_data01_IDP.csv",
    },
}
GUESSES = {
    "2017": {f"Fh_T{percent}.csv": f"Fh{percent}_aa.txt" for percent in (25, 50, 75, 100)},
    "2018": {"F1_bot.csv": "F1_aa.txt"},
    "2019": {
        "etable_bot.csv": "etable_team020-001_data01_IDP.csv",
        "etraces_bot.csv": "etraces_team020-001_data01_IDP.csv",
    },
}


class Played:
    """A contest of a year with one release that is open to attack."""

    def __init__(self, year: str, folder: Path) -> None:
        whole = load_config(Path(f"pwscup{year}"))
        self.year, self.folder = year, folder
        self.dataset = whole.sets[0].model_copy(update={"source": SOURCES[year], "require": ()})
        self.config: Config = whole.model_copy(update={"sets": (self.dataset,)})
        self.game = Reidentification(Registry(), self.config)
        self.problem = folder / "problem"
        self.problem.mkdir()
        self.dealt = self.game.deal(self.dataset, self.problem, np.random.default_rng(1)).files
        self.release = self.game.bot_release(self.dealt, [STEPS[year]], np.random.default_rng(2))

    def sent(self, files: Files) -> dict[str, float]:
        """The measures of a release that was sent in as it is in a zip file."""
        return self.measured(pack(files))

    def measured(self, content: bytes) -> dict[str, float]:
        self.checked("release", content)
        with unpacked(content, "release", self.game) as folder:
            measures, evidence = self.game.measure(self.dataset, self.problem, folder)
        assert not evidence
        return {name: score.value for name, score in measures.items() if isinstance(score, Score)}

    def checked(self, kind: UploadKind, content: bytes) -> None:
        with unpacked(content, kind, self.game) as folder:
            if kind == "release":
                self.game.check_release(self.dealt, folder)
            else:
                self.game.check_guess(self.handout, folder)

    def publish(self, content: bytes) -> None:
        self.private = self.folder / "private"
        self.private.mkdir()
        with unpacked(content, "release", self.game) as sent:
            made = self.game.publish(self.dataset, self.problem, sent, self.private, [], np.random.default_rng(3))
        self.handout = made.public

    def judged(self, content: bytes) -> dict[str, float]:
        self.checked("guess", content)
        with unpacked(content, "guess", self.game) as folder:
            cell = self.game.judge(self.dataset, self.private, "aoi", folder)
        return {task: score.value for task, score in cell.items() if isinstance(score, Score)}


@pytest.fixture(scope="module", params=sorted(SOURCES))
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    year: str = request.param
    played = Played(year, tmp_path_factory.mktemp(f"year{year}"))
    played.publish(pack({name: played.release[name] for name in RELEASES[year]}))
    return played


def windows(content: bytes) -> bytes:
    return b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")


def test_releases_with_the_names_and_line_ends_of_participants(played: Played) -> None:
    theirs = {name: windows(played.release[ours]) for ours, name in RELEASES[played.year].items()}
    found = played.sent(theirs)
    assert found == played.sent(played.release)
    # One folder in the zip does no harm.
    assert played.sent({f"team/{name}": content for name, content in theirs.items()}) == found
    if len(theirs) == 1:
        assert played.measured(next(iter(theirs.values()))) == found, "one file needs no zip"
    else:
        with pytest.raises(
            DataError, match=r"this is not a zip file: pack anotracesNAME.csv and ptableNAME.csv into one"
        ):
            played.measured(next(iter(theirs.values())))


def test_guesses_with_the_names_of_participants(played: Played) -> None:
    guess = played.game.bot_guess(played.handout, ATTACKS[played.year], np.random.default_rng(4))
    theirs = {name: windows(guess[ours]) for ours, name in GUESSES[played.year].items()}
    found = played.judged(pack(theirs))
    assert found
    assert found == played.judged(pack(guess))
    # A file by itself is an answer: to its own task where there are such, else to all.
    for name, content in theirs.items():
        alone = played.judged(content)
        assert alone == played.judged(pack({name: content}))
        task = {"etable": "identity", "etraces": "traces"}.get(name.partition("_")[0])
        assert alone == ({task: found[task]} if task else alone)


@pytest.mark.parametrize("name", ["demo", *(f"pwscup{year}" for year in range(2015, 2020))])
def test_a_team_gets_the_kit_for_its_files(name: str, tmp_path: Path) -> None:
    with Contest.create(tmp_path / "c", load_config(Path(name), small=True)) as contest:
        kit = contest.downloads.kit()
        game = contest.game()
    assert set(kit) == {"README.md", "kit.py", "kit.R", "kit.rb", "Kit.java"}
    # It writes what the contest takes.
    stems = {pattern.split("[")[0].split("*")[0].strip("._-") for pattern in game.guess_files()}
    assert any(stem in kit["kit.py"].decode() for stem in stems)


def test_attackers_of_2017_hold_the_tables_of_the_contest(tmp_path: Path) -> None:
    played = Played("2017", tmp_path)
    played.publish(played.release["AT.csv"])
    assert {"S.csv", "M.csv", "T.csv", "T25.csv", "T50.csv", "T75.csv", "T100.csv"} == set(played.handout)
    guess = played.game.bot_guess(played.handout, ATTACKS["2017"], np.random.default_rng(4))
    found = played.judged(pack(guess))
    # The judge's attacks know the rows of T25 that teams know, and no others.
    baseline = played.game.baseline(played.dataset, played.private, ATTACKS["2017"], np.random.default_rng(4))
    assert {task: score.value for task, score in baseline.items() if isinstance(score, Score)} == {
        task: found[task] for task in ("t25", "t50", "t75", "t100")
    }
    twice = {"Fh25_aa.txt": guess["Fh_T25.csv"], "Fh_T25.csv": guess["Fh_T25.csv"]}
    with pytest.raises(DataError, match=r"Fh_T25.csv and Fh25_aa.txt are both guesses from T25: send one of them"):
        played.judged(pack(twice))
