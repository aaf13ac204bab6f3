"""From a file to a release by the routes alone; and what is left when a worker is ended."""

from __future__ import annotations

import csv
import io
import os
import runpy
import shlex
import signal
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from desk.conftest import Waiting, let_in
from icefire import front
from icefire.cli.main import icefire
from icefire.core.registry import Registry
from icefire.desk.jobs import MOST
from icefire.desk.serve import Desk
from icefire.desk.tasks import data
from icefire.microdata.schema import read_schema
from icefire.study.file import load_study
from icefire.study.sources import Source

NAMES = ["name", "age", "sex", "town", "income"]


def people(number: int = 60) -> bytes:
    rng = np.random.default_rng(1)
    columns: dict[str, Any] = {
        "name": [f"person {n}" for n in range(number)],
        "age": rng.integers(20, 60, number),
        "sex": rng.choice(["m", "f"], number),
        "town": rng.choice(["north", "south", "west"], number),
        "income": rng.integers(100, 900, number),
    }
    return pl.DataFrame(columns).write_csv().encode()


@pytest.fixture(scope="module")
def table(desk: Desk) -> Iterator[tuple[httpx.Client, str]]:
    """A session whose file has been read."""
    client = let_in(desk, httpx.Client(base_url=f"http://127.0.0.1:{desk.port}", timeout=30))
    begun = client.put("/api/sessions/people.csv", content=people()).json()
    while client.get(f"/api/sessions/{begun['id']}/jobs/{begun['job']}").json()["state"] == "running":
        time.sleep(0.05)
    yield client, begun["id"]
    client.close()


def test_columns_are_suggested_with_their_evidence(table: tuple[httpx.Client, str]) -> None:
    client, session = table
    found = client.get(f"/api/sessions/{session}", headers={"accept-language": "ja"}).json()
    assert [look["name"] for look in found["file"]["columns"]] == NAMES
    assert [entry["role"] for entry in found["columns"].values()] == ["identifying", "qi", "qi", "qi", "sa"]
    name, age = found["file"]["columns"][:2]
    assert name["alone"] == 1.0
    assert "氏名" in name["reasons"][0]
    assert sum(age["picture"]["bars"]) == 60
    assert found["file"]["preview"]["rows"][0][0] == "person 0"


def test_roles_and_hierarchies_go_into_the_schema(table: tuple[httpx.Client, str], folder: Path) -> None:
    client, session = table
    groups = {"north": ["coast"], "south": ["coast"], "west": ["inland"]}
    said = {"town": {"role": "qi", "hierarchy": {"table": groups}, "importance": 2.0}}
    counted = client.post(f"/api/sessions/{session}/hierarchy", json={"column": "town", "hierarchy": {"table": groups}})
    labels = dict(counted.json()["levels"][1]["rarest"])
    assert sum(labels.values()) == 60
    assert sorted(labels) == ["coast", "inland"]
    assert client.post(f"/api/sessions/{session}/columns", json={"columns": said}).status_code == 200
    schema = read_schema(folder / session / "work" / "schema.toml", NAMES)
    assert schema.identifying == ("name",)
    assert schema.column("town").importance == 2.0
    wrong = {"town": {"role": "qi", "hierarchy": {"widths": [10, 5]}}}
    assert client.post(f"/api/sessions/{session}/columns", json={"columns": wrong}).status_code == 422
    everything = {name: {"role": "identifying"} for name in NAMES}
    refused = client.post(f"/api/sessions/{session}/columns", json={"columns": everything})
    assert refused.json()["faults"] == ["nothing is left to publish: all columns identify people"]


