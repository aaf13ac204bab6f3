"""Boards and stories of contests with many teams, as the server would send them, at any stage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from icefire.core.ranks import shared_ranks
from icefire.core.seeds import generator
from icefire.core.values import Direction

Stage = Literal["before", "defence", "attack", "frozen", "ceremony", "final"]
STAGES: tuple[Stage, ...] = ("before", "defence", "attack", "frozen", "ceremony", "final")
LONG = "東京情報通信大学大学院匿名加工情報研究室有志連合チーム・アイスアンドファイアー部"
NAMES = (
    LONG,
    *(
        "Aoi",
        "Kaede",
        "Sora",
        "Privacy Rangers of the North",
        "匿名戦隊ミエナインジャー",
        "Ren",
        "k-Knights",
        "雪だるま",
    ),
    *(
        "Haru",
        "差分プライバシー研究会",
        "Noise Makers",
        "炎のリンケージ",
        "Team Kobayashi",
        "Yuki",
        "データ忍者",
        "Mondrian Fans",
    ),
    *("北極星", "Swap Meet", "Fire Ants", "明治の森", "Laplace & Sons", "ペンギン", "The Quasi-Identifiers"),
    *(f"Team {number}" for number in range(24, 40)),
)
DEFENCES = (
    "mondrian(k=10), swap(window=0.5)",
    "noise(scale=2.0)",
    "conceal(k=10), microaggregate(k=10)",
    "pram(keep=0.4)",
    "",
)
ATTACKS = ("euclid", "inside", "rank", "learned", "id_sa", "")
AT = "2026-01-01T10:{:02d}:{:02d}+09:00"


def score(value: float, better: str = "lower") -> dict[str, Any]:
    good = value if better == "higher" else 1 - value
    return {"value": value, "better": better, "range": [0.0, 1.0], "good": round(good, 6)}


class Hall:
    """A made-up contest of some teams."""

    def __init__(self, teams: int, stage: Stage, seed: int = 1) -> None:
        self.stage, self.rng = stage, generator(seed, "hall", teams)
        self.teams = [f"t{number}" for number in range(teams)]
        self.items: list[dict[str, Any]] = []
        self.cells: dict[tuple[str, str], float] = {}
        self.worth = {team: round(float(self.rng.uniform(0.05, 0.45)), 3) for team in self.teams}
        self._play()

    def _tell(self, what: str, **more: Any) -> None:
        number = len(self.items)
        self.items.append({"id": number + 1, "at": AT.format(number // 60 % 60, number % 60), "what": what, **more})

    def _play(self) -> None:
        for team in self.teams:
            self._tell("joined", team=team)
        reached = STAGES.index(self.stage)
        if reached >= 1:
            self._tell("phase_opened", round="final", phase="defence")
            ready = self.teams if reached > 1 else self.teams[: max(1, len(self.teams) // 2)]
            for number, team in enumerate(ready):
                method = DEFENCES[number % len(DEFENCES)]
                self._tell("released", team=team, set="households", **self._standing(team), **_method(method))
        if reached >= 2:
            self._tell("phase_closed", round="final", phase="defence")
            self._attacks()
        if reached >= 3:
            self._tell("frozen")
        if reached >= 4:
            self._tell("phase_closed", round="final", phase="attack")
            for of in ("attack", "defence"):
                for place, row in enumerate(reversed(self.rows(of)), 1):
                    ranks = [other["rank"] for other in self.rows(of)]
                    more = {"place": place, "alike": ranks.count(row["rank"]), "team": row["team"], "rank": row["rank"]}
                    self._tell("unveiled", of=of, **more, **({} if of == "attack" else self._end(row["team"])))
        if reached >= 5:
            self._tell("thawed")
            self._tell("finalized")

    def _attacks(self) -> None:
        for team in self.teams:
            self._attack("*sort", team, float(self.rng.uniform(0, 0.3)))
        self._tell("phase_opened", round="final", phase="attack")
        pairs = [(one, other) for one in self.teams for other in self.teams if one != other]
        for index in self.rng.permutation(len(pairs))[: 8 * len(self.teams)]:
            attacker, team = pairs[index]
            self._attack(
                attacker, team, float(self.rng.beta(1.2, 3)), ATTACKS[self.teams.index(attacker) % len(ATTACKS)]
            )

    def _attack(self, attacker: str, team: str, risk: float, method: str = "") -> None:
        before = self._safety(team)
        self.cells[team, attacker] = round(risk, 3)
        after = self._safety(team)
        what = "held" if before is not None and after == before else "lowered"
        if attacker.startswith("*") and what == "held":
            return
        shown = None if before is None else score(before)
        more = {"attacker": attacker, "team": team, "set": "households", "before": shown, "left": score(round(risk, 3))}
        self._tell(what, **more, **self._standing(team), **_method(method))

    def _safety(self, team: str) -> float | None:
        return max((risk for (owner, _), risk in self.cells.items() if owner == team), default=None)

    def _standing(self, team: str) -> dict[str, Any]:
        safety = self._safety(team)
        worth = score(self.worth[team])
        return {"metric": "information_loss", "worth": worth, "safety": None if safety is None else score(safety)}

    def _end(self, team: str) -> dict[str, Any]:
        """How a team's release stands in the end."""
        by = {attacker: risk for (owner, attacker), risk in self.cells.items() if owner == team}
        worst = max(by, key=lambda attacker: by[attacker])
        return {"releases": [{"set": "households", "attacker": worst, **self._standing(team), **_method("euclid")}]}

    def rows(self, of: str) -> list[dict[str, Any]]:
        totals = {
            team: round(0.3 * (1 - self.worth[team]) + 0.7 * (1 - (self._safety(team) or 0.0)), 2)
            if of == "defence"
            else round(sum(risk for (_, attacker), risk in self.cells.items() if attacker == team), 3)
            for team in self.teams
        }
        ranks = shared_ranks(list(totals.values()), Direction.HIGHER_IS_BETTER)
        rows = [
            {"team": team, "total": total, "rank": float(rank), "parts": {}}
            for (team, total), rank in zip(totals.items(), ranks, strict=True)
        ]
        return sorted(rows, key=lambda row: row["rank"])

    @property
    def board(self) -> dict[str, Any]:
        reached = STAGES.index(self.stage)
        released = [item["team"] for item in self.items if item["what"] == "released"]
        standings = {"defenders": self.rows("defence"), "attackers": self.rows("attack")} if reached else _empty()
        unveiled = {"defenders": self.rows("defence"), "attackers": self.rows("attack")}
        phases = {"defence": "defence", "attack": "attack", "frozen": "attack"}
        this = {
            "name": "final",
            "sets": ["households"],
            "releases": [self._release(team) for team in released],
            "invalid": [],
            "cells": [
                {"team": team, "set": "households", "attacker": attacker, "task": "identity", "score": score(risk)}
                for (team, attacker), risk in sorted(self.cells.items())
            ],
            "answered": [],
            **standings,
        }
        prizes = [("Ice", "defence"), ("Fire", "attack")]
        return {
            "name": "Ice & Fire",
            "seq": len(self.items),
            "at": self.items[-1]["at"],
            "frozen": self.stage in ("frozen", "ceremony"),
            "final": self.stage == "final",
            "commitments": ["ab" * 32],
            "seeds": {},
            "sets": [{"name": "households", "utility": ["information_loss"], "tasks": ["identity"]}],
            "teams": [
                {"id": team, "name": NAMES[number], "withdrawn": False, "committee": False}
                for number, team in enumerate(self.teams)
            ],
            "rounds": [this] if reached else [],
            "total": standings,
            "prizes": [self._prize(name, of, standings) for name, of in prizes],
            "ceremony": unveiled if self.stage == "ceremony" else _empty(),
            "announcements": [],
            "phase": {"round": 0, "name": phases[self.stage]} if self.stage in phases else None,
            "paused": False,
            "schedule": [
                {
                    "round": 0,
                    "phase": phase,
                    "opens": "2026-01-01T09:00:00+09:00",
                    "closes": (datetime.now(UTC) + timedelta(minutes=40)).isoformat(),
                }
                for phase in ("defence", "attack")
            ],
        }

    def _release(self, team: str) -> dict[str, Any]:
        measures = {"information_loss": score(self.worth[team])}
        return {"team": team, "set": "households", "published": self.stage != "defence", "measures": measures}

    def _prize(self, name: str, of: str, standings: dict[str, Any]) -> dict[str, Any]:
        rows = standings["defenders" if of == "defence" else "attackers"]
        winners = [row["team"] for row in rows if row["rank"] == rows[0]["rank"]] if self.stage == "final" else []
        return {"name": name, "of": of, "task": None, "rows": rows, "winners": winners}


