"""Whose record it is, and which other records are learned: by brute force, and on releases with planted truth."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.certainty import CERTAIN, EXPECTED, LIKELY
from icefire.core.chapters import Language
from icefire.core.errors import Undefined
from icefire.core.questions import Question
from icefire.core.registry import Registry
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Criterion, Status
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.attack.record_owners import RecordOwners
from icefire.history.attackers import limited
from icefire.history.data import NONE, Claims, Guess, History, Release
from icefire.history.examples import example, records
from icefire.history.kind import HistoryKind
from icefire.history.safety.month_matching import MonthMatching
from icefire.history.safety.record_ownership import RecordOwnership
from icefire.history.safety.records_learned import RecordsLearned, known_records
from icefire.report.answer import explain, list_risks
from icefire.report.words import Phrases
from listing import list_groups

KIND = HistoryKind()


def silent_guess(release: Release, owners: np.ndarray, confidence: np.ndarray, known: History) -> Guess:
    """A guess that names owners of records, and nobody's pseudonym."""
    table = np.full(release.pseudonyms.shape, NONE)
    return Guess(table, np.full(len(release.published.users), NONE), claims=Claims(owners, confidence, known))


def pseudonymized(original: History, seed: int) -> Release:
    return Pseudonyms().anonymize(original, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(5))
def test_owners_by_pseudonyms_are_those_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = example(6, 7, seed=seed)
    release = pseudonymized(original, seed) if seed % 2 else list_groups(original, 3, seed)
    table = rng.integers(-1, len(release.published.users), release.pseudonyms.shape)
    table = np.where(rng.random(table.shape) < 0.6, release.pseudonyms, table)
    right = 0.0
    names = {name: code for code, name in enumerate(release.published.users)}
    for record, row in enumerate(release.rows):
        owner, period = original.user_codes[row], release.published.period_codes[record]
        label = release.published.frame["user"][record]
        listed = [names[name] for name in label.strip("{}").split("|")]
        for pseudonym in listed:
            claimants = [user for user in range(len(table)) if table[user, period] == pseudonym]
            if owner in claimants:
                right += 1 / len(listed) / len(claimants)
    guess = Guess(table, np.full(len(release.published.users), NONE))
    score = RecordOwnership().measure(release, guess)
    assert score.value == pytest.approx(right / release.rows.size)
    assert score.interval is not None
    assert score.interval.low <= score.value <= score.interval.high


