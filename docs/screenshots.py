"""Take the pictures of the arena for the documentation: a contest in the middle of its attack phase, in Chromium."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from icefire.contest import bots
from icefire.contest.clock import ManualClock
from icefire.contest.config import Config
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.state import Place
from icefire.contest.uploads import pack
from icefire.contest.workers import run_inline
from icefire.core.seeds import generator
from icefire.web.serve import Address, Arena

TARGET = Path(__file__).with_name("pictures") / "arena"
PASSWORD = "a password for pictures"
LOGINS = {"audience": None, "team": "Aoi", "operator": "operator"}
VIEWS = [("wide", "dark", "en"), ("wide", "light", "ja"), ("phone", "dark", "ja"), ("phone", "light", "en")]
SIZES = {"wide": {"width": 1440, "height": 900}, "phone": {"width": 400, "height": 860}}
LOCALES = {"en": "en-GB", "ja": "ja-JP"}


def contest_in_the_middle(folder: Path) -> Contest:
    """The demonstration contest ten minutes into its attack phase, with a flagged release and some attacks."""
    body = load_config(Path("demo")).as_dict()
    now = datetime.now(UTC)
    times = [(now + timedelta(minutes=minutes)).isoformat() for minutes in (-40, -12, -10, 25, 15)]
    body["rounds"][0] |= {
        "defence": {"opens": times[0], "closes": times[1]},
        "attack": {"opens": times[2], "closes": times[3]},
        "freeze": times[4],
    }
    clock = ManualClock(now - timedelta(minutes=41))
    contest = Contest.create(folder, Config.model_validate(body), clock=clock, seeds=("ab" * 32,))
    teams = {bot.name: contest.teams.add(bot.name) for bot in contest.state().contest.bots}

    def advance(minutes: float) -> None:
        clock.reach(now + timedelta(minutes=minutes))
        for _ in range(10):
            if not contest.schedule.tick() and not run_inline(contest):
                break

    advance(-39)
    defend(contest, teams, advance)
    upload_cheat(contest, "ren")
    for minutes in (-20, -11, -9):
        advance(minutes)
    attack(contest, teams, advance)
    return contest


def defend(contest: Contest, teams: dict[str, str], advance: Callable[[float], None]) -> None:
    """Every bot uploads a simple release and then its real one."""
    for number, bot in enumerate(contest.state().contest.bots):
        for steps in (bot.defend[-1:], bot.defend):
            bots.defend(contest, Place(0, teams[bot.name], "households"), steps, generator(1, bot.name))
            advance(-38 + number)


def upload_cheat(contest: Contest, team: str) -> None:
    """Upload a hardly changed table with a false row map, which the operator has to rule on."""
    problem = contest.downloads.problem(Place(0, team, "households"))
    files = contest.game().bot_release(problem, ["noise(scale=0.02)"], generator(1, "cheat"))
    rows = files["secret.csv"].split()
    files["secret.csv"] = b"\n".join([*rows[1:], rows[0]]) + b"\n"
    contest.uploads.release(team, "households", pack(files))


def attack(contest: Contest, teams: dict[str, str], advance: Callable[[float], None]) -> None:
    """Every bot attacks one to three of the others."""
    for number, bot in enumerate(contest.state().contest.bots):
        targets = [team for team in teams.values() if team != teams[bot.name]]
        for target in targets[: 1 + number % 3]:
            place = Place(0, target, "households")
            bots.attack(contest, teams[bot.name], place, bot.attack, generator(1, bot.name, target))
            advance(-8 + number)


@contextmanager
def served(contest: Contest) -> Iterator[str]:
    """The address at which a contest is served, with an operator and a member of one team."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with Arena(contest, Address(port=port), workers=0) as arena:
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
        yield arena.address.url


@contextmanager
def opened(browser: Browser, url: str, role: str, view: tuple[str, str, str]) -> Iterator[Page]:
    """A role's page in a view, logged in if need be."""
    size, theme, language = view
    context = browser.new_context(
        viewport=SIZES[size], color_scheme=theme, locale=LOCALES[language], timezone_id="Asia/Tokyo"
    )
    page = context.new_page()
    login = LOGINS[role]
    page.goto(f"{url}login" if login else url)
    if login:
        page.fill("[name=login]", login)
        page.fill("[name=password]", PASSWORD)
        page.click("button[type=submit]")
        page.wait_for_url(f"**/{role}")
    page.wait_for_timeout(1500)
    yield page
    context.close()


def main() -> None:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        sys.exit("taking pictures needs Chromium: apt-get install chromium fonts-noto-cjk")
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        with contest_in_the_middle(Path(folder) / "contest") as contest, served(contest) as url:
            for view in VIEWS:
                for role in LOGINS:
                    with opened(browser, url, role, view) as page:
                        page.screenshot(path=TARGET / f"{role}-{'-'.join(view)}.png")
        browser.close()


if __name__ == "__main__":
    main()