def _method(text: str) -> dict[str, str]:
    return {"method": text} if text else {}


def _empty() -> dict[str, list[Any]]:
    return {"defenders": [], "attackers": []}


SOURCE = """
window.EventSource = class extends EventTarget {
  constructor() {
    super();
    window.source = this;
    setTimeout(() => this.onopen?.());
  }
  tell(name, data) { this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })); }
};
"""


class Feed:
    """Lets a page of the audience see made-up contests, one after the other."""

    def __init__(self, page: Any, url: str, hall: Hall, news: int = 0) -> None:
        self.page, self.hall = page, hall
        page.add_init_script(SOURCE)
        page.route("**/api/board", lambda route: route.fulfill(json=self.hall.board))
        page.goto(url)
        page.wait_for_selector("#skip:has-text(' '), #skip:has-text('本文')", state="attached")
        self.show(hall, news)

    def show(self, hall: Hall, news: int = 0) -> None:
        """Show a contest, of which the last items come as news."""
        self.hall, end = hall, len(hall.items) - news
        with self.page.expect_response("**/api/board"):
            for name, data in (("reset", {}), ("story", hall.items[:end]), ("board", {})):
                self._tell(name, data)
        if news:
            self._tell("story", hall.items[end:])
        self.page.wait_for_selector("main section")

    def _tell(self, name: str, data: object) -> None:
        self.page.evaluate("([name, data]) => source.tell(name, data)", [name, data])


def shown_scene(page: Any, name: str) -> bool:
    """Bring the big screen to a scene of those that take turns; whether there is one."""
    for _ in range(12):
        if page.get_attribute("#scene", "data-scene") == name:
            return True
        page.click("#next")
    return False
