"""Risk release by release."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner, Result

from icefire.cli.main import icefire
from icefire.core.attackers import Attacker
from icefire.core.errors import FileError, InputError
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.datasets.purchases import Purchases
from icefire.evaluation.runs import judge_runs, run_attacks, worst_cases
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.data import NONE, History, Release
from icefire.history.examples import example
from icefire.history.formats.ours import Ours
from icefire.history.gate import ATTACKERS
from icefire.history.ledger import Ledger, combined, periods_of

Rng = np.random.default_rng
FILES = Ours()


def protecting(history: History, months: list[int]) -> Release:
    """New pseudonyms every month; in the protected months everybody buys the same thing on the same day, once."""
    release = Pseudonyms().anonymize(history, Rng(0))
    published = release.published
    inside = np.isin(published.period_codes, months)
    cells = published.user_codes * len(published.periods) + published.period_codes
    first = pl.Series(cells).is_first_distinct().to_numpy()
    starts = pl.Series(published.periods.bounds(published.period_codes)[0].astype(np.int32)).cast(pl.Date)
    hide = pl.Series(inside)
    frame = published.frame.with_columns(
        date=pl.when(hide).then(starts).otherwise("date"),
        item=pl.when(hide).then(pl.lit("0")).otherwise("item"),
        price=pl.when(hide).then(1.0).otherwise("price"),
        quantity=pl.when(hide).then(1).otherwise("quantity"),
        time=pl.when(hide).then(pl.lit("9:00")).otherwise("time"),
        invoice=pl.lit("0"),
    )
    kept = ~inside | first
    changed = History(frame.filter(pl.Series(kept)), published.schema, periods=published.periods)
    return Release(history, changed, release.pseudonyms, release.rows[kept])


def test_one_protected_month_looks_safe_under_um_and_unsafe_under_mm_and_emm() -> None:
    registry = Registry()
    # Everybody buys every month, as the customers do whom the contest was about.
    shop = Purchases(n=60).generate(Rng(3))
    frame = shop.frame.with_columns(date=pl.Series(np.array(["2011-01-10"] * shop.height, dtype="datetime64[D]")))
    months = pl.Series(np.arange(shop.height) % 6)
    frame = frame.with_columns(date=pl.col("date").dt.offset_by(pl.lit(months.cast(pl.String) + "mo")))
    history = History(frame.filter(pl.len().over("user") >= 12))
    release = protecting(history, [len(history.periods) - 1])
    kind, safety = registry.kind("history"), registry.safety_metrics("history")
    runs = judge_runs(kind, safety, release, run_attacks(registry, kind, release.published, Attacker(history), 0))
    worst = {case.metric: case.score.value for case in worst_cases(runs)}
    assert worst["user_matching"] < 0.1
    assert worst["month_matching"] > 0.75
    assert worst["extended_month_matching"] > 0.95


def by_month(history: History) -> list[History]:
    users = history.users
    return [
        History(history.frame.filter(pl.Series(history.period_codes == month)), users=users)
        for month in range(len(history.periods))
    ]


def test_releases_add_up() -> None:
    history = example(30, 8)
    parts = [Pipeline(()).anonymize(part, Rng(seed)) for seed, part in enumerate(by_month(history))]
    everything = combined(parts)
    assert everything.original.periods.labels == history.periods.labels
    assert everything.original.height == everything.published.height == history.height
    real = everything.rows
    same = everything.original.frame[real].drop("user", "invoice")
    assert same.equals(everything.published.frame.drop("user", "invoice"))
    for month, part in enumerate(parts):
        for user in range(len(part.original.users)):
            own, code = part.pseudonyms[user, 0], everything.pseudonyms[user, month]
            assert (own == NONE) == (code == NONE)
            if own != NONE:
                assert part.published.users[int(own)] == everything.published.users[int(code)]
    assert everything.until(1).original.height == parts[0].original.height
    with pytest.raises(InputError, match="2011-01 is not later than 2011-02, which has been released already"):
        combined([parts[1], parts[0]])


def run(*words: object) -> Result:
    return CliRunner().invoke(icefire, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("months")
    for label, part in zip(("2011-01", "2011-02"), by_month(example(25, 8)), strict=False):
        release = Pipeline(()).anonymize(part, Rng(1))
        FILES.write_release(release, folder / label, {"seed": 1})
    return folder


def test_the_gate_says_how_many_attacks_are_left(months: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.cli.output.EVERY", 0.0)
    found = run("gate", "--ledger", months / "none", "--release", months / "2011-01", "--max-emm", 0.5)
    lines = re.findall(r"(\d+) of (\d+) done in [^,]+, about [^;]+ left; now 2011-01: attacker who knows", found.stderr)
    numbers = [int(done) for done, _ in lines]
    assert numbers == list(range(1, len(lines) + 1))
    assert {int(total) for _, total in lines} == {len(lines) + 1}


def test_the_gate(months: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    refused = run("gate", "--ledger", ledger, "--release", months / "2011-01", "--max-emm", 0.5, "--record", "--json")
    verdict = json.loads(refused.stdout)
    assert refused.exit_code == 1
    assert verdict["passes"] is False
    assert verdict["emm"] > 0.9
    assert verdict["reason"].startswith("It must not go out")
    assert verdict["method known"] is False
    assert verdict["recorded"] is None
    assert not ledger.exists()
    assert set(verdict["curves"]) == set(ATTACKERS)

    passed = run("gate", "--ledger", ledger, "--release", months / "2011-01", "--max-emm", 1, "--record", "--json")
    assert passed.exit_code == 0
    assert json.loads(passed.stdout)["recorded"] == "001-2011-01"
    assert [entry.periods for entry in Ledger(ledger).entries()] == [("2011-01",)]
    assert stat.S_IMODE(ledger.stat().st_mode) == 0o700
    assert stat.S_IMODE((ledger / "ledger.json").stat().st_mode) == 0o600

    out = tmp_path / "out"
    second = run(
        "gate",
        "--ledger",
        ledger,
        "--release",
        months / "2011-02",
        "--max-emm",
        1,
        "--out",
        out,
        "--lang",
        "ja",
        "--json",
    )
    curves = json.loads(second.stdout)["curves"]
    assert [point["period"] for point in curves["everything"]] == ["2011-01", "2011-02"]
    assert curves["everything"][0]["value"] == json.loads(passed.stdout)["curves"]["everything"][0]["value"]
    page = (out / "gate.html").read_text()
    assert "提供できます" in page
    assert "加工方法を知りません" in page
    assert len(Ledger(ledger).entries()) == 1

    # A limit that the past already broke cannot be kept any more.
    past = run("gate", "--ledger", ledger, "--release", months / "2011-02", "--max-emm", 0.01, "--json")
    assert past.exit_code == 1


def test_the_gate_refuses_what_it_cannot_judge(months: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("not a ledger")
    with pytest.raises(FileError, match="is not a ledger"):
        run("gate", "--ledger", tmp_path, "--release", months / "2011-01", "--max-emm", 1)
    ledger = tmp_path / "ledger"
    run("gate", "--ledger", ledger, "--release", months / "2011-02", "--max-emm", 1, "--record")
    with pytest.raises(InputError, match="2011-02 is not later than 2011-02"):
        run("gate", "--ledger", ledger, "--release", months / "2011-02", "--max-emm", 1)
    (ledger / "ledger.json").write_text("{}")
    with pytest.raises(FileError, match=r"ledger.json is damaged"):
        run("gate", "--ledger", ledger, "--release", months / "2011-01", "--max-emm", 1)


def test_periods_of_a_release() -> None:
    release = Pipeline(()).anonymize(example(10, 4), Rng(0))
    assert periods_of(release) == ("2011-01", "2011-02", "2011-03")


def test_a_release_of_one_month_may_keep_the_whole_original() -> None:
    history = example(30, 8)
    parts = []
    for month in range(2):
        whole = Pipeline(()).anonymize(history, Rng(month))
        inside = whole.published.period_codes == month
        published = whole.published.only(inside, True)
        pseudonyms = np.where(np.arange(3) == month, whole.pseudonyms, NONE)
        parts.append(Release(history, published, pseudonyms, whole.rows[inside]))
    everything = combined(parts)
    assert everything.original.height == int((history.period_codes < 2).sum())
