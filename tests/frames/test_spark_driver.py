"""On Spark nothing of the size of the data comes to the driver."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha1
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cluster import submit_arguments
from frames.conftest import Cluster

LIMIT = 512 << 20
ROWS, LENGTH = 210_000, 8_000
"""1.7 GB of texts, each another one."""
RESULT = "6m"
"""What Spark lets a job bring to the driver: less than the codes of all rows."""
PEOPLE = 100_000
PROGRAM = """
import json, re, sys
from pathlib import Path
from click.testing import CliRunner
from icefire.cli.main import icefire

answers = [json.loads(CliRunner().invoke(icefire, arguments).stdout) for arguments in json.loads(sys.argv[1])]
# The JVM is a process of its own. What getrusage says includes the process that started this one.
peak = re.search("VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())
print(json.dumps({"answers": answers, "memory": int(peak[1]) << 10}))
"""


@pytest.fixture(scope="module")
def texts(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Parquet files, written by the workers."""
    folder = tmp_path_factory.mktemp("texts") / "records"
    note = f"repeat(lpad(cast(id as string), 20, '-'), {LENGTH // 20}) as note"
    rows = spark.range(ROWS).selectExpr("id % 5000 as user", "sha1(cast(id as string)) as code", note)
    rows.write.parquet(str(folder))
    return folder


@pytest.fixture(scope="module")
def people(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder, written by the workers."""
    folder = tmp_path_factory.mktemp("people")
    columns = ["id % 5000 as user", "id % 50 as day", "sha1(cast(id as string)) as code"]
    rows = spark.range(PEOPLE).selectExpr(*columns, "id % 7 + 1 as stands_for", "id div 3 as home")
    rows.write.parquet(str(folder / "original.parquet"))
    (folder / "schema.toml").write_text(
        'qi = ["user", "day"]\nsa = ["code"]\nweight = "stands_for"\nhousehold = "home"\n'
    )
    return folder


def test_a_small_driver_is_enough(cluster: Cluster, texts: Path, people: Path) -> None:
    """`knowledge`, `anonymize` and `evaluate` in a driver of its own with 512 MB of memory."""
    common = ["knowledge", str(texts), "--engine", "spark", "--user", "user", "--json"]
    arguments = [
        [*common, "--columns", "code", "--users", "2", "--curve", "2"],
        [*common, "--columns", "note", "--model", "sampling", "--sample", "50"],
        ["anonymize", "microdata", "mondrian(k=250)", "--in", str(people), "--out", str(people), "--json"],
    ]
    arguments[2] += ["--format", "ours(engine=spark)"]
    metrics = [word for name in ("k_anonymity", "individual_risk", "household_risk") for word in ("--metrics", name)]
    arguments += [["evaluate", "microdata", "--in", str(people), "--json", *metrics, "--format", "ours(engine=spark)"]]
    variables = {**os.environ, **cluster.variables}
    limits = {"spark.driver.memory": "512m", "spark.driver.maxResultSize": RESULT}
    variables["PYSPARK_SUBMIT_ARGS"] = submit_arguments(cluster.master, limits)
    command = [sys.executable, "-c", PROGRAM, json.dumps(arguments)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["memory"] < LIMIT < ROWS * LENGTH / 3
    exact, drawn, _, judged = found["answers"]
    assert (exact["records"], exact["users"]) == (ROWS, 5000)
    assert exact["columns"]["code"]["probability"] == exact["columns"]["code"]["mean_records"] == 1.0
    assert [user["exposure"] for user in exact["exposed"]["code"]] == [1.0, 1.0]
    assert [point["probability"] for point in exact["curves"]["code"]] == pytest.approx([1 / 5000, 1.0, 1.0])
    note = drawn["columns"]["note"]
    assert note["sampled"] == 50
    assert note["values"] == pytest.approx(ROWS, rel=4 * note["values_error"])
    assert note["interval"][0] <= 1.0 <= note["interval"][1]
    released = pl.concat(map(pl.read_parquet, sorted((people / "published.parquet").glob("*.parquet"))))
    rows = pl.read_csv(people / "secret.csv", has_header=False).to_series()
    assert (released.group_by("user", "day").len()["len"] >= 250).all()
    # A row's code is the hash of its number.
    assert released["code"].to_list() == [sha1(str(row - 1).encode()).hexdigest() for row in rows]
    assert (rows.sort() == pl.int_range(1, PEOPLE + 1, eager=True)).all()
    classes = int(judged["safety"]["k_anonymity"]["detail"]["classes"])
    assert judged["safety"]["k_anonymity"]["value"] >= 250
    assert judged["safety"]["individual_risk"]["detail"]["expected re-identifications"] < classes
    # Three people of a household are found about three times as often as one, each with 1/F or so.
    each, homes = (judged["safety"][name]["detail"]["mean"] for name in ("individual_risk", "household_risk"))
    assert homes == pytest.approx(3 * each, rel=0.01)


def test_workers_of_one_machine_run_the_python_of_icefire(cluster: Cluster, tmp_path: Path) -> None:
    """Even if the first Python of the path is another one."""
    pl.DataFrame({"user": [1, 2, 3], "code": ["a", "a", "b"]}).write_parquet(tmp_path / "records.parquet")
    (tmp_path / "python3").write_text("#!/bin/sh\necho this Python is not the one >&2\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    variables = {**os.environ, **cluster.variables, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    del variables["PYSPARK_PYTHON"]
    variables["PYSPARK_SUBMIT_ARGS"] = submit_arguments("local[1]", {})
    words = ["knowledge", str(tmp_path / "records.parquet"), "--engine", "spark", "--user", "user", "--json"]
    words += ["--columns", "code", "--model", "sampling"]
    command = [sys.executable, "-c", PROGRAM, json.dumps([words])]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    answer = json.loads(done.stdout.splitlines()[-1])["answers"][0]
    assert answer["columns"]["code"]["probability"] == pytest.approx(2 / 3)
