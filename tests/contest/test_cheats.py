"""Cheats that are known from the papers and from playing, each with a plain message.

Names like those of other teams are in test_admission.py; tokens and invitations that are used again in web/test_roles.py.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from contest.toy_contest import Toy
from icefire.contest.configfile import load_config
from icefire.contest.errors import NotNow
from icefire.contest.game import Files
from icefire.contest.judge import unpacked
from icefire.contest.reidentification import Reidentification
from icefire.contest.uploads import pack
from icefire.core.errors import DataError, InputError
from icefire.core.registry import Registry

SOURCES = {
    "demo": "households(n=150)",
    "pwscup2015": "households(n=200)",
    "pwscup2016": "purchases(n=40, items=300)",
    "pwscup2017": "purchases(n=30)",
    "pwscup2018": "purchases(n=30)",
    "pwscup2019": "walks(n=25)",
}
STEPS = {
    "demo": "noise(scale=0.1)",
    "pwscup2015": "noise(scale=0.1)",
    "pwscup2016": "noise(price=0.1)",
    "pwscup2017": "pseudonyms",
    "pwscup2018": "generalize(item=2)",
    "pwscup2019": "krr(epsilon=12)",
}


class Table:
    """A team's place in a past contest: what it was dealt, an honest release, and the judge."""

    def __init__(self, name: str, folder: Path) -> None:
        whole = load_config(Path(name))
        self.dataset = whole.sets[0].model_copy(update={"source": SOURCES[name]})
        self.game = Reidentification(Registry(), whole.model_copy(update={"sets": (self.dataset,)}))
        self.folder = folder
        self.dealt = self.game.deal(self.dataset, folder, np.random.default_rng(1)).files
        self.honest = self.game.bot_release(self.dealt, [STEPS[name]], np.random.default_rng(2))

    def evidence(self, files: Files) -> set[str]:
        """What the judge finds odd about a release; DataError if it is not valid."""
        content = pack(files)
        with unpacked(content, "release", self.game) as folder:
            self.game.check_release(self.dealt, folder)
        with unpacked(content, "release", self.game) as folder:
            return set(self.game.measure(self.dataset, self.folder, folder)[1])


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Table]:
    made: dict[str, Table] = {}

    def table(name: str) -> Table:
        if name not in made:
            made[name] = Table(name, tmp_path_factory.mktemp(name))
        return made[name]

    return table


def csv(content: bytes, header: bool = True) -> pl.DataFrame:
    return pl.read_csv(io.BytesIO(content), has_header=header, infer_schema=False, truncate_ragged_lines=True)


def text(table: pl.DataFrame, header: bool = True) -> bytes:
    return table.write_csv(include_header=header).encode()


def lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def rotated(content: bytes) -> bytes:
    """The lines of a file without a header, one further."""
    rows = lines(content)
    return b"".join(rows[1:] + rows[:1])


@pytest.mark.parametrize("name", SOURCES)
def test_honest_releases_are_taken(name: str, tables: Any) -> None:
    assert tables(name).evidence(tables(name).honest) == set()


def households(change: Callable[[pl.DataFrame], pl.DataFrame], rows: int = 200) -> Callable[[Files], Files]:
    def cheat(files: Files) -> Files:
        published = change(csv(files["published.csv"])).head(rows)
        return {"published.csv": text(published), "secret.csv": b"".join(lines(files["secret.csv"])[:rows])}

    return cheat


def typical(table: pl.DataFrame) -> pl.DataFrame:
    """The commonest value of every column in every row."""
    return table.with_columns(pl.col(name).mode().first() for name in table.columns)


def shuffled(table: pl.DataFrame) -> pl.DataFrame:
    """Every column by itself in another order: all values are true, and no row is."""
    return table.with_columns(pl.col(name).shuffle(seed=seed) for seed, name in enumerate(table.columns))


def others(table: pl.DataFrame) -> pl.DataFrame:
    """Rows of other households, all of them true."""
    return pl.concat([table.slice(1), table.head(1)])


def amounts_alone(table: pl.DataFrame) -> pl.DataFrame:
    return table.select(table.columns[14:])


def jobs_alone(table: pl.DataFrame) -> pl.DataFrame:
    """The typical household, but for what people do."""
    kept = ["working", "industry", "occupation", "company_size"]
    return typical(table).with_columns(table[name] for name in kept)


def one_item(files: Files) -> Files:
    published = csv(files["published.csv"])
    return {**files, "published.csv": text(published.with_columns(item=pl.lit(published["item"][0])))}


