"""The arena on a disk without room: the operator logs in, is told, and acts; nothing accepted is lost."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

from contest.test_health import fill
from icefire.contest.clock import ManualClock
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from web.conftest_web import PASSWORD, good_release
from web.test_move import serving


def test_the_operator_has_a_way_out(small_disk: Path) -> None:
    folder = small_disk
    config = load_config(Path("demo"))
    small = config.sets[0].model_copy(update={"source": "households(n=40)"})
    config = config.model_copy(update={"sets": (small,)})
    clock = ManualClock(config.rounds[0].defence.opens - timedelta(minutes=5))
    with Contest.create(folder / "c", config, clock=clock) as contest, serving(contest, clock) as hall:
        contest.teams.add("Aoi")
        hall.accounts.add_operator("boss", PASSWORD)
        hall.reach(1)
        member, release = hall.team_login("aoi"), good_release(hall, "aoi")
        team = hall.client(member)
        taken = team.put("/api/releases/households", content=release).json()["upload"]
        fill(folder)
        begin = time.monotonic()
        refused = team.put("/api/releases/households", content=release)
        assert refused.status_code == 503
        assert "nothing was accepted, tell the operator" in refused.text
        # Logging in takes room, too; so does every action.
        with hall.client("boss") as boss:
            while not any(
                "disk is nearly full" in each["message"] for each in boss.get("/api/operator").json()["troubles"]
            ):
                assert time.monotonic() - begin < 15
                time.sleep(0.2)
            fill(folder)
            assert boss.post("/api/operator/announcements", json={"text": "A moment."}).status_code == 201
            fill(folder)
            assert boss.post("/api/operator/actions/pause", json={"why": "the disk is full"}).status_code == 200
            fill(folder)
            assert boss.post("/api/operator/teams/aoi/invitation").status_code == 201
            (folder / "filler").unlink()
            assert boss.post("/api/operator/actions/resume", json={"why": "there is room"}).status_code == 200
        assert team.put("/api/releases/households", content=release).status_code == 202
        team.close()
        hall.reach(2)
        assert contest.state().uploads[taken].status == "accepted"
        assert contest.store.verify()
