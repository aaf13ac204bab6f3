"""Records concealed among k, and the pseudonym with them."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icefire.core.errors import DataError, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.datasets.purchases import Purchases
from icefire.history.anonymize.conceal import Conceal
from icefire.history.anonymize.generalize import Generalize
from icefire.history.anonymize.method2 import Method2
from icefire.history.attack.posterior import Posterior
from icefire.history.attack.replay import Replay
from icefire.history.concealing import covering, hidden
from icefire.history.data import Guess, History, Release
from icefire.history.examples import example, records
from icefire.history.formats.ours import Ours
from icefire.history.safety.existing_month_matching import ExistingMonthMatching
from icefire.history.safety.k_concealment import KConcealment
from icefire.history.schema import Schema

Rng = np.random.default_rng


def alice_and_bob(second: str = "{1|5}") -> Release:
    """The slide: Alice is 1, Bob 2. Published records stand in the order of their originals."""
    day = [date(2011, 12, number) for number in range(1, 5)]
    original = History(
        pl.DataFrame(
            {
                "user": ["Alice"] * 3 + ["Bob"] * 2,
                "date": [day[1], day[2], day[3], day[0], day[1]],
                "item": ["3", "1", "4", "2", "5"],
            }
        ),
        Schema(periods="all"),
    )
    published = History(
        pl.DataFrame(
            {
                "user": ["1", "1", "{1|2}", "2", "2"],
                "date": [day[0], day[1], day[1], day[0], day[1]],
                "date_to": [day[1], day[2], day[3], day[1], day[3]],
                "item": ["{2|3}", second, "{4|5}", "{2|3}", "{1|4|5}"],
            }
        ),
        original.schema,
        periods=original.periods,
    )
    return Release(original, published, np.array([[0], [1]]), np.arange(5))


def test_alice_and_bob_at_both_levels() -> None:
    found = hidden(alice_and_bob(), Rng(0))
    assert found.people.tolist() == [2, 2]
    assert found.records.min() == found.k == 2
    # Level by level (12/4, 4) has two matches. Yet if Alice is 2, her (12/3, 1) needs the only other one of them.
    assert found.together.tolist() == [2, 2, 1, 2, 2]


def test_the_slide_as_printed_leaves_one_record_alone() -> None:
    """With {1, 2} the second published record covers (12/3, 1) and nothing else."""
    release = alice_and_bob("{1|2}")
    edges = covering(release.original, release.published).toarray()
    assert edges[:, 1].tolist() == [0, 1, 0, 0, 0]
    found = hidden(release, Rng(0))
    assert found.records[1] == 1
    assert found.people.tolist() == [1, 1]


def brute_force(release: Release) -> tuple[list[int], list[int]]:
    """All worlds of a small release of one period, one after the other."""
    edges = covering(release.original, release.published).toarray()
    owners, holders = release.original.user_codes, release.published.holders
    listed = np.zeros((release.published.height, len(release.published.users)), dtype=bool)
    listed[holders.records, holders.users] = True
    names = release.pseudonyms[:, 0]
    people: list[set[int]] = [set() for _ in names]
    records: list[set[int]] = [set() for _ in owners]
    for world in itertools.permutations(names):
        allowed = [
            [g for g in range(edges.shape[1]) if edges[r, g] and listed[g, world[owners[r]]]]
            for r in range(owners.size)
        ]
        for places in itertools.product(*allowed):
            if len(set(places)) == len(places):
                for user, name in enumerate(world):
                    people[user].add(name)
                for record, place in enumerate(places):
                    records[record].add(place)
    return [len(names) for names in people], [len(places) for places in records]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_worlds_agree_with_brute_force(data: st.DataObject) -> None:
    """On three customers with six records, released as random supersets, nothing is missed and nothing made up."""
    owner = [0, 1, 2, *data.draw(st.lists(st.integers(0, 2), min_size=2, max_size=3))]
    items = data.draw(st.lists(st.integers(0, 3), min_size=len(owner), max_size=len(owner)))
    original = History(
        pl.DataFrame(
            {
                "user": [f"u{user}" for user in owner],
                "date": [date(2011, 1, 1)] * len(owner),
                "item": [f"i{item}" for item in items],
            }
        )
    )
    more = st.sets(st.integers(0, 3), max_size=2)
    held = [sorted({f"i{other}" for other in data.draw(more)} | {f"i{item}"}) for item in items]
    also = [
        sorted({f"{other}" for other in data.draw(st.sets(st.integers(0, 2), max_size=2))} | {f"{own}"})
        for own in owner
    ]
    label = lambda names: names[0] if len(names) == 1 else "{" + "|".join(names) + "}"  # noqa: E731
    frame = original.frame.with_columns(user=pl.Series(map(label, also)), item=pl.Series(map(label, held)))
    published = History(frame, original.schema, periods=original.periods)
    release = Release(original, published, np.arange(3)[:, None], np.arange(len(owner)))
    found = hidden(release, Rng(0))
    people, records = brute_force(release)
    assert found.people.tolist() == people
    assert all(ours <= theirs for ours, theirs in zip(found.together, records, strict=True))
    assert (found.together <= found.records).all()


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("seed", [0, 1])
def test_release_is_concealed_at_both_levels(k: int, seed: int) -> None:
    original = example(users=17 + seed, records=12, seed=seed)
    release = Conceal(k=k).anonymize(original, Rng(seed))
    assert release.published.height == original.height
    assert sorted(release.rows) == list(range(original.height))
    found = hidden(release, Rng(0))
    assert found.people.min() >= k
    assert found.records.min() >= k
    assert found.together.min() >= k
    assert KConcealment().measure(release).value >= k
    assert not {"invoice", "time"} & set(release.published.frame.columns)


def test_missing_prices_are_concealed_too() -> None:
    original = example(users=12, records=6)
    price = original.frame["price"].scatter([0, 5, 9], None)
    release = Conceal(k=2).anonymize(original.with_frame(original.frame.with_columns(price)), Rng(0))
    assert hidden(release, Rng(0)).k >= 2


def test_sets_of_pseudonyms_survive_files(tmp_path: Path) -> None:
    files = Ours()
    release = Pipeline((Conceal(k=3),)).anonymize(example(), Rng(2))
    assert release.published.shared.any()
    files.write_release(release, tmp_path, {})
    again = files.read_release(tmp_path)
    assert again.published.frame.equals(release.published.frame)
    assert np.array_equal(again.pseudonyms, release.pseudonyms)
    assert hidden(again, Rng(0)).k == hidden(release, Rng(0)).k >= 3


def test_a_step_after_concealment_says_why_not() -> None:
    with pytest.raises(DataError, match="conceal has to be the last step"):
        Pipeline((Conceal(k=2), Method2(clusters=5))).anonymize(example(), Rng(0))


def test_too_few_people() -> None:
    with pytest.raises(DataError, match=r"customers have records in .* lower k"):
        Conceal(k=20).anonymize(example(users=8), Rng(0))


def test_posterior_finds_who_stands_alone() -> None:
    """The slide as printed leaves one world, the mended one two of them."""
    release = alice_and_bob("{1|2}")
    guess = Posterior().attack(release.published, release.original, Rng(0))
    assert guess.table.tolist() == release.pseudonyms.tolist()


def test_posterior_beats_chance_where_matches_are_uneven() -> None:
    original = example(users=40, records=20)
    release = Conceal(k=4).anonymize(original, Rng(0))
    guess = Posterior().attack(release.published, original, Rng(0))
    assert ExistingMonthMatching().measure(release, guess).value > 1 / 40


@pytest.fixture(scope="module")
def purchases() -> History:
    original: History = Registry().make("history", "dataset", "purchases(n=120)").generate(Rng(0))
    return original.until(3)


def links(release: Release, guess: Guess) -> float:
    return ExistingMonthMatching().measure(release, guess).value


def test_cells_give_away_whom_they_were_built_around(purchases: History) -> None:
    """Each customer may have five pseudonyms, but the overlap of cells tells which is true, and so does repetition."""
    step = Conceal(k=5, randomized=False)
    release = step.anonymize(purchases, Rng(1))
    guesses = [Posterior(stars=stars).attack(release.published, purchases, Rng(2)) for stars in (False, True)]
    plain, stars = (links(release, guess) for guess in guesses)
    assert stars > max(0.9, plain + 0.3)
    assert links(release, Replay(runs=5).knowing([step]).attack(release.published, purchases, Rng(2))) > 0.75


def test_drawn_worlds_are_worth_k(purchases: History) -> None:
    """No attack finds more than about one in five links of 80, with a standard deviation of 0.045."""
    step = Conceal(k=5)
    release = step.anonymize(purchases, Rng(1))
    attacks = [Posterior(stars=stars) for stars in (False, True)] + [Replay(runs=5).knowing([step])]
    for attack in attacks:
        assert links(release, attack.attack(release.published, purchases, Rng(2))) < 0.2 + 4 * 0.045


@pytest.mark.parametrize("k", [2, 3])
def test_each_pseudonym_is_equally_likely(k: int) -> None:
    """Pseudonyms are told apart by their records, which are the same in all runs; who is behind them is not."""
    log = records(
        "a 2011-01-03 tea 1", "b 2011-01-03 tea 2", "c 2011-01-03 tea 4", "d 2011-01-03 tea 8", "e 2011-01-03 tea 16"
    )
    # Ties in distances would make the design itself random.
    cells, behind = set(), Counter[tuple[tuple[float, float], str]]()
    runs = 150
    for seed in range(runs):
        release = Conceal(k=k).anonymize(log, Rng(seed))
        frame = release.published.frame.select("price", "price_to").rows()
        cells.add(tuple(sorted(frame)))
        behind.update(zip(frame, log.frame["user"].gather(release.rows).to_list(), strict=True))
    assert len(cells) == 1
    equal = Counter(next(iter(cells)))
    for (cell, _), number in behind.items():
        # Equal cells cannot be told apart, so their counts add up.
        assert abs(number / runs - 1 / k) < 5 * np.sqrt(1 / runs) or equal[cell] > 1


def test_chances_are_those_of_the_draw() -> None:
    log = example(users=12, records=6)
    release, chances = Conceal(k=3).repeated(log, Rng(0))
    assert np.allclose(chances.sum(axis=1), 1.0)
    assert np.allclose(chances.data, 1 / 3)
    users, periods = np.nonzero(log.present)
    assert (chances.toarray()[release.pseudonyms[users, periods], users] > 0).all()
    _, certain = Conceal(k=3, randomized=False).repeated(log, Rng(0))
    assert np.allclose(certain.data, 1.0)


def test_what_cannot_be_repeated_is_said() -> None:
    log = example(users=12, records=6)
    release = Conceal(k=2).anonymize(log, Rng(0))
    with pytest.raises(Undefined, match="made for releases of `conceal`"):
        Replay().knowing([Method2(clusters=5)]).attack(release.published, log, Rng(0))
    with pytest.raises(Undefined, match="conceal cannot be repeated"):
        Replay().knowing([Conceal(k=13)]).attack(release.published, log, Rng(0))


def test_record_that_does_not_cover_its_original_is_named() -> None:
    release = alice_and_bob()
    frame = release.published.frame.with_columns(item=pl.Series(["{2|3}", "{1|5}", "{2|5}", "{2|3}", "{1|4|5}"]))
    with pytest.raises(DataError, match="published record 3 does not cover the original record 3"):
        hidden(replace(release, published=release.published.with_frame(frame)), Rng(0))


def test_dummies_are_no_concealment() -> None:
    original = example()
    release = Method2(clusters=5).anonymize(original, Rng(0))
    with pytest.raises(Undefined, match="every record exactly once"):
        KConcealment().measure(release)


@pytest.mark.parametrize("k", [2, 5])
def test_fifty_customers_of_the_contest(k: int, contest: History) -> None:
    original = contest.of_users(np.arange(50))
    release = Conceal(k=k).anonymize(original, Rng(0))
    assert sorted(release.rows) == list(range(original.height))
    found = hidden(release, Rng(0))
    assert min(found.people.min(), found.records.min(), found.together.min()) >= k


COARSE = Generalize(item=1, date="period", time="drop", price=2, quantity=2)


@pytest.mark.parametrize("step", [Conceal(k=2), Conceal(k=3), COARSE])
def test_islands_are_searched_alone_with_the_same_result(
    step: Conceal | Generalize, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = Purchases(n=40).generate(Rng(5)).until(2)
    release = Pipeline((step,)).anonymize(history, Rng(6))
    alone = hidden(release, Rng(7))
    everybody = property(lambda part: np.zeros(part.users.size, dtype=np.int64))
    monkeypatch.setattr("icefire.history.concealing._Period.islands", everybody)
    together = hidden(release, Rng(7))
    for name in ("people", "candidates", "records", "together", "neighbours", "effective"):
        assert getattr(alone, name).tolist() == getattr(together, name).tolist(), name
