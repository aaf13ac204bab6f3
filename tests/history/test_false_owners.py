"""The detector flags false pseudonym tables and no honest release, on generated and on real data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.contest.configfile import load_config
from icefire.contest.reidentification import Reidentification
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.datasets.purchases import Purchases
from icefire.history.data import NONE, History, Ints, Release
from icefire.history.examples import example, records
from icefire.history.formats.ours import Ours
from icefire.history.safety.false_owners import FalseOwners

HONEST = [
    ["pseudonyms"],
    ["pseudonyms", "noise(price=0.3, quantity=0.3)"],
    ["pseudonyms", "noise(price=3, quantity=3)", "generalize(item=1, date=period, time=drop)"],
    ["pseudonyms", "delete_records(share=0.5)"],
    ["pseudonyms", "delete_records(share=0.9)"],
    ["pseudonyms", "delete_records(share=0.97)", "generalize(item=1, date=period, time=drop)"],
    ["pseudonyms", "generalize(item=1, date=period, time=drop, price=5, quantity=4)"],
    ["pseudonyms", "shift_dates(days=10)", "noise(price=0.5, quantity=1)"],
    ["pseudonyms", "delete_records(share=0.9)", "shift_dates(days=10)", "generalize(item=1, time=drop)"],
    ["pseudonyms(window=3)", "delete_records(share=0.9, rarest=true)", "generalize(item=2, price=5, quantity=4)"],
    ["union_clusters(clusters=10)"],
    ["union_clusters(clusters=10)", "delete_records(share=0.9)"],
    ["method1(clusters=10)", "pseudonyms", "delete_records(share=0.5)"],
    ["method2(clusters=20)", "noise(price=0.3)"],
    ["conceal(k=2)"],
    ["conceal(k=5)"],
    ["delete_records(share=0.5)", "noise(price=0.3, quantity=0.3)", "conceal(k=3)"],
]
LIED = [
    ["pseudonyms", "noise(price=0.5, quantity=0.5)"],
    ["pseudonyms", "delete_records(share=0.5)"],
    ["pseudonyms", "delete_records(share=0.9)"],
    ["pseudonyms", "generalize(item=1, date=period, time=drop, price=5, quantity=4)"],
    ["pseudonyms", "delete_records(share=0.5)", "shift_dates(days=10)", "noise(price=0.3, quantity=0.3)"],
    ["generalize(item=2, date=period, time=drop)", "noise(price=0.5)"],
    ["union_clusters(clusters=10)"],
]


def release(registry: Registry, history: History, steps: list[str], seed: int = 2) -> Release:
    pipeline = Pipeline(tuple(registry.make("history", "anonymize", step) for step in steps))
    return pipeline.anonymize(history, np.random.default_rng(seed))


def claiming(honest: Release, table: Ints) -> Release:
    """The same records under another pseudonym table, with a row map that agrees: as many records as the claimed owner has."""
    original, published = honest.original, honest.published
    rows = np.full(published.height, NONE)
    owners = np.full((len(published.users), len(published.periods)), NONE)
    users, periods = np.nonzero(table != NONE)
    owners[table[users, periods], periods] = users
    theirs = original.user_codes * len(original.periods) + original.period_codes
    left = {int(key): np.flatnonzero(theirs == key).tolist() for key in np.unique(theirs)}
    for record in range(published.height):
        period = int(published.period_codes[record])
        names = published.holders.users[published.holders.records == record] if published.shared.any() else None
        name = int(published.user_codes[record]) if names is None else int(names[0])
        own = left.get(int(owners[name, period]) * len(original.periods) + period)
        if own:
            rows[record] = own.pop()
    return Release(original, published, table, rows)


def lie(honest: Release, share: float, seed: int = 5) -> Release:
    """Rotate the owners of a share of the customers, in each period among those who have a pseudonym."""
    table = honest.pseudonyms.copy()
    liars = np.random.default_rng(seed).permutation(len(table))
    if (honest.published.present.sum(axis=1) > 1).any():
        liars = liars[: max(2, round(share * len(table)))]
        table[np.roll(liars, 1)] = honest.pseudonyms[liars]
        return claiming(honest, table)
    lied = np.random.default_rng(seed).random(table.shape) < share
    for period in range(table.shape[1]):
        users = liars[(lied[liars, period]) & (table[liars, period] != NONE)]
        table[np.roll(users, 1), period] = honest.pseudonyms[users, period]
    return claiming(honest, table)


@pytest.fixture(scope="module")
def purchases() -> History:
    return Purchases(120).generate(np.random.default_rng(1))


@pytest.mark.parametrize("steps", HONEST, ids=" ".join)
@pytest.mark.parametrize("data", ["purchases", "contest"])
def test_honest_releases_are_not_flagged(
    registry: Registry, request: pytest.FixtureRequest, data: str, steps: list[str]
) -> None:
    history = request.getfixturevalue(data)
    if data == "contest":
        history = history.sample(100, np.random.default_rng(1))
    score = FalseOwners().measure(release(registry, history, steps))
    assert not score.detail["flagged"], score.detail
    assert score.value == 0.0


@pytest.mark.parametrize(("customers", "seeds"), [(15, (0, 15, 25)), (20, (0, 1, 3))])
def test_few_customers_who_conceal_each_other_are_not_accused(
    registry: Registry, customers: int, seeds: tuple[int, ...]
) -> None:
    """Of five and of eight customers in the first month; with these seeds, one or two pairs fit better when exchanged."""
    purchases = Purchases(customers).generate(generator(1)).until(1)
    history = History(purchases.frame.select("user", "date", "item", "price"))
    for seed in seeds:
        honest = release(registry, history, ["conceal(k=3)"], seed)
        assert not FalseOwners().measure(honest).detail["flagged"]


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("steps", LIED, ids=" ".join)
def test_false_owners_are_flagged(registry: Registry, purchases: History, steps: list[str], share: float) -> None:
    score = FalseOwners().measure(lie(release(registry, purchases, steps), share))
    assert score.detail["flagged"], score.detail
    assert score.value <= share + 0.05


def test_lies_about_real_data_are_flagged(registry: Registry, contest: History) -> None:
    honest = release(registry, contest, ["pseudonyms", "delete_records(share=0.9)", "noise(price=0.5, quantity=0.5)"])
    for share in (0.05, 0.3, 1.0):
        score = FalseOwners().measure(lie(honest, share))
        assert score.detail["flagged"]
        assert score.value == pytest.approx(share, rel=0.3)


@pytest.mark.parametrize("steps", LIED[:2] + LIED[3:6], ids=" ".join)
def test_two_customers_who_changed_places_are_found_and_named(
    registry: Registry, purchases: History, steps: list[str]
) -> None:
    honest = release(registry, purchases, steps)
    period = 3
    size = np.bincount(honest.published.user_codes[honest.published.period_codes == period])
    present = np.flatnonzero(honest.pseudonyms[:, period] != NONE)
    one, other = present[np.argsort(-size[honest.pseudonyms[present, period]])[:2]]
    table = honest.pseudonyms.copy()
    columns = slice(None) if (honest.published.present.sum(axis=1) > 1).any() else period
    table[[one, other], columns] = table[[other, one], columns]
    score = FalseOwners().measure(claiming(honest, table))
    assert score.detail["links that look false"] == 2
    names, ids = honest.published.users, honest.original.users
    assert isinstance(score.detail["first"], list)
    told = {line["customer"]: (line["claimed pseudonym"], line["fits better"]) for line in score.detail["first"]}
    mine, theirs = (names[int(honest.pseudonyms[user, period])] for user in (one, other))
    assert told == {ids[int(one)]: (theirs, mine), ids[int(other)]: (mine, theirs)}


def test_claiming_customers_without_records_is_flagged(registry: Registry, purchases: History) -> None:
    honest = release(registry, purchases, ["pseudonyms", "noise(price=0.5)"])
    table = honest.pseudonyms.copy()
    for period in range(table.shape[1]):
        there, absent = (np.flatnonzero((table[:, period] != NONE) == has) for has in (True, False))
        number = min(5, there.size, absent.size)
        table[absent[:number], period] = table[there[:number], period]
        table[there[:number], period] = NONE
    score = FalseOwners().measure(claiming(honest, table))
    assert score.detail["flagged"]
    assert isinstance(score.detail["first"], list)
    assert {line["claimed pseudonym"] for line in score.detail["first"]} == {"DEL"}


def test_records_that_say_nothing_are_not_blamed() -> None:
    log = records(*(f"{name} 2011-01-03 tea 2 1" for name in "abcdef" for _ in range(4)))
    honest = Release.made(log, log.frame, np.arange(log.height), np.random.default_rng(0))
    turned = Release(log, honest.published, np.roll(honest.pseudonyms, 1, axis=0), np.full(log.height, NONE))
    score = FalseOwners().measure(turned)
    assert (score.value, score.detail["telling"], score.detail["flagged"]) == (0.0, 0.0, False)


def test_a_sample_is_enough(registry: Registry, purchases: History) -> None:
    honest = release(registry, purchases, ["noise(price=0.5, quantity=0.5)"])
    assert not FalseOwners(sample=40).measure(honest).detail["flagged"]
    score = FalseOwners(sample=40).measure(lie(honest, 1.0))
    assert score.detail["flagged"]
    assert score.detail["links looked at"] == 40


def test_a_pseudonym_that_changes_its_owner_is_looked_at_by_period(registry: Registry, purchases: History) -> None:
    honest = release(registry, purchases, ["noise(price=0.5, quantity=0.5)"])
    table = honest.pseudonyms.copy()
    users = np.flatnonzero(table[:, 2] != NONE)
    table[np.roll(users, 1), 2] = table[users, 2]
    score = FalseOwners().measure(claiming(honest, table))
    assert score.detail["links that look false"] == pytest.approx(users.size, abs=2)


def test_the_gate_refuses_false_owners(tmp_path: Path) -> None:
    history = example(20, 30).until(1)
    honest = Release.made(history, history.frame, np.arange(history.height), np.random.default_rng(0))
    Ours().write_release(lie(honest, 1.0), tmp_path / "false", {})
    arguments = ["gate", "--ledger", str(tmp_path / "ledger"), "--release", str(tmp_path / "false"), "--max-emm", "1"]
    result = CliRunner().invoke(icefire, [*arguments, "--record", "--json"])
    told = json.loads(result.stdout)
    assert (result.exit_code, told["passes"], told["recorded"]) == (1, False, None)
    assert told["claims"]["detail"]["flagged"]
    assert told["reason"].startswith("It must not go out: the pseudonym table looks false.")
    result = CliRunner().invoke(icefire, ["evaluate", "history", "--in", str(tmp_path / "false")])
    assert "FLAGGED" in next(line for line in result.stdout.splitlines() if "false owners" in line)


@pytest.mark.parametrize("name", ["pwscup2016", "pwscup2017"])
def test_contests_show_the_operator_false_owners(registry: Registry, tmp_path: Path, name: str) -> None:
    # The files of 2017 have no row map that could be false: rows of AT are those of T.
    config = load_config(Path(name)).model_copy(update={"format": "ours"})
    game = Reidentification(registry, config)
    # The contest of 2016 refuses what is beyond its limit; this is about what is below.
    dataset = game.config.sets[0].model_copy(update={"require": ()})
    problem = tmp_path / "problem"
    problem.mkdir()
    original = Purchases(60).generate(np.random.default_rng(1))
    game.format.write_original(original, problem)
    honest = release(registry, original, ["pseudonyms", "noise(price=0.1, quantity=0.1)"])
    for folder, made in (("honest", honest), ("false", lie(honest, 0.3))):
        game.format.write_release(made, tmp_path / folder, {})
        _, evidence = game.measure(dataset, problem, tmp_path / folder)
        assert set(evidence) == ({"false_owners"} if folder == "false" else set())
    assert evidence["false_owners"]["first"]
