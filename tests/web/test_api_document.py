"""The API's document, and an API that keeps to it whatever is sent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.web.app import create_app
from web.conftest_web import Hall


def test_the_document_says_how_to_log_in_and_how_rounds_count(tmp_path: Path) -> None:
    with Contest.create(tmp_path / "c", load_config(Path("demo"))) as contest:
        document = create_app(contest).openapi()
    assert {*document["components"]["securitySchemes"]} == {"token", "session"}
    paths = document["paths"]
    assert paths["/api/own"]["get"]["security"] == [{"token": []}, {"session": []}]
    assert "security" not in paths["/api/board"]["get"]
    (header,) = paths["/api/login"]["post"]["parameters"]
    assert (header["name"], header["in"], header["required"]) == ("x-icefire", "header", True)
    numbers = [given for given in paths["/api/problems/{round}/{set}"]["get"]["parameters"] if given["name"] == "round"]
    assert numbers[0]["description"] == "The first round is 0."


@pytest.mark.slow
def test_schemathesis_finds_no_server_error(hall: Hall, tmp_path: Path) -> None:
    hall.reach(1)
    for login in ("boss", hall.team_login("aoi")):
        token = hall.token(login)
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            f"{hall.url}/api/openapi.json",
            "--header",
            f"Authorization: Bearer {token}",
            "--checks",
            "not_a_server_error",
            "--phases",
            "coverage,fuzzing",
            "--max-examples",
            "4",
            "--seed",
            "1",
            "--exclude-path",
            "/api/stream",
            # It answers 503 where no worker runs, as here.
            "--exclude-path",
            "/api/health",
            "--request-timeout",
            "10",
            "--no-color",
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=240, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
