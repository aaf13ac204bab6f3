"""Hidden values that become certain of members, against the control group: by brute force and with planted truth."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.certainty import CERTAIN
from icefire.core.questions import Question
from icefire.core.registry import Registry
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Criterion, Status
from icefire.synthetic.anonymize.independent import Independent
from icefire.synthetic.attack.attribution import Attribution
from icefire.synthetic.attack.boosted import Boosted
from icefire.synthetic.attack.neighbours import Neighbours
from icefire.synthetic.data import Guess, People, Release, Schema
from icefire.synthetic.kind import SyntheticKind
from icefire.synthetic.safety.attribute_disclosure import AttributeDisclosure

KIND = SyntheticKind()


def people(seed: int, members: int = 300, others: int = 200) -> People:
    """Patients whose illness has nothing to do with what is known of them."""
    rng = np.random.default_rng(seed)
    number = members + others
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, number),
            "town": rng.choice([f"town {n}" for n in range(30)], number),
            "height": rng.normal(170, 9, number).round(1),
            "ill": rng.choice(["no", "flu", "asthma", "heart"], number, p=[0.6, 0.2, 0.15, 0.05]),
        }
    )
    return People(frame[:members], frame[members:], Schema(hidden=["ill"]))


@pytest.mark.parametrize("seed", range(10))
def test_the_score_is_that_of_brute_force(seed: int) -> None:
    rng, original = np.random.default_rng(seed), people(seed, 60, 40)
    truth, members = original.candidates["ill"].to_list(), original.membership
    texts = ["no", "flu", "asthma", "heart"]
    chances = np.full((100, 4), 0.0)
    for place, text in enumerate(truth):
        named = texts.index(text) if rng.random() < (0.93 if members[place] else 0.4) else rng.integers(0, 4)
        chances[place, named] = rng.choice([0.5, 0.9, 0.95, 1.0])
    values = pl.DataFrame({f"ill={text}": chances[:, place] for place, text in enumerate(texts)})
    score = AttributeDisclosure().measure(Release(original, original.members), Guess(values=values))
    sure = np.zeros(100, dtype=bool)
    for place, text in enumerate(texts):
        mine = [c for c in range(100) if chances[c].argmax() == place and chances[c].max() >= CERTAIN]
        thresholds = sorted({chances[c].max() for c in mine if members[c]})
        good = []
        for least in thresholds:
            claimed = [c for c in mine if members[c] and chances[c].max() >= least]
            if sum(truth[c] == text for c in claimed) >= CERTAIN * len(claimed):
                good.append(least)
        if good:
            sure[[c for c in mine if chances[c].max() >= min(good) and truth[c] == text]] = True
    found = {}
    counts = {text: sum(truth[c] == text and members[c] for c in range(100)) for text in texts}
    for group in [[text for text in texts if counts[text] < 10], *([t] for t in texts if counts[t] >= 10)]:
        inside = [sure[c] for c in range(100) if members[c] and truth[c] in group]
        outside = [sure[c] for c in range(100) if not members[c] and truth[c] in group]
        if inside:
            p, q = np.mean(inside), np.mean(outside) if outside else 0.0
            found[tuple(group)] = max(0.0, (p - q) / (1 - q)) if q < 1 else 0.0
    assert score.value == pytest.approx(max(found.values()))


def test_members_who_are_published_as_they_are_must_not_be_released() -> None:
    original = people(1)
    release = Release.shuffled(original, original.members, np.random.default_rng(0))
    attackers = [Attacker(KIND.known(original, "facts"), "facts")]
    result = assess(
        Registry(), KIND, release, attackers, attacks=[Neighbours()], criterion=Criterion(("facts",)), seed=1
    )
    assert result.decision == "do_not_release"
    findings = [f for f in result.findings if f.risk is not None]
    assert [f.question for f in findings] == [Question.WHAT]
    assert findings[0].status is Status.EXCEEDS
    assert findings[0].risk is not None
    assert findings[0].risk.score is not None
    assert {"column", "value", "holders", "certain", "baseline"} <= set(findings[0].risk.score.detail)
    assert findings[0].risk.found is not None
    assert findings[0].risk.found > 0.9
    assert findings[0].risk.chance == findings[0].risk.score.detail["baseline"]


def test_whoever_knows_facts_holds_the_release_as_well() -> None:
    """Attackers of each level ask another question, and a recipient can ask those of the levels below, too."""
    original = people(1)
    release = Release.shuffled(original, original.members, np.random.default_rng(0))
    attackers = [Attacker(KIND.known(original, level), level) for level in KIND.implied("facts")]
    result = assess(Registry(), KIND, release, attackers, criterion=Criterion(("facts",)), seed=1)
    assert result.required == ["release", "facts"]
    assert result.recipients == ["facts"]
    assert {f.level for f in result.findings if f.question is Question.WHO} == {"release"}
    alone = assess(Registry(), KIND, release, attackers[1:], criterion=Criterion(("facts",)), seed=1)
    assert "release" not in alone.would_pass
    assert "facts" not in alone.would_pass


def test_what_holds_of_everybody_is_no_disclosure() -> None:
    """Whoever is in the town of the clinic is ill, in the data or not."""
    rng = np.random.default_rng(0)
    towns = rng.choice(["clinic", "elsewhere"], 400)
    frame = pl.DataFrame({"town": towns, "ill": np.where(towns == "clinic", "yes", "no")})
    original = People(frame[:250], frame[250:], Schema(hidden=["ill"]))
    release = Release.shuffled(original, original.members, rng)
    guess = Boosted().attack(release.published, original.known("facts"), rng)
    score = AttributeDisclosure().measure(release, guess)
    assert score.value == 0.0
    assert score.detail["baseline"] == 1.0


def test_amounts_are_counted_by_tenths() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"age": rng.permutation(400), "pay": rng.lognormal(8, 1, 400).round(2)})
    original = People(frame[:250], frame[250:], Schema(hidden=["pay"]))
    release = Release.shuffled(original, original.members, rng)
    guess = Neighbours(k=1).attack(release.published, original.known("facts"), rng)
    score = AttributeDisclosure().measure(release, guess)
    assert score.value > 0.9
    assert score.detail["holders"] == 25
    assert " – " in str(score.detail["value"])


def test_of_columns_that_are_drawn_one_by_one_nothing_is_learned() -> None:
    for seed in range(40):
        original = people(seed)
        release = Independent().anonymize(original, np.random.default_rng(seed))
        for attack in (Neighbours(k=5), Attribution()):
            guess = attack.attack(release.published, original.known("facts"), np.random.default_rng(seed))
            score = AttributeDisclosure().measure(release, guess)
            assert score.interval is not None
            assert score.interval.low == 0.0, (seed, attack.step())