def test_from_the_goal_to_a_release_with_its_secret_apart(
    table: tuple[httpx.Client, str], ended: Waiting, folder: Path, tmp_path: Path
) -> None:
    client, session = table
    goal = {"level": "qi", "limit": 0.5, "minutes": 5}
    job = client.post(f"/api/sessions/{session}/search", json=goal).json()["job"]
    address = f"/api/sessions/{session}/jobs/{job}"
    passing: list[dict[str, Any]] = []
    while not passing:
        search = client.get(address).json()
        assert search["state"] == "running", search["why"]
        passing = [event for event in search["events"] if event.get("steps") and not event["stopped"]]
        time.sleep(0.1)
    client.post(f"{address}/cancel", json={})
    assert "seed" not in search["arguments"]
    chosen = passing[0]
    body = {"search": job, "trial": chosen["trial"]}
    look = ended(session, client.post(f"/api/sessions/{session}/look", json=body).json()["job"])
    found = {key: value for event in look["events"] for key, value in event.items()}
    assert found["pairs"]["columns"] == ["age", "sex", "town", "income"]
    assert found["attacks"][0]["found"] == max(run["found"] for run in found["attacks"])
    number = client.post(f"/api/sessions/{session}/decide", json=body).json()["job"]
    assert ended(session, number)["state"] == "done"
    path = f"/api/sessions/{session}/releases/{number}"
    told = client.get(path).json()
    assert told["published"] == ["published.csv"]
    published = client.get(f"{path}/published/published.csv").text
    assert next(csv.reader(io.StringIO(published))) == ["age", "sex", "town", "income"]
    assert "person" not in published
    assert client.get(f"{path}/published/secret.csv").status_code == 404
    names = zipfile.ZipFile(io.BytesIO(client.get(f"{path}/secret").content)).namelist()
    assert "KEEP-SECRET/secret.csv" in names
    assert not [name for name in names if "published" in name]
    report = client.get(f"{path}/report")
    assert "sandbox" in report.headers["content-security-policy"]
    release = Registry().format("microdata", None).read_release(folder / session / "jobs" / f"{number:04}" / "release")
    assert release.published.height <= 60
    recipes = told["recipes"]
    (tmp_path / "study.toml").write_text(recipes["study"])
    study, _ = load_study(tmp_path / "study.toml", Registry())
    assert study.run[0].settings["steps"] == chosen["steps"]
    assert Source(study.data[0], (tmp_path,), Registry()).value.frame.equals(release.original.frame)
    (tmp_path / "lines.py").write_text(recipes["python"].partition("findings =")[0])
    made = runpy.run_path(str(tmp_path / "lines.py"))
    assert made["release"].published.columns == ["age", "sex", "town", "income"]
    typed = shlex.split(recipes["command"].splitlines()[0].replace("--out release", f"--out {tmp_path / 'again'}"))
    assert CliRunner().invoke(icefire, typed[1:]).exit_code == 0
    changed = {"sex": {"role": "other"}}
    assert client.post(f"/api/sessions/{session}/columns", json={"columns": changed}).status_code == 200
    for task in ("look", "decide"):
        refused = client.post(f"/api/sessions/{session}/{task}", json=body)
        assert refused.status_code == 422
        assert "changed since then" in refused.json()["faults"][0]


def test_the_data_as_they_are_can_be_looked_into_and_taken(table: tuple[httpx.Client, str], ended: Waiting) -> None:
    client, session = table
    job = client.post(f"/api/sessions/{session}/search", json={"level": "qi", "limit": 1, "minutes": 60}).json()["job"]
    address = f"/api/sessions/{session}/jobs/{job}"
    while not (trials := [event for event in client.get(address).json()["events"] if "steps" in event]):
        time.sleep(0.05)
    client.post(f"{address}/cancel", json={})
    assert trials[0]["steps"] == []
    number = client.post(f"/api/sessions/{session}/decide", json={"search": job, "trial": 0}).json()["job"]
    done = ended(session, number)
    assert done["state"] == "done", done["why"]
    told = client.get(f"/api/sessions/{session}/releases/{number}").json()
    assert told["recipes"] == {}
    assert "person" not in client.get(told["addresses"]["published"]["published.csv"]).text


def test_analyses_bound_the_search_or_are_refused_at_once(table: tuple[httpx.Client, str], ended: Waiting) -> None:
    client, session = table
    offered = {each["name"] for each in client.get(f"/api/sessions/{session}").json()["file"]["analyses"]}
    assert {"information_loss", "mean_mae"} <= offered
    assert "relative_risk" not in offered, "nobody has said who is exposed"
    goal = {"level": "qi", "limit": 1, "minutes": 60, "analyses": {"information_loss": 0.000001}}
    job = client.post(f"/api/sessions/{session}/search", json=goal).json()["job"]
    address = f"/api/sessions/{session}/jobs/{job}"
    while (search := client.get(address).json())["state"] == "running":
        if any(event.get("stopped", "").startswith("information_loss") for event in search["events"]):
            break
        time.sleep(0.05)
    assert search["state"] == "running", "some release moves it further"
    client.post(f"{address}/cancel", json={})
    changed = {"income": {"role": "other"}}
    assert client.post(f"/api/sessions/{session}/columns", json={"columns": changed}).status_code == 200
    goal["analyses"] = {"mean_mae": 0.1}
    failed = ended(session, client.post(f"/api/sessions/{session}/search", json=goal).json()["job"])
    assert failed["state"] == "failed"
    assert "mean_mae cannot be measured on this table: the table has no sensitive amounts" in failed["why"]