def one_record(files: Files) -> Files:
    published, owners = csv(files["published.csv"]).head(1), csv(files["secret.csv"])
    month, pseudonym = published["date"][0][:7], published["user"][0]
    kept = pl.when(pl.col(month) == pseudonym).then(pl.lit(pseudonym)).otherwise(pl.lit("DEL")).alias(month)
    gone = [pl.lit("DEL").alias(name) for name in owners.columns[1:] if name != month]
    rows = lines(files["secret-rows.csv"])[0]
    return {
        "published.csv": text(published),
        "secret.csv": text(owners.with_columns(kept, *gone)),
        "secret-rows.csv": rows,
    }


def blanks(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(pl.lit("*").alias(name) for name in table.columns)


def same(table: pl.DataFrame) -> pl.DataFrame:
    """Every household is the average one."""
    amounts = pl.all().exclude(table.columns[:14]).cast(pl.Float64).mean().round()
    return table.with_columns(pl.lit("*").alias(name) for name in table.columns[:14]).with_columns(amounts)


def aligned(file: str, cells: str, every: int) -> Callable[[Files], Files]:
    """The lines of AT or A, all but every n-th replaced."""

    def cheat(files: Files) -> Files:
        rows = lines(files[file])
        return {file: b"".join(row if every and i % every == 0 else cells.encode() for i, row in enumerate(rows))}

    return cheat


def constant(files: Files) -> Files:
    """Plain values that are all the same: the loss of 2018 charges nothing for them."""
    table = csv(files["A.csv"], header=False)
    _, date, item, *_ = table.row(0)
    values = (date, item.strip("{}").partition(";")[0], "1", "1")
    fields = [pl.lit(value).alias(name) for name, value in zip(table.columns[1:], values, strict=True)]
    return {"A.csv": text(table.with_columns(fields), header=False)}


def moved_traces(files: Files) -> Files:
    """Each user's trace is declared to be the next one's."""
    header, *cells = lines(files["anotraces.csv"])
    times = len(cells) // 25
    return {**files, "anotraces.csv": b"".join([header, *cells[times:], *cells[:times]])}


def twice(files: Files) -> Files:
    header, first, second, *rest = lines(files["ptable.csv"])
    false = second.split(b",")[0] + b"," + first.split(b",")[1]
    return {**files, "ptable.csv": b"".join([header, first, false, *rest])}


def exchanged(files: Files) -> Files:
    """F names other owners than T and AT do."""
    rows = lines(files["F.csv"])
    names = [row.partition(b",")[0] for row in rows]
    moved = rows[1:] + rows[:1]
    return {**files, "F.csv": b"".join(n + b"," + r.partition(b",")[2] for n, r in zip(names, moved, strict=True))}


@pytest.mark.parametrize(
    ("name", "cheat", "message"),
    [
        ("demo", households(lambda t: t, 1), "rows_lost(share=True) is 0.993333, and rows_lost(share=true)<=0.1 is"),
        ("demo", households(lambda t: t, 75), "rows_lost(share=True) is 0.5, and rows_lost(share=true)<=0.1 is"),
        ("demo", households(typical), "and information_loss<=0.25 is required"),
        ("demo", households(shuffled), "and information_loss<=0.25 is required"),
        ("demo", households(others), "and information_loss<=0.25 is required"),
        ("demo", households(blanks), "information_loss is 0.5"),
        ("demo", households(amounts_alone), "information_loss is 0.36"),
        ("demo", households(jobs_alone), "and correlation_mae<=0.25 is required"),
        ("pwscup2015", households(lambda t: t, 1), "rows_lost(share=True) is 0.995, and rows_lost(share=true)<=0.5 is"),
        ("pwscup2015", households(blanks), "information_loss is 0.5"),
        ("pwscup2015", households(lambda t: t.select(t.columns[-1])), "information_loss is 0.5"),
        ("pwscup2015", households(same), "correlation_mae is 0."),
        ("pwscup2016", one_record, "rows_deleted is 0.99"),
        ("pwscup2016", one_item, "top_items is 1, and top_items<=0.5 is required"),
        ("pwscup2017", aligned("AT.csv", "DEL,,,,,,\n", 10), "rows: at least half have to stay"),
        ("pwscup2017", exchanged, "is not the pseudonym that '100022' has in 2010-12"),
        ("pwscup2018", aligned("A.csv", "*,*,*,*,*\n", 100), "cell_loss is 0.99"),
        ("pwscup2018", constant, "and cell_loss<=0.95 is required"),
        ("pwscup2019", moved_traces, "and closeness>=0.7 is required"),
        ("pwscup2019", twice, "ptable.csv, line 3: the user "),
    ],
)  # fmt: skip
def test_a_release_that_is_a_cheat_is_refused(name: str, cheat: Any, message: str, tables: Any) -> None:
    table = tables(name)
    with pytest.raises(DataError) as raised:
        table.evidence(cheat(table.honest))
    assert message in str(raised.value)


def test_a_release_on_which_a_metric_has_no_value_is_refused(tables: Any) -> None:
    table = tables("pwscup2015")
    dataset = table.dataset.model_copy(update={"utility": ("entropy_loss",), "require": ()})
    amounts = households(lambda t: t.select(t.columns[14:]))(table.honest)
    game = Reidentification(Registry(), table.game.config.model_copy(update={"sets": (dataset,)}))
    told = "entropy_loss has no value on this release, and it counts: the release has no QI"
    with unpacked(pack(amounts), "release", game) as folder, pytest.raises(DataError, match=told):
        game.measure(dataset, table.folder, folder)


def test_false_row_maps_and_owners_are_flagged(tables: Any) -> None:
    people = tables("pwscup2015")
    claim = {**people.honest, "secret.csv": rotated(people.honest["secret.csv"])}
    assert people.evidence(claim) == {"yamaoka"}
    # Of customers, both secrets have to agree: the owners are exchanged in the table and in the records.
    shop = tables("pwscup2016")
    with pytest.raises(DataError, match=r"rows_deleted is 0\.6"):
        shop.evidence(rotated_owners(shop))
    limit = shop.dataset.require[-1:]
    shop.dataset = shop.dataset.model_copy(update={"require": limit})
    with pytest.raises(DataError, match=r"false_owners is 1, and false_owners<=0\.1 is required"):
        shop.evidence(rotated_owners(shop))
    shop.dataset = shop.dataset.model_copy(update={"require": ()})
    assert shop.evidence(rotated_owners(shop)) == {"false_owners"}
    header, *rows = lines(shop.honest["secret.csv"])
    names = [row.partition(b",")[0] for row in rows]
    table = b"".join(
        [header, *(n + b"," + r.partition(b",")[2] for n, r in zip(names, rows[1:] + rows[:1], strict=True))]
    )
    with pytest.raises(DataError):
        shop.evidence({**shop.honest, "secret.csv": table})


def rotated_owners(shop: Table) -> Files:
    """Records and pseudonym table that both claim the next customer."""
    original = csv(shop.dealt["original.csv"])
    users = original["user"].unique().sort().to_list()
    following = dict(zip(users, users[1:] + users[:1], strict=True))
    records: dict[str, list[int]] = {user: [] for user in users}
    for at, user in enumerate(original["user"]):
        records[user].append(at)
    rows = []
    for line in lines(shop.honest["secret-rows.csv"]):
        claimed = records[following[original["user"][int(line) - 1]]]
        # A customer with fewer records has dummies beside them.
        rows.append(claimed.pop() + 1 if claimed else 0)
    table = csv(shop.honest["secret.csv"])
    table = table.with_columns(pl.col("user").replace(following)).sort("user")
    made = "".join(f"{row}\n" for row in rows).encode()
    return {**shop.honest, "secret.csv": text(table), "secret-rows.csv": made}


def test_answers_after_the_close_are_refused(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.5)
    toy.release("bob", 0.6)
    toy.reach(61)
    with pytest.raises(NotNow, match="a release can be sent during the defence phase, and that is not open now"):
        toy.release("ann", 0.9)
    toy.reach(66)
    toy.reach(126)
    with pytest.raises(NotNow, match="a guess can be sent during the attack phase, and that is not open now"):
        toy.guess("bob", "ann", 0.5)


def test_a_word_among_numbers(tables: Callable[[str], Table]) -> None:
    """It would turn the column into text, on which metrics have no value."""
    table = tables("pwscup2015")
    name = next(iter(csv(table.honest["published.csv"]).columns[-1:]))
    published = csv(table.honest["published.csv"])
    for cell, refused in (("many", True), ("[10..20]", False), ("*", False), ("", False), ("{10|ten}", False)):
        column = published[name].to_list()
        column[6] = cell
        files = {**table.honest, "published.csv": text(published.with_columns(pl.Series(name, column)))}
        if not refused:
            with unpacked(pack(files), "release", table.game) as folder:
                table.game.check_release(table.dealt, folder)
            continue
        with (
            unpacked(pack(files), "release", table.game) as folder,
            pytest.raises(InputError, match=rf"published.csv, line 8, column '{name}': 'many' is neither a number"),
        ):
            table.game.check_release(table.dealt, folder)
