"""Histories that stay on DuckDB or Spark: pseudonyms made there, and attacks with the same guesses as in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import DataError, InputError, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.seeds import generator
from icefire.datasets.purchases import Purchases
from icefire.history.anonymize.noise import Noise
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.attack.idf_jaccard import IdfJaccard
from icefire.history.attack.item_overlap import ItemOverlap
from icefire.history.attack.jaccard import Jaccard
from icefire.history.attack.jensen_shannon import JensenShannon
from icefire.history.attack.key_match import KeyMatch
from icefire.history.attack.log_likelihood import LogLikelihood
from icefire.history.attack.mean_price import MeanPrice
from icefire.history.attack.record_count import RecordCount
from icefire.history.attack.record_matching import RecordMatching
from icefire.history.attack.scoreboard import Scoreboard
from icefire.history.attack.tf_idf import TfIdf
from icefire.history.attack.tversky import Tversky
from icefire.history.formats.ours import Ours
from icefire.history.roles import Attack

Engine = Literal["duckdb", "spark"]
QUICK: list[Attack] = [Jaccard(), KeyMatch("S2"), MeanPrice()]
ATTACKS: list[Attack] = [
    *QUICK, Jaccard(assign="assignment"),
    Jaccard(link=False, drop_dummies=True), Jaccard(assign="sinkhorn"), Tversky(), TfIdf(),
    IdfJaccard(), LogLikelihood(), JensenShannon(), Scoreboard(), ItemOverlap(), RecordCount(),
    *(KeyMatch(key, darc) for key in ("S1", "S3", "S4", "S5", "S6") for darc in (False, True)),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Purchases as a folder of two Parquet files."""
    made = tmp_path_factory.mktemp("records")
    Ours().write_original(Purchases(n=30, items=60).generate(np.random.default_rng(0)), made)
    table = pl.read_csv(made / "original.csv", schema_overrides={"item": pl.String, "date": pl.Date, "time": pl.String})
    (made / "original.csv").unlink()
    (made / "original.parquet").mkdir()
    for part in range(2):
        rows = slice(part * table.height // 2, (part + 1) * table.height // 2)
        table[rows].write_parquet(made / "original.parquet" / f"{part}.parquet")
    return made


def _released(folder: Path, engine: Engine, out: Path) -> Path:
    """A release by an engine, as files that are read in memory."""
    files = Ours(engine)
    pipeline = Pipeline((Pseudonyms(window=3),))
    release = pipeline.anonymize(files.read_original(folder), generator(1, "anonymize"))
    files.write_release(release, out, {"seed": 1})
    for name in ("original", "published"):
        path = out / f"{name}.parquet"
        parts = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        (out / "whole").mkdir(exist_ok=True)
        pl.concat(map(pl.read_parquet, parts)).write_parquet(out / "whole" / f"{name}.parquet")
    for name in ("schema.toml", "secret.csv", "secret-rows.csv"):
        (out / "whole" / name).write_bytes((out / name).read_bytes())
    return out


@pytest.fixture(scope="module", params=["duckdb", "spark"])
def engine(request: pytest.FixtureRequest) -> Engine:
    pytest.importorskip("duckdb")
    if request.param == "spark":
        request.getfixturevalue("spark")
    found: Engine = request.param
    return found


@pytest.fixture(scope="module")
def released(folder: Path, engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _released(folder, engine, tmp_path_factory.mktemp(engine))


def test_pseudonyms_of_an_engine_are_a_valid_release(released: Path) -> None:
    """Reading checks that pseudonym table, row map and records agree."""
    release = Ours().read_release(released / "whole")
    original, published = release.original, release.published
    assert published.height == original.height
    assert (np.sort(release.rows) == np.arange(original.height)).all()
    assert (np.diff(release.rows) < 0).any(), "the order is another one"
    same = [name for name in original.frame.columns if name not in ("user", "invoice")]
    assert published.frame.select(same).equals(original.frame[release.rows].select(same))
    table, present = release.pseudonyms, original.present
    assert ((table >= 0) == present).all()
    for begin in range(0, table.shape[1], 3):
        kept = [{int(cell) for cell in row if cell >= 0} for row in table[:, begin : begin + 3]]
        assert all(len(names) <= 1 for names in kept)
    assert len(published.users) == sum(
        present[:, begin : begin + 3].any(axis=1).sum() for begin in range(0, table.shape[1], 3)
    )
    assert not set(published.users) & set(original.users)
    # Fresh invoice numbers: as many as pairs of pseudonym and invoice, and none of the old ones.
    pairs = pl.concat(
        [published.frame.select("user"), original.frame[release.rows].select("invoice")], how="horizontal"
    )
    assert published.frame["invoice"].n_unique() == pairs.n_unique()
    assert not set(published.frame["invoice"]) & set(original.frame["invoice"])


def test_same_guesses_as_in_memory(released: Path, engine: Engine) -> None:
    ours = Ours().read_handout(released / "whole")
    theirs = Ours(engine).read_handout(released)
    assert (theirs[0].present == ours[0].present).all()
    for attack in ATTACKS if engine == "duckdb" else QUICK:
        expected = attack.attack(*ours, generator(2, "attack"))
        found = attack.attack(*theirs, generator(2, "attack"))
        assert (found.table == expected.table).all(), attack.step()
        assert (found.owners == expected.owners).all(), attack.step()
        if expected.ranked is not None:
            assert found.ranked is not None
            assert (found.ranked == expected.ranked).all()


def test_partial_knowledge_and_variants(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    released = _released(folder, "duckdb", tmp_path / "release")
    part = tmp_path / "known.parquet"
    pl.read_parquet(released / "whole" / "original.parquet")[::3].write_parquet(part)
    ours = Ours().read_partial(released / "whole", part)
    theirs = Ours("duckdb").read_partial(released, part)
    assert Jaccard.variants(*theirs) == Jaccard.variants(*ours)
    for attack in (Jaccard(habits=True), Jaccard(drop_dummies=True), LogLikelihood(link=False), KeyMatch("S4")):
        expected, found = (attack.attack(*sides, generator(3, "attack")) for sides in (ours, theirs))
        assert (found.table == expected.table).all()
        assert (found.owners == expected.owners).all()


def test_what_needs_records_says_so(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    original = Ours("duckdb").read_original(folder)
    assert not RecordMatching.uses(original)
    assert Jaccard.uses(original)
    with pytest.raises(Undefined, match="leave the engine out"):
        RecordMatching().attack(original, original, np.random.default_rng(0))
    with pytest.raises(Undefined, match="leave the engine out"):
        Pipeline((Noise(),)).anonymize(original, np.random.default_rng(0))
    with pytest.raises(Undefined, match="leave the engine out"):
        Jaccard(share=0.5).attack(original, original, np.random.default_rng(0))
    with pytest.raises(InputError, match="judged in memory"):
        Ours("duckdb").read_secret(folder, original, original)
    table = pl.read_parquet(folder / "original.parquet")
    table.with_columns(item=pl.lit(None, dtype=pl.String)).write_parquet(tmp_path / "original.parquet")
    broken = Ours("duckdb").read_original(tmp_path)
    with pytest.raises(DataError, match="the item is missing"):
        Jaccard().attack(broken, broken, np.random.default_rng(0))
