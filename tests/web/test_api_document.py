"""The API's document, and an API that keeps to it whatever is sent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from web.conftest_web import Hall


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
            "--max-examples",
            "8",
            "--seed",
            "1",
            "--exclude-path",
            "/api/stream",
            "--request-timeout",
            "10",
            "--no-color",
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=240, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