def learned_by_brute_force(release: Release, claims: Claims, known: np.ndarray) -> float:
    """The definition, record by record, for releases whose cells are values, sets or intervals of dates."""
    original, shown = release.original, release.published.frame.to_dicts()
    before = original.frame.to_dicts()
    columns = [name for name in ("item", "date", "price", "quantity", "time") if release.published.has(name)]

    def holds(cell: dict[str, Any], record: dict[str, Any], name: str) -> bool:
        if f"{name}_to" in cell:
            return bool(cell[name] <= record[name] <= cell[f"{name}_to"])
        if str(cell[name]).startswith("{"):
            return record[name] in str(cell[name]).strip("{}").split("|")
        return bool(cell[name] == record[name])

    claimed = [
        j
        for j, row in enumerate(release.rows)
        if not known[row] and claims.owners[j] != NONE and claims.confidence[j] >= CERTAIN
    ]
    claimed.sort(key=lambda j: -claims.confidence[j])
    right = {j: claims.owners[j] == original.user_codes[release.rows[j]] for j in claimed}
    last = 0
    for end in range(1, len(claimed) + 1):
        tie = end < len(claimed) and claims.confidence[claimed[end]] == claims.confidence[claimed[end - 1]]
        if not tie and sum(right[j] for j in claimed[:end]) >= CERTAIN * end:
            last = end
    sums = dict.fromkeys(range(len(original.users)), 0.0)
    for j in claimed[:last]:
        owner, row = original.user_codes[release.rows[j]], release.rows[j]
        true = [name for name in columns if holds(shown[j], before[row], name)]
        if not right[j] or not true:
            continue
        others = {
            original.user_codes[other]
            for other, record in enumerate(before)
            if original.period_codes[other] == original.period_codes[row]
            and all(holds(shown[j], record, name) for name in true)
        }
        share = len(others - {owner}) / (len(original.users) - 1)
        sums[owner] += min(1.0, max(0.0, (EXPECTED - share) / (EXPECTED - LIKELY)))
    unknown = np.bincount(original.user_codes[~known], minlength=len(original.users))
    return float(np.mean([sums[user] / unknown[user] for user in sums if unknown[user]]))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_learned_is_that_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    items = rng.choice(["tea", "cup"] if seed % 3 else ["tea", "cup", "pen", "mug"], 24)
    frame = pl.DataFrame(
        {
            "user": rng.choice(list("abcd"), 24),
            "date": [date(2011, 1 + int(day) // 3, 1 + int(day) % 3) for day in rng.integers(0, 6, 24)],
            "item": items,
            "price": rng.integers(1, 3, 24).astype(float),
        }
    )
    original = History(frame)
    release = pseudonymized(original, seed)
    shown = release.published.frame
    if seed % 2:
        # Some items become sets, and some of these are wrong; prices are off for some.
        wide = rng.random(24) < 0.5
        other = rng.choice(["{cup|tea}", "{mug|pen}"], 24)
        shown = shown.with_columns(
            item=pl.when(pl.Series(wide)).then(pl.Series(other)).otherwise("item"),
            price=pl.col("price") + pl.Series((rng.random(24) < 0.3).astype(float)),
        )
    release = Release(original, release.published.with_frame(shown), release.pseudonyms, release.rows)
    known = limited(original, rng, records=2)
    assert known.places is not None
    places = np.isin(np.arange(24), known.places)
    owners = original.user_codes[release.rows]
    wrong = rng.random(24) < 0.15
    claimed = np.where(wrong, rng.integers(-1, 4, 24), owners)
    claims = Claims(claimed, rng.choice([0.5, 0.9, 0.95, 1.0], 24), known)
    score = RecordsLearned().measure(release, silent_guess(release, claims.owners, claims.confidence, known))
    assert score.value == pytest.approx(learned_by_brute_force(release, claims, places))


def test_known_records_are_found_again_without_their_places() -> None:
    original = example(8, 9)
    known = limited(original, np.random.default_rng(0), records=3)
    again = History(known.frame, periods=original.periods, users=original.users, complete=False)
    assert known_records(original, known).tolist() == known_records(original, again).tolist()
    assert known_records(original, original).all()


def test_a_listed_group_gives_every_owner_away_and_is_not_to_be_released() -> None:
    original = example(60, 20)
    release = list_groups(original, 5, 1, own_lists=True)
    attackers = [Attacker(KIND.known(original, level), level) for level in ("records:3", "all")]
    result = assess(
        Registry(), KIND, release, attackers, attacks=[RecordOwners()], metrics=None, criterion=Criterion(), seed=1
    )
    assert result.decision == "do_not_release"
    by_level = {(f.question, f.level): f for f in result.findings if f.risk is not None}
    everything = by_level[Question.WHO, "all"]
    assert everything.status is Status.EXCEEDS
    assert everything.risk is not None
    assert everything.risk.found == 1.0
    learned = by_level[Question.WHAT, "records:3"]
    assert learned.status is Status.EXCEEDS
    assert learned.risk is not None
    assert learned.risk.interval is not None
    assert learned.risk.interval[0] > 0.2
    assert (Question.WHAT, "all") not in by_level
    words: dict[Language, str] = {"en": "other records are theirs for certain", "ja": "他のレコードの"}
    for language, phrase in words.items():
        say = Phrases(language)
        assert sum(phrase in row.text for row in list_risks(result, say)) == 1
        assert phrase in " ".join(explain(result, say))


def test_groups_that_share_a_list_hide_whose_record_it_is_from_who_knows_little() -> None:
    original = example(60, 20)
    release = list_groups(original, 5, 1)
    known = KIND.known(original, "records:3")
    guess = RecordOwners().attack(release.published, known, np.random.default_rng(0))
    assert RecordsLearned().measure(release, guess).value < 0.05
    guess = RecordOwners().attack(release.published, original, np.random.default_rng(0))
    assert RecordOwnership().measure(release, guess).value > 0.95


def hidden(original: History, seed: int) -> Release:
    """Nothing but the period of each record is left, under monthly pseudonyms."""
    release = pseudonymized(original, seed)
    labels = release.published.period_codes
    starts = pl.Series(np.asarray(original.periods.starts)[labels]).cast(pl.Int32).cast(pl.Date)
    frame = release.published.frame.select("user", date=starts, item=pl.lit("*"))
    return Release(original, release.published.with_frame(frame), release.pseudonyms, release.rows)


def test_of_what_says_nothing_nothing_is_learned() -> None:
    for seed in range(40):
        original = example(20, 6, seed=seed)
        release = hidden(original, seed)
        known = limited(original, np.random.default_rng(seed), records=2)
        guess = RecordOwners().attack(release.published, known, np.random.default_rng(seed))
        score = RecordsLearned().measure(release, guess)
        assert score.interval is not None
        assert score.interval.low == 0.0, seed


def test_what_everybody_buys_is_no_news() -> None:
    lines = [f"{user} 2011-01-03 tea" for user in "abcdefgh"] + ["a 2011-01-04 tent", "b 2011-01-04 pen"]
    original = records(*lines)
    release = pseudonymized(original, 1)
    known = original.only(np.zeros(original.height, dtype=bool) | (np.arange(10) == 2), complete=False)
    known.places = np.array([2])
    guess = silent_guess(release, original.user_codes[release.rows], np.ones(10), known)
    score = RecordsLearned().measure(release, guess)
    # a and b have one piece of news of two, the others none; c has nothing else.
    assert score.value == pytest.approx((0.5 + 0.5) / 7)
    assert score.detail["baseline"] == pytest.approx((0.5 + 0.5 + 5) / 7)


def test_whoever_knows_all_records_learns_none() -> None:
    original = example(8, 5)
    release = pseudonymized(original, 1)
    guess = silent_guess(release, original.user_codes[release.rows], np.ones(original.height), original)
    with pytest.raises(Undefined, match="every record is known"):
        RecordsLearned().measure(release, guess)
    assert [KIND.hides(release, level) for level in KIND.levels] == [True, True, False]


def test_the_interval_of_month_matching_is_by_customers() -> None:
    """Half of the customers are found everywhere: the pseudonyms of one customer are no independent draws."""
    original = example(40, 30)
    release = pseudonymized(original, 1)
    table = np.where((np.arange(40) < 20)[:, None], release.pseudonyms, NONE)
    score = MonthMatching().measure(release, Guess(table, np.full(len(release.published.users), NONE)))
    there = release.pseudonyms != NONE
    assert score.value == pytest.approx(there[:20].sum() / there.sum())
    assert score.interval is not None
    assert 0.28 < score.interval.high - score.interval.low < 0.36
