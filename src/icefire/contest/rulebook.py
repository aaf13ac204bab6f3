"""The rules of a contest for its teams, in sentences that are made from its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from icefire.contest.config import Dataset, Prize, Scoring
from icefire.contest.documents import RuleDocument, RulesDocument
from icefire.contest.game import Game
from icefire.contest.uploads import plain_name
from icefire.core.errors import IcefireError
from icefire.evaluation.tuning import Requirement

DEFENCE = {
    "pwscup2015": "mean rank in utility + ranks in safety / 4 + rank in re-identification / 2; the smallest wins",
    "pwscup2016": "(mean utility loss + largest re-identification) / 2; the smallest wins",
    "pwscup2017": "(largest utility loss + SEC) / 2; the smallest wins",
    "pwscup2018": "the loss of a release that no attack has shown to be unsafe; the smallest wins",
    "pwscup2019": "the sum over the sets of what the strongest attack has left; the largest wins",
    "pwscup2022": (
        "the mean over the sets of (mean utility + what the strongest attack has left) / 2, 0 for a missing release; the "
        "largest wins"
    ),
    "pwscup2025": (
        "utility, 40 points for its first metric and 20 for each other, + anonymity: 100 x the share of members whom the best "
        "attacker has not found, less 1 for each further attacker who has found the same member; the largest wins"
    ),
    "pwscup2026": "the least of the metrics of utility and of what the strongest attacks have left; the largest wins",
    "weighted": "the weighted sum of these parts, each the share of what is good, 0 to 1; the largest wins",
}
"""How defenders are ranked, by rule."""
SEC = (
    "SEC is the larger of two: the mean over the tables of the best team's re-identification, and the best mean of a "
    "sample attack"
)
ATTACK = {
    "lowered": "attackers: how far they have lowered the safety of others, added up; the largest wins",
    "found": "attackers: how many people they have found in all releases; the largest wins",
    "shared": "attackers: what they have lowered, divided among those who have reached as much; the largest wins",
    "left": "attackers: what they have left of others' safety, 1 where they have not attacked; the smallest wins",
}
FEEDBACK = {
    "none": "scores of answers are shown when the attack has closed",
    "band": "scores of answers are shown in tenths until the attack has closed",
    "exact": "scores of answers are shown at once",
}
OVERALL = {
    "totals": "the totals of the rounds are added up by their weights",
    "ranks": "the places in the rounds are added up by their weights; the smallest sum wins",
}
PRIZES = {
    "defence": "for the best defender",
    "attack": "for the best attacker",
    "choice": "the operator chooses who wins it",
}


def rulebook(game: Game) -> RulesDocument:
    """The rules, section by section."""
    book = _Rulebook(game)
    sections = (
        ("Data and files", book.data()),
        ("What a release has to reach", book.bounds()),
        ("How releases are measured", book.measures()),
        ("How attacks are measured", book.tasks()),
        ("How totals are made", book.totals()),
        ("The prizes", book.prizes()),
        ("What one may send", book.limits()),
    )
    found = [(heading, list(rules)) for heading, rules in sections]
    return {"sections": [{"heading": heading, "rules": rules} for heading, rules in found if rules]}


class _Rulebook:
    def __init__(self, game: Game) -> None:
        self.game, self.config = game, game.config

    def data(self) -> Iterator[RuleDocument]:
        for dataset in self.config.sets:
            yield _rule(
                dataset.name, "every team gets data of its own" if dataset.per_team else "all teams get the same data"
            )
            if dataset.columns:
                yield _rule(", ".join(dataset.columns), "the columns that teams get")
            if dataset.withheld:
                yield _rule("", "what attackers know is handed out with the releases, not before")
        for entry in self.config.committee:
            yield _rule(entry.name, "a release of the committee, which everybody attacks and which is not ranked")
        yield _rule(_listed(self.game.release_files()), "the files of a release")
        if optional := self.game.optional_files():
            yield _rule(_listed(optional), "of these, the files that may be left out")
        yield _rule(_listed(self.game.guess_files()), "the files of an answer")

    def bounds(self) -> Iterator[RuleDocument]:
        for dataset in self.config.sets:
            for text in dataset.require:
                yield _rule(self._in_set(dataset, text), self._required(text))
            for step in dataset.flags:
                yield _rule(step, "the operator rules on releases that this metric flags")

    def measures(self) -> Iterator[RuleDocument]:
        for dataset in self.config.sets:
            for step in dataset.utility:
                yield _rule(self._in_set(dataset, step), self.game.summary("utility", step))
            for step in dataset.safety:
                yield _rule(self._in_set(dataset, step), self.game.summary("safety", step))

    def tasks(self) -> Iterator[RuleDocument]:
        for dataset in self.config.sets:
            for task in dataset.tasks:
                yield _rule(f"{dataset.name}.{task.name}", self.game.summary("safety", task.metric))
                if task.attacker is not None:
                    yield _rule("", f"attackers know {task.attacker}")
                if task.baselines:
                    yield _rule("", f"the judge attacks with {', '.join(task.baselines)}")

    def totals(self) -> Iterator[RuleDocument]:
        scorings = [plan.scoring for plan in self.config.rounds if plan.scoring is not None]
        if any(plan.scoring is None for plan in self.config.rounds):
            yield from self._scoring("", self.config.scoring)
        for position, scoring in enumerate(scorings):
            if scoring in scorings[:position]:
                continue
            names = ", ".join(plan.name for plan in self.config.rounds if plan.scoring == scoring)
            yield from self._scoring(names, scoring)
        for plan in self.config.rounds:
            if plan.sets:
                yield _rule(plan.name, f"this round is about {', '.join(plan.sets)}")
            if plan.together:
                yield _rule(
                    plan.name, "releases may be replaced while they are attacked; answers count against theirs alone"
                )
            if len(self.config.rounds) > 1:
                yield _rule(plan.name, f"this round has the weight {plan.weight:g}")
        if len(self.config.rounds) > 1:
            yield _rule("", OVERALL[self.config.overall])

    def _scoring(self, where: str, scoring: Scoring) -> Iterator[RuleDocument]:
        yield _rule(where, DEFENCE[scoring.rule])
        for part, weight in scoring.weights.items():
            yield _rule(f"{weight:g} × {part}", "")
        if scoring.rule == "pwscup2017":
            yield _rule("SEC", SEC)
        if scoring.not_submitted is not None:
            yield _rule(f"{scoring.not_submitted:g}", "the total of a team without a valid release")
        yield _rule("", ATTACK[scoring.attack])
        yield _rule("", FEEDBACK[scoring.feedback])

    def prizes(self) -> Iterator[RuleDocument]:
        for prize in self.config.prizes:
            yield _rule(prize.name, _prize(prize))

    def limits(self) -> Iterator[RuleDocument]:
        limits = self.config.limits
        yield _rule(f"{limits.releases}", "accepted releases per set and round; the last one counts")
        yield _rule(f"{limits.guesses}", "scored answers per target and round; the strongest counts")
        yield _rule(f"{limits.waiting}", "uploads of a team that may wait for the judge at the same time")
        yield _rule(f"{limits.megabytes:g}", "megabytes of a file at most")
        yield _rule(f"{limits.rows:,}", "rows of a file at most")
        if limits.set_size is not None:
            yield _rule(f"{limits.set_size:,}", "values of a set in a cell at most")
        yield _rule("", "a file that is refused uses up no try")

    def _in_set(self, dataset: Dataset, text: str) -> str:
        return f"{dataset.name}: {text}" if len(self.config.sets) > 1 else text

    def _required(self, text: str) -> str:
        try:
            wanted = Requirement.parse(text, self.game.registry, self.game.registry.kind(self.config.kind))
        except IcefireError:
            # Another game has metrics of its own.
            return self.game.summary("utility", text.partition("=")[0].rstrip("<> "))
        return self.game.summary(wanted.role, wanted.metric)


def _rule(term: str, text: str) -> RuleDocument:
    return {"term": term, "rule": text}


def _listed(patterns: Sequence[str]) -> str:
    return ", ".join(map(plain_name, patterns))


def _prize(prize: Prize) -> str:
    if prize.task is None or prize.of == "choice":
        return PRIZES[prize.of]
    return (
        f"for the best defender in {prize.task}" if prize.of == "defence" else f"for the best attacker in {prize.task}"
    )
