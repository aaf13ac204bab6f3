"""Two small games beside the one that ships."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icefire.contest.config import Config, Dataset
from icefire.contest.game import Files, Game, HandoutFiles, ProblemFiles
from icefire.contest.measures import Measures, NoScore
from icefire.contest.state import Evidence
from icefire.core.errors import DataError
from icefire.core.registry import Registry
from icefire.core.strictfile import Fault
from icefire.core.values import BAD_SHARE, GOOD_SHARE, Score

START = datetime(2026, 5, 1, 9, tzinfo=UTC)


def toy_config(rounds: int = 1, game: str = "toy", **changes: Any) -> Config:
    """A contest with an hour of defence and an hour of attack in each round, frozen ten minutes before its end."""
    plan = []
    for at in range(rounds):
        begin = START + timedelta(hours=3 * at)
        times = [begin + timedelta(minutes=step) for step in (0, 60, 65, 125, 115)]
        plan.append(
            {
                "name": f"r{at}",
                "defence": {"opens": times[0], "closes": times[1]},
                "attack": {"opens": times[2], "closes": times[3]},
                "freeze": times[4],
            }
        )
    body: dict[str, Any] = {
        "name": "Toy",
        "kind": "none",
        "game": game,
        "scoring": {"rule": "weighted", "weights": {"measure.s.worth": 0.5, "worst.s.t": 0.5}, "not_submitted": 0.0},
        "sets": [
            {
                "name": "s",
                "source": "",
                "utility": ["worth"],
                "tasks": [{"name": "t", "metric": "m", "baselines": ["half"]}],
            }
        ],
        "rounds": plan,
        "bots": [
            {"name": n, "defend": [str(v)], "attack": str(v)} for n, v in (("Ann", 0.5), ("Bob", 0.7), ("Cy", 0.9))
        ],
    }
    return Config.model_validate({**body, **changes})


class Toy(Game):
    """A release is a number between 0 and 1, its worth; an answer another one, and what is left is their distance."""

    name = "toy"

    @classmethod
    def check(cls, registry: Registry, config: Config) -> list[Fault]:
        return []

    def release_files(self) -> Sequence[str]:
        return ["release.csv"]

    def guess_files(self) -> Sequence[str]:
        return ["guess.csv"]

    def deal(self, dataset: Dataset, private: Path, rng: np.random.Generator) -> ProblemFiles:
        (private / "problem.csv").write_text(str(rng.random()))
        return ProblemFiles({"problem.csv": (private / "problem.csv").read_bytes()}, {"numbers": 1})

    def measure(self, dataset: Dataset, problem: Path, sent: Path) -> tuple[Measures, Evidence]:
        value = _number(sent / "release.csv")
        return {"worth": Score(value, GOOD_SHARE)}, {"odd": {"value": value}} if value == 0.13 else {}

    def publish(
        self,
        dataset: Dataset,
        problem: Path,
        sent: Path,
        private: Path,
        attackers: Sequence[str],
        rng: np.random.Generator,
    ) -> HandoutFiles:
        (private / "truth.csv").write_text(str(_number(sent / "release.csv")))
        return HandoutFiles({"published.csv": b"a number\n"})

    def baseline(self, dataset: Dataset, private: Path, attack: str, rng: np.random.Generator) -> Measures:
        return {"t": Score(abs(_number(private / "truth.csv") - 0.5), GOOD_SHARE)}

    def judge(self, dataset: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        left = abs(_number(private / "truth.csv") - _number(sent / "guess.csv"))
        return {"t": Score(left, GOOD_SHARE)}

    def bot_release(self, problem: Files, steps: Sequence[str], rng: np.random.Generator) -> Files:
        return {"release.csv": steps[0].encode()}

    def bot_guess(self, handout: Files, step: str, rng: np.random.Generator) -> Files:
        return {"guess.csv": step.encode()}


def _number(path: Path) -> float:
    text = path.read_text()
    try:
        value = float(text)
    except ValueError:
        raise DataError(f"{path}, line 1: {text!r} is not a number") from None
    if text == "crash":
        raise ZeroDivisionError
    if not 0 <= value <= 1:
        raise DataError(f"{path}, line 1: {value:g} is not between 0 and 1")
    return value


class Membership(Game):
    """Who was in the sample? A defender publishes a synthetic table of any length; each attacker gets a test set of their
    own, and says for each row how sure they are that it was in the sample."""

    name = "membership"
    size = 60

    @classmethod
    def check(cls, registry: Registry, config: Config) -> list[Fault]:
        return []

    def release_files(self) -> Sequence[str]:
        return ["synthetic.csv"]

    def guess_files(self) -> Sequence[str]:
        return ["confidence.csv"]

    def deal(self, dataset: Dataset, private: Path, rng: np.random.Generator) -> ProblemFiles:
        values = np.round(rng.normal(50, 15, self.size), 3)
        inside = np.sort(rng.permutation(self.size)[: self.size // 2])
        (private / "people.json").write_text(json.dumps({"values": values.tolist(), "inside": inside.tolist()}))
        return ProblemFiles({"sample.csv": _column(values[inside])})

    def measure(self, dataset: Dataset, problem: Path, sent: Path) -> tuple[Measures, Evidence]:
        people = json.loads((problem / "people.json").read_text())
        sample = np.array(people["values"])[people["inside"]]
        made = _values(sent / "synthetic.csv")
        loss = abs(made.mean() - sample.mean()) / sample.std()
        return {"worth": Score(float(max(0.0, 1.0 - loss)), GOOD_SHARE)}, {}

    def publish(
        self,
        dataset: Dataset,
        problem: Path,
        sent: Path,
        private: Path,
        attackers: Sequence[str],
        rng: np.random.Generator,
    ) -> HandoutFiles:
        people = json.loads((problem / "people.json").read_text())
        values, inside = np.array(people["values"]), np.zeros(self.size, dtype=bool)
        inside[people["inside"]] = True
        questions, answers = {}, {}
        for attacker in attackers:
            rows = rng.permutation(self.size)[:40]
            questions[attacker] = {"test.csv": _column(values[rows])}
            answers[attacker] = inside[rows].tolist()
        (private / "answers.json").write_text(json.dumps(answers))
        return HandoutFiles({"published.csv": _column(np.sort(_values(sent / "synthetic.csv")))}, questions)

    def baseline(self, dataset: Dataset, private: Path, attack: str, rng: np.random.Generator) -> Measures:
        return {"t": NoScore("this game has no baselines")}

    def judge(self, dataset: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        inside = np.array(json.loads((private / "answers.json").read_text())[attacker])
        sure = _values(sent / "confidence.csv")
        if sure.size != inside.size:
            raise DataError(f"confidence.csv has {sure.size} rows for {inside.size} people of the test set")
        if not ((sure >= 0) & (sure <= 1)).all():
            raise DataError("a confidence lies between 0 and 1")
        pairs = np.sign(sure[inside][:, None] - sure[~inside])
        area = float((pairs + 1).mean() / 2)
        return {"t": Score(area, BAD_SHARE)}

    def bot_release(self, problem: Files, steps: Sequence[str], rng: np.random.Generator) -> Files:
        sample = np.array([float(row) for row in problem["sample.csv"].decode().split()[1:]])
        copies = rng.choice(sample, 45) + rng.normal(0, float(steps[0]), 45)
        return {"synthetic.csv": _column(copies)}

    def bot_guess(self, handout: Files, step: str, rng: np.random.Generator) -> Files:
        made, test = (
            np.array([float(row) for row in handout[name].decode().split()[1:]])
            for name in ("published.csv", "test.csv")
        )
        distance = np.abs(test[:, None] - made).min(axis=1)
        return {"confidence.csv": _column(np.exp(-distance))}


def _column(values: NDArray[np.float64]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([["value"], *([repr(float(value))] for value in values)])
    return text.getvalue().encode()


def _values(path: Path) -> NDArray[np.float64]:
    found = []
    for number, line in enumerate(path.read_text().split()[1:], start=2):
        try:
            value = float(line)
        except ValueError:
            value = float("nan")
        if not np.isfinite(value):
            raise DataError(f"{path}, line {number}: {line[:20]!r} is not a number")
        found.append(value)
    return np.array(found)


TOYS = {"toy": Toy, "membership": Membership}