def test_a_synthetic_table_from_a_file(
    inside: httpx.Client, ended: Waiting, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = inside.put("/api/sessions/study.csv", content=people(50)).json()
    session = f"/api/sessions/{begun['id']}"
    ended(begun["id"], begun["job"])
    everything = {"kind": "synthetic", "parts": dict.fromkeys(NAMES, "out")}
    refused = ended(begun["id"], inside.post(f"{session}/shape", json=everything).json()["job"])
    assert "all columns are left out" in refused["why"]
    shape = {"kind": "synthetic", "parts": {"name": "out", "income": "hidden"}}
    assert ended(begun["id"], inside.post(f"{session}/shape", json=shape).json()["job"])["state"] == "done"
    arranged = inside.get(session).json()["arranged"]
    assert (arranged["people"], arranged["control"]) == (40, 10)
    assert "pair_error" in {analysis["name"] for analysis in arranged["analyses"]}
    assert "person" not in (folder / begun["id"] / "work" / "original.csv").read_text()
    job = inside.post(f"{session}/search", json={"level": "all", "limit": 1.0, "minutes": 5}).json()["job"]
    passing: list[dict[str, Any]] = []
    while not passing:
        events = inside.get(f"{session}/jobs/{job}").json()["events"]
        passing = [event for event in events if event.get("steps") and not event["stopped"]]
        time.sleep(0.1)
    inside.post(f"{session}/jobs/{job}/cancel", json={})
    ended(begun["id"], job)
    body = {"search": job, "trial": passing[0]["trial"]}
    look = ended(begun["id"], inside.post(f"{session}/look", json=body).json()["job"])
    assert look["state"] == "done", look["why"]
    found = {key: value for event in look["events"] for key, value in event.items()}
    assert found["pairs"] == {"columns": NAMES[1:], "rows": []}
    assert found["chance"] == 0.0
    number = inside.post(f"{session}/decide", json=body).json()["job"]
    assert ended(begun["id"], number)["state"] == "done"
    told = inside.get(f"{session}/releases/{number}").json()
    assert told["published"] == ["published.csv"]
    (tmp_path / "recipe.py").write_text(told["recipes"]["python"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made = runpy.run_path("recipe.py")
    assert made["people"].original.schema.hidden == ("income",)
    assert (tmp_path / "release" / "published.csv").is_file()


def test_a_search_is_ended_at_once_and_what_it_found_is_kept(
    table: tuple[httpx.Client, str], desk: Desk, folder: Path
) -> None:
    client, session = table
    job = client.post(f"/api/sessions/{session}/search", json={"level": "qi", "limit": 0.2, "minutes": 60}).json()[
        "job"
    ]
    address = f"/api/sessions/{session}/jobs/{job}"
    while not any("trial" in event for event in client.get(address).json()["events"]):
        time.sleep(0.1)
    process = desk.app.state.jobs._running[folder / session / "jobs" / f"{job:04}"]
    begin = time.monotonic()
    client.post(f"{address}/cancel", json={})
    assert process.poll() is not None
    assert time.monotonic() - begin < 2
    left = client.get(address).json()
    assert left["state"] == "cancelled"
    assert any("trial" in event for event in left["events"])


def test_killing_a_worker_loses_no_session(table: tuple[httpx.Client, str], desk: Desk, folder: Path) -> None:
    client, session = table
    job = client.post(f"/api/sessions/{session}/search", json={"level": "qi", "limit": 0.2, "minutes": 60}).json()[
        "job"
    ]
    process = desk.app.state.jobs._running[folder / session / "jobs" / f"{job:04}"]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    found = client.get(f"/api/sessions/{session}").json()
    assert found["jobs"][-1]["state"] == "lost"
    assert found["file"]["rows"] == 60


def test_a_file_that_cannot_be_read_says_why(inside: httpx.Client, ended: Waiting) -> None:
    begun = inside.put("/api/sessions/bad.csv", content=b"a,b\n1,2\n1,2,3,4\n").json()
    job = ended(begun["id"], begun["job"])
    assert job["state"] == "failed"
    assert "bad.csv" in job["why"]
    assert inside.delete(f"/api/sessions/{begun['id']}").status_code == 200
    assert inside.get(f"/api/sessions/{begun['id']}").status_code == 404


def test_no_more_jobs_than_the_machine_carries(table: tuple[httpx.Client, str], desk: Desk) -> None:
    client, session = table
    jobs = desk.app.state.jobs
    held = [client.put(f"/api/sessions/{n}.csv", content=people()).json() for n in range(MOST)]
    answer = client.post(f"/api/sessions/{session}/search", json={"level": "qi", "limit": 0.2, "minutes": 1})
    assert answer.status_code == 409
    for begun in held:
        client.delete(f"/api/sessions/{begun['id']}")
    assert not [process for process in jobs._running.values() if process.poll() is None]


def test_a_search_in_many_people_looks_at_some(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.read_csv(people())
    everybody = front.table(frame, qi=["age", "sex"], sa=["town", "income"], identifying=["name"])
    assert data.previewed(everybody, 1) is everybody
    monkeypatch.setattr(data, "LARGE", 40)
    monkeypatch.setattr(data, "SAMPLED", 20)
    some = [data.previewed(everybody, seed).original.frame for seed in (1, 1, 2)]
    assert some[0].height == 20
    assert some[0].equals(some[1]), "a release that is looked into is the one that was found"
    assert not some[0].equals(some[2])
