"""What the pages of the documentation take for granted: the files that they speak of."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import polars as pl
from building.blocks import blocks
from click.testing import CliRunner

from doc_pages import ROOT, Setting
from icefire.cli.main import icefire

UNTESTED = {
    "docs/index.md": "has no code",
    "docs/scores.md": "has no code",
    "docs/start.md": "run line by line in tests/test_first_ten_minutes.py",
    "docs/deployment.md": "sets up a machine: tests/web/test_deployment.py and tests/web/test_move.py",
    "docs/methods.md": "is generated",
    "docs/releasing.md": "steps of a release, which leave this machine",
}


def people(rows: int = 60) -> pl.DataFrame:
    """A table with the columns that examples speak of."""
    draw = random.Random(5)
    return pl.DataFrame(
        {
            "name": [f"Person {i}" for i in range(rows)],
            "patient": [f"P{1000 + i}" for i in range(rows)],
            "age": draw.choices([20, 30, 40, 50], k=rows),
            "sex": draw.choices(["f", "m"], k=rows),
            "job": draw.choices(["clerk", "head", "chief"], k=rows),
            "town": draw.choices(["Abeno", "Naka", "Kita"], k=rows),
            "region": draw.choices(["east", "west"], k=rows),
            "zip": [f"0{draw.randint(10, 11)}-1000" for _ in range(rows)],
            "income": [draw.randint(100, 900) for _ in range(rows)],
            "rent": [draw.randint(10, 90) for _ in range(rows)],
        }
    )


def run(command: str) -> None:
    done = CliRunner().invoke(icefire, command.split(), catch_exceptions=False)
    assert done.exit_code == 0, f"{command}: {done.output}"


def _write_attack(folder: Path) -> None:
    page = (ROOT / "docs" / "howto" / "write-an-attack.md").read_text(encoding="utf-8")
    (code,) = (block.code for block in blocks(page) if block.note == "file: my_attack.py")
    (folder / "my_attack.py").write_text(code, encoding="utf-8")


def _readme(folder: Path) -> None:
    _write_attack(folder)


def _microdata(folder: Path) -> None:
    """A working folder `data` with the schema of the page."""
    page = (ROOT / "docs" / "microdata.md").read_text(encoding="utf-8")
    (schema,) = (block.code for block in blocks(page) if block.language == "toml")
    (folder / "data").mkdir()
    people(120).select("name", "age", "sex", "job", "zip", "income", "region").write_csv(
        folder / "data" / "original.csv"
    )
    (folder / "data" / "schema.toml").write_text(schema.replace('"zip"]', '"zip", "region"]', 1), encoding="utf-8")
    matrix = {"value": ["clerk", "head", "chief"], "clerk": [0.8, 0.1, 0.1], "head": [0.1, 0.8, 0.1]}
    pl.DataFrame(matrix | {"chief": [0.1, 0.1, 0.8]}).write_csv(folder / "job.csv")


def _records() -> pl.DataFrame:
    draw = random.Random(6)
    rows = 300
    return pl.DataFrame(
        {
            "customer_id": draw.choices(range(20), k=rows),
            "date": [f"2026-01-{draw.randint(1, 28):02}" for _ in range(rows)],
            "item": draw.choices("abcdefghij", k=rows),
            "card": draw.choices(range(20), k=rows),
        }
    )


def _knowledge(folder: Path) -> None:
    records = _records()
    records.write_parquet(folder / "purchases.parquet")
    for name in ("warehouse", "logs"):
        (folder / name).mkdir()
    records.write_parquet(folder / "warehouse" / "part-1.parquet")
    with gzip.open(folder / "logs" / "2026-01.csv.gz", "wt") as file:
        file.write(records.write_csv())
    import duckdb

    with duckdb.connect(str(folder / "shop.duckdb")) as base:
        base.execute("create table purchases as select * from read_parquet(?)", [str(folder / "purchases.parquet")])


def _engines(folder: Path) -> None:
    _knowledge(folder)
    _households(folder, "data")
    run(f"anonymize microdata mondrian(k=5) --in {folder}/data --out {folder}/release")
    _shop(folder)


def _households(folder: Path, name: str = "people") -> None:
    run(f"data microdata --n 60 --seed 1 --out {folder}/{name}")


def _shop(folder: Path, customers: int = 25) -> None:
    run(f"data history --n {customers} --seed 1 --out {folder}/shop")


def _concealment(folder: Path) -> None:
    _households(folder, "data")
    _shop(folder, customers=80)


def _own_data(folder: Path) -> None:
    table = people(100)
    table.select("patient", "name", "age", "sex", "town", "income").write_excel(folder / "patients.xlsx")
    visits = pl.concat([table.select("patient", "age", "sex", "income").head(30)] * 3)
    visits.write_csv(folder / "visits.csv")
    homes = [f"H{i:03}" for i in range(50)]
    table.select("name", "age", "sex").with_columns(household_id=pl.Series(homes * 2)).write_csv(folder / "persons.csv")
    pl.DataFrame({"household_id": homes, "town": ["Abeno", "Naka"] * 25, "rent": range(50)}).write_csv(
        folder / "households.csv"
    )


def _own_names() -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder

    frame = people(100).select("name", "age", "sex", "town", "income")
    return {
        "frame": frame,
        "X": frame.drop("name", "income").to_pandas(),
        "y": [value > 500 for value in frame["income"]],
        "encoder": OneHotEncoder(handle_unknown="ignore"),
        "classifier": LogisticRegression(),
    }


def _attackers_names() -> dict[str, Any]:
    """A release, as somebody has it who calls the suite from Python."""
    import numpy as np

    from icefire.core.pipeline import Pipeline
    from icefire.core.registry import Registry
    from icefire.datasets.households import Households
    from icefire.microdata.anonymize.mondrian import Mondrian

    original = Households(n=40).generate(np.random.default_rng(1))
    pipeline = Pipeline((Mondrian(k=5),))
    release = pipeline.anonymize(original, np.random.default_rng(2))
    return {"registry": Registry(), "original": original, "pipeline": pipeline, "release": release}


def _histories(folder: Path) -> None:
    _shop(folder)
    run(f"anonymize history pseudonyms --in {folder}/shop --out {folder}/release-2011-02")


def _synthetic_names() -> dict[str, Any]:
    """Frames of a study, and a table that some tool has made of it."""
    import numpy as np

    from icefire.datasets.cohort import Cohort

    made = Cohort(n=60).generate(np.random.default_rng(1))
    tables = {"study": made.members, "not_in_the_study": made.control, "synthetic_table": made.control}
    return {name: table.to_pandas() for name, table in tables.items()}


def _patients(folder: Path) -> None:
    people(100).select("patient", "name", "age", "sex", "town", "income").write_csv(folder / "patients.csv")


def _contests(folder: Path) -> None:
    (folder / "contests").symlink_to(ROOT / "contests")


SETTINGS = {
    "README.md": Setting(_readme, fails={"icefire gate": 1}),
    "docs/microdata.md": Setting(_microdata),
    "docs/histories.md": Setting(_histories, fails={"icefire gate": 1}),
    "docs/traces.md": Setting(),
    "docs/synthetic.md": Setting(names=_synthetic_names),
    "docs/knowledge.md": Setting(_knowledge),
    "docs/engines.md": Setting(_engines),
    "docs/attackers.md": Setting(names=_attackers_names),
    "docs/concealment.md": Setting(_concealment),
    "docs/own-data.md": Setting(_own_data, _own_names),
    "docs/contests.md": Setting(_contests),
    "docs/arena.md": Setting(_contests),
    "docs/desk.md": Setting(),
    "docs/studies.md": Setting(_patients),
    "docs/howto/may-i-release-this.md": Setting(_patients),
    "docs/howto/which-k.md": Setting(_households),
    "docs/howto/monthly.md": Setting(_shop, fails={"icefire gate": 1}),
    "docs/howto/contest.md": Setting(_contests),
    "docs/howto/write-an-attack.md": Setting(_households),
}
