"""Reading and checking a contest's file. Every fault is reported with its line and, where possible, a suggestion."""

from __future__ import annotations

from pathlib import Path

from icefire.contest.config import Config
from icefire.contest.games import GAMES, Games
from icefire.contest.scoring_checks import check_scoring
from icefire.contest.sources import resolved
from icefire.core.errors import UnknownName
from icefire.core.registry import Registry
from icefire.core.strictfile import Fault, KeyPath, names_used_twice, read_strict, shipped_file

SHIPPED = (Path(__file__).parents[1] / "contests", Path(__file__).parents[3] / "contests")
"""Where the contests that ship lie: in the package, or beside its sources."""


def load_config(
    path: Path, registry: Registry | None = None, games: Games = GAMES, small: bool = False, opened: bool = False
) -> Config:
    """Read a contest file and check it in full. The name of a contest that ships will do, such as demo.

    `small` takes the smaller data of sets that have such. `opened` opens the data, and tries every metric on them.
    """
    path = shipped_file(path, "file or contest", SHIPPED)
    known = registry or Registry()

    def check(config: Config) -> list[Fault]:
        if config.game not in games:
            return [*_check_together(config), (("game",), str(UnknownName.of("game", config.game, games)))]
        together = _check_together(config)
        if not games[config.game].deals_columns:
            told = f"the game {config.game} deals all columns: leave them out"
            together += [(("sets", at, "columns"), told) for at, each in enumerate(config.sets) if each.columns]
        faults, scoring = games[config.game].check(known, config), check_scoring(config)
        # A misspelt metric of a set would be reported a second time, at its weight.
        found = [*together, *faults, *(fault for fault in scoring if not (faults and "weights" in fault[0]))]
        return found or (games[config.game].try_out(known, ready(config)) if opened else [])

    def ready(config: Config) -> Config:
        return resolved(config.tried_out() if small else config, known, path.parent)

    return ready(read_strict(path, Config, check))


def _check_together(config: Config) -> list[Fault]:
    """Faults between parts that are right by themselves."""
    faults: list[Fault] = []
    groups: list[tuple[KeyPath, list[str]]] = [
        (("sets",), [dataset.name for dataset in config.sets]),
        (("rounds",), [entry.name for entry in config.rounds]),
        (("prizes",), [entry.name for entry in config.prizes]),
        (("committee",), [entry.name for entry in config.committee]),
        *(
            (("sets", position, "tasks"), [task.name for task in dataset.tasks])
            for position, dataset in enumerate(config.sets)
        ),
    ]
    for where, names in groups:
        faults += names_used_twice(where, names)
    for position in range(1, len(config.rounds)):
        if config.rounds[position].defence.opens < config.rounds[position - 1].attack.closes:
            faults.append((("rounds", position, "defence"), "this round begins before the previous one has ended"))
    known = [dataset.name for dataset in config.sets]
    for position, plan in enumerate(config.rounds):
        unknown = [name for name in plan.sets if name not in known]
        faults += [(("rounds", position, "sets"), str(UnknownName.of("set", name, known))) for name in unknown]
    for position, entry in enumerate(config.committee):
        unknown = [name for name in entry.sets if name not in known]
        faults += [(("committee", position, "sets"), str(UnknownName.of("set", name, known))) for name in unknown]
    tasks = [task.name for dataset in config.sets for task in dataset.tasks]
    tasks += [f"{dataset.name}.{task.name}" for dataset in config.sets for task in dataset.tasks]
    for position, prize in enumerate(config.prizes):
        if prize.task is not None and prize.task not in tasks:
            faults.append((("prizes", position, "task"), str(UnknownName.of("task", prize.task, sorted(set(tasks))))))
        if prize.task is not None and prize.of == "choice":
            faults.append((("prizes", position, "task"), "the operator chooses who wins this prize, not a task"))
    return faults
