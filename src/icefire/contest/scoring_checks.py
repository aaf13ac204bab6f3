"""Faults in the scoring rules that a contest's file names."""

from __future__ import annotations

from collections.abc import Sequence

from icefire.contest.config import Config, Dataset, Scoring
from icefire.contest.rules import ATTACK_RULES, RULES
from icefire.core.errors import UnknownName
from icefire.core.strictfile import Fault, KeyPath


def check_scoring(config: Config) -> list[Fault]:
    """Faults in the rules that a contest names, in each round."""
    faults = _check_rules(("scoring",), config.scoring, config.sets, ("sets",)) if _for_some_round(config) else []
    for index, plan in enumerate(config.rounds):
        if plan.scoring is not None:
            here: KeyPath = ("rounds", index, "scoring")
            faults += _check_rules(here, plan.scoring, config.sets_of(index), ("rounds", index, "sets"))
        elif plan.sets:
            faults += _check_rules(("scoring",), config.scoring, config.sets_of(index), ("rounds", index, "sets"))
    return list(dict.fromkeys(faults))


def _for_some_round(config: Config) -> bool:
    """Whether the rules of the contest are those of a round with all sets."""
    return any(plan.scoring is None and not plan.sets for plan in config.rounds)


def _check_rules(here: KeyPath, scoring: Scoring, sets: Sequence[Dataset], where: KeyPath) -> list[Fault]:
    faults: list[Fault] = []
    if scoring.rule not in RULES:
        faults.append(((*here, "rule"), str(UnknownName.of("rule", scoring.rule, RULES))))
    if scoring.attack not in ATTACK_RULES:
        faults.append(((*here, "attack"), str(UnknownName.of("rule for attackers", scoring.attack, ATTACK_RULES))))
    if scoring.rule == "pwscup2025" and (len(sets) > 1 or not sets[0].utility):
        faults.append((where, f"the rule {scoring.rule!r} is for a single set with metrics of utility"))
    if scoring.rule in ("pwscup2022", "pwscup2026") and not all(each.utility for each in sets):
        faults.append((where, f"the rule {scoring.rule!r} needs at least one metric of utility"))
    if scoring.rule in ("pwscup2015", "pwscup2016", "pwscup2017", "pwscup2018"):
        if len(sets) > 1:
            faults.append((where, f"the rule {scoring.rule!r} is for a single set"))
        if not sets[0].utility:
            faults.append((where, f"the rule {scoring.rule!r} needs at least one metric of utility"))
        if scoring.not_submitted is not None:
            message = (
                f"with the rule {scoring.rule!r} the smallest total wins: teams without a release come last anyway"
            )
            faults.append(((*here, "not_submitted"), message))
    if scoring.rule == "weighted":
        total = sum(scoring.weights.values())
        if abs(total - 1.0) > 1e-9:
            faults.append(((*here, "weights"), f"the weights add up to {total:g}, not to 1"))
    elif scoring.weights:
        faults.append(((*here, "weights"), f"the rule {scoring.rule!r} takes no weights"))
    parts = [f"measure.{each.name}.{metric}" for each in sets for metric in (*each.utility, *each.safety)]
    parts += [f"{how}.{each.name}.{task.name}" for each in sets for task in each.tasks for how in ("worst", "mean")]
    unknown = [name for name in scoring.weights if name not in parts]
    return faults + [((*here, "weights", name), str(UnknownName.of("part", name, parts))) for name in unknown]
