"""The pages of the audience in a real browser: they fit a hall and a phone, and everybody can use them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from icefire.web.pages import add_pages
from web.conftest_web import free_port
from web.halls import LONG, Feed, Hall, Stage, shown_scene
from web.test_browser import log_in, same_shape, started

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
HALL, PHONE = {"width": 1920, "height": 1080}, {"width": 390, "height": 844}
SCENES: list[tuple[Stage, tuple[str, ...]]] = [
    ("before", ("opening", "lineup")),
    ("defence", ("lineup",)),
    ("attack", ("matrix", "standings", "map")),
    ("frozen", ("freeze",)),
    ("final", ("podium", "prizes", "tales")),
]
MOMENTS: list[tuple[Stage, str]] = [("defence", "entrance"), ("attack", "duel"), ("ceremony", "unveiled")]
CUT = """
[...document.querySelectorAll('header, footer, #scene, #beside, #scene .scroll, #scene ol, #scene ul, .card, .both > div')]
    .filter(part => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
    .map(part => part.id || part.className)
"""
SERIOUS = """
async () => (await axe.run({ resultTypes: ['violations'] })).violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`)
"""


@contextmanager
def opened(browser: Any, **more: Any) -> Iterator[Any]:
    context = browser.new_context(bypass_csp=True, **{"locale": "en-GB", "reduced_motion": "reduce", **more})
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    assert page.faults == []
    context.close()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where the pages are, and nothing else: what they show is made up."""
    app, port = FastAPI(), free_port()
    add_pages(app)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def height(page: Any) -> int:
    return int(page.evaluate("document.documentElement.scrollHeight"))


def test_made_up_contests_have_the_shape_of_what_the_server_sends(hall: Any) -> None:
    started(hall, "aoi", "kaede")
    with hall.client() as client:
        board, story = client.get("/api/board").json(), client.get("/api/story").json()
    made_up = Hall(4, "attack")
    same_shape(made_up.board, board)
    for what in ("joined", "phase_opened", "released", "lowered"):
        ours = next(item for item in made_up.items if item["what"] == what)
        same_shape(ours, next(item for item in story if item["what"] == what), what)
    assert len(LONG) == 40


def test_every_scene_fits_the_screen_of_a_hall(url: str, browser: Any) -> None:
    with opened(browser, viewport=HALL) as page:
        feed = Feed(page, f"{url}/screen", Hall(4, "before"))
        for teams in (4, 24):
            for stage, names in SCENES:
                feed.show(Hall(teams, stage))
                for name in names:
                    assert shown_scene(page, name), (stage, name)
                    assert (height(page), page.evaluate(CUT)) == (1080, []), (teams, stage, name)
            for stage, name in MOMENTS:
                feed.show(Hall(teams, stage), news=1)
                assert shown_scene(page, name), (stage, name)
                assert (height(page), page.evaluate(CUT)) == (1080, []), (teams, stage, name)
        # As many as there is room for at the largest size.
        feed.show(Hall(7, "frozen"))
        for name in ("freeze", "map"):
            assert shown_scene(page, name), name
            assert (height(page), page.evaluate(CUT)) == (1080, []), name
        page.set_viewport_size(PHONE)
        feed.show(Hall(4, "final"))
        for name in ("podium", "prizes", "fire", "tales"):
            assert shown_scene(page, name), name
            width = page.evaluate("document.documentElement.scrollWidth")
            assert (width, page.evaluate(CUT)) == (PHONE["width"], []), name


def test_the_scoreboard_fits_a_hall_and_a_phone(url: str, browser: Any) -> None:
    with opened(browser, viewport=HALL) as page:
        feed = Feed(page, url, Hall(4, "attack"))
        for teams in (4, 24):
            feed.show(Hall(teams, "attack"))
            page.wait_for_selector(f"#defenders li:nth-child({teams})")
            bottoms = page.eval_on_selector_all(
                "#standings li", "all => all.map(li => li.getBoundingClientRect().bottom)"
            )
            assert (height(page), len(bottoms)) == (1080, 2 * teams)
            assert max(bottoms) < 1080
            assert (
                page.evaluate(
                    "(part => part.scrollWidth - part.clientWidth)(document.querySelector('#matrix .scroll'))"
                )
                <= 0
            )
        page.set_viewport_size(PHONE)
        page.wait_for_selector("#matrix details")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_the_screen_directs_itself_and_can_be_held(url: str, browser: Any) -> None:
    with opened(browser, viewport=HALL) as page:
        Feed(page, f"{url}/screen", Hall(4, "attack"), news=3)
        page.wait_for_selector("#scene.duel")
        page.keyboard.press("Space")
        assert page.inner_text("#hold") == "Go on"
        text = page.inner_text("main") + page.inner_text("footer")
        assert "Kaede" in text
        assert not {"t0", "t1", "t2", "t3"} & set(text.split()), "ids are not shown"
        page.keyboard.press("ArrowRight")
        page.click("#language")
        assert page.inner_text("#hold") == "再開"
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm install (needs the registry of npm)")
    return AXE.read_text("utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_stands_in_the_way_of_assistive_technology(
    hall: Any, browser: Any, axe: str, theme: str
) -> None:
    started(hall, "aoi", "kaede")
    members = [("operator", "boss"), ("team", hall.team_login("aoi"))]
    found: dict[str, list[str]] = {}
    with opened(browser, viewport=HALL, color_scheme=theme) as page:
        for path, content in (("/", Hall(24, "attack")), ("/screen", Hall(24, "attack"))):
            feed = Feed(page, f"{hall.url}{path}", content)
            page.evaluate(axe)
            found[path] = page.evaluate(SERIOUS)
        for stage, name in MOMENTS:
            feed.show(Hall(4, stage), news=1)
            assert shown_scene(page, name), name
            found[name] = page.evaluate(SERIOUS)
    with opened(browser, color_scheme=theme) as page:
        page.goto(f"{hall.url}/login")
        page.wait_for_selector("form")
        page.evaluate(axe)
        found["login"] = page.evaluate(SERIOUS)
    for place, login in members:
        with opened(browser, color_scheme=theme) as page:
            log_in(page, hall, login, place)
            page.wait_for_selector("section")
            page.evaluate(axe)
            found[place] = page.evaluate(SERIOUS)
    assert {where: faults for where, faults in found.items() if faults} == {}
