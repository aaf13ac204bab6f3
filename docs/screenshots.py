"""Pictures of the arena for the documentation: a contest in the middle of its attack, in Chromium."""

from __future__ import annotations

import shutil
import socket
import tempfile
import time
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import sync_playwright

from icefire.contest.clock import ManualClock
from icefire.contest.config import Config
from icefire.contest.engine import Contest, load_config
from icefire.contest.jobs import run_inline
from icefire.contest.uploads import files_of, pack
from icefire.core.seeds import generator
from icefire.web.serve import Address, Arena

TARGET = Path(__file__).with_name("pictures") / "arena"
PASSWORD = "a password for pictures"
VIEWS = [("wide", "dark", "en"), ("wide", "light", "ja"), ("phone", "dark", "ja"), ("phone", "light", "en")]
SIZES = {"wide": {"width": 1440, "height": 900}, "phone": {"width": 400, "height": 860}}


def contest_in_the_middle(folder: Path) -> Contest:
    body = load_config(Path("demo")).as_dict()
    now = datetime.now(UTC)
    times = [(now + timedelta(minutes=step)).isoformat() for step in (-40, -12, -10, 25, 15)]
    body["rounds"][0] |= {
        "defence": {"opens": times[0], "closes": times[1]},
        "attack": {"opens": times[2], "closes": times[3]},
        "freeze": times[4],
    }
    clock = ManualClock(now - timedelta(minutes=41))
    contest = Contest.create(folder, Config.model_validate(body), clock=clock, seeds=("ab" * 32,))
    bots = contest.state().contest.bots
    teams = {bot.name: contest.add_team(bot.name) for bot in bots}

    def step(minutes: float) -> None:
        clock.reach(now + timedelta(minutes=minutes))
        for _ in range(10):
            if not contest.tick() and not run_inline(contest):
                break

    step(-39)
    for number, bot in enumerate(bots):
        problem = files_of(contest.blobs.get(contest.state().dealt[0, teams[bot.name], "households"]))
        for steps in (bot.defend[-1:], bot.defend):
            made = contest.game().bot_release(problem, steps, generator(1, bot.name))
            contest.upload_release(teams[bot.name], "households", pack(made))
            step(-38 + number)
    # The cheat that a person has to rule on.
    problem = files_of(contest.blobs.get(contest.state().dealt[0, "ren", "households"]))
    honest = contest.game().bot_release(problem, ["noise(scale=0.02)"], generator(1, "cheat"))
    rows = honest["secret.csv"].split()
    honest["secret.csv"] = b"\n".join([*rows[1:], rows[0]]) + b"\n"
    contest.upload_release("ren", "households", pack(honest))
    step(-20)
    step(-11)
    step(-9)
    for number, bot in enumerate(bots):
        for target in [one for one in teams.values() if one != teams[bot.name]][: 1 + number % 3]:
            handout = files_of(contest.blobs.get(contest.state().published[0, target, "households"].sha256))
            guess = contest.game().bot_guess(handout, bot.attack, generator(1, bot.name, target))
            contest.upload_guess(teams[bot.name], target, "households", pack(guess))
            step(-8 + number)
    return contest


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, socket.socket() as one, sync_playwright() as play:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
        one.close()
        contest = contest_in_the_middle(Path(name) / "contest")
        arena = Arena(contest, Address(port=port), workers=0)
        accounts = arena.app.state.accounts
        accounts.add_operator("operator", PASSWORD)
        accounts.join(accounts.invite("aoi"), "Aoi", PASSWORD)
        arena.start()
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{arena.address.url}api/board").close()
                break
            except OSError:
                time.sleep(0.1)
        path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for size, theme, language in VIEWS:
            locale = {"en": "en-GB", "ja": "ja-JP"}[language]
            for role, login in (("audience", None), ("team", "Aoi"), ("operator", "operator")):
                context = browser.new_context(
                    viewport=SIZES[size], color_scheme=theme, locale=locale, timezone_id="Asia/Tokyo"
                )
                page = context.new_page()
                if login:
                    page.goto(f"{arena.address.url}login")
                    page.fill("[name=login]", login)
                    page.fill("[name=password]", PASSWORD)
                    page.click("button[type=submit]")
                    page.wait_for_url(f"**/{role}")
                else:
                    page.goto(arena.address.url)
                page.wait_for_timeout(1500)
                page.screenshot(path=TARGET / f"{role}-{size}-{theme}-{language}.png")
                context.close()
        browser.close()
        arena.stop()


if __name__ == "__main__":
    main()
