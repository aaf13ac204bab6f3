"""Take pictures of the arena in Chromium.

python docs/screenshots.py                 # those of the documentation
python docs/screenshots.py --all FOLDER    # every page and scene with 4, 24 and 40 teams, to be looked at
"""

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

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from web.halls import Feed, Hall, Stage, shown_scene

TARGET = Path(__file__).with_name("pictures") / "arena"
PASSWORD = "a password for pictures"
LOGINS = {"audience": None, "team": "Aoi", "operator": "operator"}
VIEWS = [("wide", "dark", "en"), ("wide", "light", "ja"), ("phone", "dark", "ja"), ("phone", "light", "en")]
SIZES = {
    "hall": {"width": 1920, "height": 1080},
    "wide": {"width": 1440, "height": 900},
    "phone": {"width": 400, "height": 860},
}
DOCUMENTED = [("team", VIEWS[0]), ("team", VIEWS[2]), ("operator", VIEWS[1]), ("operator", VIEWS[3])]
SCENES: list[tuple[Stage, list[str]]] = [
    ("before", ["opening", "lineup", "lesson"]),
    ("defence", ["entrance", "lineup", "lesson"]),
    ("attack", ["duel", "map", "matrix", "standings"]),
    ("frozen", ["freeze", "map", "matrix"]),
    ("ceremony", ["unveiled", "ceremony"]),
    ("final", ["podium", "prizes", "fire", "tales"]),
]
MOMENTS = {"entrance", "duel", "unveiled"}
SHOWN = [
    ("attack", "duel", 4, ("hall", "dark", "en")),
    ("attack", "map", 24, ("hall", "light", "ja")),
    ("attack", "matrix", 24, ("hall", "dark", "en")),
    ("ceremony", "unveiled", 4, ("hall", "light", "ja")),
]
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


@contextmanager
def made_up(browser: Browser, url: str, hall: Hall, view: tuple[str, str, str], news: int = 0) -> Iterator[Page]:
    """A page of the audience that shows a made-up contest."""
    size, theme, language = view
    context = browser.new_context(
        viewport=SIZES[size], color_scheme=theme, locale=LOCALES[language], reduced_motion="reduce"
    )
    page = context.new_page()
    Feed(page, url, hall, news)
    page.wait_for_timeout(300)
    yield page
    context.close()


def picture_scene(
    browser: Browser, url: str, scene: tuple[Stage, str, int, tuple[str, str, str]], target: Path
) -> None:
    stage, name, teams, view = scene
    with made_up(browser, f"{url}screen", Hall(teams, stage), view, news=int(name in MOMENTS)) as page:
        if not shown_scene(page, name):
            sys.exit(f"{target.name}: there is no such scene")
        page.screenshot(path=target)


def picture_everything(browser: Browser, url: str, folder: Path) -> None:
    """Every scene and page with few, many and very many teams, to be looked at."""
    themes = [("dark", "en"), ("light", "ja")]
    for teams in (4, 24, 40):
        for stage, names in SCENES:
            for theme, language in themes:
                for size in ("hall", "phone"):
                    file = folder / f"audience-{stage}-{teams}-{size}-{theme}-{language}.png"
                    with made_up(browser, url, Hall(teams, stage), (size, theme, language)) as page:
                        page.screenshot(path=file, full_page=True)
                for name in names:
                    view = ("hall", theme, language)
                    file = folder / f"screen-{stage}-{name}-{teams}-{theme}-{language}.png"
                    picture_scene(browser, url, (stage, name, teams, view), file)


def picture_documentation(browser: Browser, url: str) -> None:
    for role, view in DOCUMENTED:
        with opened(browser, url, role, view) as page:
            page.screenshot(path=TARGET / f"{role}-{'-'.join(view)}.png")
    for view in (("hall", "dark", "en"), ("phone", "light", "ja")):
        with made_up(browser, url, Hall(24 if view[0] == "hall" else 4, "attack"), view) as page:
            page.screenshot(path=TARGET / f"audience-{'-'.join(view)}.png")
    for stage, name, teams, view in SHOWN:
        file = TARGET / f"screen-{name}-{teams}-{'-'.join(view[1:])}.png"
        picture_scene(browser, url, (stage, name, teams, view), file)


def main() -> None:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        sys.exit("taking pictures needs Chromium: apt-get install chromium fonts-noto-cjk")
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        with contest_in_the_middle(Path(scratch) / "contest") as contest, served(contest) as url:
            if sys.argv[1:2] == ["--all"]:
                folder = Path(sys.argv[2])
                folder.mkdir(parents=True, exist_ok=True)
                picture_everything(browser, url, folder)
            else:
                picture_documentation(browser, url)
        browser.close()


if __name__ == "__main__":
    main()
