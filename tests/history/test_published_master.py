"""The master table may be processed and published, too, as in 2016 (M')."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.contest.bots import defend
from icefire.contest.clock import ManualClock
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.state import Place
from icefire.contest.workers import run_inline
from icefire.core.errors import DataError, FileError, Undefined, UnknownName
from icefire.core.pipeline import Pipeline
from icefire.history.anonymize.noise import Noise
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.anonymize.publish_master import PublishMaster
from icefire.history.attack.attributes import Attributes
from icefire.history.attack.jaccard import Jaccard
from icefire.history.data import History, Release
from icefire.history.examples import example, records
from icefire.history.formats.ours import Ours
from icefire.history.roles import Anonymizer
from icefire.history.safety.re_identification import ReIdentification
from icefire.history.utility.customer_price import CustomerPrice
from icefire.history.utility.subset_price import SubsetPrice


def made(original: History, *steps: Anonymizer, seed: int = 1) -> Release:
    return Pipeline(steps).anonymize(original, np.random.default_rng(seed))


def told(release: Release) -> dict[str, tuple[str, ...]]:
    """What is published of each customer."""
    master = release.published.master
    assert master is not None
    owners = release.original.users.gather(release.first_owners)
    assert master["user"].to_list() == release.published.users.to_list(), "in the order of the pseudonyms"
    return dict(zip(owners, master.drop("user").rows(), strict=True))


def test_nothing_of_it_is_published_unless_asked_for(tmp_path: Path) -> None:
    release = made(example(), Noise(price=0.2))
    assert release.published.master is None
    Ours().write_release(made(example(), PublishMaster()), tmp_path, {})
    assert (tmp_path / "published-master.csv").is_file()
    Ours().write_release(release, tmp_path, {})
    assert not list(tmp_path.glob("published-master*")), "nor is what an earlier release had"


def test_attributes_follow_their_customers(tmp_path: Path) -> None:
    original = example()
    assert original.master is not None
    expected = {user: (birth[:3] + "*", country) for user, birth, country in original.master.rows()}
    release = made(original, PublishMaster(birth=3), Noise(price=0.2))
    assert told(release) == expected
    assert told(release.reshuffled(np.random.default_rng(5))) == expected
    Ours().write_release(release, tmp_path, {})
    assert told(Ours().read_release(tmp_path)) == expected
    handed_out, _ = Ours().read_handout(tmp_path)
    assert handed_out.master is not None
    assert not set(handed_out.master["user"]) & set(original.users)


def test_some_columns_and_some_customers_alone() -> None:
    original = example()
    assert original.master is not None
    release = made(original, PublishMaster(columns=("country",), swapped=1.0))
    countries = [country for (country,) in told(release).values()]
    assert sorted(countries) == sorted(original.master["country"])
    assert countries != original.master["country"].to_list()
    with pytest.raises(UnknownName, match="did you mean 'country'"):
        made(original, PublishMaster(columns=("contry",)))


def test_a_customer_needs_one_pseudonym() -> None:
    with pytest.raises(DataError, match=r"publish_master needs a master table .* one pseudonym for each customer"):
        made(example(), Pseudonyms(1), PublishMaster())
    with pytest.raises(DataError, match="has to come after the step that gives customers several pseudonyms"):
        made(example(), PublishMaster(), Pseudonyms(1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.head(28), "lacks 2 published pseudonyms"),
        (lambda t: t.with_columns(user=pl.lit("x") + pl.col("user")), "line 2: the pseudonym 'x"),
        (lambda t: t.with_columns(pay=1), "the master table of the original has no column 'pay'"),
        (lambda t: pl.concat([t, t.head(1)]), "is listed twice"),
    ],
)
def test_faults_are_told(tmp_path: Path, change: object, message: str) -> None:
    Ours().write_release(made(example(), PublishMaster()), tmp_path, {})
    path = tmp_path / "published-master.csv"
    change(pl.read_csv(path, infer_schema=False)).write_csv(path)  # type: ignore[operator]
    with pytest.raises(FileError, match=message):
        Ours().read_release(tmp_path)


def test_who_is_alone_in_its_attributes_is_found() -> None:
    """Everybody buys the same, so that items tell nothing. Ann and Cid are told by their births; Bob and Dan share theirs."""
    people = pl.DataFrame({"user": ["ann", "bob", "cid", "dan"], "birth": ["1973", "1980", "1991", "1980"]})
    original = records(*(f"{name} 2011-01-03 tea" for name in people["user"])).with_master(people)
    guesses = []
    for seed in range(200):
        release = made(original, PublishMaster(birth=4), seed=seed)
        guess = Attributes().attack(release.published, original, np.random.default_rng(seed))
        guesses.append(guess.owners == release.first_owners)
        assert (guess.owners == release.first_owners)[np.isin(release.first_owners, [0, 2])].all()
    assert np.mean(guesses) == pytest.approx(0.75, abs=0.05)
    with pytest.raises(Undefined, match="nothing of the master table is published"):
        Attributes().attack(made(original).published, original, np.random.default_rng(0))


def test_it_finds_more_than_items_alone() -> None:
    original = example(120)
    release = made(original, Noise(price=2.0), PublishMaster())
    found = {
        attack: ReIdentification()
        .measure(release, attack.attack(release.published, original, np.random.default_rng(2)))
        .value
        for attack in (Jaccard(records=2), Attributes(records=2))
    }
    assert found[Attributes(records=2)] > found[Jaccard(records=2)]


def test_groups_are_those_of_the_published_table() -> None:
    """Ann (jp) pays 2 and bob (fr) 8. With their countries exchanged, jp pays 8: |2 - 8| and |8 - 2|."""
    people = pl.DataFrame({"user": ["ann", "bob"], "birth": ["1970", "1975"], "country": ["jp", "fr"]})
    original = records("ann 2011-01-03 tea 2", "bob 2011-01-04 cup 8").with_master(people)
    release = made(original, PublishMaster())
    assert CustomerPrice().measure(original, release).value == 0.0
    master = release.published.master
    assert master is not None
    exchanged = release.published.with_master(master.with_columns(country=pl.col("country").reverse()))
    false = Release(original, exchanged, release.pseudonyms, release.rows)
    assert CustomerPrice().measure(original, false).value == 6.0
    # Countries: |2 - 8| / 2 and |8 - 2| / 8, which is 1.875 in the mean; years of birth as they were.
    assert SubsetPrice().measure(original, false).value == pytest.approx(0.9375)
    without = release.published.with_master(master.drop("country"))
    assert SubsetPrice().measure(original, Release(original, without, release.pseudonyms, release.rows)).value == 0.5


def test_a_contest_of_2016_with_a_published_master_table(tmp_path: Path) -> None:
    config = load_config(Path("pwscup2016"), small=True)
    clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5))
    with Contest.create(tmp_path / "c", config, clock=clock) as contest:
        for name in ("Ann", "Bob"):
            contest.teams.add(name)
        clock.reach(config.rounds[0].defence.opens)
        contest.schedule.tick()
        run_inline(contest)
        for team, steps in (("ann", ["noise(price=0.1)", "publish_master(birth=3)"]), ("bob", ["noise(price=0.1)"])):
            defend(contest, Place(0, team, "purchases"), steps, np.random.default_rng(0))
        run_inline(contest)
        for moment in (config.rounds[0].defence.closes, config.rounds[0].attack.opens):
            clock.reach(moment)
            while contest.schedule.tick():
                run_inline(contest)
        handouts = {team: contest.downloads.handout(Place(0, team, "purchases"), "x") for team in ("ann", "bob")}
        state = contest.state()
    assert {team for team, files in handouts.items() if "published-master.csv" in files} == {"ann"}
    assert {upload.status for upload in state.uploads.values()} == {"accepted"}
    assert not state.alarms
