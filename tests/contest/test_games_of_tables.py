"""The contests of 2020 to 2026: each score by hand, and what is refused."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.contest.board import board
from icefire.contest.config import Config, Dataset, Scoring, Task
from icefire.contest.configfile import load_config
from icefire.contest.game import HandoutFiles
from icefire.contest.games import GAMES
from icefire.contest.measures import HITS, Measures, packed
from icefire.contest.rehearsal import Rehearsal
from icefire.contest.replay import replay
from icefire.contest.rules import Results, standings
from icefire.core.errors import DataError, FileError
from icefire.core.registry import Registry
from icefire.core.values import BAD_SHARE, GOOD_SHARE, Score
from icefire.games._digits import secret_digits
from icefire.games._tables import TableGame, folder_of, written
from icefire.games.pwscup2021 import largest_change
from icefire.games.pwscup2022 import command, run

Rng = np.random.default_rng
REGISTRY = Registry()


@dataclass
class Play:
    """One release of one team, step by step."""

    game: TableGame
    dataset: Dataset
    folder: Path

    def deal(self) -> pl.DataFrame:
        (self.folder / "problem").mkdir()
        self.dealt = self.game.deal(self.dataset, self.folder / "problem", Rng(1)).files
        return pl.read_parquet(self.folder / "problem" / "members.parquet")

    def measure(self, files: Mapping[str, bytes]) -> dict[str, float]:
        with folder_of(dict(files)) as sent:
            measures, _ = self.game.measure(self.dataset, self.folder / "problem", sent)
        return {name: score.value for name, score in measures.items() if isinstance(score, Score)}

    def publish(self, files: Mapping[str, bytes], attackers: tuple[str, ...] = ("ann", "bob")) -> HandoutFiles:
        self.truth = self.folder / "truth"
        self.truth.mkdir()
        with folder_of(dict(files)) as sent:
            return self.game.publish(self.dataset, self.folder / "problem", sent, self.truth, attackers, Rng(2))

    def judge(self, files: Mapping[str, bytes], attacker: str = "ann") -> dict[str, float]:
        with folder_of(dict(files)) as sent:
            found: Measures = self.game.judge(self.dataset, self.truth, attacker, sent)
        return {name: score.value for name, score in found.items() if isinstance(score, Score)}


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., Play]:
    def made(year: int, source: str, **changes: object) -> Play:
        config = load_config(Path(f"pwscup{year}"))
        dataset = config.sets[0].model_copy(update={"source": source, "require": (), **changes})
        game = GAMES[config.game](REGISTRY, config.model_copy(update={"sets": (dataset,)}))
        assert isinstance(game, TableGame)
        return Play(game, dataset, tmp_path)

    return made


def answer(**columns: object) -> dict[str, bytes]:
    return {"guess.csv": written(pl.DataFrame(columns))}


def test_2020_names_rows_of_the_population(play: Callable[..., Play]) -> None:
    contest = play(2020, "census(n=200, share=0.2)")
    members = contest.deal()
    release = {"published.csv": contest.dealt["original.csv"]}
    assert contest.measure(release) == {"histogram": 1.0, "covariance": 1.0, "tree_agreement": 1.0}
    contest.publish(release)
    inside = np.flatnonzero(np.load(contest.truth / "membership.npy"))
    outside = np.setdiff1d(np.arange(200), inside)
    # Of 40 members, as many rows are named: 30 of them rightly.
    named = np.concatenate([inside[:30], outside[:10]]) + 1
    assert contest.judge(answer(row=named)) == {"members": 0.75}
    with pytest.raises(DataError, match=r"guess.csv names a row twice: name 40 different ones"):
        contest.judge(answer(row=[1] * 40))
    with pytest.raises(DataError, match=r"guess.csv, line 2: 201 is outside of 1\.\.200"):
        contest.judge(answer(row=[201, *named[1:]]))
    with pytest.raises(DataError, match=r"guess.csv has 3 rows: 40 are expected"):
        contest.judge(answer(row=[1, 2, 3]))
    with pytest.raises(DataError, match=r"published.csv has 3 rows: 4 to 200 are allowed"):
        contest.measure({"published.csv": written(members[:3])})
    with pytest.raises(DataError, match="lacks the column 'age'"):
        contest.measure({"published.csv": written(members.drop("age"))})


def test_2021_says_who_is_left_and_where(play: Callable[..., Play]) -> None:
    contest = play(2021, "checkups(n=40)", require=("deleted<=0.5", "largest_change<=6"))
    members = contest.deal()
    gone = np.arange(10)
    left = members[10:]
    release = {"published.csv": written(left), "deleted.csv": written(pl.DataFrame({"row": gone + 1}))}
    assert contest.measure(release)["deleted"] == 0.25
    shown = contest.publish(release).public
    people, published = (pl.read_csv(shown[name]) for name in ("people.csv", "published.csv"))
    assert people.height == 20
    rows = {tuple(row): place + 1 for place, row in enumerate(published.iter_rows())}
    first = [rows.get(tuple(row), -1) for row in people.iter_rows()]
    assert sum(row == -1 for row in first) == 10
    assert contest.judge(answer(first=first, second=first, third=first)) == {"people": 1.0}
    # Everybody is said to be there: recall 1, precision 1/2; a wrong row for one of ten.
    wrong = [1 if row == -1 else row for row in first]
    place = next(place for place, row in enumerate(first) if row > 1)
    wrong[place] = 1
    assert contest.judge(answer(first=wrong, second=wrong, third=wrong)) == {"people": pytest.approx(1 * 0.5 * 0.9)}
    many = {"published.csv": written(members[21:]), "deleted.csv": written(pl.DataFrame({"row": np.arange(21) + 1}))}
    with pytest.raises(DataError, match=r"deleted is 0\.525, and deleted<=0\.5 is required"):
        contest.measure(many)
    older = left.with_columns(age=pl.col("age") + 7)
    with pytest.raises(DataError, match="largest_change is 7, and largest_change<=6 is required"):
        contest.measure({**release, "published.csv": written(older)})
    with pytest.raises(DataError, match=r"published.csv has 40 rows, and deleted.csv leaves 30"):
        contest.measure({**release, "published.csv": written(members)})


def test_the_largest_change_of_a_row() -> None:
    left = pl.DataFrame({"age": [30, 40], "bmi": [20.0, 30.0], "race": ["a", "b"], "site": ["x", "y"]})
    assert largest_change(left, left.with_columns(bmi=pl.Series([20.5, 27.0]))) == 3.0
    assert largest_change(left, left.with_columns(race=pl.Series(["b", "b"]), site=pl.Series(["z", "y"]))) == 2.0


def test_2022_runs_the_commands_that_were_handed_in(play: Callable[..., Play]) -> None:
    table = pl.DataFrame({"age": [20, 40, 60, 80], "race": ["a", "a", "b", "a"], "ill": ["no", "yes", "no", "no"]})
    rows, left = run(table, [command(["top", "age", "70"], 2), command(["k_anonymity", "race", "2"], 3)], Rng(0))
    assert rows.tolist() == [0, 1]
    assert left["age"].to_list() == [20, 40]
    assert run(table, [command(["drop_row", "", "2"], 2)], Rng(0))[0].tolist() == [0, 2, 3]
    assert run(table, [command(["randomize", "race", "1"], 2)], Rng(0))[1].equals(table)
    contest = play(2022, "checkups(n=100, others=60)")
    members = contest.deal()

    def commands(*lines: tuple[str, str, str]) -> dict[str, bytes]:
        return {"commands.csv": written(pl.DataFrame(lines, schema=["command", "columns", "value"], orient="row"))}

    same = commands(("top", "age", "200"))
    assert contest.measure(same) == dict.fromkeys(["counts", "correlation", "odds_ratio_max", "odds_ratio_mean"], 1.0)
    handout = contest.publish(same)
    assert handout.questions["ann"] != handout.questions["bob"]
    asked = pl.read_csv(handout.questions["ann"]["people.csv"])
    there = [row in set(members.iter_rows()) for row in asked.iter_rows()]
    assert sum(there) == 25
    assert contest.judge(answer(there=np.array(there, dtype=int))) == {"acquaintances": 1.0}
    assert contest.judge(answer(there=np.ones(50, dtype=int))) == {"acquaintances": 0.0}
    # 20 of 25 named rightly: (2 * 20 - 25) / 20.
    named = np.array(there, dtype=int)
    named[np.flatnonzero(there)[:5]], named[np.flatnonzero(~np.array(there))[:5]] = 0, 1
    assert contest.judge(answer(there=named)) == {"acquaintances": pytest.approx(0.75)}
    for line, complaint in (
        (("rm", "-rf", "1"), "line 2: there is no operator 'rm'"),
        (("noise", "age", "much"), "line 2: noise needs a number, not 'much'"),
        (("noise", "race", "1"), "noise works on columns of numbers: age bmi"),
        (("top", "size", "1"), "there is no column 'size'"),
        (("top", "age", "0"), "no row is left"),
    ):
        with pytest.raises(DataError, match=complaint):
            contest.measure(commands(line))


def test_2023_checks_the_secret_part_by_its_seed(play: Callable[..., Play]) -> None:
    contest = play(2023, "digits(n=30, public=2, secret=3)")
    contest.deal()
    public = np.load(contest.folder / "problem" / "public.npy") - ord("0")
    secret = secret_digits(42, 30, 3)
    cells = np.hstack([public, secret]).astype(str)
    cells[:15, 0] = "*"

    def lines(table: np.ndarray) -> bytes:
        return "".join(",".join(row) + "\n" for row in table).encode()

    release = {"published.csv": lines(cells), "seed.txt": b"42\n"}
    assert contest.measure(release) == {"kept": 1 - 15 / 150}
    # With a false seed, hardly any secret cell is what it should be.
    assert contest.measure({**release, "seed.txt": b"43"})["kept"] < 0.65
    shown = contest.publish(release).public["published.csv"].decode().splitlines()
    assert shown == sorted(",".join(row) for row in cells)
    assert contest.judge({"guess.csv": lines(secret.astype(str))}) == {"secret": 1.0}
    other = secret.copy()
    other[:9, 0] = (other[:9, 0] + 1) % 10
    assert contest.judge({"guess.csv": lines(other.astype(str))}) == {"secret": 0.9}
    with pytest.raises(DataError, match=r"guess.csv has 29 lines: 30 are expected"):
        contest.judge({"guess.csv": lines(secret[1:].astype(str))})
    with pytest.raises(DataError, match=r"guess.csv, line 1: 3 digits with commas between are expected"):
        contest.judge({"guess.csv": lines(np.where(np.eye(30, 3, dtype=bool), "*", secret.astype(str)))})
    for number in (2**32, 2**32 + 7, 2**33 - 1):
        with pytest.raises(DataError, match=f"versions of Ruby draw different digits from {number}"):
            contest.measure({**release, "seed.txt": str(number).encode()})
    for seed in (b"", b"-1", b"007", b"\xff", "\u0661".encode(), b"1" * 41, b"__import__('os')"):
        with pytest.raises(DataError, match=r"seed\.txt must hold the seed alone"):
            contest.measure({**release, "seed.txt": seed})


RUBY = """
n, m, seed = ARGV.map(&:to_i)
r = Random.new(seed)
a, b = 2.times.map { t = (0...n).map { (0...m).map { r.rand(10) } }; (n - 1).downto(1) { |i| r.rand(i + 1) }; t }
n.times { |i| puts (0...m).map { |j| (a[i][j] + b[i][j]) % 10 }.join(",") }
"""


@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1, 2**33, 2**64, 2**64 + 7, 123456789012345678901])
def test_the_digits_of_a_seed_are_those_of_ruby(program: Callable[[str], str], seed: int) -> None:
    said = subprocess.run(
        [program("ruby"), "-e", RUBY, "40", "5", str(seed)], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert [[int(cell) for cell in line.split(",")] for line in said.split()] == secret_digits(seed, 40, 5).tolist()


def test_2024_asks_for_names_and_ratings(play: Callable[..., Play]) -> None:
    contest = play(2024, "ratings(n=60)")
    members = contest.deal()
    parts = {f"part{place}.csv": contest.dealt[f"part{place}.csv"] for place in range(10)}
    assert contest.measure(parts) == {"worst_pair": 1.0}
    assert all(b"person0" not in content for content in parts.values())
    shown = contest.publish(parts).public
    people, ratings = (
        pl.read_csv(shown["people.csv"], schema_overrides={"zip": pl.String}),
        pl.read_csv(shown["ratings.csv"]),
    )
    films = ratings.columns
    by_name = {row["name"]: row for row in members.iter_rows(named=True)}
    person, rating = [], []
    for row in ratings.iter_rows(named=True):
        (blank,) = (film for film in films if str(row[film]) == "*")
        (place,) = (
            place
            for place, name in enumerate(people["name"])
            if all(by_name[name][film] == int(row[film]) for film in films if film != blank)
        )
        person.append(place + 1)
        rating.append(by_name[people["name"][place]][blank])
    assert contest.judge(answer(person=person, rating=rating)) == {"questions": 1.0}
    assert contest.judge(answer(person=person, rating=[(value + 1) % 6 for value in rating])) == {"questions": 0.5}
    with pytest.raises(DataError, match=r"is outside of 0\.\.5"):
        contest.judge(answer(person=person, rating=[6] * 50))
    with pytest.raises(DataError, match=r"part9.csv is missing"):
        contest.measure({name: content for name, content in parts.items() if name != "part9.csv"})


MODEL = json.dumps({"target": "stroke", "classes": ["0", "1"], "base": [1.0, 0.0], "trees": []}).encode()


def test_2025_wants_exactly_as_many_ones(play: Callable[..., Play]) -> None:
    contest = play(2025, "encounters(n=200, share=0.1)")
    members = contest.deal()
    release = {"published.csv": written(members), "model.json": MODEL}
    measures = contest.measure(release)
    assert measures == {
        **dict.fromkeys(["statistics", "rank_tests"], 1.0),
        "regression": measures["regression"],
        "model": pytest.approx((members["stroke"] == "0").sum() / members.height),
    }
    contest.publish(release)
    inside = np.load(contest.truth / "membership.npy")
    said = inside.astype(int)
    said[np.flatnonzero(inside)[:5]], said[np.flatnonzero(~inside)[:5]] = 0, 1
    assert contest.judge(answer(member=said)) == {"members": 0.75}
    with pytest.raises(DataError, match=r"model.json must predict stroke, not asthma"):
        contest.measure({**release, "model.json": MODEL.replace(b"stroke", b"asthma")})
    with pytest.raises(FileError, match="not a model as JSON"):
        contest.measure({**release, "model.json": b"\x80\x04cos\nsystem\n"})
    with pytest.raises(DataError, match=r"guess.csv has 200 ones: exactly 20 are expected"):
        contest.judge(answer(member=np.ones(200, dtype=int)))


def test_2026_asks_who_and_when(play: Callable[..., Play]) -> None:
    contest = play(2026, "follow_up(n=120, others=300, rare=0.2)")
    members = contest.deal()
    copies = contest.measure({"published.csv": written(members)})
    assert copies == {"general": 1.0, "specific": pytest.approx(1.0), "rare": 1.0, "valid": 0.0}
    shown = contest.publish({"published.csv": written(members)}).public
    assert "time" not in pl.read_csv(shown["population.csv"]).columns
    inside, watched = np.load(contest.truth / "membership.npy"), pl.read_parquet(contest.truth / "watched.parquet")
    # Three of the others come first: 1 in 100 of 300 may be accused, so that members below them count.
    sure = np.where(inside, 2.0, 0.0)
    sure[np.flatnonzero(~inside)[:3]] = 3.0
    sure[np.flatnonzero(inside)[:30]] = -1.0
    files = {"confidence.csv": written(pl.DataFrame({"confidence": sure}))}
    assert contest.judge(files)["members"] == pytest.approx(0.75)
    assert set(contest.judge(files)) == {"members", "rare_members"}
    late = watched["time"].to_numpy() + np.where(np.arange(watched.height) % 2, 0.49, 0.51)
    right = contest.judge({"times.csv": written(pl.DataFrame({"time": late}))})
    assert right["times"] == pytest.approx((watched.height // 2) / watched.height)
    with pytest.raises(DataError, match=r"an answer is confidence\.csv, times\.csv or both"):
        contest.judge({})
    with pytest.raises(DataError, match=r"times\.csv must have \d+ rows under the heading time"):
        contest.judge({"times.csv": written(pl.DataFrame({"time": [1.0]}))})


def set_of(*utility: str, name: str = "s") -> Dataset:
    return Dataset(name=name, source="", utility=utility, tasks=(Task(name="t", metric="m"),))


def test_2022_is_the_mean_of_halves_over_the_sets() -> None:
    sets = (set_of("a", "b", name="one"), set_of("a", "b", name="two"))
    releases = {("ann", "one"): {"a": Score(0.8, GOOD_SHARE), "b": Score(0.4, GOOD_SHARE)}}
    cells = {("ann", "one", "bob", "t"): Score(0.3, BAD_SHARE), ("ann", "one", "*x", "t"): Score(0.1, BAD_SHARE)}
    (ann, bob) = standings(Results(("ann", "bob"), sets, releases, cells), Scoring(rule="pwscup2022")).defenders
    # ((0.6 + 0.7) / 2 + 0) / 2; bob has no release at all.
    assert ann.team == "ann"
    assert (ann.total, bob.total) == pytest.approx((0.325, 0.0))


def test_2025_couples_the_attackers() -> None:
    def found(*rows: int) -> Score:
        hits = np.isin(np.arange(10), rows)
        return Score(len(rows) / 10, BAD_SHARE, found=len(rows), detail={HITS: packed(hits)})

    utility = dict(zip("abcd", map(Score, (0.5, 1.0, 0.5, 0.0), [GOOD_SHARE] * 4), strict=True))
    cells = {
        ("ann", "s", "bob", "t"): found(0, 1, 2, 3),
        ("ann", "s", "cy", "t"): found(3, 4),
        ("ann", "s", "dan", "t"): found(3, 9),
        # The judge's own attack counts for the most hits, but not among those who find the same.
        ("ann", "s", "*near", "t"): found(3),
    }
    results = Results(("ann", "bob", "cy", "dan"), (set_of(*"abcd"),), {("ann", "s"): utility}, cells)
    (row, *others) = standings(results, Scoring(rule="pwscup2025")).defenders
    # 40 * 0.5 + 20 * 1.5, and (10 - 4) of 10 as points less 2 for the third who has found row 3.
    assert row.parts == {"utility": pytest.approx(50.0), "anonymity": pytest.approx(60.0 - 2)}
    assert row.total == pytest.approx(108.0)
    assert all(other.total is None for other in others)


def test_2026_is_as_good_as_its_weakest_side() -> None:
    releases = {("ann", "s"): {"a": Score(0.8, GOOD_SHARE), "b": Score(0.6, GOOD_SHARE)}}
    cells = {("ann", "s", "bob", "t"): Score(0.5, BAD_SHARE), ("ann", "s", "cy", "t"): Score(0.2, BAD_SHARE)}
    results = Results(("ann", "bob"), (set_of("a", "b"),), releases, cells)
    assert standings(results, Scoring(rule="pwscup2026")).defenders[0].total == pytest.approx(0.5)
    safe = Results(("ann", "bob"), (set_of("a", "b"),), releases, {})
    assert standings(safe, Scoring(rule="pwscup2026")).defenders[0].total == pytest.approx(0.6)


def test_whom_an_answer_has_found_stays_in_the_log(tmp_path: Path) -> None:
    config = load_config(Path("pwscup2025"))
    sets = tuple(each.model_copy(update={"source": "encounters(n=300)"}) for each in config.sets)
    with Rehearsal(tmp_path / "c", config.model_copy(update={"sets": sets}), seed=3) as contest:
        contest.play()
        written_down = json.dumps([entry.as_dict() for entry in contest.contest.log()])
        assert f'"{HITS}"' in written_down
        for viewer in ("public", "operator", "team:akane"):
            assert f'"{HITS}"' not in json.dumps(board(contest.contest.state(), viewer))
        assert replay(contest.contest)[1] == []


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"kind": "microdata"}, "is about synthetic tables"),
        ({"utility": ("histogramm",)}, "did you mean 'histogram'"),
        ({"require": ("histogram<=0.9",)}, "histogram is good when it is higher"),
        ({"require": ("histogram",)}, "write a metric and a bound"),
        ({"source": "censos"}, "did you mean 'census'"),
        ({"per_team": False}, "every team needs its own data"),
        ({"withheld": True}, "teams need all their data"),
    ],
)
def test_faults_of_a_file(changes: dict[str, object], complaint: str) -> None:
    config = load_config(Path("pwscup2020"))
    kind = {"kind": changes.pop("kind")} if "kind" in changes else {}
    sets = (config.sets[0].model_copy(update=changes),)
    faults = GAMES["pwscup2020"].check(REGISTRY, Config.model_copy(config, update={"sets": sets, **kind}))
    assert any(complaint in message for _, message in faults)


def test_a_metric_without_a_range_cannot_be_weighed() -> None:
    config = load_config(Path("pwscup2021"))
    scoring = config.scoring.model_copy(update={"weights": {"measure.checkups.cross_table": 1.0}})
    (fault,) = GAMES["pwscup2021"].check(REGISTRY, config.model_copy(update={"scoring": scoring}))
    assert "cross_table has no range" in fault[1]


def test_contests_are_checked_with_their_data(tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("age,stroke\n" + "\n".join(f"{place},0" for place in range(50)))
    (tmp_path / "schema.toml").write_text('kind = "synthetic"\n')
    config = load_config(Path("pwscup2025"))
    sets = (config.sets[0].model_copy(update={"source": f"file(path={str(tmp_path / 'ages.csv')!r}, people=20)"}),)
    faults = GAMES["pwscup2025"].try_out(REGISTRY, config.model_copy(update={"sets": sets}))
    assert faults == [(("sets", 0), "the data lack the columns asthma, which the game 'pwscup2025' is about")]
    assert GAMES["pwscup2023"].try_out(REGISTRY, load_config(Path("pwscup2023"), small=True)) == []


def test_2026_has_no_score_where_there_is_nobody_to_find(play: Callable[..., Play]) -> None:
    contest = play(2026, "follow_up(n=60, others=60, rare=0)")
    members = contest.deal()
    contest.publish({"published.csv": written(members)})
    found = contest.judge({"confidence.csv": written(pl.DataFrame({"confidence": np.zeros(120)}))})
    assert set(found) == {"members"}
